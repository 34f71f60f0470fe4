"""A file of which some ranges are in memory: what a reader of columns reads once they were fetched."""

from __future__ import annotations

import bisect

from transforms.files.positioned_file import PositionedFile


class SparseFile(PositionedFile):
    """The bytes that were put in; asking for others is a fault.

    Args:
        size: bytes of the whole file.
    """

    def __init__(self, size: int) -> None:
        super().__init__()
        self._size = size
        self._starts: list[int] = []
        self._blocks: list[bytes] = []

    def put(self, start: int, block: bytes) -> None:
        """Put a range in that begins at `start`; ranges come in order and do not overlap."""
        self._starts.append(start)
        self._blocks.append(block)

    def read(self, size: int = -1) -> bytes:
        """Read `size` bytes, all of which lie in one range.

        Raises:
            OSError: they do not.
        """
        stop = self._size if size is None or size < 0 else min(self._at + size, self._size)
        if stop <= self._at:
            return b""
        number = bisect.bisect_right(self._starts, self._at) - 1
        first = self._at - self._starts[number] if number >= 0 else 0
        last = first + stop - self._at
        if number < 0 or last > len(self._blocks[number]):
            raise OSError(f"bytes [{self._at}, {stop}) were not fetched")
        self._at = stop
        return self._blocks[number][first:last]

    def _whole_size(self) -> int:
        return self._size
