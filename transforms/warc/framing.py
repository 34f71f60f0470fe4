"""The stream of a member, and where records begin and end in it; what is done where a length lies.

See `cedar.transforms.warc.reader` for the rules.
"""

from bisect import bisect_right
from dataclasses import dataclass
from operator import itemgetter
from typing import NamedTuple

from cedar.transforms.model.books import RejectReason
from cedar.transforms.warc.members import PIECE, Container, Ending, FileWindow, Member, PlainMember
from cedar.transforms.warc.records import (
    MAX_HEADER,
    START_REACH,
    Header,
    arc_line_begins,
    find_start,
    header_end,
    is_start,
    is_start_cut,
    is_warc,
    padding_end,
    parse_arc,
    parse_warc,
)

_VERSION = b"WARC/"
_CLOSING = b"\r\n\r\n"
_begins = itemgetter(0)

UNTIL_A_START = 1 << 62
"""A value of `missing` larger than any padding: read on until a member starts with a record."""


class MemberStream:
    """The bytes of a member, and of the members in which its last record continues.

    In block-compressed files (BGZF, `pigz -i`), a record that is not whole at the end of a member continues
    in the next one. `missing` is the number of bytes that the current record still needs. A method may
    continue into the next member only if `missing` > 0, and only if that member does not start with a record
    after fewer than `missing` bytes of padding: more padding may be the end of the record's block.
    """

    __slots__ = ("_before", "_borders", "_container", "_end", "buffer", "member", "position")

    def __init__(self, member: Member, container: Container, piece: bytes = b"") -> None:
        self.member = member
        self.buffer = piece
        self.position = 0
        self._container = container
        self._before, self._end = 0, len(piece)
        self._borders = [(0, member)]

    @property
    def stream_offset(self) -> int:
        """Offset of `position` in the stream."""
        return self._before + self.position

    @property
    def available(self) -> int:
        """Bytes of the buffer from `position` on."""
        return len(self.buffer) - self.position

    @property
    def crossed(self) -> bool:
        """Whether the buffer holds bytes of more than one member."""
        return len(self._borders) > 1

    def member_at(self, place: int) -> tuple[int, Member]:
        """Return the member of the byte at an offset in the stream, after the offset at which it begins."""
        borders = self._borders
        if len(borders) == 1:
            return borders[0]
        return borders[bisect_right(borders, place, key=_begins) - 1]

    def more(self, *, missing: int = 0) -> bool:
        """Append the next piece to `buffer`, dropping what lies before `position`; False at the end.

        The byte before `position` stays: it tells whether a line begins there.
        """
        piece = self._piece(missing)
        if piece:
            self._append(piece)
        return bool(piece)

    def need(self, count: int, *, missing: int = 0) -> bool:
        """Read until `buffer` holds `count` bytes from `position` on; return False if there are fewer."""
        wanted = count - self.available
        if wanted <= 0:
            return True
        if not missing and self.member.ending is not None:
            return False
        pieces = []
        while wanted > 0 and (piece := self._piece(missing)):
            pieces.append(piece)
            wanted -= len(piece)
            missing = missing and max(1, missing - len(piece))
        if pieces:
            self._append(*pieces)
        return wanted <= 0

    def need_start(self, ahead: int = 0) -> None:
        """Read until `buffer` holds the line, or `START_REACH` bytes, `ahead` bytes after `position`.

        The line is followed into the next member if what there is of it may begin a record.
        """
        if self.available >= ahead + START_REACH or self.need(ahead + START_REACH):
            return
        at = self.position + ahead
        while len(self.buffer) - at < START_REACH and is_start_cut(self.buffer, at):
            if not self.more(missing=1):
                break
            at = self.position + ahead

    def skip_padding(self) -> bool:
        """Move past white space and NUL; return False if the member holds nothing else."""
        while True:
            self.position = padding_end(self.buffer, self.position, len(self.buffer))
            if self.position < len(self.buffer):
                return True
            if not self.more():
                return False

    def take(self, count: int, keep: int) -> tuple[bytes, int]:
        """Move past up to `count` bytes; return the first `keep` of them, and their number."""
        taken, kept, parts = 0, 0, []
        while taken < count:
            here = min(self.available, count - taken)
            if not here:
                if not self.more(missing=count - taken):
                    break
                continue
            if kept < keep:
                part = self.buffer[self.position : self.position + min(here, keep - kept)]
                kept += len(part)
                parts.append(part)
            self.position += here
            taken += here
        return (parts[0] if len(parts) == 1 else b"".join(parts)), taken

    def skip(self, count: int) -> int:
        """Move past `count` plain bytes, which are there, and read only the last: it may end a line."""
        unread = count - self.available - 1
        if unread > 0:
            assert isinstance(self.member, PlainMember)
            self.member.end += unread
            self._before += len(self.buffer) + unread
            self._end += unread
            self.buffer, self.position = b"", 0
            self.take(1, 0)
        else:
            self.take(count, 0)
        return count

    def take_to_start(self, count: int | None, keep: int, *, missing: int = 0) -> tuple[bytes, int, bool]:
        """Like `take`, but stop at the next record start.

        Returns the bytes kept, the bytes passed, and whether a record start was found.
        """
        taken, kept, parts = 0, 0, []
        anywhere = not self._container.has_member_ends
        while count is None or taken < count:
            ended = not self.need(2 * START_REACH)
            stop = len(self.buffer) - (0 if ended else START_REACH)
            if count is not None:
                stop = min(stop, self.position + count - taken)
            start = find_start(self.buffer, max(0, self.position - 1), stop, anywhere=anywhere)
            if ended and missing and start < 0:
                # what may be cut by the border is looked at again together with what comes after it
                stop = max(self.position, stop - START_REACH)
            here = (stop if start < 0 else start) - self.position
            part, _ = self.take(here, keep - kept)
            kept += len(part)
            parts.append(part)
            taken += here
            if start >= 0:
                return b"".join(parts), taken, True
            if ended and missing:
                missing = missing if self.more(missing=missing) else 0
            elif not here:
                break
        return b"".join(parts), taken, False

    def _piece(self, missing: int) -> bytes:
        if self.member.ending is not None and not missing:
            return b""
        while not (piece := self.member.read()) and missing:
            member = self._container.following(self.member, missing)
            if member is None:
                break
            self.member = member
            self._borders.append((self._end, member))
        self._end += len(piece)
        return piece

    def _append(self, *pieces: bytes) -> None:
        if not self.buffer and len(pieces) == 1:
            self.buffer = pieces[0]
            return
        dropped = max(0, self.position - 1)
        self._before += dropped
        self.buffer = b"".join((memoryview(self.buffer)[dropped:], *pieces))
        self.position -= dropped
        if len(self._borders) > 1:
            del self._borders[: bisect_right(self._borders, self._before, key=_begins) - 1]


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
class UnreadableSpan:
    """A span of a member in which no record could be read.

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

    __slots__ = ("_has_member_ends", "_kinds", "_max_block", "_window")

    def __init__(
        self, window: FileWindow, container: Container, kinds: frozenset[str], max_block: int
    ) -> None:
        self._window = window
        self._has_member_ends = container.has_member_ends
        self._kinds = kinds
        self._max_block = max_block

    def frame_whole_member(self, buffer: bytes) -> Framed | None:
        """Frame the record that a sound member of one piece holds alone, as `next` would; else None."""
        if not self._has_member_ends or not buffer.endswith(_CLOSING) or not is_warc(buffer, 0):
            return None
        found = header_end(buffer, 0, MAX_HEADER, anywhere=False)
        if found is None or not found[1]:
            return None
        body, end = found[0], len(buffer) - len(_CLOSING)
        header = parse_warc(buffer[:body])
        if header.length != end - body:
            return None
        keep = self._max_block if header.kind in self._kinds else 0
        block = buffer[body : min(end, body + keep)] if keep else b""
        return Framed(header, block, header.truncated or 0 < keep < end - body, end)

    def next(self, stream: MemberStream) -> Framed | UnreadableSpan:
        """Frame what begins at the stream's position, which moves past it: a record, or a stretch without.

        The stream has been asked for its start there (`MemberStream.need_start`).
        """
        if is_warc(stream.buffer, stream.position):
            return self._warc(stream)
        if arc_line_begins(stream.buffer, stream.position):
            return self._arc(stream)
        if stream.available <= len(_VERSION) and _VERSION.startswith(stream.buffer[stream.position :]):
            return self._cut(stream, None)
        return _to_next_start(stream, RejectReason.DAMAGED_RECORD, "no record begins here", None, blind=True)

    def _warc(self, stream: MemberStream) -> Framed | UnreadableSpan:
        limit = MAX_HEADER
        anywhere = not self._has_member_ends
        while not (
            found := header_end(stream.buffer, stream.position, stream.position + limit, anywhere=anywhere)
        ):
            if stream.available >= limit or not stream.more(missing=1):
                head = stream.buffer[stream.position : stream.position + limit]
                url = parse_warc(head[: head.rfind(b"\n") + 1]).url
                if len(head) < limit:
                    return self._cut(stream, url)
                detail = f"a header of over {limit} bytes"
                return _to_next_start(stream, RejectReason.TOO_LARGE, detail, url)
        end, closed = found
        header = parse_warc(stream.buffer[stream.position : end])
        if not closed:
            detail = "another record begins inside of its header"
            if not header.kind and header.url is None:
                # A version line alone, perhaps one of thousands: go on at what is a record for certain.
                return _to_next_start(stream, RejectReason.DAMAGED_RECORD, detail, None, blind=True)
            stream.position = end
            return UnreadableSpan(RejectReason.DAMAGED_RECORD, detail, header.url, stream.stream_offset)
        stream.position = end
        return self._body(stream, header)

    def _arc(self, stream: MemberStream) -> Framed | UnreadableSpan:
        limit = MAX_HEADER
        while (end := stream.buffer.find(b"\n", stream.position, stream.position + limit)) < 0:
            if stream.available >= limit:
                end = stream.position
                break
            if not stream.more(missing=1):
                return self._cut(stream, None)
        header = parse_arc(stream.buffer[stream.position : end])
        if header is None:
            return _to_next_start(
                stream, RejectReason.DAMAGED_RECORD, "no record begins here", None, blind=True
            )
        stream.position = end + 1
        return self._body(stream, header)

    def _cut(self, stream: MemberStream, url: str | None) -> UnreadableSpan:
        """Return a record of which only the header's beginning is there."""
        stream.position = len(stream.buffer)
        if self._has_member_ends and stream.member.ending is Ending.SOUND:
            return UnreadableSpan(
                RejectReason.DAMAGED_RECORD, "the member ends in its header", url, stream.stream_offset
            )
        return UnreadableSpan(
            RejectReason.TRUNCATED_MEMBER, "the file ends in its header", url, stream.stream_offset
        )

    def _body(self, stream: MemberStream, header: Header) -> Framed | UnreadableSpan:
        keep = self._max_block if header.kind in self._kinds else 0
        length = header.length
        if length is None:
            block, taken, _ = stream.take_to_start(None, keep, missing=UNTIL_A_START)
            return Framed(
                header, _trimmed(block, taken), header.truncated or 0 < keep < taken, stream.stream_offset
            )
        if length > PIECE:
            return self._long_body(stream, header, length, keep)
        if not stream.need(length + START_REACH):
            if (missing := length - stream.available) > 0:
                stream.need(length, missing=missing)
            if stream.crossed:  # here the end of a member is not a sign that the record ends
                stream.need(length + START_REACH, missing=UNTIL_A_START)
        if _lands(stream, length):
            body = stream.position
            stream.position = end = body + length
            block = stream.buffer[body : min(end, body + keep)] if keep else b""
            return Framed(header, block, header.truncated or 0 < keep < length, stream.stream_offset)
        # so that a record's beginning in what was gone over for its length is seen up to its second line
        stream.need(length + START_REACH, missing=UNTIL_A_START)
        buffer, body = stream.buffer, stream.position
        end = min(body + length, len(buffer))
        start = -1
        if not (self._has_member_ends and self._is_cut(stream)):
            start = find_start(buffer, body - 1, end, anywhere=not self._has_member_ends)
        if start >= 0 and _is_closed(buffer, end) and not self._reaches_over(buffer, start, end):
            start = -1
        if start >= 0:
            stream.position = start
            block = _trimmed(buffer[body : min(start, body + keep)], start - body) if keep else b""
            return Framed(header, block, True, stream.stream_offset)
        stream.position = end
        if body == end and length and self._is_cut(stream):
            return self._bodiless(stream, header)
        block = buffer[body : min(end, body + keep)] if keep else b""
        truncated = header.truncated or 0 < keep < length or end - body < length or not _ends_well(stream)
        return Framed(header, block, truncated, stream.stream_offset)

    def _reaches_over(self, buffer: bytes, start: int, end: int) -> bool:
        """Tell whether a record that begins in [start, end) ends after `end`: so it is not nested there."""
        anywhere = not self._has_member_ends
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

    def _long_body(
        self, stream: MemberStream, header: Header, length: int, keep: int
    ) -> Framed | UnreadableSpan:
        """As `_body` for blocks that are not held in hand whole: what was passed cannot be gone back to."""
        reaches = False
        if self._has_member_ends:
            block, taken = stream.take(length, keep)
            stream.need(START_REACH, missing=UNTIL_A_START if stream.crossed else 0)
            lands = taken == length and (_lands(stream, 0) or _is_closed(stream.buffer, stream.position))
            if (
                not lands
                and not self._is_cut(stream)
                and find_start(block, 0, len(block), anywhere=False) >= 0
            ):
                detail = "its length reaches over other records"
                return _to_next_start(stream, RejectReason.DAMAGED_RECORD, detail, header.url)
        else:
            end = stream.member.start + stream.stream_offset + length
            after = self._window.peek(end, START_REACH)
            lands = end <= self._window.size and (_is_landing(after, 0) or _is_closed(after, 0))
            if lands:
                block, taken = stream.take(min(length, keep), keep)
                taken += stream.skip(length - taken)
            else:
                block, taken, reaches = stream.take_to_start(length, keep)
        if not taken and self._is_cut(stream):
            return self._bodiless(stream, header)
        if reaches:
            block = _trimmed(block, taken)
        whole = lands or (taken == length and _ends_well(stream))
        return Framed(header, block, header.truncated or 0 < keep < length or not whole, stream.stream_offset)

    def _bodiless(self, stream: MemberStream, header: Header) -> UnreadableSpan:
        """Return a record of which the header is there, and nothing of the block."""
        return UnreadableSpan(
            RejectReason.TRUNCATED_MEMBER, "the file ends before its block", header.url, stream.stream_offset
        )

    def _is_cut(self, stream: MemberStream) -> bool:
        """Tell whether the stream has ended and not because its member is at a sound end."""
        ending = stream.member.ending
        at_end = ending is not None and stream.position == len(stream.buffer)
        return at_end and not (self._has_member_ends and ending is Ending.SOUND)


def _lands(stream: MemberStream, length: int) -> bool:
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


def _ends_well(stream: MemberStream) -> bool:
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
    stream: MemberStream, reason: RejectReason, detail: str, url: str | None, *, blind: bool = False
) -> UnreadableSpan:
    stream.position = min(stream.position + 1, len(stream.buffer))
    stream.take_to_start(None, 0, missing=UNTIL_A_START)
    return UnreadableSpan(reason, detail, url, stream.stream_offset, blind)
