"""The first half of the work: records of each shard, the edges of each part, the clusters of all."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from pipelines.dedup.inputs import Unit
from pipelines.dedup.pages import page_keys
from pipelines.dedup.plan import Plan, committed
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


def write_records(plan: Plan, unit: Unit) -> None:
    """Write the records of a shard, those of a part side by side: a file of each kind."""
    for name, parts in records_of(plan, unit).items():
        starts = np.cumsum([0, *map(len, parts)], dtype=np.int64)
        with committed(plan.work(name, unit.number)) as path, path.open("wb") as file:
            starts.tofile(file)
            for part in parts:
                part.tofile(file)


def has_records(plan: Plan, unit: Unit) -> bool:
    """Whether a shard's records are written."""
    return all(plan.work(name, unit.number).exists() for name in WIDTHS)


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
        tempfile.TemporaryDirectory() as folder,
        committed(plan.work("edges", name)) as path,
        path.open("wb") as file,
    ):
        for edges in edges_in(blocks, words, plan.memory, Path(folder)):
            edges.tofile(file)


def _blocks(plan: Plan, kind: str, part: int) -> Iterator[Words]:
    """The records of a part: of each shard its share, in pieces that fit in memory."""
    words = WIDTHS[kind]
    most = max(1, plan.memory // (16 * words * 8))
    header = 8 * ((1 << plan.bits) + 1)
    for unit in plan.inputs.units:
        path = plan.work(kind, unit.number)
        start, stop = (int(n) for n in np.fromfile(path, np.int64, 2, offset=8 * part))
        while start < stop:
            rows = min(most, stop - start)
            at = header + start * 8 * words
            yield np.fromfile(path, np.uint64, rows * words, offset=at).reshape(rows, words)
            start += rows


def write_clusters(plan: Plan) -> None:
    """Write the cluster of each page, and the size of each cluster."""
    with (
        committed(plan.work("clusters", "sizes")) as sizes,
        committed(plan.work("clusters", "roots")) as roots,
    ):
        unite(_all_edges(plan), plan.inputs.pages, roots, sizes)


def has_clusters(plan: Plan) -> bool:
    """Whether they are written."""
    return all(plan.work("clusters", name).exists() for name in ("roots", "sizes"))


def _all_edges(plan: Plan) -> Iterator[Words]:
    for kind in WIDTHS:
        for part in range(1 << plan.bits):
            path = plan.work("edges", part_name(kind, part))
            left, offset = path.stat().st_size // 16, 0
            while left:
                rows = min(left, _EDGES_AT_ONCE)
                yield np.fromfile(path, np.uint64, rows * 2, offset=offset).reshape(rows, 2)
                left, offset = left - rows, offset + rows * 16
