"""JSON lines with a field of HTML: each line is a record; a line that is not an object is damage.

In plain files a line's `offset` and `length` are its own, and any range can be read apart: it owns the lines
that start in it. A file in gzip or zstd is one block: `inner_offset` is the line's place when inflated,
`length` what had been read of the file by then. Lines before and after a damaged member are read.
"""

import codecs
import io
from collections.abc import Iterator
from typing import Any, BinaryIO, NoReturn, cast

from cedar.transforms.files.storage import raised_as
from cedar.transforms.files.stores import json_object
from cedar.transforms.model.books import RejectReason
from cedar.transforms.model.records import Location, Record
from cedar.transforms.readers.choices import ColumnError, ReadOptions
from cedar.transforms.readers.rows import WatchedFile, damaged_row, record_from_row
from cedar.transforms.warc.containers import container_of_head
from cedar.transforms.warc.members import CompressedContainer, Ending, FileWindow, Member, rescan_from
from cedar.transforms.warc.reader import Damage, FileRange, ReadEnd, ReadItem

_BLOCK = 1 << 18
_MAGIC_BYTES = 8
_HEAD = 16 << 20
"""Bytes within which the first object is looked for."""

_FIRST_OBJECTS, _FIRST_BYTES = 100, 1 << 20
"""So far objects are read for the names that a file has."""


def is_splittable(file: BinaryIO, size: int) -> bool:  # noqa: ARG001 - as other kinds have it
    """Tell whether a file is plain."""
    return _compression(file) is None


def field_names(file: BinaryIO) -> list[str]:
    """Return the names of the first objects' fields, none without an object; raise OSError from the file."""
    watched = WatchedFile(file)
    lines = _Lines(watched, 0, 0)
    names: dict[str, None] = {}
    objects = 0
    try:
        while lines.at < (_FIRST_BYTES if objects else _HEAD) and objects < _FIRST_OBJECTS:
            line = lines.next(_HEAD)
            if not line:
                break
            found = json_object(line.removeprefix(codecs.BOM_UTF8))
            if found is not None:
                names |= dict.fromkeys(found)
                objects += 1
    except OSError as error:
        if watched.fault is not None:
            raise watched.fault from error
    return list(names)


def read_json_lines(file: BinaryIO, file_range: FileRange, options: ReadOptions) -> Iterator[ReadItem]:
    """Yield the lines that start in a range of a file, then its end.

    Each object says by its own names which of its fields is what. Raises OSError from the file, and where
    none of its first objects has HTML or a URL.
    """
    names = field_names(file)
    with raised_as(OSError, ColumnError):
        if names:
            options.choices.found_in(names)
    watched = WatchedFile(file)
    lines = _Lines(watched, file_range.start, file_range.end)
    first = None
    count = 0
    max_bytes = 8 * options.max_body
    while lines.is_packed or lines.at < file_range.end:
        start = lines.at
        first = start if first is None else first
        location = file_range.location(0, min(watched.bytes_in, file_range.size), start)
        try:
            line = lines.next(max_bytes)
        except OSError as error:
            if watched.fault is not None:
                raise watched.fault from error
            count += 1
            detail = f"after {start} bytes: {error}"
            yield damaged_row(location, detail, RejectReason.DAMAGED_MEMBER)
            continue
        if not line:
            break
        if line.isspace():
            continue
        count += 1
        if not lines.is_packed:
            location = file_range.location(start, lines.at - start)
        if len(line) > max_bytes:
            yield damaged_row(location, f"a line of over {max_bytes} bytes", RejectReason.TOO_LARGE)
        else:
            yield _row_of(line, location, options)
    if lines.is_packed:
        yield ReadEnd(0 if count else None, file_range.size, count, watched.bytes_in)
    else:
        yield ReadEnd(first, min(lines.at, file_range.size), count, watched.bytes_in)


def _row_of(line: bytes, location: Location, options: ReadOptions) -> Record | Damage:
    """Return the record of a line; damage if it is no object with HTML and a URL."""
    found = json_object(line.removeprefix(codecs.BOM_UTF8))
    if not found:
        said = "an array, not one object a line" if line.lstrip()[:1] == b"[" else "not a JSON object"
        return damaged_row(location, f"{said}: {line[:40]!r}")
    try:
        columns = options.choices.found_in(found, all_named=False)
    except ColumnError as error:
        url = options.choices.sought_in(found).url
        return damaged_row(location, str(error), url=None if url is None else found[url])
    values = [None if name is None else found.get(name) for name in columns]
    return record_from_row(values, location, options.max_block, is_text=True)


def _compression(file: BinaryIO | WatchedFile) -> type[CompressedContainer] | None:
    file.seek(0)
    return container_of_head(file.read(_MAGIC_BYTES))


class _Lines:
    """The lines of a file from the first that starts in [start, stop).

    `at` is where the next one starts, in the inflated bytes of a compressed file. In a plain file, at most
    one line is read to find the first.
    """

    def __init__(self, file: WatchedFile, start: int, stop: int) -> None:
        compression = _compression(file)
        self.is_packed = compression is not None
        if compression is not None:
            window = FileWindow(cast(BinaryIO, file), file.seek(0, io.SEEK_END))
            raw: io.RawIOBase = _InflatedFile(window, compression(window))
        else:
            file.seek(max(0, start - 1))
            raw = file
        self._file = io.BufferedReader(raw, _BLOCK)
        self.at = 0
        if not self.is_packed and start:
            self.at = start - 1
            while self.at < stop and (part := self._file.readline(_BLOCK)):
                self.at += len(part)
                if part.endswith(b"\n"):
                    break

    def next(self, max_bytes: int) -> bytes:
        """Return the next line with its end; of a longer one than `max_bytes`, as many bytes and one more."""
        line = self._file.readline(max_bytes + 1)
        self.at += len(line)
        rest = line
        while len(rest) > max_bytes and not rest.endswith(b"\n"):
            rest = self._file.readline(max_bytes + 1)
            self.at += len(rest)
        return line


class _InflatedFile(io.RawIOBase):
    """The inflated bytes of a file; after an OSError for a damaged member, the bytes of the next members."""

    def __init__(self, window: FileWindow, members: CompressedContainer) -> None:
        super().__init__()
        self._window, self._members = window, members
        self._at = 0
        self._member: Member | None = None
        self._piece = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._piece:
            if self._member is None:
                self._at = self._window.skip_padding(self._at)
                if self._at >= self._window.size:
                    return 0
                self._member = self._members.open(self._at)
                if self._member is None:
                    self._lose(self._at + 1, "no member begins where one ended")
            self._piece = memoryview(self._member.read())
            if not self._piece:
                member, self._member = self._member, None
                self._at = member.end
                if member.ending is not None and member.ending is not Ending.SOUND:
                    self._lose(rescan_from(member, 0), member.ending.detail)
        size = min(len(buffer), len(self._piece))
        buffer[:size], self._piece = self._piece[:size], self._piece[size:]
        return size

    def _lose(self, start: int, detail: str) -> NoReturn:
        """Continue at the next member from `start` on, and raise OSError for the bytes before it."""
        found = self._members.find_member(start, self._window.size)
        self._at = self._window.size if found is None else found
        raise OSError(detail)
