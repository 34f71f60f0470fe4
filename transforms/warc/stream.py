"""The bytes of sound members, joined into one stream."""

from bisect import bisect_right
from operator import itemgetter

from cedar.transforms.warc.members import Container, Ending, Member, PlainMember
from cedar.transforms.warc.records import START_REACH, find_start, padding_end

_offset_of = itemgetter(0)


class MemberStream:
    """The bytes of a member and of the members after it, up to one that begins with a record.

    In block-compressed files (BGZF, `pigz -i`) a record that is not whole at the end of a member continues in
    the next one. The stream ends after a member that is not sound, and before one that begins with a record.
    Padding before that record belongs to the stream, because the last block may end in it.

    Attributes:
        member: the member that is being read.
        buffer: bytes of the stream.
        position: offset in `buffer` of the byte that comes next.
        handed_out: number of items that were yielded while `member` was being read; the reader counts them.
        is_plain: whether the file is not compressed: then one member goes to the end of the file.
    """

    __slots__ = (
        "_borders",
        "_container",
        "_dropped",
        "_ended",
        "_read",
        "buffer",
        "handed_out",
        "is_plain",
        "member",
        "position",
    )

    def __init__(self, member: Member, container: Container, piece: bytes = b"") -> None:
        self.member = member
        self.buffer = piece
        self.position = 0
        self.handed_out = 0
        self.is_plain = not container.has_member_ends
        self._container = container
        self._dropped = 0  # bytes of the stream before `buffer`
        self._read = len(piece)  # bytes of the stream up to the end of `buffer`
        self._borders = [(0, member)]  # offset in the stream at which each member begins
        self._ended = False

    @property
    def offset(self) -> int:
        """Offset of `position` in the stream."""
        return self._dropped + self.position

    @property
    def available(self) -> int:
        """Bytes of the buffer from `position` on."""
        return len(self.buffer) - self.position

    @property
    def is_cut(self) -> bool:
        """Whether `position` is at the end of a stream that damage, or the end of the file, has ended."""
        ending = self.member.ending
        # Plain bytes end where the file does, so that a sound end cuts them, too.
        is_cut = ending is not None and (self.is_plain or ending is not Ending.SOUND)
        return is_cut and not self.available

    def member_at(self, offset: int) -> tuple[int, Member]:
        """Return where the member begins that holds the byte at an offset in the stream, and the member."""
        borders = self._borders
        if len(borders) == 1:
            return borders[0]
        return borders[bisect_right(borders, offset, key=_offset_of) - 1]

    def more(self) -> bool:
        """Append the next piece to `buffer`; return False at the end of the stream."""
        return self.need(self.available + 1)

    def need(self, count: int) -> bool:
        """Read until `buffer` holds `count` bytes from `position` on; return False if there are fewer.

        Bytes before `position` are dropped, but for one, which tells whether a line begins there.
        """
        wanted = count - self.available
        pieces = []
        while wanted > 0 and (piece := self._piece()):
            pieces.append(piece)
            wanted -= len(piece)
        if pieces:
            self._append(*pieces)
        return wanted <= 0

    def skip_padding(self) -> bool:
        """Move past white space and NUL; return False if the stream holds nothing else."""
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
                if not self.more():
                    break
                continue
            if kept < keep:
                part = self.buffer[self.position : self.position + min(here, keep - kept)]
                kept += len(part)
                parts.append(part)
            self.position += here
            taken += here
        return (parts[0] if len(parts) == 1 else b"".join(parts)), taken

    def take_to_start(self, count: int | None, keep: int) -> tuple[bytes, int, bool]:
        """Like `take`, but stop at the next record start.

        Returns the bytes kept, the bytes passed, and whether a record start was found.
        """
        taken, kept, parts = 0, 0, []
        start = -1
        while start < 0 and (count is None or taken < count):
            is_last = not self.need(2 * START_REACH)
            stop = len(self.buffer) - (0 if is_last else START_REACH)
            if count is not None:
                stop = min(stop, self.position + count - taken)
            start = find_start(self.buffer, max(0, self.position - 1), stop, anywhere=self.is_plain)
            here = (stop if start < 0 else start) - self.position
            if start < 0 and not here:
                break
            part, _ = self.take(here, keep - kept)
            kept += len(part)
            parts.append(part)
            taken += here
        return b"".join(parts), taken, start >= 0

    def peek_past(self, count: int) -> bytes | None:
        """Return up to `START_REACH` bytes after the next `count` of a plain file; None if it has fewer."""
        assert isinstance(self.member, PlainMember)
        return self.member.peek(self.member.start + self.offset + count, START_REACH)

    def skip(self, count: int) -> None:
        """Move past `count` bytes of a plain file, which has that many, and read only the last of them.

        The last byte stays in the buffer, because it may end a line.
        """
        unread = count - self.available - 1
        if unread > 0:
            assert isinstance(self.member, PlainMember)
            self.member.end += unread
            self._read += unread
            self._dropped = self._read
            self.buffer, self.position = b"", 0
            count = 1
        self.take(count, 0)

    def _piece(self) -> bytes:
        """Return the next bytes of the stream, b"" at its end."""
        while not self._ended:
            piece = self.member.read()
            if not piece:
                piece = self._cross()
            if piece:
                self._read += len(piece)
                return piece
        return b""

    def _cross(self) -> bytes:
        """Go on to the next member, or end the stream; return the padding before the record that ends it."""
        following = self._container.following(self.member)
        if following is None:
            self._ended = True
            return b""
        border = (self._read, following.member)
        if not following.begins_record:
            self._borders.append(border)
            self.member, self.handed_out = following.member, 0
            return b""
        self._ended = True
        if not following.padding:
            return b""
        self._borders.append(border)
        return following.member.read()[: following.padding]

    def _append(self, *pieces: bytes) -> None:
        if not self.buffer and len(pieces) == 1:
            self.buffer = pieces[0]
            return
        dropped = max(0, self.position - 1)
        self._dropped += dropped
        self.buffer = b"".join((memoryview(self.buffer)[dropped:], *pieces))
        self.position -= dropped
        if len(self._borders) > 1:
            del self._borders[: bisect_right(self._borders, self._dropped, key=_offset_of) - 1]
