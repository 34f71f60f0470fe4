"""A row of a table as a record, and the file that a table is read through."""

import io
import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, BinaryIO

from typing_extensions import override

from cedar.transforms.decode.given import mark_utf8, utf8_of
from cedar.transforms.decode.media import media_type
from cedar.transforms.model.books import RejectReason
from cedar.transforms.model.records import ROW, Location, Record
from cedar.transforms.warc.reader import Damage
from cedar.transforms.warc.records import parse_date

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MAX_SECONDS = 1e11
"""Greater numbers are milliseconds, micro- or nanoseconds: as seconds, this one is the year 5138."""

_DIGITS_OF_DATE = re.compile(r"(?:199\d|20\d\d|2100)(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:\d{6})?")
"""YYYYMMDD or YYYYMMDDhhmmss of the years 1990 to 2100, as crawls' indexes have it."""


def damaged_row(
    location: Location,
    detail: str,
    reason: RejectReason = RejectReason.DAMAGED_RECORD,
    *,
    url: object = None,
) -> Damage:
    """Return the damage of a row that gives no record; `url` as the row has it."""
    return Damage(location, _text(url) or None, reason, detail)


def record_from_row(
    values: Sequence[object], location: Location, max_block: int, *, is_text: bool
) -> Record | Damage:
    """Return a row, values in the order of `TableColumns`, as a record; as damage if there is no HTML.

    Without a Content-Type it is HTML. Text is UTF-8, whatever the Content-Type says.
    """
    html, url, fetched_at, content_type, status = values
    if isinstance(html, str):
        html = utf8_of(html)
    elif not isinstance(html, bytes | None):
        return damaged_row(location, f"the HTML is of type {type(html).__name__}", url=url)
    declared = _text(content_type) or "text/html"
    if is_text:
        declared = f"{media_type(declared) or 'text/html'}; charset=utf-8"
        html = mark_utf8(html or b"")
    html = html or b""
    return Record(
        location=location,
        kind=ROW,
        url=_text(url) or None,
        record_id=None,
        date=_date(fetched_at),
        content_type=declared,
        block=html[:max_block],
        truncated=len(html) > max_block,
        status=_status(status),
    )


def iso_date(microseconds: int) -> str | None:
    """Return a time since 1970, UTC, as records have it; None if no calendar has it."""
    try:
        return (_EPOCH + timedelta(microseconds=microseconds)).isoformat()
    except (ValueError, OverflowError):
        return None


def _text(value: object) -> str | None:
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return None if value is None else utf8_of(str(value)).decode()


def _status(value: object) -> int | None:
    try:
        return None if value is None else int(value)  # type: ignore[call-overload]
    except (TypeError, ValueError, OverflowError):
        return None


def _date(value: object) -> str | None:
    """Return a date as records have it: text as it stands, a number as ISO 8601.

    A number of 8 or 14 digits that are a date is that date: as seconds it would be in 1970 or 1971, as
    milliseconds after the year 2286. Other numbers count from 1970.
    """
    if not isinstance(value, int | float):
        return _text(value)
    try:
        digits = str(int(value)) if value == int(value) else ""
        if _DIGITS_OF_DATE.fullmatch(digits) and parse_date(digits) is not None:
            return digits
        for _ in range(3):
            if abs(value) > _MAX_SECONDS:
                value /= 1000
        return iso_date(round(value * 1_000_000))
    except (OverflowError, ValueError):
        return None


class WatchedFile(io.RawIOBase):
    """A file that remembers its own error: so an error of the disk is told apart from damaged content.

    Closing it leaves the underlying file open.
    """

    def __init__(self, file: BinaryIO) -> None:
        super().__init__()
        self._file = file
        self.fault: BaseException | None = None
        self.bytes_in = 0

    @override
    def read(self, size: int = -1) -> bytes:
        try:
            data = self._file.read(size)
        except BaseException as fault:
            self.fault = fault
            raise
        self.bytes_in += len(data)
        return data

    @override
    def readinto(self, buffer: Any) -> int:
        data = self.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)

    @override
    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        return self._file.seek(offset, whence)

    @override
    def readable(self) -> bool:
        return True

    @override
    def seekable(self) -> bool:
        return True
