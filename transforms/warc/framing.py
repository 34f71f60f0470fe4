"""Where records begin and end in a stream of members, also if a header declares a wrong length.

See `cedar.transforms.warc.reader` for the rules.
"""

from dataclasses import dataclass
from typing import NamedTuple

from cedar.transforms.model.books import RejectReason
from cedar.transforms.warc.members import PIECE
from cedar.transforms.warc.records import (
    MAX_HEADER,
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
from cedar.transforms.warc.stream import MemberStream

_VERSION = b"WARC/"
_CLOSING = b"\r\n\r\n"
_SEARCHED = 1024 * 1024  # first bytes of a long block in compressed members, searched for other records


class Framed(NamedTuple):
    """A record as framed, before its place in the file is known.

    Attributes:
        truncated: whether the kept `block` is not whole.
        ends: offset after the block in the stream.
    """

    header: Header
    block: bytes
    truncated: bool
    ends: int


@dataclass(frozen=True, slots=True)
class UnreadableSpan:
    """A span of a stream in which no record could be read.

    Attributes:
        url: the URL of the lost record, if its header has one.
        ends: offset in the stream where the span ends.
        begins_no_record: whether no record was seen to begin in it.
    """

    reason: RejectReason
    detail: str
    url: str | None
    ends: int
    begins_no_record: bool = False


class _Block(NamedTuple):
    """The block of a record.

    Attributes:
        kept: its first bytes, as many as are wanted.
        size: number of its bytes in the stream.
        whole: whether it has its declared length, and what follows it does not contradict that.
    """

    kept: bytes
    size: int
    whole: bool


class Framing:
    """Frames the records of a stream.

    Args:
        kinds: the kinds of records whose blocks are kept.
        max_block: bytes of a block that are kept, at most.
    """

    __slots__ = ("_kinds", "_max_block")

    def __init__(self, kinds: frozenset[str], max_block: int) -> None:
        self._kinds = kinds
        self._max_block = max_block

    def frame_whole_member(self, buffer: bytes) -> Framed | None:
        """Frame the record that fills a sound member, as `frame` would; None if no record fills it."""
        if not buffer.endswith(_CLOSING) or not is_warc(buffer, 0):
            return None
        found = header_end(buffer, 0, MAX_HEADER, anywhere=False)
        if found is None:
            return None
        body, is_closed = found
        if not is_closed:
            return None
        end = len(buffer) - len(_CLOSING)
        header = parse_warc(buffer[:body])
        if header.length != end - body:
            return None
        keep = self._max_block if header.kind in self._kinds else 0
        block = buffer[body : min(end, body + keep)] if keep else b""
        return Framed(header, block, header.truncated or 0 < keep < end - body, end)

    def frame(self, stream: MemberStream) -> Framed | UnreadableSpan:
        """Frame the record at the stream's position, or the span up to the next record; move past it."""
        stream.need(START_REACH)
        if is_warc(stream.buffer, stream.position):
            return self._frame_warc(stream)
        if arc_line_begins(stream.buffer, stream.position):
            return self._frame_arc(stream)
        if stream.available <= len(_VERSION) and _VERSION.startswith(stream.buffer[stream.position :]):
            return _cut_header(stream, None)
        return _no_record(stream)

    def _frame_warc(self, stream: MemberStream) -> Framed | UnreadableSpan:
        limit = MAX_HEADER
        while not (
            found := header_end(
                stream.buffer, stream.position, stream.position + limit, anywhere=stream.is_plain
            )
        ):
            if stream.available >= limit or not stream.more():
                head = stream.buffer[stream.position : stream.position + limit]
                url = parse_warc(head[: head.rfind(b"\n") + 1]).url
                if len(head) < limit:
                    return _cut_header(stream, url)
                detail = f"a header of over {limit} bytes"
                return _to_next_start(stream, RejectReason.TOO_LARGE, detail, url=url)
        end, closed = found
        header = parse_warc(stream.buffer[stream.position : end])
        if closed:
            stream.position = end
            return self._with_block(stream, header)
        detail = "another record begins inside of its header"
        if not header.kind and header.url is None:
            # A version line alone, perhaps one of thousands: continue at a certain record start.
            return _to_next_start(stream, RejectReason.DAMAGED_RECORD, detail, begins_no_record=True)
        stream.position = end
        return UnreadableSpan(RejectReason.DAMAGED_RECORD, detail, header.url, stream.offset)

    def _frame_arc(self, stream: MemberStream) -> Framed | UnreadableSpan:
        limit = MAX_HEADER
        while (end := stream.buffer.find(b"\n", stream.position, stream.position + limit)) < 0:
            if stream.available >= limit:
                return _no_record(stream)
            if not stream.more():
                return _cut_header(stream, None)
        header = parse_arc(stream.buffer[stream.position : end])
        if header is None:
            return _no_record(stream)
        stream.position = end + 1
        return self._with_block(stream, header)

    def _with_block(self, stream: MemberStream, header: Header) -> Framed | UnreadableSpan:
        """Frame the record whose block begins at the stream's position."""
        keep = self._max_block if header.kind in self._kinds else 0
        length = header.length
        if length is None:
            kept, size, _ = stream.take_to_start(None, keep)
            block = _Block(_trimmed(kept, size), size, False)
        elif length <= PIECE:
            block = _short_block(stream, length, keep)
        elif stream.is_plain:
            block = _long_plain_block(stream, length, keep)
        else:
            long_block = _long_member_block(stream, length, keep)
            if long_block is None:
                detail = "its length reaches over other records"
                return _to_next_start(stream, RejectReason.DAMAGED_RECORD, detail, url=header.url)
            block = long_block
        if length and not block.size and stream.is_cut:
            return UnreadableSpan(
                RejectReason.TRUNCATED_MEMBER, "the file ends before its block", header.url, stream.offset
            )
        truncated = header.truncated or 0 < keep < block.size or not block.whole
        return Framed(header, block.kept, truncated, stream.offset)


def _short_block(stream: MemberStream, length: int, keep: int) -> _Block:
    """Take a block of at most `PIECE` bytes: the buffer holds all of it, so a wrong length is corrected."""
    stream.need(length + START_REACH)
    buffer, body = stream.buffer, stream.position
    end = min(body + length, len(buffer))
    is_followed = _record_or_end_follows(buffer, body + length)
    start = -1 if is_followed else find_start(buffer, body - 1, end, anywhere=stream.is_plain)
    if start >= 0 and _is_closed(buffer, end) and not _reaches_over(stream, start, end):
        start = -1  # a record nested in the block
    if start >= 0:
        end = start
    stream.position = end
    kept = buffer[body : min(end, body + keep)] if keep else b""
    if start >= 0:
        return _Block(_trimmed(kept, end - body), end - body, False)
    return _Block(
        kept, end - body, is_followed or (end == body + length and _line_end_or_record_follows(stream))
    )


def _long_plain_block(stream: MemberStream, length: int, keep: int) -> _Block:
    """Take a block of more than `PIECE` bytes of a plain file, after a look at what follows it."""
    after = stream.peek_past(length)
    if after is not None and (_record_or_end_follows(after, 0) or _is_closed(after, 0)):
        kept, size = stream.take(min(length, keep), keep)
        stream.skip(length - size)
        return _Block(kept, length, True)
    kept, size, found = stream.take_to_start(length, keep)
    if found:
        return _Block(_trimmed(kept, size), size, False)
    return _Block(kept, size, size == length and _line_end_or_record_follows(stream))


def _long_member_block(stream: MemberStream, length: int, keep: int) -> _Block | None:
    """Take a block of more than `PIECE` bytes of members, which cannot be read again.

    Return None if other records begin in its first bytes and its length is not credible.
    """
    first, size = stream.take(length, max(keep, _SEARCHED))
    stream.need(START_REACH)
    buffer, at = stream.buffer, stream.position
    is_followed = size == length and (_record_or_end_follows(buffer, at) or _is_closed(buffer, at))
    if not is_followed and not stream.is_cut and find_start(first, 0, len(first), anywhere=False) >= 0:
        return None
    return _Block(first[:keep], size, is_followed or (size == length and _line_end_or_record_follows(stream)))


def _cut_header(stream: MemberStream, url: str | None) -> UnreadableSpan:
    """Return the span of a record of whose header only the beginning is there."""
    stream.position = len(stream.buffer)
    if stream.is_cut:
        reason, detail = RejectReason.TRUNCATED_MEMBER, "the file ends in its header"
    else:
        reason, detail = RejectReason.DAMAGED_RECORD, "the member ends in its header"
    return UnreadableSpan(reason, detail, url, stream.offset)


def _no_record(stream: MemberStream) -> UnreadableSpan:
    """Move to the next record start from bytes with which no record begins."""
    return _to_next_start(stream, RejectReason.DAMAGED_RECORD, "no record begins here", begins_no_record=True)


def _to_next_start(
    stream: MemberStream,
    reason: RejectReason,
    detail: str,
    *,
    url: str | None = None,
    begins_no_record: bool = False,
) -> UnreadableSpan:
    stream.position = min(stream.position + 1, len(stream.buffer))
    stream.take_to_start(None, 0)
    return UnreadableSpan(reason, detail, url, stream.offset, begins_no_record)


def _record_or_end_follows(buffer: bytes, at: int) -> bool:
    """Tell whether padding and a record, or nothing but padding, follow at `at`."""
    if at > len(buffer):
        return False
    stop = min(len(buffer), at + START_REACH)
    after = padding_end(buffer, at, stop)
    return after == stop or (after > at and is_start(buffer, after))


def _is_closed(buffer: bytes, at: int) -> bool:
    """Tell whether the two line ends that close a WARC record stand at `at`: then its length is right."""
    return buffer.startswith(_CLOSING, at)


def _line_end_or_record_follows(stream: MemberStream) -> bool:
    """Tell whether a line end, which may close a record, or another record comes next."""
    buffer, at = stream.buffer, stream.position
    return buffer.startswith((b"\n", b"\r\n"), at) or is_start(buffer, at)


def _reaches_over(stream: MemberStream, start: int, end: int) -> bool:
    """Tell whether a record that begins in [start, end) of the buffer ends after `end`: it is not nested."""
    buffer = stream.buffer
    while start >= 0:
        if is_warc(buffer, start):
            head = header_end(buffer, start, end, anywhere=stream.is_plain)
            if head is None:
                return True
            start = max(start + 1, head[0] + (parse_warc(buffer[start : head[0]]).length or 0))
            if start > end:
                return True
        start = find_start(buffer, start, end, anywhere=stream.is_plain)
    return False


def _trimmed(kept: bytes, size: int) -> bytes:
    """Cut off the two line ends that close a record from a block of `size` bytes that was kept whole."""
    if len(kept) == size:
        for closing in (_CLOSING, b"\n\n"):
            if kept.endswith(closing):
                return kept[: -len(closing)]
    return kept
