"""Indexes of archives: CDXJ, and CDX with a header; a line for each capture.

CDXJ: `key timestamp {"url": ..., "filename": ..., "offset": ..., "length": ...}`. CDX: the first line names
the fields of the others by letters, ` CDX N b a m s k r M S V g`.
"""

import codecs
import gzip
import json
import zlib
from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO, NamedTuple, cast

from cedar.transforms.files.input_kinds import InputError

_FIELDS = {"b": "timestamp", "a": "url", "g": "filename", "V": "offset", "S": "length"}
"""What is read of a CDX line, by the letters of its header."""

_NEEDED = ("url", "filename", "offset", "length")
_MAX_LINE = 1 << 20
_UTF16_BOMS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_MAX_OFFSET = 1 << 60
_FAULTS = (
    *(ValueError, LookupError, TypeError, OverflowError, RecursionError),
    *(EOFError, zlib.error, gzip.BadGzipFile),
)


class Capture(NamedTuple):
    """A capture of an index: its time as digits, and the bytes of its record in a file."""

    url: str
    timestamp: str
    filename: str
    offset: int
    length: int


def indexed_url(url: str) -> str:
    """Return a URL as makers of indexes write it: a record's own may have spaces, theirs `%20`."""
    return url.replace(" ", "%20")


def read_captures(file: BinaryIO, name: str) -> Iterator[Capture]:
    """Yield the captures of an index, packed by gzip or not.

    Raises InputError, which names the file and the line, for a line that is no line of an index; OSError.
    """
    file = _inflated(file)
    letters: list[str] | None = None
    number = 0
    try:
        while line := file.readline(_MAX_LINE):
            number += 1
            if line.startswith(_UTF16_BOMS):
                raise ValueError("this is UTF-16: write the file in UTF-8")
            text = line.decode()
            if text.startswith(" CDX "):
                letters = text.split()[1:]
            elif text.strip() and not text.startswith("!"):
                yield _capture(text, letters)
    except _FAULTS as error:
        raise InputError(
            f"{name}, line {number}: {error}: an index is CDXJ, or CDX with a header ` CDX ...`, and has the "
            "url, filename, offset and length of each record"
        ) from error


def _inflated(file: BinaryIO) -> BinaryIO:
    is_gzip = file.read(2) == b"\x1f\x8b"
    file.seek(0)
    return cast(BinaryIO, gzip.GzipFile(fileobj=file)) if is_gzip else file


def _capture(line: str, letters: list[str] | None) -> Capture:
    """Read a line; raise one of `_FAULTS` for one that names no record."""
    values: Mapping[str, Any]
    if letters is not None:
        given = line.split()
        if len(given) != len(letters):
            raise ValueError(f"{len(given)} fields, but the header names {len(letters)}")
        words = dict(zip(letters, given, strict=True))
        values = {field: words[letter] for letter, field in _FIELDS.items() if letter in words}
        timestamp = str(values.get("timestamp", ""))
    else:
        parts = line.split(" ", 2)
        if len(parts) < 3:
            raise ValueError("no key, time and JSON object with spaces between")
        timestamp, values = parts[1], json.loads(parts[2])
        if not isinstance(values, dict):
            raise ValueError("no JSON object after key and time")
    missing = [name for name in _NEEDED if values.get(name) is None]
    if missing:
        raise ValueError(f"no {missing[0]}")
    offset, length = int(values["offset"]), int(values["length"])
    if not (0 <= offset < _MAX_OFFSET and 0 <= length < _MAX_OFFSET):
        raise ValueError("no file is so large")
    url, filename = str(values["url"]), str(values["filename"])
    _ = f"{url}{filename}".encode()  # lone surrogates, which JSON may hold, are no text
    return Capture(url, timestamp, filename, offset, length)
