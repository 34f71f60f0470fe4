"""Results as tables: in the terminal, and in the document.

    python -m lab.benchmarks.report RESULTS.json [--into lab/PERFORMANCE.md] [--price DOLLARS]

The document has a pair of comments for each table, `<!-- NAME -->` and `<!-- /NAME -->`; what stands between
them is replaced. Without `--into` the tables are printed as Markdown.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

PRICE = 0.04
"""Dollars a vCPU-hour: about what machines for general use cost on demand; an argument changes it."""

MONTH_PAGES, MONTH_PAGE_BYTES = 2_600_000_000, 164_000
"""A month of Common Crawl: its pages, and their HTML in the mean, without codings."""

_EMPTY = "Not measured yet."


def print_tables(results: dict[str, Any]) -> None:
    """The figures, and the cost of each stage, in the terminal."""
    from rich.console import Console
    from rich.table import Table

    console = Console()
    table = Table("suite", "figure", "median", "spread", "target", "", box=None)
    for figure in results["figures"]:
        verdict = {True: "[green]met", False: "[red]missed", None: ""}[figure["met"]]
        value = figure["value"]
        spread = _spread(figure)
        table.add_row(
            figure["suite"],
            figure["name"],
            _number(value["median"], figure["unit"]),
            spread,
            _target(figure),
            verdict,
        )
    console.print(table)
    stages = results["details"].get("stages")
    if stages:
        table = Table("stage", "µs a page", "MB/s", "pages", "rows/s", box=None)
        for row in stages:
            table.add_row(*_stage_cells(row))
        console.print(table)
    for name, reason in results["missing"].items():
        console.print(f"left out: {name} ({reason})", markup=False)


def markdown(results: dict[str, Any], price: float) -> dict[str, str]:
    """The document's tables by name."""
    makers: dict[str, Callable[[], str]] = {
        "setting": lambda: _setting(results),
        "figures": lambda: _figures(results),
        "profile": lambda: _profile(results),
        "whole": lambda: _whole(results),
        "growth": lambda: _growth(results),
        "stages": lambda: _stages(results),
        "sizes": lambda: _sizes(results),
        "bill": lambda: _bill(results, price),
    }
    return {name: make() or _EMPTY for name, make in makers.items()}


def fill(path: Path, results: dict[str, Any], price: float) -> None:
    """Put the tables into a document; those that were not measured stay as they are.

    Raises:
        ValueError: the document lacks the comments of a table.
    """
    text = path.read_text(encoding="utf-8")
    for name, table in markdown(results, price).items():
        place = re.compile(rf"(<!-- {name} -->\n).*?(<!-- /{name} -->)", re.DOTALL)
        if not place.search(text):
            raise ValueError(f"{path} has no <!-- {name} -->")
        if table != _EMPTY:
            filling = f"\n{table}\n\n"
            text = place.sub(lambda match, filling=filling: match[1] + filling + match[2], text)
    path.write_text(text, encoding="utf-8")


def _table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    heads = list(heads)
    lines = ["| " + " | ".join(heads) + " |", "|---" + "|---:" * (len(heads) - 1) + "|"]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines) if len(lines) > 2 else ""


def _number(value: float, unit: str) -> str:
    if unit == "share":
        return f"{value:.0%}"
    text = f"{value:.2f}" if abs(value) < 100 else f"{value:,.0f}"
    return f"{text} {unit}".rstrip()


def _spread(figure: dict[str, Any]) -> str:
    low, high = figure["value"]["low"], figure["value"]["high"]
    return f"{_number(low, figure['unit'])} to {_number(high, figure['unit'])}"


def _target(figure: dict[str, Any]) -> str:
    bounds = [("≥", figure["least"]), ("≤", figure["most"])]
    return ", ".join(
        f"{sign} {_number(bound, figure['unit'])}" for sign, bound in bounds if bound is not None
    )


def _setting(results: dict[str, Any]) -> str:
    work, machine = results["workload"], results["machine"]
    packages = ", ".join(f"{name} {version}" for name, version in machine["packages"].items() if version)
    return (
        f"{results['made_at'][:10]}, {machine['cpu']}, {machine['cores']} cores, load {machine['load']:.1f} "
        f"at the end, Python {machine['python']}, {packages}. "
        f"{work['source'].capitalize()}: {work['pages']:,} pages, "
        f"{work['html_bytes'] / 1e6:,.0f} MB of HTML in {len(work['warcs'])} files. "
        f"Median of {results['rounds']} runs in turns (fewer for what is slow)."
    )


def _figures(results: dict[str, Any]) -> str:
    rows = []
    for figure in results["figures"]:
        value = figure["value"]
        verdict = {True: "met", False: "**missed**", None: ""}[figure["met"]]
        spread = _spread(figure)
        median = _number(value["median"], figure["unit"])
        name = figure["name"] + (f" ({figure['note']})" if figure["note"] else "")
        rows.append([name, median, spread, _target(figure), verdict])
    return _table(["", "median", "spread", "target", ""], rows)


def _profile(results: dict[str, Any]) -> str:
    profile = results["details"].get("profile", {})
    stages = ("read", "decode", "extract", "write", "rest beyond start-up")
    rows = []
    for extractor, seconds in profile.items():
        total = sum(seconds[stage] for stage in stages) or 1.0
        rows.append([extractor, *(f"{seconds[stage] / total:.0%}" for stage in stages), f"{total:.1f} s"])
    return _table(["extractor", *stages[:4], "Beam, counters, between", "CPU"], rows)


def _whole(results: dict[str, Any]) -> str:
    found = results["details"].get("whole", {"pages": 1, "runs": {}})
    stages = ("read", "decode", "extract", "filter", "write", "rest beyond start-up")
    rows, first = [], None
    for name, runs in found["runs"].items():
        medians = [statistics.median(run.get(stage, 0.0) for run in runs) for stage in stages]
        total = statistics.median(sum(run.get(stage, 0.0) for stage in stages) for run in runs)
        first = first or total
        cells = [f"{1e6 * seconds / found['pages']:,.0f}" for seconds in (*medians, total)]
        start_up = statistics.median(run["start-up"] for run in runs)
        rows.append([name, *cells, f"{total / first:.2f}", f"{start_up:.2f}"])
    heads = ["CPU µs a page", *stages[:5], "Beam, counters, between", "all", "times the first", "start-up, s"]
    return _table(heads, rows)


def _growth(results: dict[str, Any]) -> str:
    rows = []
    for n in (1, 2, 4):
        samples = results["samples"].get(f"cedar x{n}")
        if samples:
            cpu = sorted(s["cpu"] for s in samples)[len(samples) // 2]
            rss = max(s["rss"] for s in samples) / (1 << 20)
            sample = samples[0]
            rows.append(
                [f"{n}", f"{sample['pages']:,}", f"{sample['bytes'] / 1e6:,.0f}", f"{cpu:.2f}", f"{rss:,.0f}"]
            )
    return _table(["times", "pages", "MB of HTML", "CPU s, start-up in it", "resident MiB"], rows)


def _stage_cells(row: dict[str, Any]) -> list[str]:
    rows = row.get("rows_per_second")
    speed = f"{row['bytes'] / row['cpu'] / 1e6:,.0f}" if row["cpu"] else "-"
    each = f"{row['cpu'] / max(1, row['pages']) * 1e6:,.0f}"
    return [row["stage"], each, speed, f"{row['pages']:,}", f"{rows:,.0f}" if rows else ""]


def _stages(results: dict[str, Any]) -> str:
    rows = map(_stage_cells, results["details"].get("stages", []))
    return _table(["stage", "CPU µs a page", "MB/s of HTML", "pages", "rows/s"], rows)


def _sizes(results: dict[str, Any]) -> str:
    found = results["details"].get("sizes", [])
    kinds = list(dict.fromkeys(row["kind"] for row in found))
    ratio = {(row["extractor"], row["kind"]): row for row in found}
    names = dict.fromkeys(row["extractor"] for row in found)

    def cell(name: str, kind: str) -> str:
        row = ratio[name, kind]
        return f"{row['ratio']:.2f}" + (" (another stood in)" if row["fallback"] else "")

    return _table(["extractor", *kinds], ([name, *(cell(name, kind) for kind in kinds)] for name in names))


def _bill(results: dict[str, Any], price: float) -> str:
    size = MONTH_PAGES * MONTH_PAGE_BYTES
    rows = []
    for name, spread in results["details"].get("cpu_ns_per_byte", {}).items():
        hours = [spread[key] * 1e-9 * size / 3600 for key in ("median", "low", "high")]
        dollars = f"${hours[0] * price:,.0f}"
        spread_text = f"${hours[1] * price:,.0f} to ${hours[2] * price:,.0f}"
        milliseconds = f"{spread['median'] * 1e-6 * MONTH_PAGE_BYTES:.2f}"
        rows.append([name, milliseconds, f"{hours[0]:,.0f}", dollars, spread_text])
    heads = [f"${price:g} a vCPU-hour", "CPU ms a page", "vCPU-hours", "a month", "spread"]
    return _table(heads, rows)


def main(arguments: list[str] | None = None) -> int:
    """Print the tables, or put them into a document."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("results", type=Path)
    parser.add_argument("--into", type=Path, metavar="FILE")
    parser.add_argument("--price", type=float, default=PRICE, help=f"dollars a vCPU-hour ({PRICE})")
    options = parser.parse_args(arguments)
    results = json.loads(options.results.read_text(encoding="utf-8"))
    if options.into:
        fill(options.into, results, options.price)
    else:
        for name, table in markdown(results, options.price).items():
            print(f"<!-- {name} -->\n\n{table}\n\n<!-- /{name} -->\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
