"""The inflated bytes of a member as a stream with look-ahead: what the reader walks along."""

from __future__ import annotations

from transforms.warc.members import Member
from transforms.warc.records import START_REACH, find_start, padding_end


class Inflated:
    """A member's bytes: those in hand, and more on demand.

    Attributes:
        member: where the bytes come from.
        buffer: the bytes in hand.
        position: how far in `buffer` the reader has come.
    """

    __slots__ = ("_before", "buffer", "member", "position")

    def __init__(self, member: Member) -> None:
        self.member = member
        self.buffer = b""
        self.position = 0
        self._before = 0

    @property
    def inner(self) -> int:
        """Offset of `position` in the inflated member."""
        return self._before + self.position

    def more(self) -> bool:
        """Append the next piece to `buffer`, dropping what lies before `position`; False at the end.

        The byte before `position` stays: it tells whether a line begins there.
        """
        if self.member.ending is not None:
            return False
        piece = self.member.read()
        if not piece:
            return False
        if not self.buffer:
            self.buffer = piece
            return True
        dropped = max(0, self.position - 1)
        self._before += dropped
        self.buffer = self.buffer[dropped:] + piece
        self.position -= dropped
        return True

    def need(self, count: int) -> bool:
        """Have `count` bytes from `position` on in `buffer`; False where the member has fewer."""
        while len(self.buffer) - self.position < count:
            if not self.more():
                return False
        return True

    def skip_padding(self) -> bool:
        """Move over white space and NUL; False where nothing else comes."""
        while True:
            self.position = padding_end(self.buffer, self.position, len(self.buffer))
            if self.position < len(self.buffer):
                return True
            if not self.more():
                return False

    def take(self, count: int, keep: int) -> tuple[bytes, int]:
        """Move over `count` bytes, or to the end.

        Returns:
            The first `keep` of them, at most, and how many there were.
        """
        taken, kept, parts = 0, 0, []
        while taken < count:
            here = min(len(self.buffer) - self.position, count - taken)
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
        """As `take`, but no further than to the next line that begins a record.

        Args:
            count: bytes at most; None: to the end.
            keep: bytes to keep.

        Returns:
            The bytes kept, how many there were, and whether such a line begins where they end.
        """
        taken, kept, parts = 0, 0, []
        while count is None or taken < count:
            ended = not self.need(2 * START_REACH)
            stop = len(self.buffer) - (0 if ended else START_REACH)
            if count is not None:
                stop = min(stop, self.position + count - taken)
            if stop <= self.position:
                break
            start = find_start(self.buffer, max(0, self.position - 1), stop)
            here = (stop if start < 0 else start) - self.position
            part, _ = self.take(here, keep - kept)
            kept += len(part)
            parts.append(part)
            taken += here
            if start >= 0:
                return b"".join(parts), taken, True
        return b"".join(parts), taken, False
