"""JSON lines with a field of HTML: each line is a record; a line that is not an object is damage.

In plain files a line's `offset` and `length` are its own, and any range can be read apart: it owns the lines
that start in it. A file in gzip or zstd is one block: `inner_offset` is the line's place in what is inflated,
`length` what had been read of the file by then.
"""

from __future__ import annotations

import io
import json
from collections.abc import Collection, Iterator
from typing import Any, BinaryIO, cast

import pyarrow as pa

from transforms.model.books import RejectReason
from transforms.model.records import Record
from transforms.readers.choices import Asked, ColumnError, TableColumns
from transforms.readers.rows import RowPlace, WatchedFile, record_of
from transforms.warc.reader import Damage, FileRange, ReadEnd

_PACKED = {b"\x1f\x8b": "gzip", b"\x28\xb5": "zstd"}
_BLOCK = 1 << 18
_HEAD = 16 << 20
"""Bytes within which the first object is looked for, whose names say which the columns are."""


def is_splittable(file: BinaryIO, size: int) -> bool:  # noqa: ARG001 - as other kinds have it
    """Tell whether a file is plain."""
    return _packing(file) is None


def field_names(file: BinaryIO) -> list[str]:
    """Return the names of the first object's fields, none without an object; raise OSError from the file."""
    watched = WatchedFile(file)
    packing = _packing(file)
    lines = _Lines(watched, packing, 0)
    try:
        while lines.at < _HEAD and (line := lines.next(_HEAD)):
            found = _object(line)
            if found is not None:
                return list(found)
    except OSError as error:
        if watched.fault is not None:
            raise watched.fault from error
    return []


def read_json_lines(file: BinaryIO, span: FileRange, asked: Asked) -> Iterator[Record | Damage | ReadEnd]:
    """Yield the lines that start in a range of a file, then its end; OSError from the file or its columns."""
    packing = _packing(file)
    names = field_names(file) if span.start and packing is None else []
    columns = _columns(names, asked) if names else None
    watched = WatchedFile(file)
    lines = _Lines(watched, packing, span.start)
    first = None
    count = 0
    most = 8 * asked.caps.max_body
    try:
        while packing is not None or lines.at < span.end:
            start = lines.at
            line = lines.next(most)
            if not line:
                break
            first = start if first is None else first
            if line.isspace():
                continue
            count += 1
            place = RowPlace(span, start, lines.at - start)
            if packing is not None:
                place = RowPlace(span, 0, min(watched.bytes_in, span.size), start)
            if len(line) > most:
                yield place.damage(f"a line of over {most} bytes", RejectReason.TOO_LARGE)
            elif found := _object(line):
                columns = columns or _columns(found, asked)
                values = [None if name is None else found.get(name) for name in columns]
                yield record_of(values, place, asked.caps, is_text=True)
            else:
                yield place.damage(f"not a JSON object: {line[:40]!r}")
    except OSError as error:
        if watched.fault is not None or isinstance(error, _ColumnFaultError):
            raise watched.fault or error from error
        count += 1
        yield RowPlace(span, 0, span.size).damage(
            f"after {lines.at} bytes: {error}", RejectReason.DAMAGED_MEMBER
        )
    if packing is None:
        yield ReadEnd(first, min(lines.at, span.size), count, watched.bytes_in)
    else:
        yield ReadEnd(None if first is None else 0, span.size, count, watched.bytes_in)


class _ColumnFaultError(OSError):
    """A file has not the columns that are needed."""


def _columns(names: Collection[str], asked: Asked) -> TableColumns:
    try:
        return asked.choices.found_in(names)
    except ColumnError as error:
        raise _ColumnFaultError(str(error)) from error


def _object(line: bytes) -> dict[str, Any] | None:
    try:
        found = json.loads(line.removeprefix(b"\xef\xbb\xbf"))
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _packing(file: BinaryIO) -> str | None:
    file.seek(0)
    return _PACKED.get(file.read(2))


class _Lines:
    """The lines of a file from the first that starts at or after a byte; `at`: where, in what is inflated."""

    def __init__(self, file: WatchedFile, packing: str | None, start: int) -> None:
        file.seek(max(0, start - 1) if packing is None else 0)
        raw: Any = file
        if packing is not None:
            raw = pa.input_stream(pa.PythonFile(file, mode="r"), compression=packing)
        self._file = io.BufferedReader(_Raw(raw), _BLOCK)
        self.at = 0
        if packing is None and start:
            self.at = start - 1
            self.next(_BLOCK)

    def next(self, most: int) -> bytes:
        """Return the next line with its end; of one of more than `most` bytes the first of them and one."""
        line = self._file.readline(most + 1)
        self.at += len(line)
        rest = line
        while len(rest) > most and not rest.endswith(b"\n"):
            rest = self._file.readline(most + 1)
            self.at += len(rest)
        return line


class _Raw(io.RawIOBase):
    """What `io.BufferedReader` needs of a file."""

    def __init__(self, file: Any) -> None:
        super().__init__()
        self._file = file

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = cast(bytes, self._file.read(len(buffer)))
        buffer[: len(data)] = data
        return len(data)
