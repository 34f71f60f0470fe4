"""Rows in random order, in bounded memory: scattered over files by a hash, then sorted file by file."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    import pyarrow as pa

_HASH = "_hash"
_BUFFER_BYTES = 64 << 20
"""Bytes of rows that are held before they are written to their files."""


def shuffled(
    batches: Iterable[pa.RecordBatch], seed: int, parts: int, *, folder: Path
) -> Iterator[tuple[str, pa.Table]]:
    """Yield the rows of batches in parts, in the order of the hash of the seed and of each row's number.

    Neither how the rows are cut into batches nor the number of parts changes their order. Only one part is in
    memory; the others lie in `folder`, which has to be empty. Yields the name of each part, too; the names
    sort by their order.
    """
    import pyarrow as pa

    held: list[pa.Table] = []
    size = count = 0
    for batch in batches:
        hashes = [_row_hash(seed, number) for number in range(count, count + batch.num_rows)]
        count += batch.num_rows
        held.append(pa.Table.from_batches([batch]).append_column(_HASH, pa.array(hashes, pa.uint64())))
        size += batch.nbytes
        if size >= _BUFFER_BYTES:
            _scatter(held, parts, folder)
            held, size = [], 0
    _scatter(held, parts, folder)
    for path in sorted(folder.iterdir()):
        with path.open("rb") as file:
            rows = pa.concat_tables(_tables(file))
        yield path.name, rows.sort_by(_HASH).drop_columns([_HASH])
        path.unlink()


def _row_hash(seed: int, number: int) -> int:
    return int.from_bytes(hashlib.blake2b(f"{seed}\t{number}".encode(), digest_size=8).digest())


def _scatter(tables: list[pa.Table], parts: int, folder: Path) -> None:
    """Append each row to the file of its part."""
    import numpy as np
    import pyarrow as pa

    if not tables:
        return
    rows = pa.concat_tables(tables).sort_by(_HASH)
    # The upper 32 bits of the hash, scaled to the number of parts.
    part_of = (rows[_HASH].to_numpy() >> np.uint64(32)) * np.uint64(parts) >> np.uint64(32)
    starts = np.searchsorted(part_of, np.arange(parts + 1))
    for part in range(parts):
        chosen = rows.slice(starts[part], starts[part + 1] - starts[part])
        if chosen.num_rows:
            with (folder / f"{part:08d}").open("ab") as file, pa.ipc.new_stream(file, rows.schema) as stream:
                stream.write_table(chosen)


def _tables(file: BinaryIO) -> Iterator[pa.Table]:
    """Yield the tables that were appended to a file."""
    import pyarrow as pa

    end = file.seek(0, 2)
    file.seek(0)
    while file.tell() < end:
        yield pa.ipc.open_stream(file).read_all()
