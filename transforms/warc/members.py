"""Containers: files as rows of members, each read as a stream; where to continue after a damaged one.

Each member inflates on its own (RFC 1952 section 2.2, RFC 8878 section 3; ISO 28500 annex D wants one record
a member). Plain bytes are one member from any offset to the file's end. What a member yields depends on its
own bytes alone, never on where reading began, so that a range of a file reads as the whole does.
"""

import re
from abc import abstractmethod
from collections.abc import Callable
from enum import Enum
from typing import BinaryIO, ClassVar, NamedTuple, Protocol

from typing_extensions import override

from cedar.transforms.warc.records import START_REACH, find_start, is_start, is_start_cut, padding_end

PIECE = 256 * 1024
"""Bytes of a member's content that are in memory at a time, at most."""

FEED = 64 * 1024
"""Compressed bytes handed to the inflater at a time: it copies what it leaves over."""

MAGIC_BYTES = 8
"""Bytes that tell whether a compressed member begins there, at most."""

TRIAL = 4096
"""Bytes in and out of a trial inflation, where the format lets them be so few."""

_BLOCK = 1024 * 1024  # bytes of a read
_BLOCK_OUTSIDE = 16 * 1024  # bytes of a read outside of the range that is read
_SCAN = 64 * 1024  # bytes looked at in one go for padding
_START_MEMBERS = 8  # members that are tried, at most, for the first line of one record
_RESCAN_FREE = 64 * 1024  # cost of a failed member that is scanned again for nothing
_ITEMS_FREE, _ITEM_COST = 64, 16  # items of a failed member that cost nothing, and bytes for each more


class FileWindow:
    """Bytes of a file by absolute offset, read ahead in large blocks; `bytes_in` counts repeats, too.

    Of what lies outside of the range [start, stop) that is to be read, little is read ahead.
    """

    __slots__ = ("_at", "_base", "_file", "_range", "_view", "bytes_in", "size")

    def __init__(self, file: BinaryIO, size: int, *, start: int = 0, stop: int | None = None) -> None:
        self._file = file
        self._range = start, size if stop is None else stop
        self._view = memoryview(b"")
        self._base = 0
        self._at = -1
        self.size = size
        self.bytes_in = 0

    def view(self, offset: int, count: int) -> memoryview:
        """View the bytes [offset, offset + count), fewer at the file's end; valid for as long as it is held.

        Raises OSError from the file, or because it is shorter than `size`.
        """
        start = offset - self._base
        if start < 0 or start + count > len(self._view):
            self._load(offset, count)
            start = offset - self._base
        return self._view[start : start + count]

    def peek(self, offset: int, count: int) -> bytes:
        """Like `view`, for a look far ahead: the buffer stays as it is."""
        start = offset - self._base
        if start >= 0 and start + count <= len(self._view):
            return bytes(self._view[start : start + count])
        return self._read(offset, max(0, min(count, self.size - offset)))

    def skip_padding(self, offset: int) -> int:
        """Find the first offset from `offset` on that holds neither white space nor NUL; at most `size`."""
        while offset < self.size:
            view = self.view(offset, _SCAN)
            end = padding_end(view, 0, len(view))
            offset += end
            if end < len(view):
                break
        return offset

    def _load(self, offset: int, count: int) -> None:
        start, end = offset - self._base, self._base + len(self._view)
        if start >= 0 and end == self.size:
            return
        kept = bytes(self._view[start:]) if 0 <= start < len(self._view) else b""
        at = offset + len(kept)
        first, stop = self._range
        ahead = min(_BLOCK, stop - at) if first <= at < stop else _BLOCK_OUTSIDE
        block = self._read(at, max(0, min(max(ahead, count - len(kept)), self.size - at)))
        self._view = memoryview(kept + block if kept else block)
        self._base = offset

    def _read(self, at: int, count: int) -> bytes:
        if at != self._at:
            self._file.seek(at)
        parts, left = [], count
        while left:
            part = self._file.read(left)
            if not part:
                raise OSError(f"the file ends at byte {at + count - left}, expected were {self.size}")
            parts.append(part)
            left -= len(part)
        self._at = at + count
        self.bytes_in += count
        return parts[0] if len(parts) == 1 else b"".join(parts)


class Ending(Enum):
    """How a member ended: what to say of it, and whether it is known where the member ends."""

    SOUND = "the member is sound", True
    CUT = "the file ends inside the member", False
    CHECKSUM = "wrong checksum or length at the end of the member", True
    BLOCK = "a block of the member does not inflate", True
    WINDOW = "the member asks for too much memory", True
    DAMAGED = "the member does not inflate", False

    def __init__(self, detail: str, end_is_known: bool) -> None:
        self.detail = detail
        self.end_is_known = end_is_known


class Member(Protocol):
    """One member, read once from start to end.

    Attributes:
        start: its first byte in the file.
        end: byte of the file up to which it was read; after an ending whose `end_is_known`, the byte after
            the member; after `DAMAGED` it means nothing.
        ending: how it ended; None while there is more to read.
    """

    start: int
    end: int
    ending: Ending | None

    @property
    def cost(self) -> int:
        """Work that reading it took so far, in bytes of compressed input."""

    def read(self) -> bytes:
        """Read 1 to `PIECE` bytes; b"" at the end. Bytes before an ending's fault are handed out."""


class Container(Protocol):
    """A file as a row of members. One member is read at a time.

    Attributes:
        has_member_ends: whether a member has an end of its own; plain bytes have none.
    """

    __slots__ = ()
    has_member_ends: bool

    def open(self, offset: int) -> Member | None:
        """Return the member at `offset`, or None where none begins."""

    def begins(self, offset: int) -> bool:
        """Tell whether a record can be seen to begin at `offset` without knowing what came before."""

    def find(self, offset: int, stop: int) -> int | None:
        """Return the first offset in [offset, stop) for which `begins` holds, or None."""

    def find_member(self, offset: int, stop: int) -> int | None:
        """Return the first offset in [offset, stop) at which bytes of any kind can be read, or None."""

    def following(self, member: Member) -> "Following | None":  # noqa: ARG002 - plain bytes are one
        """Return the member after a sound one, if it inflates; None after a member that is not sound."""
        return None


class Following(NamedTuple):
    """The member after another one.

    Attributes:
        member: the member, still unread.
        begins_record: whether a record begins with it; else the record before goes on in it.
        padding: bytes of padding before its first other byte.
    """

    member: Member
    begins_record: bool
    padding: int


class Trial(NamedTuple):
    """What a trial inflation of a member gave: its first bytes, and its end if the trial came so far."""

    head: bytes
    end: int | None


class CompressedContainer(Container):
    """A file of compressed members.

    Attributes:
        suffix: the ending of the names of such files.
        magic: matches the first bytes of a member that holds data, `MAGIC_BYTES` of them at most.
    """

    __slots__ = ("_window",)
    has_member_ends = True
    suffix: ClassVar[str]
    magic: ClassVar[re.Pattern[bytes]]

    def __init__(self, window: FileWindow) -> None:
        self._window = window

    @staticmethod
    @abstractmethod
    def matches(head: bytes) -> bool:
        """Tell whether a member begins `head`, at least `MAGIC_BYTES` of a file if it has as many."""

    @staticmethod
    def preamble_end(window: FileWindow) -> int:  # noqa: ARG004 - most formats have none
        """Return the byte after what precedes the members of a file; 0 if there is nothing."""
        return 0

    @abstractmethod
    def trial(self, offset: int) -> Trial | None:
        """Inflate the member's first bytes, about `TRIAL` of them; None if they do not inflate."""

    def head(self, offset: int) -> bytes:  # noqa: ARG002 - without `end_by_size` there is no use for it
        """Inflate the first bytes of a member, enough for most headers; b"" if it does not begin well."""
        return b""

    def end_by_size(self, offset: int, size: int) -> int | None:  # noqa: ARG002 - most formats do not show it
        """Find where a member of `size` bytes ends without inflating it; None if that is not seen."""
        return None

    def begins(self, offset: int) -> bool:
        """Tell whether a member begins at `offset` whose first bytes, inflated, begin a record.

        Where the member ends in what may be a record's first line, the line is followed over its border.
        """
        trial = self.trial(offset)
        return trial is not None and self._begins_record(trial)

    @override
    def find(self, offset: int, stop: int) -> int | None:
        return self._search(offset, stop, self.begins)

    @override
    def find_member(self, offset: int, stop: int) -> int | None:
        return self._search(offset, stop, lambda at: bool((trial := self.trial(at)) and trial.head))

    @override
    def following(self, member: Member) -> Following | None:
        if member.ending is not Ending.SOUND:
            return None
        offset = self._window.skip_padding(member.end)
        trial = self.trial(offset)
        following = None if trial is None else self.open(offset)
        if trial is None or following is None:
            return None
        padding = padding_end(trial.head, 0, len(trial.head))
        return Following(following, begins_record=self._begins_record(trial), padding=padding)

    def _begins_record(self, trial: Trial) -> bool:
        """Tell whether a record begins in what was tried, or there and in the few members that come next."""
        head, end = trial
        at = padding_end(head, 0, len(head))
        for _ in range(_START_MEMBERS - 1):
            if end is None or len(head) - at >= START_REACH or not is_start_cut(head, at):
                break
            gap = self._window.view(end, TRIAL)
            following = self.trial(end + padding_end(gap, 0, len(gap)))
            if following is None:
                break
            head, end = head + following.head, following.end
        return is_start(head, at)

    def _search(self, offset: int, stop: int, accept: Callable[[int], bool]) -> int | None:
        stop = min(stop, self._window.size)
        while offset < stop:
            view = self._window.view(offset, FEED)
            match = self.magic.search(view)
            if match is None:
                offset += max(1, len(view) - MAGIC_BYTES + 1)
                continue
            offset += match.start()
            if offset < stop and accept(offset):
                return offset
            offset += 1
        return None


class PlainBytes(Container):
    """A file that is not compressed: one member from wherever it is opened to the file's end."""

    __slots__ = ("_window",)
    has_member_ends = False

    def __init__(self, window: FileWindow) -> None:
        self._window = window

    def open(self, offset: int) -> Member | None:
        """Return the bytes from `offset` on."""
        return PlainMember(self._window, offset) if offset < self._window.size else None

    def begins(self, offset: int) -> bool:
        """Tell whether a record can be seen to begin at `offset`."""
        before = self._window.peek(offset - 1, 1) if offset else b"\n"
        return find_start(before + self._window.peek(offset, START_REACH), 0, 2, anywhere=True) == 1

    def find(self, offset: int, stop: int) -> int | None:
        """Return the first offset in [offset, stop) where a record can be seen to begin, or None."""
        if offset == 0 and self.begins(0):
            return 0
        at = max(0, offset - 1)
        while at < min(stop, self._window.size):
            chunk = bytes(self._window.view(at, FEED + START_REACH))
            found = find_start(chunk, 0, min(FEED, stop - at) + 1, anywhere=True)
            if found >= 0:
                return at + found if at + found < stop else None
            at += FEED
        return None

    def find_member(self, offset: int, stop: int) -> int | None:
        """Like `find`: without members, reading can only begin at a record."""
        return self.find(offset, stop)


class PlainMember:
    """Plain bytes from an offset to the end of the file."""

    __slots__ = ("_window", "end", "ending", "start")

    def __init__(self, window: FileWindow, start: int) -> None:
        self._window = window
        self.start = self.end = start
        self.ending: Ending | None = None

    @property
    def cost(self) -> int:
        """Bytes that were read."""
        return self.end - self.start

    def peek(self, offset: int, count: int) -> bytes | None:
        """Return up to `count` bytes of the file from `offset` on; None if `offset` is after its end."""
        return self._window.peek(offset, count) if offset <= self._window.size else None

    def read(self) -> bytes:
        """Read the next bytes."""
        piece = bytes(self._window.view(self.end, PIECE))
        self.end += len(piece)
        if self.end >= self._window.size:
            self.ending = Ending.SOUND
        return piece


def rescan_from(member: Member, handed_out: int) -> int:
    """Find where to look for the next record after a member that failed.

    As a rule right after its first byte, for the inflater may have run on into the members that follow.
    Where it had run far, a sixteenth of the way is left out, or a little for each record that came out: so
    members that overlap (which take no more than a crafted file) cost a bounded number of readings of it, and
    not one a byte. `handed_out` counts the items that came out of the member before it failed.
    """
    skipped = max(1, (member.cost - _RESCAN_FREE) // 16, (handed_out - _ITEMS_FREE) * _ITEM_COST)
    return member.start + max(1, min(skipped, member.end - member.start))
