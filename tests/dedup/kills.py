"""Kills at random moments: `python -m tests.dedup.kills --kills 20 --seed 1`.

Duplicates are found again and again, with one, two and five workers, with the shards in another order each
time, and from time to time a process of the run is
killed: the launcher or a worker. A run that is ended goes on when it is started again. What must hold: the
rows and the books are in the end those of an undisturbed run, and nothing half written is left.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

import psutil

from tests.dedup.corpora import Made, write_corpus
from tests.dedup.families import made_sentences
from tests.dedup.families import pages as family_pages
from tests.dedup.results import rows
from tests.helpers.corpus import books

WORKERS = (1, 2, 5)
MOST_KILLS = 4
"""Of a run."""
PROGRAM = """
import random, sys
from cedar.pipelines.cli import main
from cedar.transforms.corpus.ledger import Ledger
seed, in_order = sys.argv[1], Ledger.summaries
def shuffled(corpus):
    summaries = list(in_order(corpus))
    random.Random(seed).shuffle(summaries)
    return iter(summaries)
Ledger.summaries = shuffled
sys.exit(main(["dedup", *sys.argv[2:]]))
"""


def start(corpus: Path, result: Path, run: int) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", PROGRAM, str(run), str(corpus), "--output", str(result), "--quiet"]
    options = ["--workers", str(WORKERS[run % 3]), "--memory", "1MiB"]
    return subprocess.Popen([*command, *options], stderr=subprocess.DEVNULL)


def begins(process: subprocess.Popen[bytes], result: Path) -> None:
    """Wait until a run is at work, or over."""
    while process.poll() is None and not (result / "_work").exists():
        time.sleep(0.01)


def disturb(process: subprocess.Popen[bytes], chance: random.Random, longest: float) -> str | None:
    """Kill a process of a run after a while; says which, or None where the run has ended before."""
    with suppress(subprocess.TimeoutExpired):
        process.wait(chance.uniform(0, longest))
        return None
    with suppress(psutil.NoSuchProcess):
        launcher = psutil.Process(process.pid)
        children = launcher.children()
        victim = chance.choice(children) if children and chance.random() < 0.7 else launcher
        victim.kill()
        return "launcher" if victim is launcher else "worker"
    return None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pages", type=int, default=12_000)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    killed: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        pages = [Made(page.text) for page in family_pages(options.pages, 3, made_sentences())]
        shards = [pages[i : i + 500] for i in range(0, len(pages), 500)]
        corpus = write_corpus(Path(folder, "corpus"), shards)
        process = start(corpus, Path(folder, "quiet"), 0)
        begins(process, Path(folder, "quiet"))
        begin = time.monotonic()
        assert process.wait() == 0
        longest = time.monotonic() - begin
        expected = rows(Path(folder, "quiet")), books(Path(folder, "quiet"))
        runs = 0
        while killed.total() < options.kills or runs < 2 * len(WORKERS):
            result, kills = Path(folder, f"r{runs}"), 0
            while not (result / "run.json").exists():
                process = start(corpus, result, runs)
                begins(process, result)
                if kills < MOST_KILLS and (victim := disturb(process, chance, longest)):
                    kills += 1
                    killed[victim] += 1
                process.wait()
            assert (rows(result), books(result)) == expected, f"run {runs}"
            assert not list(result.rglob("*.parquet.*"))
            runs += 1
    print(f"{killed.total()} kills ({dict(killed)}) in {runs} runs: the same {len(expected[0]):,} rows")


if __name__ == "__main__":
    main()
