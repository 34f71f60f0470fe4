"""Files that are read piece by piece: object stores' in ranges, and some ranges held in memory.

Ranges near each other are joined: few requests for a little more than was asked for.
"""

import bisect
import io
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Joining:
    """When ranges are joined.

    Attributes:
        gap: bytes between two ranges that are read and thrown away rather than skipped by another request.
        max_bytes: bytes of a joined range, so that asking again costs little; a longer single range stays.
    """

    gap: int
    max_bytes: int


@dataclass(frozen=True, slots=True)
class Span:
    """Ranges that are asked for as one: the bytes [start, stop), the ranges numbered [first, last)."""

    start: int
    stop: int
    first: int
    last: int


def spans(ranges: Sequence[tuple[int, int]], joining: Joining) -> Iterator[Span]:
    """Join half-open ranges, in order of their starts; together the spans hold each once, in order.

    A range that begins before the one before ends begins a span.
    """
    if not ranges:
        return
    first, (start, stop) = 0, ranges[0]
    for number, (begin, end) in enumerate(ranges[1:], 1):
        if not (0 <= begin - stop <= joining.gap and end - start <= joining.max_bytes):
            yield Span(start, stop, first, number)
            first, start = number, begin
        stop = end
    yield Span(start, stop, first, len(ranges))


_FIRST = 256 << 10
"""Bytes of the first range after a jump."""

MAX_RANGE_BYTES = 8 << 20
"""Bytes of the longest range; two of them are held at a time."""


class PositionedFile(io.RawIOBase):
    """A readable file with a position, `_at`; a subclass gives its size and reads from there."""

    def __init__(self) -> None:
        super().__init__()
        self._at = 0

    def _whole_size(self) -> int:
        """Return the bytes of the file; raise OSError where that cannot be read."""
        raise NotImplementedError

    def readable(self) -> bool:
        """Yes."""
        return True

    def seekable(self) -> bool:
        """Yes; a jump may cost another request."""
        return True

    def tell(self) -> int:
        """Tell the position."""
        return self._at

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Move the position; nothing is fetched, but for the size where it is not known and needed."""
        if whence == io.SEEK_CUR:
            offset += self._at
        elif whence == io.SEEK_END:
            offset += self._whole_size()
        if offset < 0:
            raise ValueError(f"negative seek position {offset}")
        self._at = offset
        return offset


class RangedFile(PositionedFile):
    """The bytes of an object of known size, as a store gives them in ranges.

    The first range after a jump is short, for a look; while reading continues, ranges grow, and the next one
    is fetched while the last one is worked on.

    Args:
        fetch: gives the bytes of a half-open range, all of them or `OSError`; called from another thread,
            but never twice at the same time.
        size: bytes of the object, or where it is taken to end.
        first: bytes of the first range, and of the first after a jump.
    """

    def __init__(self, fetch: Callable[[int, int], bytes], size: int, first: int = _FIRST) -> None:
        super().__init__()
        self._fetch = fetch
        self._size = size
        self._start = 0
        self._block = memoryview(b"")
        self._first = min(first, MAX_RANGE_BYTES)
        self._step = self._first
        self._ahead: tuple[int, int, Future[bytes]] | None = None  # half-open range that is being fetched
        self._threads: ThreadPoolExecutor | None = None

    def _whole_size(self) -> int:
        return self._size

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        """Read the bytes of the buffer from the position on, at least one before the end of the file."""
        if self._at >= self._size or not len(buffer):
            return 0
        if not self._start <= self._at < self._start + len(self._block):
            self._load()
        offset = self._at - self._start
        part = self._block[offset : offset + len(buffer)]
        buffer[: len(part)] = part
        self._at += len(part)
        return len(part)

    def close(self) -> None:
        """Drop the buffer; a range that is being fetched is not waited for."""
        if self._threads is not None:
            self._threads.shutdown(wait=False, cancel_futures=True)
            self._threads = None
        self._block = memoryview(b"")
        super().close()

    def _load(self) -> None:
        """Have the block that begins at the position, and the one after it fetched."""
        continues = bool(self._block) and self._at == self._start + len(self._block)
        self._step = min(2 * self._step, MAX_RANGE_BYTES) if continues else self._first
        data = self._range_at(self._at)
        self._start, self._block = self._at, memoryview(data)
        end = self._at + len(data)
        if continues and end < self._size:
            self._threads = self._threads or ThreadPoolExecutor(1, "ranges")
            stop = min(end + self._step, self._size)
            self._ahead = end, stop, self._threads.submit(self._fetch, end, stop)

    def _range_at(self, start: int) -> bytes:
        ahead, self._ahead = self._ahead, None
        if ahead is not None and ahead[0] == start:
            stop, data = ahead[1], ahead[2].result()
        else:
            if ahead is not None and not ahead[2].cancel():
                ahead[2].exception()  # ends first: one request at a time
            stop = min(start + self._step, self._size)
            data = self._fetch(start, stop)
        if len(data) != stop - start:
            raise OSError(f"{len(data)} bytes came of the range [{start}, {stop})")
        return data


class SparseFile(PositionedFile):
    """The bytes that were put in, of a file of this size; asking for others is a fault."""

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
        """Read `size` bytes of one range; raise OSError if they are not all in one."""
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
