"""`make counts`: what each stage does, counted and not timed, so that no noise touches it.

    python -m tests.benchmarks.counts                          count, and print as JSON
    python -m tests.benchmarks.counts --record                 take over figures that fell, and new stages
    python -m tests.benchmarks.counts --record --raise STAGE   let this stage's figures rise

Over a fixed set of synthetic pages, for each stage:

    calls  calls that code of `transforms` makes, of Python functions and of C functions
    lines  lines of `transforms` that are executed: loops show, whether or not they call anything
    peak   bytes that Python and numpy hold at most, beyond what was held before, summed over the pages

Calls and lines inside of other packages do not count: their releases are not ours. What compiled code, numpy
and libxml2 do inside of a call shows only as memory; `make bench-count` counts instructions.
"""

from __future__ import annotations

import argparse
import gc
import json
import sys
import tempfile
import tracemalloc
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import transforms
from transforms.compiled import is_in_use
from transforms.decode.page import PageFilter
from transforms.extractors import registry

from . import pages as synthetic
from .stages import Work, decode_stages, extract_stage, read_stages, write_stage
from .workload import warc_bytes

RECORD = Path(__file__).with_name("counts.json")
TOLERANCE = 0.10
"""How much dearer than recorded a stage may get."""

_JITTER = 0.01
_PEAK_SLACK = 16 << 10  # bytes: what the allocators of Python and its versions make of the same work

_OURS = str(Path(transforms.__file__).parent)
_PAGE_BYTES = 24_000


def page_set() -> list[synthetic.Page]:
    """The pages that are counted on: one of each kind, one of them in windows-1252."""
    return [synthetic.page(number, size=_PAGE_BYTES) for number in range(5, 10)]


def units(directory: Path, *, steps: bool) -> Iterator[tuple[str, list[Work]]]:
    """The stages by name, each as a list of what is measured apart from each other.

    Args:
        directory: for files.
        steps: with the graph's steps, which import Beam.
    """
    pages = page_set()
    warc = directory / "counts.warc.gz"
    warc.write_bytes(warc_bytes(pages))
    yield "read", [read_stages(str(warc))["read"]]
    yield "decode", [decode_stages(str(warc))["decode"]]
    decoded = [page.html.decode(page.charset or "utf-8").encode() for page in pages]
    for name in registry.names():
        yield f"extract {name}", [extract_stage(name, [page]) for page in decoded]
    yield "write", [write_stage(decoded)[1]]
    if steps:
        yield "steps", [_steps(directory, str(warc))]


def _steps(directory: Path, warc: str) -> Work:
    """The graph's steps around the stages, one after the other, with the commit; the method is keep-all."""
    from transforms.corpus.commit import Corpus
    from transforms.corpus.shards import list_inputs, shard_inputs
    from transforms.corpus.writers import OutputFormat
    from transforms.decode_page import _Decode
    from transforms.extract import ExtractPlan, _Extract
    from transforms.read import ReadPlan, ReadShard
    from transforms.write import WriteShard

    (shard,) = shard_inputs(list_inputs([warc]))
    plan = ExtractPlan.of("keep-all")

    def run() -> None:
        corpus = Corpus(tempfile.mkdtemp(dir=directory), "parquet")
        steps = (
            ReadShard(corpus, ReadPlan()),
            _Decode(PageFilter()),
            _Extract(plan),
            WriteShard(corpus, OutputFormat(), "digest"),
        )
        for step in steps:
            step.setup()
        steps[-1].start_bundle()
        elements: Iterable[Any] = [shard]
        for step in steps:
            elements = _through(step, elements)
        for _ in elements:
            pass
        steps[-1].finish_bundle()
        for step in steps:
            step.teardown()

    return run


def _through(step: Any, elements: Iterable[Any]) -> Iterator[Any]:
    for element in elements:
        yield from step.process(element)


class _Counter:
    """Counts calls from, and lines of, code of `transforms`."""

    def __init__(self) -> None:
        self.calls = 0
        self.lines = 0
        self._ours: dict[CodeType, bool] = {}

    def _is_ours(self, frame: FrameType) -> bool:
        code = frame.f_code
        known = self._ours.get(code)
        if known is None:
            known = self._ours[code] = code.co_filename.startswith(_OURS)
        return known

    def profile(self, frame: FrameType, event: str, _: Any) -> None:
        caller = frame if event == "c_call" else frame.f_back if event == "call" else None
        if caller is not None and self._is_ours(caller):
            self.calls += 1

    def trace(self, frame: FrameType, event: str, _: Any) -> Any:
        if not self._is_ours(frame):
            return None
        self.lines += event == "line"
        return self.trace

    def run(self, work: Work) -> None:
        sys.setprofile(self.profile)
        sys.settrace(self.trace)
        try:
            work()
        finally:
            sys.settrace(None)
            sys.setprofile(None)


def _peak(work: Work) -> int:
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    work()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak - before


def count() -> dict[str, dict[str, int]]:
    """The figures of all stages."""
    figures = {}
    with tempfile.TemporaryDirectory(prefix="cedar-counts-") as home:
        for name, parts in units(Path(home), steps=True):
            for work in parts:
                work()  # what is made once is made
            gc.collect()
            gc.disable()
            counter = _Counter()
            for work in parts:
                counter.run(work)
            peak = sum(_peak(work) for work in parts)
            gc.enable()
            figures[name] = {"calls": counter.calls, "lines": counter.lines, "peak": peak}
    return figures


_NUMPY = " numpy"


def version() -> str:
    """By what figures are recorded: the minor version of Python, which has its own way with frames, and
    whether numpy does what is otherwise compiled."""
    return f"{sys.version_info.major}.{sys.version_info.minor}" + ("" if is_in_use() else _NUMPY)


def recorded() -> dict[str, dict[str, int]]:
    """The figures on record for this Python; for a version without, those of the oldest that has some.

    Later versions need less of everything, by some per cent: they inline comprehensions."""
    if not RECORD.exists():
        return {}
    versions: dict[str, dict[str, dict[str, int]]] = json.loads(RECORD.read_text())["versions"]
    alike = [known for known in versions if known.endswith(_NUMPY) != is_in_use()]
    return versions.get(version()) or versions[min(alike)]


def dearer(found: dict[str, dict[str, int]], before: dict[str, dict[str, int]]) -> list[str]:
    """What got dearer by more than the tolerance, or has no figure on record, a line each."""
    lines = []
    for stage, figures in found.items():
        known = before.get(stage)
        if known is None:
            lines.append(f"{stage}: not on record")
            continue
        lines += [
            f"{stage}: {what} {known[what]:,} -> {number:,} ({number / max(1, known[what]) - 1:+.0%})"
            for what, number in figures.items()
            if _rose(what, number, known[what], TOLERANCE)
        ]
    return lines


def _rose(what: str, number: int, known: int, tolerance: float) -> bool:
    return number > known * (1 + tolerance) + (_PEAK_SLACK if what == "peak" else 0)


def merged(
    found: dict[str, dict[str, int]], before: dict[str, dict[str, int]], may_rise: Iterable[str]
) -> tuple[dict[str, dict[str, int]], list[str]]:
    """The new record, in which nothing rises that may not, and what would have risen, a line each."""
    record, refused = {}, []
    allowed = set(may_rise)
    for stage, figures in found.items():
        known = before.get(stage)
        if known is None or stage in allowed:
            record[stage] = figures
            continue
        record[stage] = {what: min(number, known[what]) for what, number in figures.items()}
        refused += [
            f"{stage}: {what} {known[what]:,} -> {number:,}: --raise {stage!r} would record it"
            for what, number in figures.items()
            if _rose(what, number, known[what], _JITTER)
        ]
    return record, refused


def main(arguments: list[str] | None = None) -> int:
    """Count; print or record. Exit code 1: a figure rose by more than the tolerance and was not recorded."""
    parser = argparse.ArgumentParser(prog="make counts", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--record", action="store_true", help=f"write {RECORD.name}")
    parser.add_argument("--raise", dest="may_rise", action="append", default=[], metavar="STAGE")
    options = parser.parse_args(arguments)
    found = count()
    if not options.record:
        print(json.dumps(found))
        return 0
    unknown = set(options.may_rise) - set(found)
    if unknown:
        parser.error(f"no such stage: {', '.join(sorted(unknown))}; there are: {', '.join(found)}")
    whole = json.loads(RECORD.read_text()) if RECORD.exists() else {"schema": 1, "versions": {}}
    before = whole["versions"].get(version(), {})
    record, refused = merged(found, before, options.may_rise)
    whole["versions"] = dict(sorted({**whole["versions"], version(): record}.items()))
    RECORD.write_text(json.dumps(whole, indent=1) + "\n")
    for line in refused:
        print(line, file=sys.stderr)
    return 1 if dearer(found, record) else 0


if __name__ == "__main__":
    sys.exit(main())
