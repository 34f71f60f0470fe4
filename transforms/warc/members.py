"""Containers of records: gzip members and plain bytes, recognised by content, read as a stream.

A container is a row of members, each of which inflates on its own (RFC 1952 section 2.2; ISO 28500 annex D
wants one record a member). Plain bytes are one member from any offset to the file's end. What a member
yields depends on its own bytes alone, never on where reading began, so that a range of a file reads as the
whole does.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Protocol

from isal import isal_zlib

from transforms.warc.records import START_REACH, find_start, is_start, padding_end
from transforms.warc.window import Window

PIECE = 256 * 1024
"""Inflated bytes of a piece, at most: what is in memory of a member at a time."""

FEED = 64 * 1024
"""Compressed bytes handed to the inflater at a time: it copies what it leaves over."""

_InflateError: type[Exception] = isal_zlib.error  # type: ignore[assignment]  # typed as an instance there

_TRIAL = 4096  # bytes in and out of a trial inflation
_SALVAGE_STEP = 256  # compressed bytes a step when the bytes before an error are wanted
_RESCAN_FREE = 64 * 1024  # cost of a failed member that is scanned again for nothing
_GZIP = re.compile(rb"\x1f\x8b\x08[\x00-\x1f]")  # three flag bits are reserved and must be zero
_GZIP_MAGIC = b"\x1f\x8b\x08"
_GZIP_BARE = b"\x1f\x8b\x08\0"  # no flags: the header is its fixed part
_GZIP_FIXED, _GZIP_TRAILER, _GZIP_TEXT = 10, 8, 4096
_FHCRC, _FEXTRA, _FNAME, _FCOMMENT = 2, 4, 8, 16
_FOREIGN = {
    b"\x04\x22\x4d\x18": "an LZ4 frame",
    b"\x28\xb5\x2f\xfd": "a Zstandard frame",
    b"\xfd7zXZ\x00": "an xz stream",
    b"BZh": "a bzip2 stream",
    b"PK\x03\x04": "a zip archive",
}


class Ending(StrEnum):
    """How a member ended."""

    SOUND = "the member is sound"
    CUT = "the file ends inside the member"
    CHECKSUM = "wrong checksum or length at the end of the member"
    DAMAGED = "the member does not inflate"


class Member(Protocol):
    """One member, read once from start to end.

    Attributes:
        start: its first byte in the file.
        end: byte of the file up to which it was read; after its ending, the byte after the member.
        ending: how it ended; None while there is more to read. After `DAMAGED`, `end` means nothing.
    """

    start: int
    end: int
    ending: Ending | None

    @property
    def cost(self) -> int:
        """Work that reading it took so far, in bytes of compressed input."""
        ...

    def read(self) -> bytes:
        """The next 1 to `PIECE` bytes; b"" at the end. Bytes before an ending's fault are handed out."""
        ...


class Container(Protocol):
    """A file as a row of members.

    Attributes:
        closes: whether a member has an end of its own, and a checksum; plain bytes have neither.
    """

    closes: bool

    def open(self, offset: int) -> Member | None:
        """The member at `offset`, or None where none begins."""
        ...

    def begins(self, offset: int) -> bool:
        """Whether a record can be seen to begin at `offset` without knowing what came before."""
        ...

    def find(self, offset: int, stop: int) -> int | None:
        """The first offset in [offset, stop) for which `begins` holds, or None."""
        ...


def recognise(window: Window) -> Container | str:
    """The container of a file, by its content; or, where no record is found in it, what it is.

    What begins with neither a gzip member nor a record (a file whose start is damaged) is what the first
    record in it shows.
    """
    start = window.skip_padding(0)
    head = bytes(window.view(start, START_REACH))
    if head.startswith(_GZIP_MAGIC):
        return GzipMembers(window)
    for magic, name in _FOREIGN.items():
        if head.startswith(magic):
            return name
    plain = PlainBytes(window)
    if is_start(head, 0):
        return plain
    members = GzipMembers(window)
    compressed_at = members.find(start, window.size)
    if plain.find(start, window.size if compressed_at is None else compressed_at) is not None:
        return plain
    return members if compressed_at is not None else "no WARC or ARC record was found"


class PlainBytes:
    """A file that is not compressed: one member from wherever it is opened to the file's end."""

    __slots__ = ("_window",)
    closes = False

    def __init__(self, window: Window) -> None:
        self._window = window

    def open(self, offset: int) -> Member | None:
        """The bytes from `offset` on."""
        return _PlainMember(self._window, offset) if offset < self._window.size else None

    def begins(self, offset: int) -> bool:
        """Whether a line begins at `offset` that begins a record."""
        before = self._window.peek(offset - 1, 1) if offset else b"\n"
        return find_start(before + self._window.peek(offset, START_REACH), 0, 2) == 1

    def find(self, offset: int, stop: int) -> int | None:
        """The first line in [offset, stop) that begins a record, or None."""
        if offset == 0 and self.begins(0):
            return 0
        at = max(0, offset - 1)
        while at < min(stop, self._window.size):
            chunk = bytes(self._window.view(at, FEED + START_REACH))
            found = find_start(chunk, 0, min(FEED, stop - at) + 1)
            if found >= 0:
                return at + found if at + found < stop else None
            at += FEED
        return None


class _PlainMember:
    __slots__ = ("_window", "end", "ending", "start")

    def __init__(self, window: Window, start: int) -> None:
        self._window = window
        self.start = self.end = start
        self.ending: Ending | None = None

    @property
    def cost(self) -> int:
        return self.end - self.start

    def read(self) -> bytes:
        piece = bytes(self._window.view(self.end, PIECE))
        self.end += len(piece)
        if self.end >= self._window.size:
            self.ending = Ending.SOUND
        return piece


class GzipMembers:
    """A row of gzip members (RFC 1952)."""

    __slots__ = ("_window",)
    closes = True

    def __init__(self, window: Window) -> None:
        self._window = window

    def open(self, offset: int) -> Member | None:
        """The member at `offset`; None where no sound gzip header begins."""
        size = _gzip_header(self._window, offset)
        return None if size is None else _GzipMember(self._window, offset, size)

    def begins(self, offset: int) -> bool:
        """Whether a member begins at `offset` whose first bytes, inflated, begin a record."""
        size = _gzip_header(self._window, offset)
        if not size:
            return False
        try:
            head = isal_zlib.decompressobj(-15).decompress(self._window.view(offset + size, _TRIAL), _TRIAL)
        except _InflateError:
            return False
        return is_start(head, padding_end(head, 0, len(head)))

    def find(self, offset: int, stop: int) -> int | None:
        """The first member in [offset, stop) that begins a record, or None."""
        stop = min(stop, self._window.size)
        while offset < stop:
            view = self._window.view(offset, FEED)
            match = _GZIP.search(view)
            if match is None:
                offset += max(1, len(view) - 3)
                continue
            offset += match.start()
            if offset < stop and self.begins(offset):
                return offset
            offset += 1
        return None


class _GzipMember:
    """One gzip member.

    The deflate data are inflated raw; header and trailer are read here. So a wrong checksum is told apart
    from data that do not inflate, and the member's end is known all the same.
    """

    __slots__ = ("_crc", "_data", "_inflated", "_inflater", "_window", "end", "ending", "start")

    def __init__(self, window: Window, start: int, header: int) -> None:
        self._window = window
        self._inflater = isal_zlib.decompressobj(-15)
        self._data = start + header
        self._crc = self._inflated = 0
        self.start = start
        self.end = self._data
        self.ending: Ending | None = None
        if not header:
            self.end, self.ending = window.size, Ending.CUT

    @property
    def cost(self) -> int:
        return self.end - self.start + self._inflated // 16

    def read(self) -> bytes:
        window, inflater = self._window, self._inflater
        while self.ending is None:
            feed = window.view(self.end, FEED)
            try:
                piece = inflater.decompress(feed, PIECE)
            except _InflateError:
                piece = self._salvage()
                self.ending = Ending.DAMAGED
                self._inflated += len(piece)
                return piece
            self._crc = isal_zlib.crc32(piece, self._crc)
            self._inflated += len(piece)
            if inflater.eof:
                self.end += len(feed) - len(inflater.unused_data)
                self._close()
            else:
                self.end += len(feed) - len(inflater.unconsumed_tail)
                if not piece and not feed:
                    self.ending = Ending.CUT
            if piece:
                return piece
        return b""

    def _close(self) -> None:
        trailer = self._window.view(self.end, _GZIP_TRAILER)
        self.end += len(trailer)
        expected = self._crc.to_bytes(4, "little") + (self._inflated & 0xFFFFFFFF).to_bytes(4, "little")
        if trailer == expected:
            self.ending = Ending.SOUND
        else:
            self.ending = Ending.CUT if len(trailer) < _GZIP_TRAILER else Ending.CHECKSUM

    def _salvage(self) -> bytes:
        """What the call that failed would have yielded before the error, which takes its output along.

        The member is inflated again up to that call, and then in small steps until it fails.
        """
        inflater, at = isal_zlib.decompressobj(-15), self._data
        while at < self.end:
            feed = self._window.view(at, FEED)
            inflater.decompress(feed, PIECE)
            at += len(feed) - len(inflater.unconsumed_tail)
        pieces, left = [], PIECE
        while left > 0 and (feed := self._window.view(at, _SALVAGE_STEP)):
            try:
                piece = inflater.decompress(feed, left)
            except _InflateError:
                break
            at += len(feed) - len(inflater.unconsumed_tail)
            pieces.append(piece)
            left -= len(piece)
        self.end = at
        return b"".join(pieces)


def rescan_from(member: Member) -> int:
    """Where to look for the next record after a member that failed.

    As a rule right behind its first byte, for the inflater may have run on into the members that follow.
    Where it had run far, a sixteenth of the way is left out: so members that overlap (which take no more
    than a crafted file) cost a bounded number of readings of it, and not one a byte.
    """
    skipped = max(1, (member.cost - _RESCAN_FREE) // 16)
    return member.start + max(1, min(skipped, member.end - member.start))


def _gzip_header(window: Window, offset: int) -> int | None:
    """Size of the gzip header at `offset`; 0 where the file ends inside it; None where there is none."""
    head = bytes(window.view(offset, _GZIP_FIXED))
    if head.startswith(_GZIP_BARE) and len(head) == _GZIP_FIXED:
        return _GZIP_FIXED
    if len(head) < _GZIP_FIXED:
        return 0 if head and _GZIP_MAGIC.startswith(head[:3]) else None
    if _GZIP.match(head) is None:
        return None
    flags, size = head[3], _GZIP_FIXED
    if flags & _FEXTRA:
        extra = bytes(window.view(offset + size, 2))
        size += 2 + int.from_bytes(extra, "little")
    for flag in (_FNAME, _FCOMMENT):
        if flags & flag:
            text = bytes(window.view(offset + size, _GZIP_TEXT))
            end = text.find(b"\0")
            if end < 0:
                return 0 if len(text) < _GZIP_TEXT else None
            size += end + 1
    if flags & _FHCRC:
        size += 2
    return size if offset + size <= window.size else 0
