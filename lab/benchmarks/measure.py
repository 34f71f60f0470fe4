"""Running programs in turns, and what they cost."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from .peers import MISSING

ROOT = Path(__file__).parent.parent.parent


@dataclass(frozen=True, slots=True)
class Sample:
    """One run of a program.

    Attributes:
        pages: pages that it went over.
        bytes: bytes of their HTML.
        cpu: CPU seconds: of the loop, where the program times itself, else of the process and its children.
        wall: wall seconds of the process.
        rss: its largest resident size in bytes, or that of its largest child.
    """

    pages: int
    bytes: int
    cpu: float
    wall: float
    rss: int


@dataclass(frozen=True, slots=True)
class Contestant:
    """A program that is measured.

    Attributes:
        name: its name in the results.
        command: what is run; `{out}` becomes a directory of its own.
        size: pages and bytes that it goes over, where it does not say so itself by `timing.print_sample`.
        rounds: how many rounds it takes part in, the first ones; None: all.
    """

    name: str
    command: tuple[str, ...]
    size: tuple[int, int] | None = None
    rounds: int | None = None


@dataclass(frozen=True, slots=True)
class Spread:
    """Median, least and greatest of a figure over the rounds."""

    median: float
    low: float
    high: float

    @staticmethod
    def of(values: Iterable[float]) -> Spread:
        """Of at least one value."""
        found = sorted(values)
        return Spread(statistics.median(found), found[0], found[-1])


def python(*arguments: str) -> tuple[str, ...]:
    """A command of this Python."""
    return (sys.executable, *arguments)


def environment() -> dict[str, str]:
    """What measured programs are started with: this tree's modules first, one thread for numpy's algebra.

    Bytecode is kept, as it is of what is installed: or each start would compile this tree anew.
    """
    return {
        **{name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"},
        "PYTHONPATH": os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]),
        "PYTHONHASHSEED": "0",
        "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
    }


def run(contestant: Contestant) -> tuple[Sample | None, str]:
    """Run a program once.

    Returns:
        The sample, and what it printed; no sample, and which packages are missing, where it cannot run.

    Raises:
        RuntimeError: it failed.
    """
    with tempfile.TemporaryDirectory(prefix="cedar-bench-") as home:
        command = [part.replace("{out}", home) for part in contestant.command]
        start = time.perf_counter()
        with tempfile.TemporaryFile() as errors, tempfile.TemporaryFile() as output:
            process = subprocess.Popen(command, cwd=ROOT, env=environment(), stdout=output, stderr=errors)
            # Of this child alone, and of those that it waited for.
            _, status, usage = os.wait4(process.pid, 0)
            wall = time.perf_counter() - start
            process.returncode = os.waitstatus_to_exitcode(status)
            errors.seek(0)
            output.seek(0)
            said, complaint = output.read().decode(), errors.read().decode()
        if process.returncode == MISSING:
            return None, complaint.strip()
        if process.returncode:
            raise RuntimeError(f"{contestant.name}: exit code {process.returncode}: {complaint[-2000:]}")
        check_work(contestant, Path(home))
    rss = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    if contestant.size is not None:
        pages, size = contestant.size
        return Sample(pages, size, usage.ru_utime + usage.ru_stime, wall, rss), said
    told = json.loads(said.splitlines()[-1])
    if isinstance(told, list):
        return Sample(0, 0, usage.ru_utime + usage.ru_stime, wall, rss), said
    return Sample(told["pages"], told["bytes"], told["cpu"], wall, rss), said


def check_work(contestant: Contestant, home: Path) -> None:
    """Make sure that a run of Cedar's has gone over all the pages that its cost is divided by.

    Raises:
        RuntimeError: its books have fewer.
    """
    books = home / "corpus" / "run.json"
    if contestant.size is not None and books.exists():
        pages = json.loads(books.read_text())["pages"]
        if pages < contestant.size[0]:
            raise RuntimeError(f"{contestant.name}: {pages:,} pages, not {contestant.size[0]:,}")


def in_turns(
    contestants: Iterable[Contestant], rounds: int
) -> tuple[dict[str, list[Sample]], dict[str, str]]:
    """Run programs one after the other, `rounds` times, so that what slows the machine slows all of them.

    Returns:
        The samples by name, and why others have none.
    """
    samples: dict[str, list[Sample]] = {}
    missing: dict[str, str] = {}
    for number in range(rounds):
        for contestant in contestants:
            over = contestant.rounds is not None and number >= contestant.rounds
            if over or contestant.name in missing:
                continue
            sample, said = run(contestant)
            if sample is None:
                missing[contestant.name] = said
                _say(f"  {contestant.name}: left out, {said} (pip install 'cedar-corpus[peers]' has them)")
                continue
            samples.setdefault(contestant.name, []).append(sample)
            _say(f"  round {number + 1} of {rounds}: {contestant.name} {sample.cpu:.2f} s CPU")
    return samples, missing


def ratios(over: list[Sample], under: list[Sample]) -> Spread:
    """CPU a byte of one program over that of another, round by round."""
    return Spread.of(_per_byte(a) / _per_byte(b) for a, b in zip(over, under, strict=False))


def _per_byte(sample: Sample) -> float:
    return sample.cpu / sample.bytes


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
