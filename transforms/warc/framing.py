"""Where the records of a member begin and end: header, declared length, and what is done where it lies.

See `transforms.warc.reader` for the rules.
"""

from dataclasses import dataclass
from typing import NamedTuple

from transforms.model.books import RejectReason
from transforms.model.caps import Caps
from transforms.warc.members import PIECE, Container, Ending
from transforms.warc.records import (
    START_REACH,
    Header,
    arc_line_begins,
    find_start,
    header_end,
    is_start,
    is_warc,
    padding_end,
    parse_arc,
    parse_warc,
)
from transforms.warc.stream import ENDLESS, Inflated
from transforms.warc.window import Window

_VERSION = b"WARC/"
_CLOSING = b"\r\n\r\n"


class Framed(NamedTuple):
    """A record as framed, before its place in the file is known.

    Attributes:
        truncated: whether `block`, what is kept, is not whole.
        ends: offset after the block in the stream.
    """

    header: Header
    block: bytes
    truncated: bool
    ends: int


@dataclass(frozen=True, slots=True)
class Lost:
    """A stretch of a member that gave no record.

    Attributes:
        url: of the record that was lost, where its header told.
        ends: offset in the stream where the stretch ends.
        blind: whether no record was seen to begin in it.
    """

    reason: RejectReason
    detail: str
    url: str | None
    ends: int
    blind: bool = False


class Framing:
    """Frames the records of a container's members."""

    __slots__ = ("_caps", "_closes", "_kinds", "_window")

    def __init__(self, window: Window, container: Container, kinds: frozenset[str], caps: Caps) -> None:
        self._window = window
        self._closes = container.closes
        self._kinds = kinds
        self._caps = caps

    def alone(self, buffer: bytes) -> Framed | None:
        """Frame a record that is all that a sound member of one piece holds, as `next` would; else None."""
        if not self._closes or not buffer.endswith(_CLOSING) or not is_warc(buffer, 0):
            return None
        found = header_end(buffer, 0, self._caps.max_header, anywhere=False)
        if found is None or not found[1]:
            return None
        body, end = found[0], len(buffer) - len(_CLOSING)
        header = parse_warc(buffer[:body])
        if header.length != end - body:
            return None
        keep = self._caps.max_block if header.kind in self._kinds else 0
        block = buffer[body : min(end, body + keep)] if keep else b""
        return Framed(header, block, header.truncated or 0 < keep < end - body, end)

    def next(self, stream: Inflated) -> Framed | Lost:
        """Frame what begins at the stream's position, which moves past it: a record, or a stretch without.

        The stream has been asked for its start there (`Inflated.need_start`).
        """
        if is_warc(stream.buffer, stream.position):
            return self._warc(stream)
        if arc_line_begins(stream.buffer, stream.position):
            return self._arc(stream)
        if stream.left <= len(_VERSION) and _VERSION.startswith(stream.buffer[stream.position :]):
            return self._cut(stream, None)
        return _to_next_start(stream, RejectReason.DAMAGED_RECORD, "no record begins here", None, blind=True)

    def _warc(self, stream: Inflated) -> Framed | Lost:
        limit = self._caps.max_header
        anywhere = not self._closes
        while not (
            found := header_end(stream.buffer, stream.position, stream.position + limit, anywhere=anywhere)
        ):
            if stream.left >= limit or not stream.more(lacks=1):
                head = stream.buffer[stream.position : stream.position + limit]
                url = parse_warc(head[: head.rfind(b"\n") + 1]).url
                if len(head) < limit:
                    return self._cut(stream, url)
                detail = f"a header of over {limit} bytes"
                return _to_next_start(stream, RejectReason.TOO_LARGE, detail, url)
        end, closed = found
        header = parse_warc(stream.buffer[stream.position : end])
        stream.position = end
        if not closed:
            detail = "another record begins inside of its header"
            return Lost(RejectReason.DAMAGED_RECORD, detail, header.url, stream.place)
        return self._body(stream, header)

    def _arc(self, stream: Inflated) -> Framed | Lost:
        limit = self._caps.max_header
        while (end := stream.buffer.find(b"\n", stream.position, stream.position + limit)) < 0:
            if stream.left >= limit:
                end = stream.position
                break
            if not stream.more(lacks=1):
                return self._cut(stream, None)
        header = parse_arc(stream.buffer[stream.position : end])
        if header is None:
            return _to_next_start(
                stream, RejectReason.DAMAGED_RECORD, "no record begins here", None, blind=True
            )
        stream.position = end + 1
        return self._body(stream, header)

    def _cut(self, stream: Inflated, url: str | None) -> Lost:
        """Return a record of which only the header's beginning is there."""
        stream.position = len(stream.buffer)
        if self._closes and stream.member.ending is Ending.SOUND:
            return Lost(RejectReason.DAMAGED_RECORD, "the member ends in its header", url, stream.place)
        return Lost(RejectReason.TRUNCATED_MEMBER, "the file ends in its header", url, stream.place)

    def _body(self, stream: Inflated, header: Header) -> Framed | Lost:
        keep = self._caps.max_block if header.kind in self._kinds else 0
        length = header.length
        if length is None:
            block, taken, _ = stream.take_to_start(None, keep, lacks=ENDLESS)
            return Framed(header, _trimmed(block, taken), header.truncated or 0 < keep < taken, stream.place)
        if length > PIECE:
            return self._long_body(stream, header, length, keep)
        if not stream.need(length + START_REACH):
            if (lacks := length - stream.left) > 0:
                stream.need(length, lacks=lacks)
            if stream.crossed:  # here the end of a member is not a sign that the record ends
                stream.need(length + START_REACH, lacks=ENDLESS)
        if _lands(stream, length):
            body = stream.position
            stream.position = end = body + length
            block = stream.buffer[body : min(end, body + keep)] if keep else b""
            return Framed(header, block, header.truncated or 0 < keep < length, stream.place)
        # so that a record's beginning in what was gone over for its length is seen up to its second line
        stream.need(length + START_REACH, lacks=ENDLESS)
        buffer, body = stream.buffer, stream.position
        end = min(body + length, len(buffer))
        start = -1
        if not (self._closes and self._is_cut(stream)):
            start = find_start(buffer, body - 1, end, anywhere=not self._closes)
        if start >= 0 and _is_closed(buffer, end) and not self._reaches_over(buffer, start, end):
            start = -1
        if start >= 0:
            stream.position = start
            block = _trimmed(buffer[body : min(start, body + keep)], start - body) if keep else b""
            return Framed(header, block, True, stream.place)
        stream.position = end
        if body == end and length and self._is_cut(stream):
            return self._bodiless(stream, header)
        block = buffer[body : min(end, body + keep)] if keep else b""
        truncated = header.truncated or 0 < keep < length or end - body < length or not _ends_well(stream)
        return Framed(header, block, truncated, stream.place)

    def _reaches_over(self, buffer: bytes, start: int, end: int) -> bool:
        """Tell whether a record that begins in [start, end) ends after `end`: so it is not nested there."""
        anywhere = not self._closes
        while start >= 0:
            if is_warc(buffer, start):
                head = header_end(buffer, start, end, anywhere=anywhere)
                if head is None:
                    return True
                start = max(start + 1, head[0] + (parse_warc(buffer[start : head[0]]).length or 0))
                if start > end:
                    return True
            start = find_start(buffer, start, end, anywhere=anywhere)
        return False

    def _long_body(self, stream: Inflated, header: Header, length: int, keep: int) -> Framed | Lost:
        """As `_body` for blocks that are not held in hand whole: what was passed cannot be gone back to."""
        reaches = False
        if self._closes:
            block, taken = stream.take(length, keep)
            stream.need(START_REACH, lacks=ENDLESS if stream.crossed else 0)
            lands = taken == length and (_lands(stream, 0) or _is_closed(stream.buffer, stream.position))
            if (
                not lands
                and not self._is_cut(stream)
                and find_start(block, 0, len(block), anywhere=False) >= 0
            ):
                detail = "its length reaches over other records"
                return _to_next_start(stream, RejectReason.DAMAGED_RECORD, detail, header.url)
        else:
            end = stream.member.start + stream.place + length
            after = self._window.peek(end, START_REACH)
            lands = end <= self._window.size and (_is_landing(after, 0) or _is_closed(after, 0))
            if lands:
                block, taken = stream.take(length, keep)
            else:
                block, taken, reaches = stream.take_to_start(length, keep)
        if not taken and self._is_cut(stream):
            return self._bodiless(stream, header)
        if reaches:
            block = _trimmed(block, taken)
        whole = lands or (taken == length and _ends_well(stream))
        return Framed(header, block, header.truncated or 0 < keep < length or not whole, stream.place)

    def _bodiless(self, stream: Inflated, header: Header) -> Lost:
        """Return a record of which the header is there, and nothing of the block."""
        return Lost(RejectReason.TRUNCATED_MEMBER, "the file ends before its block", header.url, stream.place)

    def _is_cut(self, stream: Inflated) -> bool:
        """Tell whether the stream has ended and not because its member is at a sound end."""
        ending = stream.member.ending
        at_end = ending is not None and stream.position == len(stream.buffer)
        return at_end and not (self._closes and ending is Ending.SOUND)


def _lands(stream: Inflated, length: int) -> bool:
    """Tell whether what follows the next `length` bytes is padding and then a record, or nothing."""
    at = stream.position + length
    if _is_landing(stream.buffer, at):
        return True
    if not at <= len(stream.buffer) < at + START_REACH:
        return False
    stream.need_start(padding_end(stream.buffer, at, len(stream.buffer)) - stream.position)
    return _is_landing(stream.buffer, stream.position + length)


def _is_landing(buffer: bytes, at: int) -> bool:
    if at > len(buffer):
        return False
    stop = min(len(buffer), at + START_REACH)
    after = padding_end(buffer, at, stop)
    return after == stop or (after > at and is_start(buffer, after))


def _is_closed(buffer: bytes, at: int) -> bool:
    """Tell whether what closes a WARC record stands at `at`: then its length is as good as right."""
    return buffer.startswith(_CLOSING, at)


def _ends_well(stream: Inflated) -> bool:
    """Tell whether the line end that closes a record comes next, or another record."""
    buffer, at = stream.buffer, stream.position
    return buffer.startswith((b"\n", b"\r\n"), at) or is_start(buffer, at)


def _trimmed(block: bytes, taken: int) -> bytes:
    """Cut off the two line ends that close a block's record; leave it where its end was not kept."""
    if len(block) == taken:
        for closing in (_CLOSING, b"\n\n"):
            if block.endswith(closing):
                return block[: -len(closing)]
    return block


def _to_next_start(
    stream: Inflated, reason: RejectReason, detail: str, url: str | None, *, blind: bool = False
) -> Lost:
    stream.position = min(stream.position + 1, len(stream.buffer))
    stream.take_to_start(None, 0, lacks=ENDLESS)
    return Lost(reason, detail, url, stream.place, blind)
