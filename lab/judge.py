"""Methods that cannot run as an extractor, on gold: python -m lab.judge GOLD... --method NAME[:K=V]...

vips-oracle[:pdoc=N]        of VIPS' segments those that agree best with the gold (lab.oracles)
readability-js[:directory=DIR]   Mozilla's Readability in node (`nox -s readability_js` installs it)
wet:file=NAME.warc.wet.gz   the text that Common Crawl made of the same record, by the gold's record_id

Prints means with intervals, as `cedar evaluate` does for extractors.
"""

from __future__ import annotations

import argparse
import sys
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from cedar.transforms.decode.charset import decode_text
from cedar.transforms.files.http_client import Web
from cedar.transforms.files.stores import source_for
from cedar.transforms.model.books import RejectedError, RejectReason
from cedar.transforms.runtime.guard_limits import DEFAULT_LIMITS
from cedar.transforms.scoring.gold import GoldPage, GoldSet, evenly_spaced
from cedar.transforms.scoring.metrics import (
    METRICS,
    NOTHING,
    Agreement,
    Gold,
    Summary,
    TextTokens,
    space_saving,
    summarise,
)
from cedar.transforms.warc.reader import Damage, FileRange, ReadEnd, read_records
from lab import oracles
from lab.readability_js import Node, check

CONVERSIONS = frozenset({"conversion"})


@dataclass(frozen=True, slots=True)
class Found:
    """What a method makes of a page: its text, and whether its score is only a lower bound."""

    text: str
    is_bound: bool = False


@dataclass(frozen=True, slots=True)
class Judged:
    """A method on the pages of a set; pages in `failed` score 0, in `bounds` the score is a lower bound."""

    set: str
    method: str
    pages: int
    failed: int
    bounds: int
    summary: Summary
    saved: float
    saved_packed: float


Method = Callable[[GoldPage, bytes], Found]
"""From a page and its HTML in UTF-8 to what is found; raises RejectedError where it fails."""


def vips_oracle(pdoc: str = "10") -> Method:
    """The best union of VIPS' segments at a permitted degree of coherence, from 1 to 10."""
    if not pdoc.isdigit() or not 1 <= int(pdoc) <= 10:
        raise ValueError(f"pdoc must be a whole number from 1 to 10, not {pdoc!r}")

    def choose(page: GoldPage, html: bytes) -> Found:
        text, is_best = oracles.best_union(oracles.segments(html, int(pdoc)), TextTokens.of(page.text))
        return Found(text, not is_best)

    return choose


def readability_js(directory: str = ".venv-readability") -> Method:
    """Mozilla's Readability, in one node for all pages."""
    check(directory)
    node = Node(directory, DEFAULT_LIMITS)
    return lambda page, html: Found(node.text(html))


def wet(file: str = "") -> Method:
    """Common Crawl's own text of the record that a page is out of."""
    texts = read_texts(file)

    def look_up(page: GoldPage, html: bytes) -> Found:
        if page.record_id not in texts:
            raise RejectedError(RejectReason.EXTRACTOR_ERROR, "the WET file has no text of its record_id")
        return Found(texts[page.record_id])

    return look_up


METHODS: Mapping[str, Callable[..., Method]] = {
    "vips-oracle": vips_oracle,
    "readability-js": readability_js,
    "wet": wet,
}


def read_texts(path: str) -> dict[str, str]:
    """The texts of a WET file by the ids of the records that they refer to; ValueError for a bad file."""
    if not path:
        raise ValueError("wet needs a file: write wet:file=NAME.warc.wet.gz")
    texts = {}
    try:
        place = source_for(path, Web())
        size = place.stat().size or 0
        with place.open() as file:
            for item in read_records(file, FileRange(source=path, size=size), kinds=CONVERSIONS):
                if isinstance(item, Damage):
                    raise ValueError(f"{path} is damaged at byte {item.location.offset}: {item.reason.value}")
                if not isinstance(item, ReadEnd) and item.kind in CONVERSIONS and item.refers_to is not None:
                    if item.truncated:
                        raise ValueError(
                            f"{path} is cut, or a text in it is: the one at byte {item.location.offset}"
                        )
                    texts[item.refers_to] = item.block.decode("utf-8", "replace")
    except OSError as fault:
        raise ValueError(f"cannot read {path}: {fault}") from fault
    if not texts:
        raise ValueError(f"{path} is not a WET file: it has no text that refers to a page")
    return texts


def method_of(asked: str) -> Method:
    """The method of a name and options, as `vips-oracle:pdoc=7`; ValueError for what is unknown or wrong."""
    name, _, given = asked.partition(":")
    if name not in METHODS:
        raise ValueError(f"unknown method {name!r}; there are: {', '.join(METHODS)}")
    options = dict(part.split("=", 1) for part in given.split(",") if "=" in part)
    try:
        return METHODS[name](**options)
    except TypeError as error:
        raise ValueError(f"{name}: {error}") from error


def judged(gold_set: GoldSet, asked: str, *, metric: str, limit: int | None = None) -> Judged:
    """Run one method over a set, or over `limit` of its pages, evenly spaced."""
    method = method_of(asked)
    agreements: list[Agreement] = []
    sizes = [0, 0, 0, 0]
    failed = bounds = pages = 0
    for page in gold_set.read(evenly_spaced(gold_set.count(), limit)):
        html = decode_text(page.html, header_label=None, truncated=False).utf8
        gold = Gold(TextTokens.of(page.text), page.wanted, page.unwanted)
        pages += 1
        try:
            found = method(page, html)
            agreement = METRICS[metric].function(TextTokens.of(found.text), gold)
        except RejectedError as error:
            print(f"{asked} failed on {gold_set.name} {page.id}: {error}", file=sys.stderr)
            failed, found, agreement = failed + 1, Found(""), NOTHING
        bounds += found.is_bound
        agreements += [] if agreement is None else [agreement]
        text = found.text.encode()
        measured = (len(text), len(html), len(zlib.compress(text)), len(zlib.compress(html)))
        sizes = [a + b for a, b in zip(sizes, measured, strict=True)]
    return Judged(
        set=gold_set.name,
        method=asked,
        pages=pages,
        failed=failed,
        bounds=bounds,
        summary=summarise(agreements),
        saved=space_saving(sizes[0], sizes[1]),
        saved_packed=space_saving(sizes[2], sizes[3]),
    )


def main(arguments: list[str]) -> int:
    """Judge and print; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m lab.judge", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("gold", nargs="+", metavar="GOLD")
    parser.add_argument("--method", action="append", required=True, metavar="NAME[:K=V]")
    parser.add_argument("--metric", default="bag-lower", choices=METRICS)
    parser.add_argument("--limit", type=int, metavar="N")
    options = parser.parse_args(arguments)
    try:
        for gold_set in map(GoldSet.at, options.gold):
            print(f"{gold_set.name}, {options.metric}: P, R, F1 with its 95 % interval, failed, lower bounds")
            for asked in options.method:
                found = judged(gold_set, asked, metric=options.metric, limit=options.limit)
                s = found.summary
                print(
                    f"{asked:28} {s.precision:.3f} {s.recall:.3f} {s.f1.mean:.3f} "
                    f"({s.f1.low:.3f} {s.f1.high:.3f}) {found.failed} {found.bounds}"
                )
    except ValueError as error:
        print(f"judge: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
