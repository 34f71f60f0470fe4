"""The first half of the work: records of each shard, the edges of each part, the clusters of all."""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from pipelines.dedup import rounds
from pipelines.dedup.inputs import Pack, Unit
from pipelines.dedup.pages import page_keys
from pipelines.dedup.parted import append_block, read_share
from pipelines.dedup.plan import Plan
from transforms.curation.duplicate_clusters import unite
from transforms.curation.duplicates import (
    KEY_WORDS,
    TEXT_WORDS,
    Words,
    band_records,
    edges_in,
    spread,
    text_records,
    url_records,
)
from transforms.files.local import whole_file

WIDTHS = {"texts": TEXT_WORDS, "keys": KEY_WORDS}
"""The kinds of records, and words of each."""

_EDGES_AT_ONCE = 1 << 20


def records_of(plan: Plan, unit: Unit) -> dict[str, list[Words]]:
    """The records of a shard: of each kind those of each part."""
    pages, by = page_keys(plan, unit), plan.choices.by
    texts = [text_records(pages, only_signed="text" not in by)] if {"text", "near"} & set(by) else []
    keys = [make(pages) for kind, make in (("near", band_records), ("url", url_records)) if kind in by]
    return {
        name: spread(np.concatenate([np.empty((0, WIDTHS[name]), np.uint64), *records]), plan.bits)
        for name, records in (("texts", texts), ("keys", keys))
    }


def write_records(plan: Plan, pack: Pack) -> None:
    """Write the records of some shards, those of a part side by side: a file of each kind."""
    made = [records_of(plan, unit) for unit in pack.units]
    for name in WIDTHS:
        parts = [np.concatenate(shares) for shares in zip(*(each[name] for each in made), strict=True)]
        with whole_file(plan.work(name, pack.number)) as path, path.open("wb") as file:
            append_block(file, parts)


def has_records(plan: Plan, pack: Pack) -> bool:
    """Whether the records of some shards are written."""
    return all(plan.work(name, pack.number).exists() for name in WIDTHS)


def part_name(kind: str, part: int) -> str:
    """The name of a part of the records of a kind; also of the file of its edges."""
    return f"{kind}-{part}"


def write_edges(plan: Plan, kind: str, part: int) -> None:
    """Write the edges of a part of the records of a kind, which are in files."""
    write_edges_of(plan, part_name(kind, part), _blocks(plan, kind, part))


def write_edges_of(plan: Plan, name: str, blocks: Iterable[Words]) -> None:
    """Write the edges of a part from its records, in blocks of any size."""
    words = WIDTHS[name.partition("-")[0]]
    with (
        plan.scratch() as folder,
        whole_file(plan.work("edges", name)) as path,
        path.open("wb") as file,
    ):
        for edges in edges_in(blocks, words, plan.memory, folder):
            edges.tofile(file)


def _blocks(plan: Plan, kind: str, part: int) -> Iterator[Words]:
    """The records of a part: of each pack its share, in pieces that fit in memory."""
    words = WIDTHS[kind]
    most = max(1, plan.memory // (16 * words * 8))
    for pack in plan.packs:
        yield from read_share(plan.work(kind, pack.number), part, 1 << plan.bits, words, most)


def files_of_edges(plan: Plan) -> int:
    """How many files of edges there are."""
    return len(WIDTHS) << plan.bits


def write_round(plan: Plan, task: int) -> None:
    """Write a part of a pass of the rounds."""
    rounds.write_part(plan, task, _edges_of)


def write_clusters(plan: Plan) -> None:
    """Write the pages that are in a cluster with others, in order, and the least page of each one's."""
    if rounds.are_needed(plan):
        clusters = rounds.clusters(plan)
    else:
        edges = (some for number in range(files_of_edges(plan)) for some in _edges_of(plan, number))
        clusters = unite(edges, plan.inputs.pages)
    with whole_file(_clusters(plan)) as path, path.open("wb") as file:
        for some in clusters:
            some.tofile(file)


def has_clusters(plan: Plan) -> bool:
    """Whether they are written."""
    return _clusters(plan).exists()


def clusters_of(plan: Plan, unit: Unit) -> Words:
    """The pages of a shard that are in a cluster with others, and the least page of each one's."""
    return rows_between(_clusters(plan), unit.first, unit.first + unit.pages)


def rows_between(path: Path, first: int, stop: int) -> Words:
    """Read the rows of a file whose first word is from `first` to below `stop`.

    Args:
        path: a file of rows of two words, uint64, in order.
        first: the least first word.
        stop: one more than the greatest.
    """
    if not path.stat().st_size:
        return np.empty((0, 2), np.uint64)
    rows = np.memmap(path, np.uint64, "r").reshape(-1, 2)
    # Not by numpy, which would copy the whole column.
    bounds = [bisect.bisect_left(rows, page, key=lambda row: int(row[0])) for page in (first, stop)]
    return np.array(rows[bounds[0] : bounds[1]])


def _clusters(plan: Plan) -> Path:
    return plan.work("clusters", "pages")


def _edges_of(plan: Plan, number: int) -> Iterator[Words]:
    """The edges of a file, in pieces."""
    kind, part = list(WIDTHS)[number >> plan.bits], number & ((1 << plan.bits) - 1)
    path = plan.work("edges", part_name(kind, part))
    most = min(_EDGES_AT_ONCE, max(1, plan.memory // 128))
    with path.open("rb") as file:
        while len(edges := np.fromfile(file, np.uint64, 2 * most)):
            yield edges.reshape(-1, 2)
