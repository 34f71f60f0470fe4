"""Files of records that lie part by part: a worker on a part reads its share of each file.

A file is a row of blocks. A block is where its parts begin and the last one ends (int64, in records), and
after that its records.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

import numpy as np

from transforms.curation.duplicates import Words


def append_block(file: BinaryIO, parts: Sequence[Words]) -> None:
    """Write a block at the end of a file.

    Args:
        file: the file.
        parts: records of each part, uint64, shape (records, words).

    Raises:
        OSError: it cannot be written.
    """
    np.cumsum([0, *map(len, parts)], dtype=np.int64).tofile(file)
    for part in parts:
        part.tofile(file)


def read_share(path: Path, part: int, parts: int, words: int, most: int) -> Iterator[Words]:
    """Read the records of a part, in pieces.

    Args:
        path: the file.
        part: number of the part.
        parts: how many there are.
        words: of a record.
        most: records of a piece.

    Raises:
        OSError: it cannot be read.
    """
    with path.open("rb") as file:
        offset, size = 0, path.stat().st_size
        while offset < size:
            file.seek(offset)
            starts = np.fromfile(file, np.int64, parts + 1)
            first = offset + starts.nbytes
            file.seek(first + int(starts[part]) * 8 * words)
            left = int(starts[part + 1] - starts[part])
            while left:
                rows = min(left, most)
                yield np.fromfile(file, np.uint64, rows * words).reshape(rows, words)
                left -= rows
            offset = first + int(starts[-1]) * 8 * words
