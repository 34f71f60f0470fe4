"""Make the records of each shard, the edges of each part of the records, and the clusters of all pages.

A file of records is a sequence of blocks. A block begins with the start of each part and the stop of the last
(int64, in records); the records follow, part by part, so that a worker on a part reads only its share.

Clusters are made of the edges in one array of all pages (`curation.duplicates.unite`).
"""

import io
import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import BinaryIO

import numpy as np

from cedar.pipelines.dedup.pages import page_keys
from cedar.pipelines.dedup.plan import DedupPlan, ShardPack, ShardRef
from cedar.transforms.curation.duplicates import (
    KEY_WORDS,
    TEXT_WORDS,
    Words,
    band_records,
    edges_in,
    spread,
    text_records,
    unite,
    url_records,
)
from cedar.transforms.files.stores import StoredPath

WIDTHS = {"texts": TEXT_WORDS, "keys": KEY_WORDS}
"""The kinds of records, and the words of a record."""

_MAX_EDGES = 1 << 20


def records_of(plan: DedupPlan, shard: ShardRef) -> dict[str, list[Words]]:
    """Make the records of a shard: for each kind, a list by part."""
    pages, by = page_keys(plan, shard), plan.options.by
    # Of each text the first page alone has records for `near`: those of texts tie the others to it.
    texts = [text_records(pages, only_signed="text" not in by)] if {"text", "near"} & set(by) else []
    keys = [make(pages) for kind, make in (("near", band_records), ("url", url_records)) if kind in by]
    return {
        name: spread(np.concatenate([np.empty((0, WIDTHS[name]), np.uint64), *records]), plan.bits)
        for name, records in (("texts", texts), ("keys", keys))
    }


def write_records(plan: DedupPlan, pack: int) -> None:
    """Write the records of a pack, part by part: a file for each kind."""
    made = [records_of(plan, shard) for shard in plan.packs[pack].shards]
    for name in WIDTHS:
        parts = [np.concatenate(shares) for shares in zip(*(each[name] for each in made), strict=True)]
        with plan.work(name, pack).writing() as file:
            append_block(file, parts)


def part_name(kind: str, part: int) -> str:
    """Name a part of the records of a kind, and the file of its edges."""
    return f"{kind}-{part}"


def write_edges(plan: DedupPlan, kind: str, part: int) -> None:
    """Write the edges of a part of the records of a kind, from the shares of all packs."""
    max_rows = max(1, plan.memory // (16 * WIDTHS[kind] * 8))
    shares = (
        read_share(plan.work(kind, pack.number), part, 1 << plan.bits, words=WIDTHS[kind], max_rows=max_rows)
        for pack in plan.packs
    )
    _write_edges(plan, kind, part_name(kind, part), blocks=itertools.chain.from_iterable(shares))


def _write_edges(plan: DedupPlan, kind: str, name: str, *, blocks: Iterable[Words]) -> None:
    """Write the edges of a part from its records of a kind, in blocks of any size."""
    with plan.scratch() as folder, plan.work("edges", name).writing() as file:
        for edges in edges_in(blocks, WIDTHS[kind], plan.memory, folder=folder):
            write_rows(file, edges)


def records_by_part(plan: DedupPlan, number: int) -> Iterator[tuple[str, Words]]:
    """Make the records of a shard, with the names of their parts."""
    for kind, parts in records_of(plan, plan.inputs.shards[number]).items():
        for part, records in enumerate(parts):
            if len(records):
                yield part_name(kind, part), records


def finish(plan: DedupPlan, name: str, blobs: Iterable[bytes]) -> None:
    """Write the edges of a part from the bytes of its records, unless an earlier attempt did."""
    if not plan.work("edges", name).exists():
        kind = name.partition("-")[0]
        blocks = (np.frombuffer(blob, np.uint64).reshape(-1, WIDTHS[kind]) for blob in blobs)
        _write_edges(plan, kind, name, blocks=blocks)


def edges_of(plan: DedupPlan, number: int) -> Iterator[Words]:
    """Read the edges of a file, in pieces; `number` counts the parts of all kinds."""
    kind, part = list(WIDTHS)[number >> plan.bits], number & ((1 << plan.bits) - 1)
    max_rows = min(_MAX_EDGES, max(1, plan.memory // 128))
    with plan.work("edges", part_name(kind, part)).open() as file:
        while len(edges := read_rows(file, max_rows, 2)):
            yield edges


def append_block(file: BinaryIO, parts: Sequence[Words]) -> None:
    """Write a block at the end of a file: the records of each part, uint64, shape (records, words)."""
    file.write(np.cumsum([0, *map(len, parts)], dtype=np.int64).data)
    for part in parts:
        write_rows(file, part)


def write_rows(file: BinaryIO, rows: Words) -> None:
    """Write rows as they are in memory."""
    file.write(np.ascontiguousarray(rows).data)


def read_rows(file: BinaryIO, rows: int, words: int) -> Words:
    """Read rows of `words` words each, uint64; fewer at the end of the file."""
    found = np.empty((rows, words), np.uint64)
    read = file.readinto(found.view(np.uint8).reshape(-1).data) if found.size else 0  # type: ignore[attr-defined]
    return found[: read // (8 * words)]


def read_share(path: StoredPath, part: int, parts: int, *, words: int, max_rows: int) -> Iterator[Words]:
    """Read the records of a part, of `words` each, from a file of `parts`, at most `max_rows` at a time."""
    with path.open() as file:
        offset, size = 0, file.seek(0, io.SEEK_END)
        while offset < size:
            file.seek(offset)
            starts = read_rows(file, parts + 1, 1)[:, 0]
            first = offset + starts.nbytes
            file.seek(first + int(starts[part]) * 8 * words)
            left = int(starts[part + 1] - starts[part])
            while left:
                rows = min(left, max_rows)
                yield read_rows(file, rows, words)
                left -= rows
            offset = first + int(starts[-1]) * 8 * words


def write_clusters(plan: DedupPlan) -> None:
    """Write the pages in clusters, in order, each with its cluster's least page; a file for each pack."""
    files = len(WIDTHS) << plan.bits
    edges = (some for number in range(files) for some in edges_of(plan, number))
    found = unite(edges, plan.inputs.pages)
    left = np.empty((0, 2), np.uint64)
    for pack in plan.packs:
        with plan.work("clusters", pack.number).writing() as file:
            while True:
                count = int(np.searchsorted(left[:, 0], np.uint64(pack.stop)))
                write_rows(file, left[:count])
                left = left[count:]
                if len(left):  # pages of the next pack
                    break
                more = next(found, None)
                if more is None:
                    break
                left = more
    plan.work("clusters", "done").write(b"")


def clusters_of(plan: DedupPlan, pack: ShardPack) -> Words:
    """Read a pack's pages in clusters, in order, each with its cluster's least page: uint64 (pages, 2)."""
    return np.frombuffer(plan.work("clusters", pack.number).read(), np.uint64).reshape(-1, 2)
