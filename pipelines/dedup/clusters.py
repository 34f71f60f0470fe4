"""The records of each shard, the edges of each part of them, and the clusters of all pages.

A file of records is a row of blocks: where its parts begin and the last one ends (int64, in records), then
the records, part by part, so that a worker on a part reads its share.

Clusters are made of the edges in one array, or, of more pages than it can hold, in rounds before that. In
rounds edges are rewritten pass by pass, a file of each part. Pass 0 parts the edges by page, in both
directions. After it large stars and small stars take turns (`curation._duplicates.Stars`); a
round is one of each, and one that changes nothing is the last.
"""

import io
import itertools
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import BinaryIO, Literal

import numpy as np

from cedar.pipelines.dedup.pages import page_keys
from cedar.pipelines.dedup.plan import Pack, Plan, Unit
from cedar.transforms.curation._duplicates import Stars
from cedar.transforms.curation.duplicates import (
    KEY_WORDS,
    MOST_PAGES,
    PAGE_BYTES,
    TEXT_WORDS,
    Words,
    band_records,
    edges_in,
    in_order,
    spread,
    text_records,
    unite,
    url_records,
)
from cedar.transforms.files.stores import StoredPath, delete_below

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


def write_records(plan: Plan, pack: int) -> None:
    """Write the records of some shards, those of a part side by side: a file of each kind."""
    made = [records_of(plan, unit) for unit in plan.packs[pack].units]
    for name in WIDTHS:
        parts = [np.concatenate(shares) for shares in zip(*(each[name] for each in made), strict=True)]
        with plan.work(name, pack).writing() as file:
            append_block(file, parts)


def part_name(kind: str, part: int) -> str:
    """The name of a part of the records of a kind; also of the file of its edges."""
    return f"{kind}-{part}"


def write_edges(plan: Plan, kind: str, part: int) -> None:
    """Write the edges of a part of the records of a kind, of each pack its share, in pieces that fit."""
    most = max(1, plan.memory // (16 * WIDTHS[kind] * 8))
    shares = (
        read_share(plan.work(kind, pack.number), part, 1 << plan.bits, WIDTHS[kind], most)
        for pack in plan.packs
    )
    _write_edges(plan, part_name(kind, part), itertools.chain.from_iterable(shares))


def _write_edges(plan: Plan, name: str, blocks: Iterable[Words]) -> None:
    """Write the edges of a part from its records, in blocks of any size."""
    words = WIDTHS[name.partition("-")[0]]
    with plan.scratch() as folder, plan.work("edges", name).writing() as file:
        for edges in edges_in(blocks, words, plan.memory, folder):
            write_rows(file, edges)


def records_by_part(plan: Plan, number: int) -> Iterator[tuple[str, Words]]:
    """Make the records of a shard, with the names of their parts."""
    for kind, parts in records_of(plan, plan.inputs.units[number]).items():
        for part, records in enumerate(parts):
            if len(records):
                yield part_name(kind, part), records


def finish(plan: Plan, name: str, blobs: Iterable[bytes]) -> None:
    """Write the edges of a part from the bytes of its records, unless an attempt before has."""
    if not plan.work("edges", name).exists():
        words = WIDTHS[name.partition("-")[0]]
        _write_edges(plan, name, (np.frombuffer(blob, np.uint64).reshape(-1, words) for blob in blobs))


def files_of_edges(plan: Plan) -> int:
    """How many files of edges there are."""
    return len(WIDTHS) << plan.bits


def edges_of(plan: Plan, number: int) -> Iterator[Words]:
    """The edges of a file, in pieces."""
    kind, part = list(WIDTHS)[number >> plan.bits], number & ((1 << plan.bits) - 1)
    most = min(_EDGES_AT_ONCE, max(1, plan.memory // 128))
    with plan.work("edges", part_name(kind, part)).open() as file:
        while len(edges := read_rows(file, most, 2)):
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


def read_share(path: StoredPath, part: int, parts: int, words: int, most: int) -> Iterator[Words]:
    """Read the records of a part, of `words` each, from a file of `parts`, in pieces of `most` at most."""
    with path.open() as file:
        offset, size = 0, file.seek(0, io.SEEK_END)
        while offset < size:
            file.seek(offset)
            starts = read_rows(file, parts + 1, 1)[:, 0]
            first = offset + starts.nbytes
            file.seek(first + int(starts[part]) * 8 * words)
            left = int(starts[part + 1] - starts[part])
            while left:
                rows = min(left, most)
                yield read_rows(file, rows, words)
                left -= rows
            offset = first + int(starts[-1]) * 8 * words


@dataclass(frozen=True, slots=True)
class _Done:
    """The last pass that is whole, and how many edges it and the one before it have changed."""

    number: int = -1
    changes: int = 1
    before: int = 1

    @property
    def is_last(self) -> bool:
        return self.number >= 2 and self.number % 2 == 0 and self.changes + self.before == 0


def are_needed(plan: Plan) -> bool:
    """Whether there are more pages than an array in memory can hold."""
    return plan.inputs.pages > MOST_PAGES or PAGE_BYTES * plan.inputs.pages > plan.memory


def passes(plan: Plan) -> Iterator[list[int]]:
    """Give the tasks of each pass that is left; who asks for the next pass has done those before."""
    done = _done(plan)
    while not done.is_last:
        number = done.number + 1
        parts = _parts(plan, number)
        yield [number * _stride(plan) + part for part in range(parts)]
        changes = sum(int(_changes(plan, number, part).read()) for part in range(parts))
        done = _Done(number, changes, done.changes)
        plan.work("rounds", "done").write(json.dumps(asdict(done)).encode())
        delete_below(f"{plan.root}/_work/rounds/{number - 1}")


def write_pass(plan: Plan, task: int) -> None:
    """Write a part of a pass, by its number as `passes` has given it."""
    number, part = divmod(task, _stride(plan))
    kind: Literal["large", "small"] = "large" if number % 2 else "small"
    stars = Stars(kind)
    with plan.scratch() as folder, _file(plan, number, part).writing() as file:
        if number == 0:
            blocks = edges_of(plan, part)
        else:
            blocks = (stars.edges(some) for some in _in_order(plan, number - 1, part, folder))
        # Bits of the number of a page; at least as many as tell the parts apart.
        width = max(plan.bits, plan.inputs.pages.bit_length())
        for edges in blocks:
            # A large star looks at pages from both ends of their edges; a small one from the greater.
            both = edges if kind == "large" else np.concatenate([edges, edges[:, ::-1]])
            append_block(file, spread(both, plan.bits, width))
        _changes(plan, number, part).write(str(stars.changes).encode())


def has_pass(plan: Plan, task: int) -> bool:
    """Whether a part of a pass is there."""
    return _file(plan, *divmod(task, _stride(plan))).exists()


def write_clusters(plan: Plan) -> None:
    """Write the pages that are in a cluster with others, in order, and the least page of each one's."""
    if are_needed(plan):
        found = _of_last_pass(plan)
    else:
        edges = (some for number in range(files_of_edges(plan)) for some in edges_of(plan, number))
        found = unite(edges, plan.inputs.pages)
    left = np.empty((0, 2), np.uint64)
    for pack in plan.packs:
        with plan.work("clusters", pack.number).writing() as file:
            while True:
                count = int(np.searchsorted(left[:, 0], np.uint64(pack.stop)))
                write_rows(file, left[:count])
                left = left[count:]
                if len(left) or (more := next(found, None)) is None:
                    break
                left = more
    plan.work("clusters", "done").write(b"")


def clusters_of(plan: Plan, pack: Pack) -> Words:
    """The pages of a pack that are in a cluster with others, in order, and the least page of each one's."""
    return np.frombuffer(plan.work("clusters", pack.number).read(), np.uint64).reshape(-1, 2)


def _of_last_pass(plan: Plan) -> Iterator[Words]:
    """Find the cluster of each page that is in one with others, as `unite` does, after the last pass."""
    least, number = Stars("least"), _done(plan).number
    with plan.scratch() as folder:
        for part in range(1 << plan.bits):
            yield from map(least.edges, _in_order(plan, number, part, folder))


def _in_order(plan: Plan, number: int, part: int, folder: Path) -> Iterator[Words]:
    """The edges of a part that a pass has left, sorted."""
    # Half for them; the other half for what is made of them.
    memory = plan.memory // 2
    most = max(1, memory // 64)
    files = (_file(plan, number, made) for made in range(_parts(plan, number)))
    shares = (piece for file in files for piece in read_share(file, part, 1 << plan.bits, 2, most))
    return in_order(shares, 2, memory, folder)


def _done(plan: Plan) -> _Done:
    try:
        return _Done(**json.loads(plan.work("rounds", "done").read()))
    except FileNotFoundError:
        return _Done()


def _parts(plan: Plan, number: int) -> int:
    """How many files a pass writes."""
    return files_of_edges(plan) if number == 0 else 1 << plan.bits


def _stride(plan: Plan) -> int:
    """More than the parts of any pass."""
    return 4 << plan.bits


def _file(plan: Plan, number: int, part: int) -> StoredPath:
    return plan.work("rounds", f"{number}/{part}")


def _changes(plan: Plan, number: int, part: int) -> StoredPath:
    return plan.work("rounds", f"{number}/{part}.changes")
