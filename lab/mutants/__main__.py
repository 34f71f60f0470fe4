"""Make small mistakes in the product, one at a time, and see whether `make quick` notices.

python -m lab.mutants --seed 1 --number 100

Half of the mistakes are in Cython, half in Python, each in a line drawn among all lines of code. A mutant is
made in a copy of the checkout in build/mutants and compiled there; the tests of its room run first, then all
others of `make quick`. Results are appended to build/mutants/seed-N.jsonl, and the same command takes up
the rest of the draw. Mutants that equal.json proves equal, that do not compile, or whose line has left the
checkout since the draw are replaced by the next of the draw.

A mistake need not meet every test: with `--reach`, the quick tests run once with each test's calls noted in
build/mutants/reach. From then on only tests that call the changed function run; for compiled modules, those
that call a module which imports them, directly or by way of other compiled modules.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from lab.mutants.changes import Change, changes_of
from lab.mutants.targets import Targets

ROOT = Path(__file__).parent.parent.parent
WORK = ROOT / "build" / "mutants"
EQUAL = Path(__file__).parent / "equal.json"
QUICK = ("-m", "not slow", "-x", "-q", "-p", "no:cacheprovider", "-n", "0")
KINDS = (".pyx", ".py")
SPARE = 4
"""Mutants that are drawn for one that counts."""
CPU_SECONDS = 240
WALL_SECONDS = 1200
MEMORY = 12 << 30
ROOM = "passed its room"
NO_TESTS = 5
"""Pytest's exit code where none of its tests is selected."""


@dataclass(frozen=True)
class Outcome:
    """What became of a mutant: caught by a test, survived, or did not compile."""

    change: Change
    outcome: str
    by: str = ""
    seconds: float = 0.0


def product() -> dict[str, list[str]]:
    """The files that mistakes are made in, by kind."""
    listed = subprocess.run(
        ["git", "ls-files", "cedar", "cedar.py", "pipelines", "transforms"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return {kind: [file for file in listed.stdout.split() if Path(file).suffix == kind] for kind in KINDS}


def draw(seed: int, number: int) -> list[Change]:
    """Draw mistakes, of each kind in turn: a line among all, one of its mistakes among all."""
    chosen = random.Random(f"cedar {seed}")
    lines = {
        kind: [each for file in files for each in changes_of(ROOT, file).values()]
        for kind, files in product().items()
    }
    picked = {kind: chosen.sample(each, min(number * SPARE, len(each))) for kind, each in lines.items()}
    return [chosen.choice(line) for pair in zip(*picked.values(), strict=True) for line in pair]


def drawn(seed: int, number: int) -> list[Change]:
    """Draw once for a seed: what is drawn is kept, whatever becomes of the checkout."""
    file = WORK / f"draw-{seed}.json"
    if not file.exists():
        WORK.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps([asdict(change) for change in draw(seed, number)], indent=0), "utf-8")
    return [Change(**each) for each in json.loads(file.read_text("utf-8"))]


def reasons() -> dict[tuple[str, str, str], str]:
    """Why mutants are equal, by file, line and what was made of it."""
    listed = json.loads(EQUAL.read_text("utf-8"))
    return {(each["file"], each["line"].strip(), each["made"].strip()): each["why"] for each in listed}


def located(change: Change) -> Change | None:
    """Find a change's line in the checkout of now: the nearest equal one."""
    file = ROOT / change.file
    lines = file.read_text("utf-8").splitlines() if file.exists() else []
    places = [number for number, line in enumerate(lines, 1) if line == change.line]
    if not places:
        return None
    return Change(
        change.file, min(places, key=lambda place: abs(place - change.number)), change.line, change.made
    )


class Copy:
    """A copy of the checkout in which one mistake at a time is made."""

    def __init__(self, name: str) -> None:
        self.root = WORK / name
        self.sound: set[str] = set()
        """Tests that were seen to pass without a mistake."""
        self.broken: set[str] = set()
        """Tests that fail without one, and tell nothing."""
        self.sync()

    def sync(self) -> None:
        """Copy what differs from the checkout, and drop what it no longer has."""
        tracked = subprocess.run(
            ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
        ).stdout
        compiled = [str(path.relative_to(ROOT)) for path in (ROOT / "transforms").rglob("*.so")]
        translated = [
            str(path.relative_to(ROOT)) for path in (ROOT / "build" / "cython").rglob("*") if path.is_file()
        ]
        wanted = {file for file in [*tracked.splitlines(), *compiled, *translated] if (ROOT / file).exists()}
        for top in ("transforms", "pipelines", "tests", "cedar"):
            for path in (self.root / top).rglob("*"):
                if (
                    path.is_file()
                    and "__pycache__" not in path.parts
                    and str(path.relative_to(self.root)) not in wanted
                ):
                    path.unlink()
        for file in wanted:
            source, copied = ROOT / file, self.root / file
            if (
                copied.exists()
                and copied.stat().st_mtime == source.stat().st_mtime
                and copied.stat().st_size == source.stat().st_size
            ):
                continue
            copied.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, copied)

    def saved(self, change: Change) -> dict[Path, Path]:
        """Put aside what a change of a file makes other: the file, and what is compiled of it."""
        file = self.root / change.file
        kept = [file]
        if file.suffix == ".pyx":
            kept += list(file.parent.glob(f"{file.stem}.*.so"))
            kept += list((self.root / "build" / "cython" / change.file).parent.glob(f"{file.stem}.c"))
        aside = {path: path.with_name(path.name + ".kept") for path in kept}
        for path, other in aside.items():
            shutil.copy2(path, other)
        return aside

    def try_change(self, change: Change, steps: list[list[str]], last: str) -> Outcome:
        """Make a mistake, run tests step by step until one fails, and put everything back."""
        began = time.monotonic()
        aside = self.saved(change)
        try:
            self.make(change)
            if not self.compiles(change):
                return Outcome(change, "does not compile", "", time.monotonic() - began)
            for chosen in steps:
                if caught := self.fails(chosen):
                    return Outcome(change, "caught", caught, time.monotonic() - began)
            return Outcome(change, last, "", time.monotonic() - began)
        finally:
            for path, other in aside.items():
                other.replace(path)

    def caught_in_truth(self, outcome: Outcome) -> bool:
        """Tell whether the test that failed passes without the mistake; else it is left out from now on."""
        how, _, test = outcome.by.partition(" ")
        if how not in ("FAILED", "ERROR") or test in self.sound:
            return True  # survived, or ended by a crash or without an end
        (self.broken if self.fails([test]) else self.sound).add(test)
        return test in self.sound

    def make(self, change: Change) -> None:
        """Write the file with the mistake."""
        file = self.root / change.file
        lines = file.read_text("utf-8").splitlines(keepends=True)
        ending = lines[change.number - 1][len(lines[change.number - 1].rstrip("\r\n")) :]
        lines[change.number - 1] = change.made + ending
        file.unlink()
        file.write_text("".join(lines), "utf-8")

    def compiles(self, change: Change) -> bool:
        """Compile the changed file."""
        file = self.root / change.file
        if file.suffix == ".pyx":
            build = (
                sys.executable,
                "setup.py",
                "-q",
                "build_ext",
                "--inplace",
                "--build-temp",
                "build/alone",
            )
            for made in self.root.glob(f"build/lib*/{file.parent.relative_to(self.root)}/{file.stem}.*.so"):
                made.unlink()
            return self.run(*build, CEDAR_ALONE=change.file) == 0
        with contextlib.suppress(SyntaxError):
            compile(file.read_text("utf-8"), change.file, "exec")
            return True
        return False

    def fails(self, chosen: list[str]) -> str:
        """Run some tests; the first that fails, or how the process ended."""
        listed = self.root / "build" / "chosen"
        chosen = [test for test in chosen if test.partition("::")[0] not in self.broken]
        listed.write_text("\n".join(chosen), "utf-8")
        if not chosen:
            return ""
        options = ("--ignore", "--deselect")
        left_out = [f"{options['::' in test]}={test}" for test in sorted(self.broken)]
        code = self.run(sys.executable, "-m", "pytest", *QUICK, *left_out, f"@{listed}")
        if code in (0, NO_TESTS):
            return ""
        failed = [line for line in self.output().splitlines() if line.startswith(("FAILED ", "ERROR "))]
        return failed[0].split(" - ")[0] if failed else f"exit code {code}"

    def output(self) -> str:
        """What the last command wrote."""
        return (self.root / "build" / "output").read_text("utf-8", "replace")

    def run(self, *command: str, **more: str) -> int:
        """Run a command in the copy, with more environment, and with bounds for its time."""
        environment = {**os.environ, "PYTHONPATH": str(self.root), "PYTHONHASHSEED": "0", **more}
        (self.root / "build").mkdir(exist_ok=True)
        with open(self.root / "build" / "output", "wb") as output:
            process = subprocess.Popen(
                command, cwd=self.root, env=environment, stdout=output, stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL, start_new_session=True, preexec_fn=_bounded,
            )  # fmt: skip
            try:
                return process.wait(WALL_SECONDS)
            except subprocess.TimeoutExpired:
                return -signal.SIGALRM
            finally:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)


def _bounded() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


class Results:
    """The file of results of a seed."""

    def __init__(self, seed: int) -> None:
        self.file = WORK / f"seed-{seed}.jsonl"
        self._lock = threading.Lock()

    def read(self) -> dict[tuple[str, int, str], dict[str, Any]]:
        """The last outcome of each mutant."""
        lines = self.file.read_text("utf-8").splitlines() if self.file.exists() else []
        every = map(json.loads, lines)
        return {(each["file"], each["number"], each["made"]): each for each in every}

    def add(self, place: int, outcome: Outcome) -> None:
        """Append an outcome, under the line that was drawn."""
        line = {**asdict(outcome.change), "place": place, "outcome": outcome.outcome, "by": outcome.by}
        line["seconds"] = round(outcome.seconds, 1)
        with self._lock, open(self.file, "a", encoding="utf-8") as out:
            out.write(json.dumps(line, ensure_ascii=False) + "\n")


def counted(every: list[Change], number: int, results: Results) -> Iterator[tuple[int, Change, str]]:
    """Go through a draw until `number` mutants count, half of each kind: each with its outcome so far."""
    known, equal = results.read(), reasons()
    left = dict.fromkeys(KINDS, number // 2)
    for place, change in enumerate(every):
        kind = Path(change.file).suffix
        if not left[kind]:
            continue
        outcome = known.get((change.file, change.number, change.made), {}).get("outcome", "")
        if (change.file, change.line.strip(), change.made.strip()) in equal:
            continue
        if outcome == "does not compile" or (not outcome and located(change) is None):
            continue
        left[kind] -= 1
        yield place, change, outcome


def summary(every: list[Change], number: int, results: Results) -> None:
    """Print how many were caught, and which survived."""
    known = results.read()
    for kind in (*KINDS, ""):
        outcomes = [
            outcome for _, change, outcome in counted(every, number, results) if change.file.endswith(kind)
        ]
        run = sum(outcome in ("caught", "survived") for outcome in outcomes)
        caught = outcomes.count("caught")
        print(f"{kind or 'all':5} {caught} of {run} caught, {len(outcomes) - run} not run")
    for place, change, outcome in counted(every, number, results):
        if outcome == "survived":
            print(f"survived: {place} {change.file}:{change.number}")
            print(f"  - {change.line.strip()}\n  + {change.made.strip()}")
    slow = sum(each["seconds"] for each in known.values())
    print(f"{len(known)} mutants in {slow / 60:.0f} minutes")


def run_all(options: argparse.Namespace, every: list[Change], results: Results) -> None:
    """Try the mutants that count and have no outcome yet, each copy one after the other."""
    wanted = {"", *(() if options.rooms else (ROOM,)), *(("survived",) if options.again else ())}
    waiting = [each for each in counted(every, options.number, results) if each[2] in wanted]
    targets = Targets(ROOT, WORK / "reach")
    until = time.monotonic() + 60 * options.minutes
    copies = [Copy(f"copy-{number}") for number in range(options.jobs)]
    free, lock = list(copies), threading.Lock()

    def attempt(place: int, change: Change, before: str) -> None:
        here = located(change)
        if here is None or time.monotonic() > until:
            return
        with lock:
            copy = free.pop()
        try:
            room, others = targets.steps(here)
            steps = [room] if options.rooms else [others] if before == ROOM else [room, others]
            steps = [step for step in steps if step]
            outcome = copy.try_change(here, steps, ROOM if options.rooms else "survived")
            while not copy.caught_in_truth(outcome):
                outcome = copy.try_change(here, steps, ROOM if options.rooms else "survived")
            results.add(place, Outcome(change, outcome.outcome, outcome.by, outcome.seconds))
            where = f"{change.file}:{change.number}"
            print(place, where, outcome.outcome, outcome.by, f"{outcome.seconds:.0f} s", flush=True)
        finally:
            with lock:
                free.append(copy)

    with ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(lambda each: attempt(*each), waiting))


def note_reach() -> None:
    """Run the quick tests once with their calls noted."""
    shutil.rmtree(WORK / "reach", ignore_errors=True)
    (WORK / "reach").mkdir(parents=True)
    copy = Copy("copy-0")
    environment = {**os.environ, "PYTHONPATH": str(copy.root), "CEDAR_REACH": str(WORK / "reach")}
    command = [sys.executable, "-m", "pytest", "-p", "lab.mutants.reach", "-p", "no:cacheprovider"]
    subprocess.run([*command, "-q", "-n", "2", "-m", "not slow"], cwd=copy.root, env=environment, check=False)


def main() -> int:
    """The command; see the head of this file."""
    parser = argparse.ArgumentParser(
        prog="python -m lab.mutants", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--number", type=int, default=100, help="how many mutants count (default: 100)")
    parser.add_argument("--jobs", type=int, default=1, help="copies at work at once (default: 1)")
    parser.add_argument("--minutes", type=float, default=1e6, help="begin with no mutant after so many")
    parser.add_argument("--again", action="store_true", help="try those that survived once more")
    parser.add_argument("--rooms", action="store_true", help="run the tests of their rooms alone for now")
    parser.add_argument("--reach", action="store_true", help="note first what the quick tests call")
    parser.add_argument("--summary", action="store_true", help="only say what is known")
    options = parser.parse_args()
    every, results = drawn(options.seed, options.number), Results(options.seed)
    if options.reach:
        note_reach()
    if not options.summary:
        run_all(options, every, results)
    summary(every, options.number, results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
