"""Files of rows as JSON lines, compressed: what loaders of training data read (JSON: RFC 8259).

A row is one object with the same keys on every line; null is written as null. A page has three keys that
loaders look for in front, `id`, `text` and `url`, and `date` at the end. The attempt's id stands after the
rows: in a skippable frame of zstd (RFC 8878, section 3.1.2), or as the name of an empty member of gzip
(RFC 1952, section 2.3; some readers refuse a member with a comment). So a file that is cut has none.
"""

from __future__ import annotations

import contextlib
import gzip
import io
import json
import math
import os
import struct
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, BinaryIO

import zstandard

from transforms.model.columns import Column

_FRAME = struct.Struct("<II32s")
_FRAME_MAGIC = 0x184D2A50
_MEMBER_HEAD = b"\x1f\x8b\x08\x08\0\0\0\0\0\xff"
_MEMBER_END = b"\0\x03\0" + bytes(8)  # the name's NUL, an empty block, no checksum and no bytes
_EPOCH = datetime(1970, 1, 1)  # noqa: DTZ001 - written as UTC
_LINE_ENDS = {character: f"\\u{ord(character):04x}" for character in "\x85\u2028\u2029"}
"""What some readers take for the end of a line, and how it is written."""


class JsonLines:
    """A file of rows being written.

    Args:
        file: the open file.
        name: what a row is called; a `Page` has the keys that loaders look for.
        columns: the columns.
        compression: zstd or gzip.
        attempt: id of the attempt, 32 characters.
    """

    def __init__(
        self, file: BinaryIO, name: str, columns: tuple[Column, ...], compression: str, attempt: str
    ) -> None:
        self.rows = 0
        self._file = file
        self._names = tuple(column.name for column in columns)
        self._is_page = name == "Page"
        self._mark = _marks(attempt)[compression]
        self._open: BinaryIO = _COMPRESSED[compression](file)

    def write(self, rows: Sequence[tuple[Any, ...]]) -> None:
        """Add rows: of each its values in the order of the columns."""
        for row in rows:
            values = {name: _finite(value) for name, value in zip(self._names, row, strict=True)}
            if self._is_page:
                values = _for_loaders(values)
            line = json.dumps(values, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
            for character, written in _LINE_ENDS.items():  # a search each: faster than a look at all
                line = line.replace(character, written)
            self._open.write(line.encode() + b"\n")
        self.rows += len(rows)

    def close(self) -> int:
        """Finish the file; returns its size in bytes."""
        self._open.close()
        self._file.write(self._mark)
        size = self._file.tell()
        self._file.close()
        return size

    def abandon(self) -> None:
        """Let go of the file as it is, which may be cut: nothing is raised."""
        with contextlib.suppress(OSError):
            self._file.__exit__(OSError, None, None)


def _zstd(file: BinaryIO) -> Any:
    # One frame: many readers stop after the first.
    return zstandard.ZstdCompressor(write_checksum=True).stream_writer(file, closefd=False)


def _gzip(file: BinaryIO) -> Any:
    # Without name and time: the same rows are the same bytes.
    return gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=file, mtime=0)


_COMPRESSED: Mapping[str, Callable[[BinaryIO], Any]] = {"zstd": _zstd, "gzip": _gzip}


def _marks(attempt: str) -> Mapping[str, bytes]:
    """Return what names the attempt at the end of a file, by compression."""
    return {
        "zstd": _FRAME.pack(_FRAME_MAGIC, 32, attempt.encode()),
        "gzip": _MEMBER_HEAD + attempt.encode() + _MEMBER_END,
    }


def _finite(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _for_loaders(page: Mapping[str, Any]) -> dict[str, Any]:
    """Return a page with the keys that loaders look for: its id and text first, its date as text."""
    record, fetched = page["record_id"], page["fetched_at"]
    name = f"<{record}>" if record else f"{page['source']}#{page['offset']}#{page['inner_offset']}"
    date = None if fetched is None else _iso(fetched)
    return {"id": name, "text": page["text"], "url": page["url"], **page, "date": date}


def _iso(microseconds: int) -> str:
    """Return a time as ISO 8601, UTC."""
    return f"{(_EPOCH + timedelta(microseconds=microseconds)).isoformat()}Z"


def attempt_of_lines(file: BinaryIO) -> str | None:
    """Return the attempt that wrote an open file; None where it is cut, or is not ours."""
    length = max(len(mark) for mark in _marks("0" * 32).values())
    file.seek(0, os.SEEK_END)
    file.seek(max(0, file.tell() - length))
    end = file.read()
    for mark in (end[-_FRAME.size :], end):
        for found in (mark[8:40], mark[10:42]):
            attempt = found.decode("latin-1")
            if mark in _marks(attempt).values():
                return attempt
    return None


def read_lines(file: BinaryIO) -> Iterator[dict[str, Any]]:
    """Yield the rows of a file, as objects.

    Raises:
        ValueError: it is not a file of JSON lines, or is cut.
        EOFError: it is cut.
    """
    start = file.read(4)
    file.seek(0)
    opened: Any = gzip.GzipFile(fileobj=file)
    if start == zstandard.FRAME_HEADER:
        opened = zstandard.ZstdDecompressor().stream_reader(file, closefd=False)
    try:
        for line in io.BufferedReader(opened):
            row = json.loads(line)
            if not isinstance(row, dict):
                raise ValueError("a line is not an object")
            yield row
    except (zstandard.ZstdError, zlib.error, gzip.BadGzipFile) as error:
        raise ValueError(str(error)) from error
