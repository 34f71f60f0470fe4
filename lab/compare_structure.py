"""The structure of Markdown that extractors write, against gold that is Markdown.

    python -m lab.compare_structure GOLD... [--extractor NAME]... [--limit N] [--json]

NAME is an extractor of Cedar's, or `peer:NAME` (`lab.markdown_peers`). Without GOLD the forty pages of
`lab.structure_pages` are taken. A CommonMark parser reads both sides, so that no style has an advantage.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass

import cedar
from cedar.transforms.decode.charset import decode_text
from cedar.transforms.scoring.gold import GoldPage, GoldSet, evenly_spaced, from_json_line
from lab import markdown_peers
from lab.structure import AXES, Structure, agreements, structure_of
from lab.structure_pages import pages as own_pages

Method = Callable[[GoldPage, bytes], str]


@dataclass(frozen=True, slots=True)
class Result:
    """An extractor on the pages of a set: the mean of each axis, and over how many pages with gold for it.

    Pages in `failed` score 0; `surplus_headings` counts pages with headings where the gold has none.
    """

    set: str
    extractor: str
    pages: int
    failed: int
    axes: dict[str, dict[str, float] | None]
    surplus_headings: int
    cpu_ms: float


def method_of(name: str) -> Method:
    """The function from a page to its Markdown; ValueError for a name that writes none."""
    if name.startswith(markdown_peers.PREFIX):
        write = markdown_peers.writer(name)
        return lambda page, html: write(html.decode())
    made = cedar.MarkdownOptions()
    cedar.extract("<p>probe", name, markdown=made)
    return lambda page, html: cedar.extract(html, name, markdown=made, url=page.url).markdown or ""


def measured(set_name: str, pages: list[GoldPage], name: str) -> Result:
    """Run one extractor over pages that have Markdown."""
    method = method_of(name)
    values: dict[str, list[float]] = {axis: [] for axis in AXES}
    failed = surplus = 0
    spent = 0.0
    for page in pages:
        gold = structure_of(page.markdown or "")
        html = decode_text(page.html, header_label=None, truncated=False).utf8
        start = time.thread_time()
        try:
            found: Structure = structure_of(method(page, html))
        except Exception as error:  # noqa: BLE001 - whatever a page does to an extractor is its own failure
            print(f"{name} failed on {set_name} {page.id}: {error}", file=sys.stderr)
            failed, found = failed + 1, Structure()
        spent += time.thread_time() - start
        surplus += bool(found.heads) and not gold.heads
        for axis, value in agreements(gold, found).items():
            values[axis] += [] if value is None else [value]
    axes = {a: {"mean": sum(v) / len(v), "pages": len(v)} if v else None for a, v in values.items()}
    return Result(set_name, name, len(pages), failed, axes, surplus, spent / len(pages) * 1e3)


def show(results: Iterable[Result]) -> None:
    """Print a table: an extractor a line."""
    print(f"{'extractor':28}", *(f"{axis:>6}" for axis in AXES), "surplus", "CPU ms")
    for result in results:
        cells = (f"{of['mean']:6.3f}" if (of := result.axes[axis]) else "     -" for axis in AXES)
        print(f"{result.extractor:28}", *cells, f"{result.surplus_headings:7}", f"{result.cpu_ms:6.2f}")


def sets_of(paths: list[str], limit: int | None) -> list[tuple[str, list[GoldPage]]]:
    """Pages with Markdown of each set; ValueError for a set without any."""
    if not paths:
        own = [from_json_line("ours", json.dumps(page).encode()) for page in own_pages()]
        return [("ours", [own[place] for place in evenly_spaced(len(own), limit)])]
    found = []
    for gold_set in map(GoldSet.at, paths):
        wanted = evenly_spaced(gold_set.count(), limit)
        pages = [page for page in gold_set.read(wanted) if page.markdown]
        if not pages:
            raise ValueError(f"{gold_set.path} has no page with markdown")
        found.append((gold_set.name, pages))
    return found


def main(arguments: list[str]) -> int:
    """Measure and print; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m lab.compare_structure", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("gold", nargs="*", metavar="GOLD")
    parser.add_argument("--extractor", action="append", metavar="NAME")
    parser.add_argument("--limit", type=int, metavar="N")
    parser.add_argument("--json", action="store_true", help="all results on one line")
    options = parser.parse_args(arguments)
    try:
        sets = sets_of(options.gold, options.limit)
        names = options.extractor or ["cedar"]
        results = [measured(name, pages, each) for name, pages in sets for each in names]
    except (ValueError, ImportError) as error:
        print(f"compare_structure: {error}", file=sys.stderr)
        return 2
    if options.json:
        print(json.dumps({"structure": [asdict(result) for result in results]}))
        return 0
    for name, pages in sets:
        print(f"{name}: {len(pages)} pages")
        show(result for result in results if result.set == name)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
