"""`make bench-count`: machine instructions of each stage, under valgrind's callgrind.

    python -m tests.benchmarks.callgrind [--record [--raise STAGE]...] [--only STAGE,...]

The pages and stages are those of `counts`, without the graph's steps. Hash seed, numpy's instruction sets
and OpenBLAS are fixed, so that a count depends on the machine only where libraries choose code by its CPU,
which valgrind shows as one with AVX2 at most. Takes some minutes. Each stage runs once to warm up and once to
be counted; a call through ctypes, which no stage makes, marks where it begins and ends.
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
from pathlib import Path

from .counts import TOLERANCE, dearer, merged, units, version
from .measure import ROOT, environment

RECORD = Path(__file__).with_name("instructions.json")

_MARK = "ffi_call"
_SUMMARY = re.compile(r"^(?:summary|totals): (\d+)", re.MULTILINE)


def _inner(only: set[str]) -> None:
    """What runs under callgrind: prints the stages' names, and marks where each begins and ends."""
    mark = ctypes.CDLL(None).getpid
    names = []
    with tempfile.TemporaryDirectory() as home:
        for name, parts in units(Path(home), steps=False):
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


def count(only: set[str]) -> dict[str, dict[str, int]]:
    """Instructions by stage.

    Raises:
        RuntimeError: there is no valgrind, or it failed.
    """
    if shutil.which("valgrind") is None:
        raise RuntimeError("valgrind is missing: apt-get install valgrind")
    with tempfile.TemporaryDirectory(prefix="cedar-callgrind-") as home:
        command = [
            "valgrind", "--tool=callgrind", f"--dump-before={_MARK}", f"--callgrind-out-file={home}/out",
            sys.executable, "-m", "tests.benchmarks.callgrind", "--inner", "--only", ",".join(sorted(only)),
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
    found = {}
    for name, dump in zip(names, dumps, strict=True):
        summary = _SUMMARY.search(dump)
        if summary is None:
            raise RuntimeError(f"callgrind wrote no total of {name}")
        found[name] = {"instructions": int(summary[1])}
    return found


def _key() -> str:
    """On what a count of instructions depends besides the sources."""
    import numpy

    return f"{platform.machine()}, Python {version()}, numpy {numpy.__version__}, {_compiler()}"


def _compiler() -> str:
    command = (sysconfig.get_config_var("CC") or "cc").split()[0]
    if shutil.which(command) is None:
        return "no compiler"
    said = subprocess.run([command, "--version"], capture_output=True, text=True, check=True).stdout
    found = re.search(r"\d+\.\d+", said)
    return f"{command} {found[0] if found else said.splitlines()[0]}"


def main(arguments: list[str] | None = None) -> int:
    """Count and compare, or record. Exit code 1: a stage got dearer by more than the tolerance."""
    parser = argparse.ArgumentParser(prog="make bench-count", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--record", action="store_true", help=f"write {RECORD.name}")
    parser.add_argument("--raise", dest="may_rise", action="append", default=[], metavar="STAGE")
    parser.add_argument("--only", default="", metavar="STAGE,...", help="as 'read,extract cetr'")
    parser.add_argument("--inner", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    only = {name for name in options.only.split(",") if name}
    if options.inner:
        _inner(only)
        return 0
    found = count(only)
    whole = json.loads(RECORD.read_text()) if RECORD.exists() else {"schema": 1, "settings": {}}
    before = whole["settings"].get(_key(), {})
    for name, figures in found.items():
        known = before.get(name, {}).get("instructions")
        change = f"{figures['instructions'] / known - 1:+.1%}" if known else "not on record"
        print(f"{name:24}{figures['instructions']:>16,}  {change}")
    if options.record:
        record, refused = merged(found, before, options.may_rise)
        whole["settings"][_key()] = {**before, **record}
        RECORD.write_text(json.dumps(whole, indent=1) + "\n")
        for line in refused:
            print(line, file=sys.stderr)
        return 1 if dearer(found, record) else 0
    if not before:
        print(f"nothing is on record for {_key()}: ARGS=--record puts it there", file=sys.stderr)
        return 0
    worse = dearer(found, before)
    for line in worse:
        print(f"dearer by more than {TOLERANCE:.0%}, or new: {line}", file=sys.stderr)
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
