"""The same crawl on one runner after the other: are the rows equal, how long, how much memory?

    python -m tests.integration.engines.compare [--prism PATH]

Prints a table. Memory is the greatest sum of the resident sizes of all processes of a run (shared pages
count once for each process); of the cluster's own, too.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import psutil

from tests.helpers.corpus import rows
from tests.helpers.crawl import write_warc
from tests.integration.engines.runs import EMBEDDED, JOB_SERVER, ROOT, books, extract, finish, rejects, start

FILES, PAGES = 6, 1200


def resident(processes: list[psutil.Process]) -> int:
    """The sum of what some process trees hold in memory, in bytes."""
    total = 0
    for root in processes:
        with suppress(psutil.NoSuchProcess):
            for process in (root, *root.children(recursive=True)):
                with suppress(psutil.NoSuchProcess):
                    total += process.memory_info().rss
    return total


def measure(run: Callable[[], subprocess.Popen[str]], others: list[psutil.Process]) -> tuple[float, float]:
    """Wall seconds and peak MiB of a run."""
    begin, peak = time.monotonic(), 0
    process = run()
    own = psutil.Process(process.pid)
    while process.poll() is None:
        peak = max(peak, resident([own, *others]))
        time.sleep(0.1)
    finish(process)
    return time.monotonic() - begin, peak / 2**20


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description="Compare runners on one crawl.")
    parser.add_argument("--prism", metavar="PATH", help="Prism's binary")
    prism = parser.parse_args().prism
    with tempfile.TemporaryDirectory() as directory:
        here = Path(directory)
        crawl = here / "crawl"
        for number in range(FILES):
            write_warc(crawl / f"{number:03d}.warc.gz", PAGES, first=10_000 * number, paragraphs=260)
        runners: dict[str, tuple[str, ...]] = {
            "local, 1 worker": ("--workers", "1"),
            "local, 2 workers": ("--workers", "2"),
        }
        if JOB_SERVER.exists():
            runners["Flink, embedded"] = EMBEDDED
            runners["Flink, cluster"] = ()
        if prism:
            runners["Prism"] = ("--runner", "PrismRunner", "--prism_location", prism)
        print("| runner | rows equal | wall time, s | peak memory, MiB |\n|---|---|---|---|")
        for number, (name, options) in enumerate(runners.items()):
            corpus = here / str(number)
            if options:
                seconds, peak = measure(lambda: extract(crawl, corpus, "--quiet", *options), [])  # noqa: B023
            else:
                seconds, peak = on_cluster(here / "flink", crawl, corpus)
            first = here / "0"
            equal = rows(corpus) == rows(first) and rejects(corpus) == rejects(first)
            verdict = "yes" if equal and books(corpus) == books(first) else "NO"
            print(f"| {name} | {verdict} | {seconds:.0f} | {peak:.0f} |", flush=True)


def on_cluster(state: Path, crawl: Path, corpus: Path) -> tuple[float, float]:
    """The same on a cluster that is brought up for it."""
    environment = {"FLINK_DIR": str(state), "FLINK_PORT": "18181", "POOL_PORT": "50200"}
    finish(start(ROOT / "deploy/cluster.sh", "flink", "up", **environment))
    try:
        members = [psutil.Process(int(path.read_text())) for path in state.glob("*.pid")]
        command = (ROOT / "deploy/cluster.sh", "flink", "submit", crawl, "--output", corpus, "--quiet")
        return measure(lambda: start(*command, **environment), members)
    finally:
        finish(start(ROOT / "deploy/cluster.sh", "flink", "down", **environment))


if __name__ == "__main__":
    os.nice(2)
    main()
