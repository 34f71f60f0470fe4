"""The inflated bytes of a member as a stream with look-ahead: what the reader walks along.

A record that is not whole at the end of a member continues in the next one, if that begins no record: so do
the files that were compressed in blocks (BGZF, `pigz -i`). Padding before a record at the beginning of a
member may be the end of the block before. So the methods that go over a border are told what `lacks` for
certain, in bytes: with less padding than that, the record ends at the border; with 0 it is not gone over.
"""

from bisect import bisect_right
from operator import itemgetter

from transforms.warc.members import Container, Member
from transforms.warc.records import START_REACH, find_start, is_start_cut, padding_end

_begins = itemgetter(0)

ENDLESS = 1 << 62
"""Lacking bytes that no padding makes up for: the next member that begins a record is the end."""


class Inflated:
    """The bytes of a member, and of those in which its last record continues: in hand, or on demand."""

    __slots__ = ("_before", "_borders", "_container", "_end", "buffer", "member", "position")

    def __init__(self, member: Member, container: Container, piece: bytes = b"") -> None:
        self.member = member
        self.buffer = piece
        self.position = 0
        self._container = container
        self._before, self._end = 0, len(piece)
        self._borders = [(0, member)]

    @property
    def place(self) -> int:
        """Offset of `position` in the stream."""
        return self._before + self.position

    @property
    def left(self) -> int:
        """Bytes in hand."""
        return len(self.buffer) - self.position

    @property
    def crossed(self) -> bool:
        """Whether there is a border between members in what is in hand."""
        return len(self._borders) > 1

    def holder(self, place: int) -> tuple[int, Member]:
        """Find the member of the byte at `place`, `position` or the one before, after where it begins."""
        borders = self._borders
        if len(borders) == 1:
            return borders[0]
        return borders[bisect_right(borders, place, key=_begins) - 1]

    def more(self, *, lacks: int = 0) -> bool:
        """Append the next piece to `buffer`, dropping what lies before `position`; False at the end.

        The byte before `position` stays: it tells whether a line begins there.
        """
        piece = self._piece(lacks)
        if piece:
            self._append(piece)
        return bool(piece)

    def need(self, count: int, *, lacks: int = 0) -> bool:
        """Have `count` bytes from `position` on in `buffer`; False where there are fewer."""
        missing = count - len(self.buffer) + self.position
        if missing <= 0:
            return True
        if not lacks and self.member.ending is not None:
            return False
        pieces = []
        while missing > 0 and (piece := self._piece(lacks)):
            pieces.append(piece)
            missing -= len(piece)
            lacks = lacks and max(1, lacks - len(piece))
        if pieces:
            self._append(*pieces)
        return missing <= 0

    def need_start(self, ahead: int = 0) -> None:
        """Have the first line of what begins `ahead` bytes after `position` in `buffer`, or a good part.

        The member's border is gone over where what there is of the line may be the beginning of a record, as
        far as a record's start is looked at.
        """
        if self.left >= ahead + START_REACH or self.need(ahead + START_REACH):
            return
        at = self.position + ahead
        while len(self.buffer) - at < START_REACH and is_start_cut(self.buffer, at):
            if not self.more(lacks=1):
                break
            at = self.position + ahead

    def skip_padding(self) -> bool:
        """Move over white space and NUL; False where nothing else comes in the member."""
        while True:
            self.position = padding_end(self.buffer, self.position, len(self.buffer))
            if self.position < len(self.buffer):
                return True
            if not self.more():
                return False

    def take(self, count: int, keep: int) -> tuple[bytes, int]:
        """Move over `count` bytes at most, over borders; return the first `keep`, and how many there were."""
        taken, kept, parts = 0, 0, []
        while taken < count:
            here = min(self.left, count - taken)
            if not here:
                if not self.more(lacks=count - taken):
                    break
                continue
            if kept < keep:
                part = self.buffer[self.position : self.position + min(here, keep - kept)]
                kept += len(part)
                parts.append(part)
            self.position += here
            taken += here
        return (parts[0] if len(parts) == 1 else b"".join(parts)), taken

    def take_to_start(self, count: int | None, keep: int, *, lacks: int = 0) -> tuple[bytes, int, bool]:
        """As `take`, but no further than where the next record is seen to begin; third, whether one does."""
        taken, kept, parts = 0, 0, []
        anywhere = not self._container.closes
        while count is None or taken < count:
            ended = not self.need(2 * START_REACH)
            stop = len(self.buffer) - (0 if ended else START_REACH)
            if count is not None:
                stop = min(stop, self.position + count - taken)
            start = find_start(self.buffer, max(0, self.position - 1), stop, anywhere=anywhere)
            if ended and lacks and start < 0:
                # what may be cut by the border is looked at again together with what comes after it
                stop = max(self.position, stop - START_REACH)
            here = (stop if start < 0 else start) - self.position
            part, _ = self.take(here, keep - kept)
            kept += len(part)
            parts.append(part)
            taken += here
            if start >= 0:
                return b"".join(parts), taken, True
            if ended and lacks:
                lacks = lacks if self.more(lacks=lacks) else 0
            elif not here:
                break
        return b"".join(parts), taken, False

    def _piece(self, lacks: int) -> bytes:
        if self.member.ending is not None and not lacks:
            return b""
        while not (piece := self.member.read()) and lacks:
            member = self._container.following(self.member, lacks)
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
