"""The costs and findings of `cedar dedup`, on made-up families of pages.

    python -m lab.dedup.measure [--gold DIR] [--signed] [--datatrove PYTHON] [--rensa PYTHON] PAGES...

Corpora are made by `tests.dedup.families`. Of each size it prints wall time, CPU time of a page and peak
memory of a run with one worker; for bins of exact Jaccard similarity within families how many pairs are in
one cluster; and of 10^6 random pairs of pages those in one cluster that are not of one family. With
interpreters that have datatrove or rensa in them: what those take for the same texts, and whether their
clusters are the same.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, groupby, islice
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
from numpy.typing import NDArray

from tests.dedup import families
from tests.dedup.corpora import Kind, Made, write_corpus

SHARD = 5_000
FAMILIES = 20_000
"""Families of more than one page that are compared pair by pair."""

PEERS = ("datatrove", "rensa")

Labels = NDArray[np.int64]
"""Of each page the least page of its cluster; -1 for a page alone."""

PROGRAM = """
import re, resource, sys
from cedar.pipelines.cli import main
code = main(sys.argv[1:])
own, workers = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
peak = int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1])
used = own.ru_utime + own.ru_stime + workers.ru_utime + workers.ru_stime
print(used, max(peak, workers.ru_maxrss))
sys.exit(code)
"""


@dataclass(frozen=True, slots=True)
class Cost:
    """What a run took, all in: wall and CPU seconds, peak MB."""

    wall: float
    cpu: float
    peak: float


def run_cedar(arguments: Sequence[str]) -> Cost:
    """Run a command of Cedar's in a process of its own, with one worker."""
    start = time.perf_counter()
    command = [sys.executable, "-c", PROGRAM, *arguments, "--workers", "1", "--quiet"]
    out = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    cpu, peak = out.split()
    return Cost(time.perf_counter() - start, float(cpu), int(peak) / 1024)


def run_peer(
    script: str, python: Path, texts: Path, *, folder: Path
) -> tuple[Cost, Labels, dict[str, float]]:
    """Run a peer over the same texts; also the CPU seconds of its stages."""
    start, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [str(python), str(Path(__file__).with_name(script)), str(texts), str(folder)]
    # Threads of its libraries would only take turns on this machine.
    one = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "RAYON_NUM_THREADS"), "1")
    subprocess.run(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=os.environ | one, check=True
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    told = json.loads((folder / "told.json").read_text())
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    labels = np.array(told["labels"], np.int64)
    return Cost(time.perf_counter() - start, cpu, told["peak"]), labels, told["stages"]


def labels_of(result: Path, count: int) -> Labels:
    """The clusters that a result of `cedar dedup` has."""
    found: dict[str, list[int]] = defaultdict(list)
    for path in (result / "duplicates").glob("*/*.parquet"):
        table = pq.read_table(path, columns=["source", "row", "cluster"])
        if len(table):
            shard = int(table.column("source")[0].as_py().rpartition("/in")[2].partition(".")[0])
            numbers = np.asarray(table.column("row").to_numpy()) + shard * SHARD
            for number, cluster in zip(numbers.tolist(), table.column("cluster").to_pylist(), strict=True):
                found[cluster].append(number)
    labels = np.full(count, -1, np.int64)
    for members in found.values():
        labels[members] = min(members)
    return labels


def recall(pages: Iterable[families.Page], labels: Labels) -> dict[float, tuple[int, float]]:
    """Of bins of exact similarity within families: how many pairs, and the share in one cluster."""
    bins: dict[float, list[bool]] = defaultdict(list)
    numbered = groupby(enumerate(pages), key=lambda pair: pair[1].family)
    related = (members for _, group in numbered if len(members := list(group)) > 1)
    for members in islice(related, FAMILIES):
        runs = {number: families.shingles(page.text) for number, page in members}
        for a, b in combinations(runs, 2):
            similarity = len(runs[a] & runs[b]) / len(runs[a] | runs[b])
            bins[int(similarity * 20 + 1e-9) / 20].append(bool(labels[a] >= 0 and labels[a] == labels[b]))
    return {least: (len(bins[least]), sum(bins[least]) / len(bins[least])) for least in sorted(bins)}


def strangers(owners: NDArray[np.int64], labels: Labels) -> int:
    """Of 10^6 random pairs of pages those in one cluster that are not of one family."""
    chance = np.random.default_rng(2)
    a, b = chance.integers(0, len(labels), (2, 10**6))
    return int(((labels[a] >= 0) & (labels[a] == labels[b]) & (owners[a] != owners[b])).sum())


def precision(owners: NDArray[np.int64], labels: Labels) -> float:
    """The share of the pages of clusters that are of the family of their cluster's first page."""
    (clustered,) = np.nonzero(labels >= 0)
    return float((owners[clustered] == owners[labels[clustered]]).mean())


def pairs_of(labels: Labels) -> set[tuple[int, int]]:
    """The pairs of pages in one cluster."""
    members: dict[int, list[int]] = defaultdict(list)
    for number, label in enumerate(labels.tolist()):
        if label >= 0:
            members[label].append(number)
    return set(chain.from_iterable(combinations(group, 2) for group in members.values()))


def say(name: str, cost: Cost, count: int) -> None:
    """Print what a run took."""
    each = cost.cpu / count * 1e6
    print(f"  {name}: {cost.wall:.1f} s, {cost.cpu:.1f} s CPU, {each:,.0f} µs a page, {cost.peak:,.0f} MB")


def say_quality(pages: Iterable[families.Page], owners: Labels, labels: Labels) -> None:
    """Print what was found of the families, and what else."""
    for least, (number, share) in recall(pages, labels).items():
        print(f"    J from {least:.2f}: {share:.3f} of {number:,} pairs")
    print(f"    of 10^6 random pairs in one cluster and of two families: {strangers(owners, labels)}")
    print(f"    pages of clusters that are of the family of the first one: {precision(owners, labels):.5f}")


def say_sizes(folders: dict[str, Path], count: int) -> None:
    """Print the bytes of a page that lie in some folders."""
    sizes = {
        name: sum(f.stat().st_size for f in folder.rglob("*") if f.is_file())
        for name, folder in folders.items()
    }
    print("    bytes a page:", ", ".join(f"{name} {size / count:.0f}" for name, size in sizes.items()))


def halves(count: int, sentences: Sequence[list[str]], root: Path) -> None:
    """Deal pages out over two corpora; print how the second against the first differs from both at once."""
    chance = np.random.default_rng(4)
    dealt: tuple[list[Made], list[Made]] = ([], [])
    for page, half in zip(families.pages(count, 5, sentences), chance.integers(0, 2, count), strict=True):
        dealt[half].append(Made(page.text))
    a, b = (
        write_corpus(root / name, [pages[i : i + SHARD] for i in range(0, len(pages), SHARD)])
        for name, pages in zip("ab", dealt, strict=True)
    )
    run_cedar(["dedup", str(a), "--output", str(root / "ra")])
    run_cedar(["dedup", str(b), "--against", str(root / "ra"), "--output", str(root / "rb")])
    run_cedar(["dedup", str(a), str(b), "--output", str(root / "both")])
    one, two = (
        {
            (row["source"], row["row"]): (row["kept_source"], row["kept_offset"])
            for path in (root / result / "duplicates").glob("b-*/*.parquet")
            for row in pq.read_table(path).to_pylist()
            if not row["keep"]
        }
        for result in ("rb", "both")
    )
    bridges = json.loads((root / "rb" / "run.json").read_text())["bridges"]
    print(
        f"{len(dealt[1]):,} pages against {len(dealt[0]):,}: {len(one):,} duplicates, at once {len(two):,};"
    )
    same = sum(one.get(place) == kept for place, kept in two.items())
    alone = len(one.keys() - two.keys())
    print(f"  the same page kept for {same:,}; {alone} duplicates of the first alone; {bridges} bridges")


def measure(count: int, options: argparse.Namespace, sentences: Sequence[list[str]], *, root: Path) -> Cost:
    """Make a corpus, find its duplicates, and print what that took and found; returns what it took."""

    def made() -> Iterator[families.Page]:
        return families.pages(count, 1, sentences)

    print(f"{count:,} pages, load {os.getloadavg()[0]:.1f}", flush=True)
    stream = (Made(page.text) for page in made())
    shards = iter(lambda: list(islice(stream, SHARD)), [])
    corpus = write_corpus(root / f"c{count}", shards, Kind(signed=options.signed))
    result = root / f"r{count}"
    cost = run_cedar(["dedup", str(corpus), "--output", str(result), "--memory", options.memory])
    say("cedar dedup" + (", signatures beside" if options.signed else ", signatures made"), cost, count)
    beside = {"signatures": corpus if options.signed else result}
    folders = {name: beside.get(name, result) / name for name in ("signatures", "index", "duplicates")}
    say_sizes(folders, count)
    labels = labels_of(result, count)
    owners = np.fromiter((page.family for page in made()), np.int64, count)
    say_quality(made(), owners, labels)
    peers = {name: python for name in PEERS if (python := getattr(options, name))}
    if peers:
        texts = root / f"t{count}" / "pages.jsonl"
        texts.parent.mkdir()
        with texts.open("w") as file:
            file.writelines(
                json.dumps({"id": str(n), "text": page.text}) + "\n" for n, page in enumerate(made())
            )
        written = ["dedup", str(corpus), "--output", f"{result}w", "--write", "--format", "jsonl"]
        say("cedar dedup --write, signatures made", whole := run_cedar(written), count)
    ours = pairs_of(labels)
    for name, python in peers.items():
        folder = root / f"{name}{count}"
        folder.mkdir()
        theirs, found, stages = run_peer(f"with_{name}.py", python, texts.parent, folder=folder)
        say(name, theirs, count)
        print("    CPU:", ", ".join(f"{stage} {seconds:.1f} s" for stage, seconds in stages.items()))
        print(f"    {theirs.cpu / whole.cpu:.1f} x the CPU of cedar dedup --write, all in")
        pairs = pairs_of(found)
        alone = f"{len(ours - pairs):,} of Cedar alone, {len(pairs - ours):,} of {name} alone"
        print(f"    pairs in one cluster: {len(ours & pairs):,} of both, {alone}")
        say_quality(made(), owners, found)
    sys.stdout.flush()
    return cost


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("pages", type=int, nargs="+")
    parser.add_argument("--gold", type=Path, help="folder of gold files to take sentences from (CEDAR_GOLD)")
    parser.add_argument("--memory", default="1GiB", help="of cedar dedup (1GiB)")
    parser.add_argument("--signed", action="store_true", help="signatures lie beside the pages")
    for name in PEERS:
        parser.add_argument(f"--{name}", type=Path, help=f"a Python that has {name}")
    parser.add_argument("--work", type=Path, help="folder for the corpora (a temporary one)")
    options = parser.parse_args()
    gold = options.gold or (Path(os.environ["CEDAR_GOLD"]) if os.environ.get("CEDAR_GOLD") else None)
    sentences = families.gold_sentences(gold) if gold else families.made_sentences()
    print(f"{len(sentences):,} sentences, {'of gold texts' if gold else 'made up'}")
    costs = {}
    with tempfile.TemporaryDirectory(dir=options.work) as folder:
        for count in options.pages:
            costs[count] = measure(count, options, sentences, root=Path(folder))
    with tempfile.TemporaryDirectory(dir=options.work) as folder:
        halves(min(options.pages), sentences, Path(folder))
    for less, more in zip(options.pages, options.pages[1:], strict=False):
        slope = math.log(costs[more].cpu / costs[less].cpu) / math.log(more / less)
        print(f"log CPU over log pages, {less:,} to {more:,}: {slope:.2f}")


if __name__ == "__main__":
    main()
