"""What a file that arrives costs a service, by the commits that there are already.

    python -m lab.benchmarks.arrivals [COMMITS...]

On the disk; the inputs that are done lie beside the new ones, or have been moved away. CPU and listings of
`shards/`, of what is done for a file besides reading it: the look of a streaming job that finds it, taking
it, the launcher's books after it, a look that finds nothing; a whole round of `--watch`, which reads it; and
the look that asks about all inputs again, one of 51 among 50,000.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any, TypeVar
from unittest import mock

from cedar.pipelines.cli import main as cedar
from cedar.pipelines.commands import command_parser
from cedar.pipelines.extract.options import COMMAND
from cedar.pipelines.extract.streaming import BooksUpdater
from cedar.pipelines.extract.watch import Watch, held_corpus, list_arriving
from cedar.pipelines.local.stopping import StopRequest
from cedar.transforms.corpus.layout import FILE_KINDS
from cedar.transforms.follow import ListUndone, TakeFile
from cedar.transforms.readers.shards import shard_name
from tests.helpers.crawl import write_warc

T = TypeVar("T")
_TIMES = 7


def widen(directory: Path, commits: int) -> None:
    """Add inputs, and the commits and files of their shards, to a corpus of one."""
    corpus = directory / "corpus"
    (first,) = (corpus / "shards").iterdir()
    said = json.loads(first.read_bytes())
    kinds = [kind for kind in FILE_KINDS if (corpus / kind / f"{first.stem}.parquet").exists()]
    for number in range(1, commits):
        source = directory / "in" / f"{number:06d}.warc.gz"
        source.write_bytes(b"%032d" % number)
        stat = source.stat()
        name, attempt = shard_name(str(source), 0, stat.st_size), f"{number:032x}"
        state = {
            "size": stat.st_size,
            "stop": stat.st_size,
            "next_offset": stat.st_size,
            "mtime": str(stat.st_mtime_ns),
        }
        files = {}
        for kind in kinds:
            content = (corpus / kind / f"{first.stem}.parquet").read_bytes()[-64:] + attempt.encode()
            (corpus / kind / f"{name}.parquet").write_bytes(content)
            files[f"{kind}/{name}.parquet"] = {
                **said["files"][f"{kind}/{first.stem}.parquet"],
                "bytes": len(content),
            }
        commit = {
            **said,
            **state,
            "name": name,
            "source": str(source),
            "attempt": attempt,
            "files": files,
            "mark": "",
        }
        (corpus / "shards" / f"{name}.json").write_text(json.dumps(commit, indent=1))


PARTS = ("look", "take", "books", "idle look", "round", "look at all")


class Costs:
    """CPU of parts of the work in milliseconds, and listings of commits, by name."""

    def __init__(self) -> None:
        self.milliseconds: dict[str, list[float]] = {name: [] for name in PARTS}
        self.listings: Counter[str] = Counter()

    def of(self, name: str, work: Callable[[], T]) -> T:
        """Do a part."""
        found: list[str] = []
        scan, names = os.scandir, os.listdir

        def heard(directory: str | int) -> Any:
            found.append(str(directory))
            return scan(directory)

        def names_of(directory: str) -> list[str]:
            found.append(str(directory))
            return names(directory)

        with mock.patch.object(os, "scandir", heard), mock.patch.object(os, "listdir", names_of):
            start = time.process_time()
            outcome = work()
            self.milliseconds[name].append(1000 * (time.process_time() - start))
        self.listings[name] = max(self.listings[name], sum(path.endswith("/shards") for path in found))
        return outcome


def measure(commits: int, directory: Path, *, stay: bool) -> Costs:
    """Let files arrive."""
    inputs, corpus = directory / "in", directory / "corpus"
    write_warc(inputs / "000000.warc.gz", 3)
    run = [
        "extract",
        str(inputs),
        "--output",
        str(corpus),
        "--extractor",
        "cetr",
        "--quiet",
        "--workers",
        "1",
    ]
    assert cedar([*run, "--split-size", "0"]) == 0
    widen(directory, commits)
    command = [*run[1:], "--split-size", "0", "--watch", "1"]
    options = COMMAND.options(command_parser("extract"), command)
    held = held_corpus(options)
    plan = held.__enter__()
    if not stay:
        shutil.rmtree(inputs)
        inputs.mkdir()
    look = ListUndone(lambda: list_arriving(options), plan.corpus)
    take = TakeFile(plan.corpus)
    look.setup()
    books, watch, stop = BooksUpdater(plan.corpus, options), Watch(plan, options), StopRequest()
    costs = Costs()
    list(look.process(None))
    books.bring_up_to_date()
    watch.round(stop)
    for number in range(_TIMES):
        waiting = write_warc(directory / "waiting.warc.gz", 3, first=1000 * number)
        shutil.move(waiting, inputs / f"new-{number}.warc.gz")
        ((_, found),) = costs.of("look", lambda: [*look.process(None)])
        costs.of("take", lambda found=found: [*take.process(found)])
        watch.round(stop)
        costs.of("round", lambda: watch.round(stop))
        costs.of("books", books.bring_up_to_date)
        costs.of("idle look", lambda: [*look.process(None)])
        look._done._looks = commits
        costs.of("look at all", lambda: [*look.process(None)])
    return costs


def main(sizes: list[int]) -> None:
    """Print the table."""
    print(f"| commits | inputs | {' | '.join(PARTS)} |\n|---|---|{'---:|' * len(PARTS)}")
    for commits in sizes:
        for stay in (False, True):
            with tempfile.TemporaryDirectory() as folder:
                costs = measure(commits, Path(folder), stay=stay)
            cells = (f"{median(costs.milliseconds[name]):.1f} ms, {costs.listings[name]}" for name in PARTS)
            print(f"| {commits:,} | {'stay' if stay else 'go'} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main([int(size) for size in sys.argv[1:]] or [10, 1_000, 50_000])
