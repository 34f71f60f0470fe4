"""How many pages there are in files: all are counted if they are small, else a range from a sample.

Windows are placed evenly over the bytes of all files, laid end to end in the order of their names, so neither
the order of the arguments nor the first files decide. A window is read as a shard is: its pages are those of
the records that begin in it.
"""

import contextlib
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import BinaryIO

from cedar.transforms.decode.page import PageFilter, decode_record
from cedar.transforms.files.input_kinds import PARQUET_SUFFIXES, has_suffix
from cedar.transforms.files.storage import StoredFile
from cedar.transforms.model.books import RejectedError
from cedar.transforms.model.records import Record
from cedar.transforms.readers.choices import ReadOptions
from cedar.transforms.readers.kinds import kind_of
from cedar.transforms.warc.reader import Damage, FileRange

_GOLDEN = (math.sqrt(5) - 1) / 2
_STANDARD_ERRORS = 3.0
_MIN_MARGIN = 0.2
_MARGIN_OF_BEGINNINGS = 0.5
_SMALL_PAGE = 500
"""Bytes that a small page takes in an archive."""


@dataclass(frozen=True, slots=True)
class Range:
    """A number from `low` to `high`, both included; `high` None = it has no upper bound."""

    low: int
    high: int | None

    def __add__(self, other: "Range") -> "Range":
        unbounded = self.high is None or other.high is None
        return Range(self.low + other.low, None if unbounded else (self.high or 0) + (other.high or 0))

    def text(self, write: Callable[[int], str] = "{:,}".format) -> str:
        """Return the range in words, its ends written by `write`."""
        if self.high is None:
            return f"at least {write(self.low)}"
        low, high = write(self.low), write(self.high)
        return low if low == high else f"{low} to {high}"


def exactly(number: int) -> Range:
    """Return the range that holds one number alone."""
    return Range(number, number)


@dataclass(frozen=True, slots=True)
class _Window:
    """The bytes of a file that were looked at, and their pages.

    `at_start`: the file can only be read from its beginning, wherever the window was to be.
    """

    bytes: float
    pages: float
    at_start: bool = False


Open = Callable[[StoredFile], BinaryIO]
"""Opens an input for reading."""


def estimate_pages(
    files: Sequence[StoredFile],
    open_file: Open,
    wanted: PageFilter,
    *,
    options: ReadOptions,
    windows: int,
    window_bytes: int = 512 << 10,
) -> Range:
    """Return how many pages there are in files of known size.

    Args:
        windows: how many places are looked at. Files that have no more bytes than the windows are read whole.
        window_bytes: how many bytes are looked at in each place.

    Raises OSError where a file cannot be read.
    """
    files = sorted((file for file in files if file.size), key=lambda file: file.path)
    total = sum(file.size or 0 for file in files)
    if total <= windows * window_bytes:
        count = 0
        for file in files:
            with open_file(file) as opened:
                file_range = _file_range(file, 0, file.size or 0)
                count += sum(
                    _is_page(item, wanted) for item in kind_of(file.path).read(opened, file_range, options)
                )
        return exactly(count)
    looked: list[_Window] = []
    for file, places in _places(files, total, windows):
        with open_file(file) as opened:
            looked += _windows(
                opened, file, places, wanted=wanted, options=options, window_bytes=window_bytes
            )
    return _extrapolated(looked, total)


def _places(files: Sequence[StoredFile], total: int, windows: int) -> Iterator[tuple[StoredFile, list[int]]]:
    """Yield the files that are looked at, each with the bytes where its windows begin, in order.

    Each window lies somewhere else in its part of all bytes: so files of equal sizes are not all looked at in
    the same place.
    """
    starts = [int((number + number * _GOLDEN % 1.0) * total / windows) for number in range(windows)]
    begin = 0
    for file in files:
        end = begin + (file.size or 0)
        places = [start - begin for start in starts if begin <= start < end]
        if places:
            yield file, places
        begin = end


def _windows(
    opened: BinaryIO,
    file: StoredFile,
    places: Sequence[int],
    *,
    wanted: PageFilter,
    options: ReadOptions,
    window_bytes: int,
) -> Iterator[_Window]:
    """Yield the windows of a file with their pages."""
    size = file.size or 0
    kind = kind_of(file.path)
    if has_suffix(file.path, PARQUET_SUFFIXES):
        for place in places:
            # Row groups are longer than a window: the next one stands for the bytes at the place.
            found = _beginning(opened, file, place, length=window_bytes, wanted=wanted, options=options)
            yield (
                found
                if found.bytes
                else _beginning(opened, file, 0, length=window_bytes, wanted=wanted, options=options)
            )
    elif not kind.is_splittable(opened, size):
        count = len(places)
        found = _beginning(opened, file, 0, length=window_bytes * count, wanted=wanted, options=options)
        yield from [_Window(found.bytes / count, found.pages / count, at_start=True)] * count
    else:
        for place in places:
            file_range = _file_range(file, place, min(size, place + window_bytes))
            pages = sum(_is_page(item, wanted) for item in kind.read(opened, file_range, options))
            yield _Window(file_range.end - place, pages)


def _beginning(
    opened: BinaryIO, file: StoredFile, start: int, *, length: int, wanted: PageFilter, options: ReadOptions
) -> _Window:
    """Look at the records from a place on, until they have taken `length` bytes."""
    size = file.size or 0
    first, end, pages = None, start, 0
    for item in kind_of(file.path).read(opened, _file_range(file, start, size), options):
        if isinstance(item, Record | Damage):
            first = item.location.offset if first is None else first
            end = max(end, item.location.end)
            pages += _is_page(item, wanted)
            if end - first >= length:
                break
    if first is None:
        return _Window(0, 0, at_start=True)
    return _Window(min(end, size) - (first if start else 0), pages)


def _file_range(file: StoredFile, start: int, stop: int) -> FileRange:
    return FileRange(source=file.path, size=file.size or 0, start=start, stop=stop)


def _is_page(item: object, wanted: PageFilter) -> bool:
    if isinstance(item, Record):
        with contextlib.suppress(RejectedError):
            decode_record(item, wanted)
            return True
    return False


def _extrapolated(looked: Sequence[_Window], total: int) -> Range:
    """Return how many pages all bytes have, if the windows are like the rest.

    The range extends three standard errors of the ratio of pages to bytes to both sides, but at least a
    fifth of the number, and more if only the beginnings of files were looked at. If no page is seen, three
    windows may still be full of small pages (the rule of three).
    """
    count, seen = len(looked), sum(window.bytes for window in looked)
    pages = sum(window.pages for window in looked)
    scale = total / max(1.0, seen)
    ratio = pages / max(1.0, seen)
    squares = sum((window.pages - ratio * window.bytes) ** 2 for window in looked)
    error = scale * math.sqrt(count / max(1, count - 1) * squares)
    beginnings = sum(window.bytes for window in looked if window.at_start) / max(1.0, seen)
    number = ratio * total
    margin = max(_STANDARD_ERRORS * error, number * (_MIN_MARGIN + _MARGIN_OF_BEGINNINGS * beginnings))
    low = max(pages, number - margin)
    return Range(int(low), math.ceil(number + margin if pages else 3 * total / count / _SMALL_PAGE))
