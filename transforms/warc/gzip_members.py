"""Gzip members: RFC 1952, inflated with ISA-L."""

import re
import zlib

from isal import isal_zlib
from typing_extensions import override

from cedar.transforms.warc._stored_blocks import may_be_stored
from cedar.transforms.warc.members import (
    FEED,
    PIECE,
    TRIAL,
    CompressedContainer,
    Ending,
    FileWindow,
    Member,
    Trial,
)

GZIP_MAGIC = b"\x1f\x8b\x08"
"""The first bytes of a member whose method is deflate; there is no other."""

_InflateError: type[Exception] = isal_zlib.error  # type: ignore[assignment]  # typed as an instance there

_SALVAGE_STEP = 256  # compressed bytes a step when the bytes before an error are wanted
_GZIP = re.compile(rb"\x1f\x8b\x08[\x00-\x1f]")  # three flag bits are reserved and must be zero
_GZIP_BARE = b"\x1f\x8b\x08\0"  # no flags: the header is its fixed part
_GZIP_FIXED, _GZIP_TRAILER, _GZIP_TEXT = 10, 8, 4096
_HEAD_IN, _HEAD_OUT = 1024, 1024  # bytes in and out when a head is inflated
_SEARCHED = 64 * 1024, 1024 * 1024  # bytes in which the end of a member is looked for, first and at most
_ISIZE_BYTES = 4
_FHCRC, _FEXTRA, _FNAME, _FCOMMENT = 2, 4, 8, 16


class GzipMembers(CompressedContainer):
    """A file of gzip members (RFC 1952)."""

    __slots__ = ()
    suffix = ".gz"
    magic = _GZIP

    @staticmethod
    @override
    def matches(head: bytes) -> bool:
        return head.startswith(GZIP_MAGIC)

    def open(self, offset: int) -> Member | None:
        """Return the member at `offset`; None where no sound gzip header begins."""
        size = _gzip_header(self._window, offset)
        return None if size is None else _GzipMember(self._window, offset, size)

    def trial(self, offset: int) -> Trial | None:
        """Return the first bytes, `TRIAL` at most, of the member at `offset`, or None."""
        size = _gzip_header(self._window, offset)
        if not size:
            return None
        inflater, feed = isal_zlib.decompressobj(-15), self._window.view(offset + size, TRIAL)
        try:
            head = inflater.decompress(feed, TRIAL)
        except _InflateError:
            return None
        if not inflater.eof:
            return Trial(head, None)
        return Trial(head, offset + size + len(feed) - len(inflater.unused_data) + _GZIP_TRAILER)

    @override
    def head(self, offset: int) -> bytes:
        size = _gzip_header(self._window, offset)
        if not size:
            return b""
        # For so few bytes zlib is faster than ISA-L, which inflates all that it is given.
        try:
            return zlib.decompressobj(-15).decompress(self._window.view(offset + size, _HEAD_IN), _HEAD_OUT)
        except zlib.error:
            return b""

    @override
    def end_by_size(self, offset: int, size: int) -> int | None:
        isize = (size & 0xFFFFFFFF).to_bytes(_ISIZE_BYTES, "little")
        for reach in _SEARCHED:
            view = self._window.view(offset, reach)
            found = self.magic.search(view, _GZIP_FIXED)
            if found is not None:
                start = found.start()
                is_end = view[start - _ISIZE_BYTES : start] == isize and not may_be_stored(view[:start])
                return offset + start if is_end else None
            if size < reach:
                break
        return None


class _GzipMember:
    """One gzip member.

    The deflate data are inflated raw; header and trailer are read here. So a wrong checksum is told apart
    from data that do not inflate, and the member's end is known all the same.
    """

    __slots__ = ("_crc", "_data", "_inflated", "_inflater", "_window", "end", "ending", "start")

    def __init__(self, window: FileWindow, start: int, header: int) -> None:
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
        """Return what the call that failed would have yielded before the error, which takes its output along.

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


def _gzip_header(window: FileWindow, offset: int) -> int | None:
    """Return the size of the gzip header at `offset`; 0 if the file ends inside it, None without one."""
    head = bytes(window.view(offset, _GZIP_FIXED))
    if head.startswith(_GZIP_BARE) and len(head) == _GZIP_FIXED:
        return _GZIP_FIXED
    if len(head) < _GZIP_FIXED:
        return 0 if head and GZIP_MAGIC.startswith(head[:3]) else None
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
