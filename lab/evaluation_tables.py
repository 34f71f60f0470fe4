"""Puts results of `cedar evaluate --results` into lab/RESULTS.md: lab/evaluation_tables.py FILE...

Several files are laid side by side: later ones add sets and extractors, or replace what earlier ones have.
"""

import json
import sys
from pathlib import Path

PAGE = Path(__file__).parent / "RESULTS.md"
START, STOP = "<!-- results -->\n", "<!-- /results -->\n"


def markdown(rows):
    head, *body = [[cell.replace("|", "\\|") for cell in row] for row in rows]
    rule = ["---"] + ["---:"] * (len(head) - 1)
    return "".join(f"| {' | '.join(row)} |\n" for row in [head, rule, *body])


def crossed(results, columns, cell, *, key):
    """A row for each extractor, a column for each of `columns`; `key` tells a result's column."""
    found = {(result["extractor"], key(result)): cell(result) for result in results}
    labels = dict.fromkeys(result["extractor"] for result in results)
    return [[f"`{label}`", *(found.get((label, column), "") for column in columns)] for label in labels]


def tables(results):
    whole = [r for r in results if r["by"] is None and r["variant"] == "original"]
    sets = dict.fromkeys(r["set"] for r in whole)
    sizes = {r["set"]: r["pages"] for r in whole}
    head = ["", *(f"{name} ({sizes[name]})" for name in sets)]

    def f1(name):
        def cell(result):
            summary = result["metrics"].get(name)
            if summary is None:
                return ""
            mean, low, high = (summary["f1"][part] for part in ("mean", "low", "high"))
            return f"{mean:.3f} ({low:.3f} {high:.3f})"

        return cell

    metrics = dict.fromkeys(name for r in whole for name in r["metrics"])
    for name in metrics:
        yield f"F1, `{name}`, mean over pages with its 95 % interval:"
        yield markdown([head, *crossed(whole, sets, f1(name), key=lambda r: r["set"])])
    yield "CPU milliseconds a page, decoding and parsing included (pages failed on, if any):"

    def cost(result):
        return f"{result['cpu_ms']:.1f}" + (f" ({result['failed']})" if result["failed"] else "")

    yield markdown([head, *crossed(whole, sets, cost, key=lambda r: r["set"])])
    first = next(iter(metrics))
    for name in sets:
        for by in ("page_type", "lang"):
            grouped = [
                r
                for r in results
                if (r["set"], r["by"], r["variant"]) == (name, by, "original") and r["group"] != "unknown"
            ]
            groups = {r["group"]: r["pages"] for r in grouped}
            if len(groups) > 1:
                yield f"{name} by {by}, F1, `{first}`:"
                head_of_groups = ["", *(f"{group} ({pages})" for group, pages in groups.items())]
                yield markdown(
                    [
                        head_of_groups,
                        *crossed(
                            grouped,
                            groups,
                            lambda r: (
                                f"{r['metrics'][first]['f1']['mean']:.3f}" if r["metrics"][first] else ""
                            ),
                            key=lambda r: r["group"],
                        ),
                    ]
                )
        forms = [r for r in results if r["by"] is None and r["set"] == name]
        variants = dict.fromkeys(r["variant"] for r in forms)
        if len(variants) > 1:
            yield f"{name} by form of the pages, F1, `{first}`:"
            yield markdown(
                [
                    ["", *variants],
                    *crossed(
                        forms,
                        variants,
                        lambda r: f"{r['metrics'][first]['f1']['mean']:.3f}",
                        key=lambda r: r["variant"],
                    ),
                ]
            )


def main(paths):
    results = {}
    for path in paths:
        for result in json.loads(Path(path).read_text(encoding="utf-8"))["results"]:
            key = tuple(result[part] for part in ("set", "variant", "extractor", "by", "group"))
            results[key] = result
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(START)
    _, _, after = rest.partition(STOP)
    # An empty line before each table: without one, some readers take it for text.
    body = "\n".join(part if part.startswith("|") else f"{part}\n" for part in tables(list(results.values())))
    PAGE.write_text(f"{before}{START}\n{body}\n{STOP}{after}", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
