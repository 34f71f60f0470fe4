"""A file of which some ranges are in memory: what a reader of columns reads once they were fetched."""

from __future__ import annotations

import bisect

from transforms.corpus.positioned_file import PositionedFile


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

    def _whole_size(self) -> int:
        return self._size

    def read(self, size: int = -1) -> bytes:
        """Read `size` bytes, all of which lie in one range.

        Raises:
            OSError: they do not.
        """
        stop = self._size if size is None or size < 0 else min(self._at + size, self._size)
        number = bisect.bisect_right(self._starts, self._at) - 1
        offset = self._at - self._starts[number] if number >= 0 else 0
        if stop > self._at and (number < 0 or offset + stop - self._at > len(self._blocks[number])):
            raise OSError(f"bytes [{self._at}, {stop}) were not fetched")
        data = self._blocks[number][offset : offset + stop - self._at] if stop > self._at else b""
        self._at += len(data)
        return data

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        """Read into a buffer."""
        data = self.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)
