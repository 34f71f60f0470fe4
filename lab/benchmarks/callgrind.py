"""`nox -s bench_count`: machine instructions of each stage, under valgrind's callgrind.

    python -m lab.benchmarks.callgrind [--record [--raise STAGE]...] [--only STAGE,...]
    python -m lab.benchmarks.callgrind --gold SET.jsonl.zst --pages 100 --only "extract cedar" --profile 40

A gate: no stage may need a tenth more than on record, over a fixed set of synthetic pages. Where there is no
valgrind, or nothing on record for this compiler, it says so and holds nobody up.

Hash seed, numpy's instruction sets and OpenBLAS are fixed, so that a count depends on the machine only where
libraries choose code by its CPU, which valgrind shows as one with AVX2 at most. Takes some minutes. Each
stage runs once to warm up and once to be counted; a call through ctypes, which no stage makes, marks where it
begins and ends.

With `--gold` the pages are those of a gold set, spread evenly over it, and the figures are instructions a
page; nothing is compared. `--profile` names the functions that most instructions are in.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from cedar.transforms.decode.charset import decode_text
from cedar.transforms.extractors import registry
from cedar.transforms.metadata.reading import page_metadata
from cedar.transforms.scoring.gold import GoldSet

from . import pages as synthetic
from .measure import ROOT, environment
from .stages import (
    Work,
    decode_stages,
    extract_stage,
    markdown_stage,
    metadata_stage,
    read_stages,
    write_stage,
)
from .workload import warc_bytes

RECORD = Path(__file__).with_name("instructions.json")
TOLERANCE = 0.10
"""How much dearer than recorded a stage may get."""

_JITTER = 0.01
_PAGE_BYTES = 24_000

_MARK = "ffi_call"
_FUNCTION = re.compile(r" *[\d,]+ \( *[\d.]+%\)")
_SUMMARY = re.compile(r"^(?:summary|totals): (\d+)", re.MULTILINE)


def page_set() -> list[synthetic.Page]:
    """The pages that are counted on: one of each kind and shape, one of them in windows-1252."""
    shapes = enumerate(synthetic.SHAPES, 10)
    return [
        *(synthetic.page(number, size=_PAGE_BYTES) for number in range(5, 10)),
        *(synthetic.page(number, kind=kind, size=2 * _PAGE_BYTES) for number, kind in shapes),
    ]


def gold_pages(path: str, count: int) -> list[synthetic.Page]:
    """`count` pages spread evenly over a gold set, or all if it has fewer."""
    gold = GoldSet.at(path)
    size = gold.count()
    wanted = sorted({number * size // count for number in range(count)})
    return [
        synthetic.Page(number, page.url or "https://gold.example/", "gold", None, page.html)
        for number, page in enumerate(gold.read(wanted))
    ]


def units(directory: Path, pages: list[synthetic.Page]) -> Iterator[tuple[str, list[Work]]]:
    """The stages by name, each a list of functions of one page or of all; files go to a directory."""
    warc = directory / "counts.warc.gz"
    warc.write_bytes(warc_bytes(pages))
    yield "read", [read_stages(str(warc))["read"]]
    yield "decode", [decode_stages(str(warc))["decode"]]
    decoded = [decode_text(page.html, header_label=page.charset, truncated=False).utf8 for page in pages]
    for name in registry.names():
        yield f"extract {name}", [extract_stage(name, [page]) for page in decoded]
    yield "markdown cedar", [markdown_stage(page) for page in decoded]
    yield "metadata", [metadata_stage(page) for page in decoded]
    yield "metadata alone", [lambda page=page: page_metadata(page) for page in decoded]
    yield "write", [write_stage(decoded)[1]]


def _inner(only: set[str], pages: list[synthetic.Page]) -> None:
    """What runs under callgrind: prints the stages' names, and marks where each begins and ends."""
    mark = ctypes.CDLL(None).getpid
    names = []
    with tempfile.TemporaryDirectory() as home:
        for name, parts in units(Path(home), pages):
            if only and name not in only:
                continue
            for work in parts:
                work()
            mark()
            for work in parts:
                work()
            mark()
            names.append(name)
    print(json.dumps(names))


def _fixed_environment() -> dict[str, str]:
    from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__

    # Only what this CPU has can be turned off; what it lacks is off.
    features = " ".join(name for name in __cpu_dispatch__ if __cpu_features__.get(name))
    return {**environment(), "NPY_DISABLE_CPU_FEATURES": features, "OPENBLAS_CORETYPE": "Nehalem"}


def count(only: set[str], *, gold: str | None = None, pages: int = 0, profile: int = 0) -> dict[str, int]:
    """Count instructions by stage, over the fixed pages or `pages` of a gold set; print a profile if asked.

    Raises:
        RuntimeError: valgrind failed.
    """
    chosen = ["--gold", gold, "--pages", str(pages)] if gold else []
    with tempfile.TemporaryDirectory(prefix="cedar-callgrind-") as home:
        command = [
            "valgrind", "--tool=callgrind", f"--dump-before={_MARK}", f"--callgrind-out-file={home}/out",
            sys.executable, "-m", "lab.benchmarks.callgrind", "--inner", "--only", ",".join(sorted(only)),
            *chosen,
        ]  # fmt: skip
        run = subprocess.run(
            command, cwd=ROOT, env=_fixed_environment(), capture_output=True, text=True, check=False
        )
        if run.returncode:
            raise RuntimeError(f"valgrind: exit code {run.returncode}: {run.stderr[-2000:]}")
        names = json.loads(run.stdout.splitlines()[-1])
        # A dump reaches from one mark to the next: the last is of the last stage, the one before of what came
        # between two stages. Imports may have left dumps of their own before all these.
        last = sum(1 for path in Path(home).iterdir() if path.name != "out")
        numbers = range(last - 2 * len(names) + 2, last + 1, 2)
        dumps = [Path(home, f"out.{number}").read_text() for number in numbers]
        if profile:
            for name, number in zip(names, numbers, strict=True):
                _print_profile(name, Path(home, f"out.{number}"), profile)
    found = {}
    for name, dump in zip(names, dumps, strict=True):
        summary = _SUMMARY.search(dump)
        if summary is None:
            raise RuntimeError(f"callgrind wrote no total of {name}")
        found[name] = int(summary[1])
    return found


def _print_profile(stage: str, dump: Path, functions: int) -> None:
    """Print the functions with most instructions of their own, and those with most besides what they call."""
    for inclusive in ("no", "yes"):
        command = ["callgrind_annotate", f"--inclusive={inclusive}", "--threshold=99", str(dump)]
        listing = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        print(f"\n{stage}, inclusive={inclusive}")
        print("\n".join([line for line in listing.splitlines() if _FUNCTION.match(line)][:functions]))


def _key() -> str:
    """On what a count of instructions depends besides the sources."""
    import numpy

    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    return f"{platform.machine()}, Python {python}, numpy {numpy.__version__}, {_compiler()}"


def _compiler() -> str:
    command = (sysconfig.get_config_var("CC") or "cc").split()[0]
    if shutil.which(command) is None:
        return "no compiler"
    said = subprocess.run([command, "--version"], capture_output=True, text=True, check=True).stdout
    found = re.search(r"\d+\.\d+", said)
    return f"{command} {found[0] if found else said.splitlines()[0]}"


def dearer(found: dict[str, int], before: dict[str, int]) -> list[str]:
    """What got dearer by more than the tolerance, or has no figure on record, a line each."""
    lines = []
    for stage, number in found.items():
        known = before.get(stage)
        if known is None:
            lines.append(f"{stage}: not on record")
        elif number > known * (1 + TOLERANCE):
            lines.append(f"{stage}: {known:,} -> {number:,} ({number / known - 1:+.0%})")
    return lines


def merged(
    found: dict[str, int], before: dict[str, int], may_rise: Iterable[str]
) -> tuple[dict[str, int], list[str]]:
    """The new record, in which nothing rises that may not, and what would have risen, a line each."""
    record, refused = {}, []
    allowed = set(may_rise)
    for stage, number in found.items():
        known = before.get(stage)
        if known is None or stage in allowed:
            record[stage] = number
            continue
        record[stage] = min(number, known)
        if number > known * (1 + _JITTER):
            refused.append(f"{stage}: {known:,} -> {number:,}: --raise {stage!r} would record it")
    return record, refused


def main(arguments: list[str] | None = None) -> int:
    """Count and compare, or record. Exit code 1: a stage got dearer by more than the tolerance."""
    parser = argparse.ArgumentParser(prog="nox -s bench_count", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--record", action="store_true", help=f"write {RECORD.name}")
    parser.add_argument("--raise", dest="may_rise", action="append", default=[], metavar="STAGE")
    parser.add_argument("--only", default="", metavar="STAGE,...", help="as 'read,extract cetr'")
    parser.add_argument("--gold", metavar="SET", help="count over pages of a gold set, and compare nothing")
    parser.add_argument("--pages", type=int, default=100, metavar="N", help="pages of --gold (100)")
    parser.add_argument("--profile", type=int, default=0, metavar="N", help="print N functions of each stage")
    parser.add_argument("--inner", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    only = {name for name in options.only.split(",") if name}
    if options.inner:
        _inner(only, gold_pages(options.gold, options.pages) if options.gold else page_set())
        return 0
    if options.gold:
        found = count(only, gold=options.gold, pages=options.pages, profile=options.profile)
        for name, number in found.items():
            print(f"{name:24}{number // options.pages:>16,} a page")
        return 0
    whole = json.loads(RECORD.read_text()) if RECORD.exists() else {"schema": 2, "settings": {}}
    before: dict[str, int] = whole["settings"].get(_key(), {})
    if shutil.which("valgrind") is None:
        print("bench-count: skipped, because there is no valgrind here (apt-get install valgrind)")
        return 0
    if not before and not options.record:
        print(
            f"bench-count: skipped, because nothing is on record for {_key()} (ARGS=--record puts it there)"
        )
        return 0
    found = count(only, profile=options.profile)
    for name, number in found.items():
        known = before.get(name)
        change = f"{number / known - 1:+.1%}" if known else "not on record"
        print(f"{name:24}{number:>16,}  {change}")
    if options.record:
        record, refused = merged(found, before, options.may_rise)
        whole["settings"][_key()] = {**before, **record}
        RECORD.write_text(json.dumps(whole, indent=1) + "\n")
        for line in refused:
            print(line, file=sys.stderr)
        return 1 if dearer(found, record) else 0
    worse = dearer(found, before)
    for line in worse:
        print(f"dearer by more than {TOLERANCE:.0%}, or new: {line}", file=sys.stderr)
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
