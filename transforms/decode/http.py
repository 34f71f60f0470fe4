"""HTTP responses as crawls hold them: the head, and the body freed of its codings.

RFC 9112, read as leniently as browsers read it: an odd head is not a reason to lose a page.
"""

import re
from dataclasses import dataclass

from cedar.transforms.decode._chunks import dechunk
from cedar.transforms.decode.codings import CODINGS, undo
from cedar.transforms.decode.media import begins_as_html, looks_like_text
from cedar.transforms.model._fields import fields
from cedar.transforms.model.books import RejectedError, RejectReason
from cedar.transforms.model.limits import MAX_HTTP_HEADER

MAX_CODINGS = 3
"""Content codings that may be nested in each other."""

_MAX_INTERIM = 8
"""Heads of interim answers and of proxies that are passed over before the answer itself."""

_STATUS_LINE = re.compile(rb"[\r\n\t ]*+(?:HTTP(?:/[0-9.]*+)?+|ICY)[ \t]++([0-9]{3})(?![0-9])", re.IGNORECASE)
_NEXT_HEAD = re.compile(rb"[\r\n]*+HTTP/[0-9](?:\.[0-9])?[ \t]++[1-5][0-9]{2}[ \t\r\n]", re.IGNORECASE)
_WHOLE_RANGE = re.compile(r"bytes[ \t]+0-([0-9]{1,18})/([0-9]{1,18})[ \t]*", re.IGNORECASE)
_BLANK_LINE = re.compile(rb"\n\r?\n")
OPT_OUTS = ("x-robots-tag", "tdm-reservation", "tdm-policy")
"""Headers that ask those who collect texts not to use a page."""

_NAMES = frozenset(
    {
        *("content-type", "content-encoding", "content-language", "content-length", "content-range"),
        "transfer-encoding",
        *OPT_OUTS,
    }
)
_LENGTH_DIGITS = 18  # no body is as long as a number with more
_NO_CODING = frozenset({"", "identity", "none", "chunked"})


@dataclass(slots=True)
class HttpMessage:
    """An HTTP response; `status` is None if it came without an HTTP head.

    `headers` are those of the names that are asked for, in lower case, values stripped, Latin-1; `body` is as
    transferred, a view of the block.
    """

    status: int | None
    headers: tuple[tuple[str, str], ...]
    body: memoryview | bytes

    def get(self, name: str) -> str | None:
        """Return the last value of a header that is not empty; `name` in lower case.

        The last one, because browsers obey the last of several Content-Types (Fetch, "extract a MIME type").
        """
        for field, value in reversed(self.headers):
            if field == name and value:
                return value
        return None

    @property
    def is_part(self) -> bool:
        """Whether it is a part of the page: status 206, unless its range is the whole page."""
        if self.status != 206:
            return False
        found = _WHOLE_RANGE.fullmatch(self.get("content-range") or "")
        return found is None or int(found[1]) + 1 < int(found[2])


@dataclass(slots=True)
class Body:
    """A body without its codings; `truncated` if it is cut, short, damaged, or over the limit."""

    data: bytes
    truncated: bool


def begins_with_head(block: bytes) -> bool:
    """Tell whether a block begins with an HTTP status line, such as `HTTP/1.1 200`."""
    return _NEXT_HEAD.match(block) is not None


def parse_http(block: bytes) -> HttpMessage:
    """Take an HTTP response apart.

    A block that begins as HTML is a body without a head (HTTP/0.9, some ARC files). The heads of interim
    answers (1xx) and of proxies (2xx without a Content-Type, and the body begins with a status line) are
    passed over, as many as `_MAX_INTERIM`.

    Raises RejectedError: `bad_http`: the block begins with neither an HTTP status line nor HTML.
    """
    status_line = _STATUS_LINE.match(block)
    if status_line is None:
        if begins_as_html(block):
            return HttpMessage(None, (), block)
        raise RejectedError(RejectReason.BAD_HTTP, f"begins with {bytes(block[:40])!r}")
    message = _parse_message(block, status_line)
    for _ in range(_MAX_INTERIM):
        if not (_is_interim(message) and _NEXT_HEAD.match(message.body)):
            break
        block = bytes(message.body)
        status_line = _STATUS_LINE.match(block)
        assert status_line is not None
        message = _parse_message(block, status_line)
    return message


def _is_interim(message: HttpMessage) -> bool:
    """Tell whether a message is an interim answer, or may be a proxy's."""
    status = message.status or 0
    return 100 <= status < 200 or (200 <= status < 300 and message.get("content-type") is None)


def _parse_message(block: bytes, status_line: re.Match[bytes]) -> HttpMessage:
    """Parse a head, and leave the body as it is.

    Any status line, line feeds alone, folded lines and junk between the fields are put up with. The head
    ends at the first blank line, or before a line that begins with `<`, which no field does (heads without a
    blank line occur). The body ends with the block, whatever Content-Length says. Fields are read in the
    first `MAX_HTTP_HEADER` bytes, where a head without a blank line ends at the latest. Linear.
    """
    start = status_line.end()
    blank = _BLANK_LINE.search(block, start)
    if blank is not None:
        head_stop, body_start = blank.start() + 1, blank.end()
    else:
        head_stop = body_start = min(max(MAX_HTTP_HEADER, start), len(block))
    head_stop = min(head_stop, max(MAX_HTTP_HEADER, start))
    markup = block.find(b"\n<", start, head_stop + 1)
    if markup >= 0:
        head_stop = body_start = markup + 1
    elif head_stop < len(block) and not block.startswith(b"\n", head_stop - 1):
        # The limit cut a line: half of a field would say something else than the whole.
        head_stop = block.rfind(b"\n", start, head_stop) + 1
    head = fields(block, start, head_stop, _NAMES)
    return HttpMessage(int(status_line[1]), head, memoryview(block)[body_start:])


def decode_body(message: HttpMessage, max_body: int) -> Body:
    """Undo the transfer codings and then the content codings of a body.

    Labels lie: a body that does not have the form of chunks, or that a coding does not fit and that looks
    like text, is taken as it is (crawlers store decoded bodies under the old header). Headers such as
    `X-Crawl-Content-Encoding` tell what was undone already and are not looked at. Of the result and of each
    layer on the way, at most `max_body` bytes are kept.

    Raises RejectedError: `bad_coding`: a coding that is unknown, more than `MAX_CODINGS` of them, or coded
    data of which nothing can be decoded.
    """
    body = message.body
    if not (message.get("transfer-encoding") or message.get("content-encoding")):
        return Body(bytes(body[:max_body]), len(body) > max_body or _is_short(message))
    truncated = False
    transfer_codings = _tokens(message, "transfer-encoding")
    if "chunked" in transfer_codings:
        dechunked = dechunk(body, max_body)
        if dechunked is not None:
            body, truncated = dechunked
    codings = [c for c in (*_tokens(message, "content-encoding"), *transfer_codings) if c not in _NO_CODING]
    layers = [c for c in codings if c in CODINGS]
    if len(layers) > MAX_CODINGS:
        raise RejectedError(RejectReason.BAD_CODING, f"{len(layers)} layers: {', '.join(layers)[:100]}")
    for coding in reversed(layers):
        data, damaged, capped = undo(coding, body, max_body)
        if damaged and looks_like_text(body):
            continue
        if damaged and not data:
            raise RejectedError(RejectReason.BAD_CODING, f"{coding}: nothing can be decoded")
        body = data
        truncated = truncated or damaged or capped
    unknown = [c for c in codings if c not in CODINGS]
    if unknown and not looks_like_text(body):
        raise RejectedError(RejectReason.BAD_CODING, f"unknown: {', '.join(unknown)[:100]}")
    return Body(bytes(body[:max_body]), truncated or len(body) > max_body)


def _is_short(message: HttpMessage) -> bool:
    """Tell whether a body without codings has fewer bytes than its Content-Length says.

    With a Transfer-Encoding the field does not count (RFC 9112, section 6.3). With a Content-Encoding it
    counts coded data, and crawlers may store the decoded data under the old header.
    """
    length = message.get("content-length") or ""
    return length.isdecimal() and len(length) <= _LENGTH_DIGITS and len(message.body) < int(length)


def _tokens(message: HttpMessage, name: str) -> list[str]:
    """Return the codings that a header lists over all its lines, in lower case, without parameters."""
    return [
        token.partition(";")[0].strip("\"' \t").lower()
        for field, value in message.headers
        if field == name
        for token in value.split(",")
    ]
