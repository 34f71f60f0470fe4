"""Duplicates by Cedar and by datatrove over the same texts: whose clusters, and at what cost by stage."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import comb
from pathlib import Path

from lab.dedup.measure import SHARD, Labels, labels_of, pairs_of, run_cedar, run_peer
from tests.dedup.corpora import Kind, Made, edited, write_corpus
from tests.dedup.families import shingles

EDITED = 3
"""Every so many texts one has as many edits beside it, in `with_edits`."""

ALIKE = 0.8
"""Pairs of this exact Jaccard similarity or more are looked for in both programs' clusters."""


@dataclass(frozen=True, slots=True)
class Cost:
    """CPU seconds of a stage, of Cedar and of datatrove."""

    stage: str
    ours: float
    theirs: float


def with_edits(texts: Sequence[str]) -> list[str]:
    """Texts, and beside each third one three edits of it, of up to a tenth of its words."""
    found = list(texts)
    for number, text in enumerate(texts[::EDITED]):
        words = text.split()
        for edit in range(EDITED if len(words) > 20 else 0):
            changes = 1 + (7 * number + 31 * edit) % (len(words) // 10)
            found.append(" ".join(edited(words, changes, seed=EDITED * number + edit)))
    return found


def costs(texts: Sequence[str], python: Path, home: Path) -> tuple[list[Cost], Labels, Labels]:
    """Find the duplicates of texts with both programs as they are by default, in one process each.

    Cedar's stages are what one run takes more than another: with signatures to be made, with a corpus to be
    written, over one text.

    Returns:
        What it took, and Cedar's clusters and datatrove's: of each text the least one of its cluster, -1 for
        one that is alone.
    """
    theirs, total, stages = by_datatrove(texts, python, home)
    plain, signed, one = (
        corpus_of(home / name, some, Kind(signed=is_signed))
        for name, some, is_signed in (
            ("plain", texts, False),
            ("signed", texts, True),
            ("one", texts[:1], True),
        )
    )
    start, bare, made = (
        run_cedar(["dedup", str(corpus), "--output", f"{corpus}-found"]).cpu
        for corpus in (one, signed, plain)
    )
    written = ["dedup", str(signed), "--output", f"{signed}-written", "--write", "--format", "jsonl"]
    write = run_cedar(written).cpu
    table = [
        Cost("start", start, stages["imports"]),
        Cost("signatures", made - bare, stages["signature"]),
        Cost("pairs and clusters", bare - start, stages["buckets"] + stages["cluster"]),
        Cost("writing what is kept", write - bare, stages["filter"]),
        Cost("all in", write + made - bare, total),
    ]
    return table, labels_of(Path(f"{signed}-found"), len(texts)), theirs


def by_cedar(texts: Sequence[str], home: Path) -> Labels:
    """Cedar's clusters."""
    corpus = corpus_of(home / "own", texts, Kind())
    run_cedar(["dedup", str(corpus), "--output", f"{corpus}-found"])
    return labels_of(Path(f"{corpus}-found"), len(texts))


def by_datatrove(texts: Sequence[str], python: Path, home: Path) -> tuple[Labels, float, dict[str, float]]:
    """datatrove's clusters, and its CPU seconds: in all, and by stage."""
    source = home / "texts"
    source.mkdir(parents=True)
    lines = (json.dumps({"id": str(number), "text": text}) + "\n" for number, text in enumerate(texts))
    (source / "pages.jsonl").write_text("".join(lines))
    cost, labels, stages = run_peer("with_datatrove.py", python, source, folder=home)
    return labels, cost.cpu, stages


def corpus_of(root: Path, texts: Sequence[str], kind: Kind) -> Path:
    """A corpus of texts."""
    parts = (texts[at : at + SHARD] for at in range(0, len(texts), SHARD))
    return write_corpus(root, [[Made(text) for text in part] for part in parts], kind)


def adjusted_rand(ours: Labels, theirs: Labels) -> float:
    """The adjusted Rand index of two divisions into clusters (Hubert and Arabie 1985): 1 is the same."""
    left, right = pairs_of(ours), pairs_of(theirs)
    expected = len(left) * len(right) / comb(len(ours), 2)
    most = (len(left) + len(right)) / 2
    return 1.0 if most == expected else (len(left & right) - expected) / (most - expected)


def agreement(name: str, texts: Sequence[str], *, ours: Labels, theirs: Labels) -> list[str]:
    """A row: pairs of both and of one alone, with the mean of their exact similarities, and the index."""
    left, right = pairs_of(ours), pairs_of(theirs)
    alone = [left - right, right - left]
    return [
        name,
        str(len(texts)),
        str(len(left & right)),
        *(f"{len(pairs)} ({_similarity(texts, pairs)})" if pairs else "0" for pairs in alone),
        *(f"{len(left & right) / len(pairs):.3f}" if pairs else "" for pairs in (left, right)),
        f"{adjusted_rand(ours, theirs):.3f}",
    ]


def found_of_alike(texts: Sequence[str], labels: Labels, several: Sequence[Labels]) -> str:
    """Of pairs in one cluster of any program that are alike, the share that one program has."""
    pairs = set().union(*map(pairs_of, several))
    alike = {pair for pair in pairs if _jaccard(texts, *pair) >= ALIKE}
    return f"{len(alike & pairs_of(labels))} of {len(alike)}"


def _similarity(texts: Sequence[str], pairs: set[tuple[int, int]]) -> str:
    found = sorted(_jaccard(texts, *pair) for pair in pairs)
    return f"{found[0]:.2f} to {found[-1]:.2f}, mean {sum(found) / len(found):.2f}"


def _jaccard(texts: Sequence[str], left: int, right: int) -> float:
    one, other = shingles(texts[left]), shingles(texts[right])
    return len(one & other) / max(1, len(one | other))


def rows_of_costs(found: Sequence[Cost], count: int) -> Iterator[list[str]]:
    """Rows of the table of CPU time, in milliseconds a text."""
    for cost in found:
        cells = [f"{1000 * each / count:.2f}" for each in (cost.ours, cost.theirs)]
        yield [cost.stage, *cells, f"{cost.theirs / cost.ours:.1f} x" if cost.ours > 0 else ""]
