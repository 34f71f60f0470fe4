"""Time, memory, recall and precision of `cedar dedup`: `python -m tests.dedup.measure 10000 100000`.

Corpora are made of texts and their edits, in families: more than half of the pages are alone, the others
are edits of one text, up to twelve words of 120 changed. Printed are the CPU time of a page, the wall
time, and the peak memory of a run with one worker (signatures beside the pages), for bins of exact
Jaccard similarity within families how many pairs are in one cluster, and of random pairs those that
should not be.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet as pq

from tests.dedup.corpora import Made, edited, jaccard, shingles, words, write_corpus

SHARD = 5_000


def family_pages(count: int, seed: int) -> Iterator[tuple[int, list[str]]]:
    """The family of each page, and its words."""
    chance = random.Random(seed)
    number = 0
    while number < count:
        base = words(seed * 10**7 + number, 120)
        members = 1 if chance.random() < 0.8 else chance.randrange(2, 6)
        for member in range(min(members, count - number)):
            edits = 0 if member == 0 else chance.randrange(13)
            yield number - member, edited(base, edits, seed=number)
            number += 1


PROGRAM = """
import re, resource, sys
from pipelines.cli import main
code = main(sys.argv[1:])
used = resource.getrusage(resource.RUSAGE_SELF)
peak = int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1])
print(used.ru_utime + used.ru_stime, peak)
sys.exit(code)
"""


def run(arguments: list[str]) -> tuple[float, float, float]:
    """Wall seconds, CPU seconds, and peak MB of a command in a process of its own."""
    start = time.perf_counter()
    command = [sys.executable, "-c", PROGRAM, *arguments]
    out = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    cpu, peak = out.split()
    return time.perf_counter() - start, float(cpu), int(peak) / 1024


def measure(count: int, memory: str, root: Path) -> None:
    """Make a corpus, find its duplicates, and print what that took and found."""
    pages = list(family_pages(count, 1))
    shards = [[Made(" ".join(text)) for _, text in pages[i : i + SHARD]] for i in range(0, count, SHARD)]
    corpus = write_corpus(root / f"c{count}", shards)
    out = root / f"r{count}"
    options = ["--output", str(out), "--workers", "1", "--memory", memory, "--quiet"]
    wall, cpu, peak = run(["dedup", str(corpus), *options])
    print(f"{count:,} pages: {wall:.1f} s, {cpu / count * 1e6:.0f} µs CPU a page, {peak:,.0f} MB")
    cluster: dict[int, str] = {}
    for path in sorted((out / "duplicates").glob("*/*.parquet")):
        table = pq.read_table(path, columns=["source", "row", "cluster"]).to_pylist()
        for row in table:
            shard = int(row["source"].rpartition("/in")[2].partition(".")[0])
            cluster[shard * SHARD + row["row"]] = row["cluster"]
    together = lambda a, b: a in cluster and cluster[a] == cluster.get(b)  # noqa: E731
    families: dict[int, list[int]] = defaultdict(list)
    for number, (family, _) in enumerate(pages):
        families[family].append(number)
    bins: dict[float, list[bool]] = defaultdict(list)
    for members in list(families.values())[:20_000]:
        runs = [shingles(pages[member][1]) for member in members]
        for i, a in enumerate(members):
            for j in range(i):
                bins[int(jaccard(runs[i], runs[j]) * 20) / 20].append(together(a, members[j]))
    for least in sorted(bins):
        print(
            f"  J from {least:.2f}: {sum(bins[least]) / len(bins[least]):.3f} of {len(bins[least]):,} pairs"
        )
    chance, wrong = random.Random(2), 0
    for _ in range(10**6):
        a, b = chance.randrange(count), chance.randrange(count)
        wrong += pages[a][0] != pages[b][0] and together(a, b)
    print(f"  pairs of two families in one cluster, of 10^6: {wrong}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pages", type=int, nargs="+")
    parser.add_argument("--memory", default="1GiB")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for count in options.pages:
            measure(count, options.memory, Path(folder))


if __name__ == "__main__":
    main()
