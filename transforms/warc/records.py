"""Record headers of WARC 0.17 to 1.1 and ARC 1.x, dates, and the marks by which a record start is known.

WARC: ISO 28500:2017. ARC: the Internet Archive's "ARC File Format" (1996), URL-record versions 1 and 2.
Lenient: the version may be any, line ends CRLF or LF or mixed, names in any case and with blanks before the
colon, lines without a colon are skipped.
"""

import re
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from cedar.transforms.model._fields import fields

START_REACH = 4096
"""Bytes after a record's first one that `is_start` and `find_start` look at, at most."""

MAX_HEADER = 64 << 10
"""Bytes of a WARC or ARC header; a record with a longer one is rejected: `too_large`."""

_PADDING = re.compile(rb"[\0\t\n\v\f\r ]*")
_SURE_START = rb"WARC/\d{1,2}\.\d{1,3}[ \t]{0,8}\r?\n[!-9;-~]{1,64}[ \t]{0,8}:"
_SURE = re.compile(_SURE_START)
_HEADER_END = re.compile(rb"\n(?:\r?\n|(?=WARC/\d))")
_VERSION = re.compile(rb"WARC/\d", re.IGNORECASE)
_START_CUT = re.compile(rb"(?:WARC/|[A-Za-z][A-Za-z0-9+.\-]{0,20}(?::[^\n]*)?)\Z", re.IGNORECASE)
_ARC_URL = re.compile(rb"[A-Za-z][A-Za-z0-9+.\-]{1,20}:")
_ARC_IP = re.compile(rb"\d{1,3}(?:\.\d{1,3}){3}|(?=[^:]{0,4}:)[\dA-Fa-f:.]{2,45}|None|-")
_ARC_DATE = re.compile(rb"(?:19|20)\d{8,18}[A-Za-z]{0,8}")
_ARC_LENGTH = re.compile(rb"-?\d+")
_ARC_SURE = re.compile(rb" (?:\d{1,3}(?:\.\d{1,3}){3}|(?:19|20)\d{8,18}[A-Za-z]{0,8}) ")
_ARC_START = rb"(?P<arc>[A-Za-z][A-Za-z0-9+.\-]{1,20}:\S{0,2048}+ [^\r\n]{8,1024}\d\r?\n)"
_START = re.compile(rb"\n(?:" + _SURE_START + rb"|" + _ARC_START + rb")")
_START_ANYWHERE = re.compile(_SURE_START + rb"|\n" + _ARC_START)
_NAMES = frozenset(
    {
        *("warc-type", "warc-target-uri", "warc-record-id", "warc-date", "content-type", "content-length"),
        *("warc-truncated", "warc-segment-number", "warc-payload-digest", "warc-warcinfo-id"),
        *("warc-refers-to", "warc-refers-to-target-uri", "warc-refers-to-date"),
    }
)
_HTTP_BLOCK = "application/http; msgtype=response"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_DATE_DIGITS = re.compile(r"(\d{8,20})[A-Za-z]{0,8}", re.ASCII)
_DATE_SHAPE = re.compile(r"\d{4}-\d\d(?:-\d\d(?:[Tt ]\d\d:\d\d.*)?)?|\d{4}")
_END_OF_DAY = re.compile(r"(.{10}[Tt ])24:00(?::00(?:[.,]0*)?)?([Zz+-].*)?")
_LEAP_SECOND = re.compile(r"(.{10}[Tt ]\d\d:\d\d:)60([.,Zz+-].*)?")
_LENGTH_DIGITS = 18
_LINE_FEED, _BLANK = 10, 32


class Header(NamedTuple):
    """What the reader needs of a record's header; None where it is missing.

    Attributes:
        kind: WARC-Type in lower case, "" where missing; "response" or "warcinfo" for ARC.
        record_id, warcinfo_id, refers_to: without angle brackets.
        date, content_type, payload_digest, refers_to_date: as written.
        length: bytes of the block, or None where the declaration is missing, negative, no number, or has
            more than 18 digits: no file is so large, and sums with it have 64 bits.
        truncated: whether WARC-Truncated is set, it is the first segment of a record, or the length is None.
    """

    kind: str
    url: str | None
    record_id: str | None
    date: str | None
    content_type: str | None
    length: int | None
    truncated: bool
    payload_digest: str | None = None
    warcinfo_id: str | None = None
    refers_to: str | None = None
    refers_to_url: str | None = None
    refers_to_date: str | None = None


def padding_end(buffer: bytes | memoryview, at: int, stop: int) -> int:
    """Find where padding in [at, stop) ends: white space and NUL, which may stand between records."""
    if at < stop and buffer[at] > _BLANK:  # as a rule: a record
        return at
    match = _PADDING.match(buffer, at, stop)
    assert match is not None
    return match.end()


def is_warc(buffer: bytes, at: int) -> bool:
    """Tell whether a WARC version line begins at `at`; any version, any case."""
    return _VERSION.match(buffer, at) is not None


def arc_line_begins(buffer: bytes, at: int) -> bool:
    """Tell whether what may be an ARC line begins at `at`: a URL's scheme."""
    return _ARC_URL.match(buffer, at) is not None


def header_end(buffer: bytes, at: int, stop: int, *, anywhere: bool) -> tuple[int, bool] | None:
    """Return the end of the WARC header that begins at `at`; `anywhere` as `find_start` has it.

    It is the offset after the header's blank line and True; or, where another record's version line comes
    first (so that the header is cut), its offset and False. None: neither before `stop`.
    """
    match = _HEADER_END.search(buffer, at, stop)
    if match is None:
        return None
    end = match.end()
    # The middle of a line is looked at in plain search first: that is fast, and there is nothing as a rule.
    if anywhere and buffer.find(b"WARC/", at + 1, end) >= 0 and (cut := _SURE.search(buffer, at + 1, end)):
        return cut.start(), False
    return end, end - match.start() > 1


def parse_warc(header: bytes) -> Header:
    """Parse a WARC header.

    Of repeated fields the first counts: it is the one that the writer of the record put there, where later
    ones may stem from foreign headers that were copied in after it, and it is what warcio takes.
    """
    named = reversed(fields(header, 0, len(header), _NAMES, utf8=True))
    found = {name: value.strip() for name, value in named}
    length = _length(found.get("content-length", ""))
    is_part = bool(found.get("warc-truncated") or found.get("warc-segment-number"))
    return Header(
        found.get("warc-type", "").lower(),
        _bare(found.get("warc-target-uri")),
        _bare(found.get("warc-record-id")),
        found.get("warc-date") or None,
        found.get("content-type") or None,
        length,
        is_part or length is None,
        found.get("warc-payload-digest") or None,
        _bare(found.get("warc-warcinfo-id")),
        _bare(found.get("warc-refers-to")),
        _bare(found.get("warc-refers-to-target-uri")),
        found.get("warc-refers-to-date") or None,
    )


def parse_arc(line: bytes) -> Header | None:
    """Parse the URL-record line of an ARC file, version 1 (5 fields) or 2 (10 fields).

    A line whose first word is a URL and whose last is a number is one, whatever is between. The date finds
    the others: what stands before it and the IP address is the URL, blanks and all; the media type follows
    it. Old crawls have dates of ten digits, or with a file's ending after them, None for an address, date
    and address the other way round, no media type. The line of the version block (``filedesc:``) may have
    dashes for fields. None where this is not such a line.
    """
    scheme = _ARC_URL.match(line)
    fields = line.split()
    if scheme is None or len(fields) < 3 or len(fields[0]) == scheme.end():
        return None
    first, last = _dated(fields)
    if first == last and not _ARC_LENGTH.fullmatch(fields[-1]):
        return None
    length = _length(_decoded(fields[-1]))
    date = next((_decoded(field) for field in fields[first:last] if not _ARC_IP.fullmatch(field)), None)
    media_type = _decoded(fields[last]) if first < last < len(fields) - 1 else None
    if line.startswith(b"filedesc:"):
        return Header("warcinfo", _decoded(fields[0]), None, date, media_type, length, length is None)
    if line[:8].lower().startswith((b"http://", b"https://")):
        media_type = _HTTP_BLOCK
    url = _decoded(line.rsplit(None, len(fields) - first)[0])
    return Header("response", url, None, date, media_type, length, length is None)


def _dated(fields: list[bytes]) -> tuple[int, int]:
    """Find where date and IP address stand in an ARC line's fields, [first, last); (1, 1) without them."""
    ends = range(1, len(fields) - 1)
    addresses = [i for i in ends if _ARC_IP.fullmatch(fields[i])]
    dates = [i for i in ends if _ARC_DATE.fullmatch(fields[i])]
    for date in dates:
        if date - 1 in addresses:
            return date - 1, date + 1
        if date + 1 in addresses:
            return date, date + 2
    if dates:
        return max(dates[0] - 1, 1), dates[0] + 1
    return (addresses[0], min(addresses[0] + 2, len(fields) - 1)) if addresses else (1, 1)


def is_start(buffer: bytes, at: int) -> bool:
    """Tell whether a record begins at `at`, where one is expected: a WARC version line or an ARC line."""
    if _VERSION.match(buffer, at):
        return True
    if _ARC_URL.match(buffer, at) is None:
        return False
    end = buffer.find(b"\n", at, at + START_REACH)
    return end >= 0 and parse_arc(buffer[at:end]) is not None


def is_start_cut(buffer: bytes, at: int) -> bool:
    """Tell whether the bytes from `at` to the end of `buffer` may begin a record's first line."""
    return _START_CUT.match(buffer, at) is not None


def find_start(buffer: bytes, at: int, stop: int, *, anywhere: bool) -> int:
    """Return where after `at`, before `stop`, a record begins unexpected, or -1; stricter than `is_start`.

    Wanted are a version line and a field's name on the next line, or a whole ARC line with a date or an IP
    address; both after a line end. A version line may stand after anything with `anywhere`: so it does in
    plain files, where the record before was cut. In a member it would rather be a stored member's that is
    taken for the data of one that was cut.
    """
    first, pattern = at + 1, _START_ANYWHERE if anywhere else _START
    while match := pattern.search(buffer, at):
        line = match["arc"]
        start = match.start() + (buffer[match.start()] == _LINE_FEED)
        if start >= stop:
            return -1
        if start >= first and (line is None or (_ARC_SURE.search(line) and parse_arc(line))):
            return start
        at = match.start() + 1
    return -1


def parse_date(text: str | None) -> int | None:
    """Microseconds since the epoch, UTC, of a date as records have it; None outside of the years 1 to 9999.

    It is a WARC-Date (W3C profile of ISO 8601: from a year to any number of fractional digits, which are cut
    to microseconds; "Z" or an offset; UTC where neither is given) or an ARC date of 14 digits (17 with
    milliseconds; zeros are added to shorter ones, others cut, as are letters). The hour 24:00 is 00:00 of the
    next day, and a leap second, :60, is the first second of the next minute.
    """
    if text is None:
        return None
    try:
        if digits := _DATE_DIGITS.fullmatch(text):
            text = digits[1] if len(digits[1]) == 17 else digits[1][:14].ljust(14, "0")
            day, time = f"{text[:4]}-{text[4:6]}-{text[6:8]}", f"{text[8:10]}:{text[10:12]}:{text[12:14]}"
            text = f"{day}T{time}.{text[14:] or 0}"
        elif not _DATE_SHAPE.fullmatch(text):
            return None
        elif len(text) < 10:
            text = f"{text}-01-01"[:10]
        try:
            moment = datetime.fromisoformat(text)
        except ValueError:
            moment = _late_moment(text)
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)
        elif moment.tzinfo is not UTC:
            moment = moment.astimezone(UTC)  # which may be beyond the first or the last year
        since = moment - _EPOCH
        return (since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds
    except (ValueError, OverflowError):
        return None


def _late_moment(text: str) -> datetime:
    """Return the moment of a time of 24:00 or with a leap second; raise ValueError for another text."""
    if late := _END_OF_DAY.fullmatch(text):
        return datetime.fromisoformat(f"{late[1]}00:00:00{late[2] or ''}") + timedelta(days=1)
    if late := _LEAP_SECOND.fullmatch(text):
        return datetime.fromisoformat(f"{late[1]}59{late[2] or ''}") + timedelta(seconds=1)
    raise ValueError(text)


def _decoded(value: bytes) -> str:
    """Decode as UTF-8, which ISO 28500 asks for, else as Latin-1."""
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value.decode("latin-1")


def _bare(text: str | None) -> str | None:
    """Without the angle brackets that ISO 28500 asks for in IDs and wget writes around URIs."""
    if text and text[0] == "<" and text[-1] == ">":
        text = text[1:-1].strip()
    return text or None


def _length(digits: str) -> int | None:
    if not (digits.isascii() and digits.isdigit()):
        return None
    digits = digits.lstrip("0") or "0"
    return int(digits) if len(digits) <= _LENGTH_DIGITS else None
