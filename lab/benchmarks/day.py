"""A day of a crawl: extract, dedup, filter, report, with kills, on a disk and on an object store that fails.

    python -m lab.benchmarks.day --pages 100000 --files 24 --kills 8 --seed 1

A made-up crawl (`crawl`) goes through the steps three times: undisturbed on the disk; on the disk with
processes that are killed or stopped, by the seed; and so on a server of S3 before which a proxy refuses,
resets, cuts and loses answers. What must hold: the books are those of the crawl's truth and balance, and the
rows of each step are those of the undisturbed run. Prints the table of docs/operations.md. Linux only.
"""

from __future__ import annotations

import argparse
import hashlib
import itertools
import json
import os
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import psutil
import pyarrow as pa
import pyarrow.parquet as pq

from cedar.transforms.model.columns import TIME_COLUMNS
from lab.benchmarks.crawl import Truth, write_crawl
from lab.benchmarks.memory import kibibytes
from tests.fuzz.kills import Run, disturb, kinds_of_kills
from tests.helpers.object_server import ObjectServer, object_server
from tests.helpers.stores import Faults, proxied

BUCKET = "s3://day"
CHOICES = ("--signatures", "--with-metadata")
RULES = ("--preset", "fineweb-quality", "--keep", "words >= 20")
_EVERY_SECONDS = 0.25
_OF_THE_PLACE = ("source", "kept_source", "cluster", *TIME_COLUMNS)
"""Columns that name where an input is, or that follow from it, or how long a page took."""

Folders = Callable[[str], Iterator[tuple[str, Any]]]
"""Yields the kind of each table below a folder, and what Arrow reads it from."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where the steps read and write."""

    name: str
    crawl: str
    root: str
    tables: Folders
    read: Callable[[str], bytes]
    server: ObjectServer | None = None

    def steps(self) -> Iterator[tuple[str, list[str]]]:
        """The steps in their order: their names, and their commands."""
        extracted, unique, kept = (f"{self.root}/{name}" for name in ("extracted", "unique", "kept"))
        made = ["--workers", "2", "--quiet"]
        yield "extract", ["extract", self.crawl, "--output", extracted, *CHOICES, *made]
        yield "dedup", ["dedup", extracted, "--write", "--output", unique, *made]
        yield "filter", ["filter", f"{unique}/corpus", "--output", kept, *RULES, *made]
        yield "report", ["report", kept, "--output", f"{tempfile.gettempdir()}/report-{self.name}.html"]

    def digests(self) -> dict[str, str]:
        """Of each folder of tables the sum of the digests of its rows, whose order is free."""
        sums: Counter[str] = Counter()
        for folder in ("extracted", "unique", "kept"):
            for kind, file in self.tables(folder):
                table = pq.read_table(file)
                table = table.drop_columns([name for name in _OF_THE_PLACE if name in table.column_names])
                sums[f"{folder} {kind} rows"] += len(table)
                sums[f"{folder} {kind}"] += sum(map(_digest, _rows(table)))
        return {name: f"{total % (1 << 128):x}" for name, total in sums.items()}

    def complaints(self, truth: Truth) -> Iterator[str]:
        """What is wrong with the books."""
        books = {
            name: json.loads(self.read(f"{name}/run.json"))
            for name in ("extracted", "unique", "unique/corpus", "kept")
        }
        for name, of in books.items():
            if not of["balanced"]:
                yield f"{self.name}: {name} does not balance"
        said = Truth(*(books["extracted"][name] for name in ("records_read", "pages", "rejected")))
        if said != truth:
            yield f"{self.name}: the crawl has {truth}, the books {said}"
        left = books["unique/corpus"]["pages"]
        if left != sum(books["kept"]["dropped"].values()) + books["kept"]["pages"]:
            yield f"{self.name}: filter has not seen {left} pages"


def _rows(table: pa.Table) -> Iterator[object]:
    for batch in table.to_batches(max_chunksize=1000):
        yield from batch.to_pylist()


def _digest(row: object) -> int:
    return int.from_bytes(hashlib.blake2b(repr(row).encode(), digest_size=16).digest(), "big")


@dataclass(slots=True)
class Figures:
    """What a step took: seconds of wall and CPU, MiB of memory at most, kills, requests, starts."""

    wall: float = 0.0
    memory: float = 0.0
    kills: int = 0
    starts: int = 0
    requests: int = 0
    processors: dict[tuple[int, float], float] | None = None

    @property
    def cpu(self) -> float:
        """Seconds of CPU of all processes, as they were last seen."""
        return sum((self.processors or {}).values())

    def look(self, run: Run) -> None:
        """Look at the processes of a run."""
        held = 0
        seen = self.processors = self.processors or {}
        for process in itertools.chain(*run.processes().values()):
            with suppress(psutil.NoSuchProcess):
                times = process.cpu_times()
                seen[process.pid, process.create_time()] = times.user + times.system
                held += kibibytes(process)
        self.memory = max(self.memory, held / 1024)


def run_step(command: list[str], moments: list[float], rng: random.Random, *, temporary: Path) -> Figures:
    """Run a command until it ends with 0, and disturb it at some seconds from its first start."""
    figures, start = Figures(), time.monotonic()
    kinds = kinds_of_kills(guarded=False, number=len(moments), rng=rng)
    while True:
        run = Run(command, temporary)
        figures.starts += 1
        disturbed = False
        while run.process.poll() is None:
            figures.look(run)
            if moments and time.monotonic() - start > moments[0]:
                moments.pop(0)
                disturbed |= disturb(run, *kinds[len(moments)], rng)
                figures.kills += 1
            time.sleep(_EVERY_SECONDS)
        code = run.wait()
        if code == 0:
            figures.wall = time.monotonic() - start
            return figures
        if not disturbed:
            raise RuntimeError(f"{' '.join(command)} ended with {code}: {run.errors()}")


def run_day(
    place: Place, before: dict[str, Figures], kills: int, *, rng: random.Random, temporary: Path
) -> dict[str, Figures]:
    """Run the steps; with `kills`, at moments of the time that the undisturbed steps took."""
    found = {}
    whole = sum(figures.wall for figures in before.values())
    for name, command in place.steps():
        asked = place.server.asked.total() if place.server else 0
        wall = before[name].wall if name in before else 0.0
        count = round(kills * wall / whole) if whole else 0
        moments = sorted(rng.uniform(0.3, max(0.6, 0.6 * wall)) for _ in range(count))
        found[name] = run_step(command, moments, rng, temporary=temporary)
        found[name].requests = (place.server.asked.total() - asked) if place.server else 0
        print(
            place.name,
            name,
            {**asdict(found[name]), "processors": round(found[name].cpu, 1)},
            file=sys.stderr,
        )
    return found


def on_disk(name: str, crawl: Path, root: Path) -> Place:
    """A place on the disk."""

    def tables(folder: str) -> Iterator[tuple[str, Any]]:
        for path in sorted((root / folder).glob("**/*.parquet")):
            yield _kind(path.relative_to(root / folder).as_posix()), path

    return Place(
        name,
        f"{crawl}/*.warc.gz",
        str(root),
        tables,
        lambda path: (root / path).read_bytes(),
    )


def on_store(name: str, crawl: Path, server: ObjectServer) -> Place:
    """A place on a server, which gets the crawl."""
    for path in sorted(crawl.glob("*.warc.gz")):
        server.put(f"day/in/{path.name}", path.read_bytes())

    def read(path: str) -> bytes:
        there = server.get(f"day/{path}")
        assert there is not None, path
        return there[2]

    def tables(folder: str) -> Iterator[tuple[str, Any]]:
        for path in server.names:
            if path.startswith(f"day/{folder}/") and path.endswith(".parquet"):
                yield (
                    _kind(path.removeprefix(f"day/{folder}/")),
                    pa.BufferReader(read(path.removeprefix("day/"))),
                )

    return Place(name, f"{BUCKET}/in/*.warc.gz", BUCKET, tables, read, server)


def _kind(path: str) -> str:
    """Name the folder of a table, without the corpora that `dedup` tells apart."""
    return "/".join(part for part in path.split("/")[:-1] if "-" not in part)


def table_of(pages: int, days: dict[str, dict[str, Figures]], sizes: dict[str, int]) -> Iterator[str]:
    """The lines of the table."""
    yield "| place | step | wall, s | CPU, s | ms a page | memory, MiB | kills (starts) | requests |"
    yield "|---|---|---:|---:|---:|---:|---:|---:|"
    for place, steps in days.items():
        for name, of in steps.items():
            requests = f"{of.requests:,}" if of.requests else ""
            cpu = f"{of.cpu:,.0f} | {1000 * of.cpu / pages:.2f}"
            kills = f"{of.kills} ({of.starts})" if of.kills else ""
            yield f"| {place} | `{name}` | {of.wall:,.0f} | {cpu} | {of.memory:,.0f} | {kills} | {requests} |"
    yield ""
    yield "; ".join(f"{name} {size / 1e6:,.0f} MB" for name, size in sizes.items())


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=100_000)
    parser.add_argument("--files", type=int, default=24)
    parser.add_argument("--kills", type=int, default=8, help="on the disk, and as many on the store")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--work", help="directory for the crawl and the corpora (default: a temporary one)")
    values = parser.parse_args(arguments)
    start = time.monotonic()
    with ExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="day-", dir=values.work)))
        temporary = home / "tmp"
        temporary.mkdir()
        rng = random.Random(values.seed)
        truth = write_crawl(home / "crawl", files=values.files, pages=values.pages, seed=values.seed)
        print(truth, f"{time.monotonic() - start:,.0f} s", file=sys.stderr)
        still = on_disk("disk", home / "crawl", home / "still")
        days = {still.name: run_day(still, {}, 0, rng=rng, temporary=temporary)}
        wanted, wrong = still.digests(), list(still.complaints(truth))
        killed = on_disk("disk, kills", home / "crawl", home / "killed")
        days[killed.name] = run_day(killed, days[still.name], values.kills, rng=rng, temporary=temporary)
        wrong += _differing(killed, wanted, truth)
        server = stack.enter_context(object_server())
        store = on_store("store, faults, kills", home / "crawl", server)
        faults = Faults(seed=values.seed, refused=0.03, reset=0.01, cut=0.01, lost=0.01)
        proxy = stack.enter_context(proxied(faults))
        days[store.name] = run_day(store, days[still.name], values.kills, rng=rng, temporary=temporary)
        wrong += _differing(store, wanted, truth)
        sizes = {"crawl": _size(home / "crawl"), "all on the disk": _size(home)}
        sizes["objects"] = sum(len((server.get(name) or (0, "", b""))[2]) for name in server.names)
        sizes["the server's process"] = kibibytes(psutil.Process(os.getpid())) << 10
        print(f"{truth.pages:,} pages, {truth.records:,} records, {time.monotonic() - start:,.0f} s")
        print(
            f"answers of the store: {dict(sorted(proxy.met.items()))}, {dict(server.asked)}; "
            f"load {os.getloadavg()}"
        )
    print("\n".join(table_of(truth.pages, days, sizes)))
    print("\n".join(wrong) if wrong else f"rows and books as undisturbed: {len(wanted) // 2} kinds of tables")
    return 1 if wrong else 0


def _differing(place: Place, wanted: dict[str, str], truth: Truth) -> list[str]:
    found = place.digests()
    others = [name for name in sorted({*wanted, *found}) if wanted.get(name) != found.get(name)]
    return [*(f"{place.name}: other {name}" for name in others), *place.complaints(truth)]


def _size(directory: Path) -> int:
    return sum(path.stat().st_size for path in directory.glob("**/*") if path.is_file())


if __name__ == "__main__":
    sys.exit(main())
