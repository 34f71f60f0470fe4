"""Zstandard frames: RFC 8878, and the dictionary of the "Zstandard Compression for WARC Files 1.0" proposal.

A frame is read block by block, so that what comes out at a time is bounded by a block (128 KiB) whatever went
in, a fault is known to lie in a block, and the frame's end is known without inflating. Unlike in deflate, the
bytes of a block come all at once: of a frame that is cut inside its first block nothing can be read.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

import zstandard
from typing_extensions import override

from cedar.transforms.warc.members import TRIAL, CompressedContainer, Ending, FileWindow, Member, Trial
from cedar.transforms.warc.records import padding_end

MAX_WINDOW = 128 << 20
"""Memory that a frame of a file or of a body may ask for (RFC 8878, section 3.1.1.1.2)."""

MAX_DICTIONARY = 32 << 20
"""Bytes of a file's dictionary, stored and inflated; the proposal has readers know of one of 8 MiB."""

_MAGIC = b"\x28\xb5\x2f\xfd"
_DICTIONARY = b"\x5d\x2a\x4d\x18"
_FRAME = re.compile(rb"\x28\xb5\x2f\xfd")
_SKIPPABLE = re.compile(rb"[\x50-\x5f]\x2a\x4d\x18")
FRAME_HEADER_SIZE = 18  # bytes of the longest frame header, magic included
_SKIPPABLE_HEADER, BLOCK_HEADER_SIZE, CHECKSUM_SIZE = 8, 3, 4
_RAW, _RLE, _RESERVED = 0, 1, 3
_MAX_BLOCK = 128 * 1024
_RUN = 16 * 1024
_TRIAL_BLOCKS = 16
_RUN_OVER_COST = 16  # bytes read for each of a skippable frame, at most, to see whether it is sound
_BLOCK_COST = 512  # what the handling of a block weighs, in bytes of input


def is_frame(head: bytes) -> bool:
    """Tell whether a frame begins `head`, skippable ones included."""
    return head.startswith(_MAGIC) or _SKIPPABLE.match(head) is not None


def skippable_size(head: bytes) -> int | None:
    """Return the size of the skippable frame (RFC 8878, section 3.1.2) at the start of `head`, if any."""
    if len(head) < _SKIPPABLE_HEADER or _SKIPPABLE.match(head) is None:
        return None
    return _SKIPPABLE_HEADER + int.from_bytes(head[4:_SKIPPABLE_HEADER], "little")


def dictionary_end(window: FileWindow) -> int:
    """Return the byte after the dictionary frame that begins the file; 0 where none does."""
    start = window.skip_padding(0)
    head = window.peek(start, _SKIPPABLE_HEADER)
    if len(head) < _SKIPPABLE_HEADER or not head.startswith(_DICTIONARY):
        return 0
    return start + _SKIPPABLE_HEADER + int.from_bytes(head[4:], "little")


class FrameHeader(NamedTuple):
    """A frame's header: its bytes, the memory asked for, whether a checksum ends the frame."""

    size: int
    window: int
    checksum: bool


class BlockHeader(NamedTuple):
    """A block's header: its type, the bytes that follow it in the file, whether it is the frame's last."""

    kind: int
    stored: int
    last: bool


class ZstdFrames(CompressedContainer):
    """A file of Zstandard frames. Skippable frames hold nothing; the first may hold the dictionary of all."""

    __slots__ = ("_reader", "_trial")
    suffix = ".zst"
    magic = _FRAME

    @staticmethod
    @override
    def matches(head: bytes) -> bool:
        return is_frame(head)

    @staticmethod
    @override
    def preamble_end(window: FileWindow) -> int:
        return dictionary_end(window)

    def __init__(self, window: FileWindow) -> None:
        super().__init__(window)
        dictionary = _dictionary(window)
        # A decompressor decodes one frame at a time: trials must not disturb the frame that is being read.
        self._reader = zstandard.ZstdDecompressor(dictionary, max_window_size=MAX_WINDOW)
        self._trial = zstandard.ZstdDecompressor(dictionary, max_window_size=MAX_WINDOW)

    def open(self, offset: int) -> Member | None:
        """Return the frame at `offset`; None where no sound header begins.

        A skippable frame after which neither a frame nor the end comes is none: its length is damaged. So it
        is where a record's frame begins in it and ends after it. A damaged length that leads to another
        frame is not told from a sound one: such a file could have been written so.
        """
        window = self._window
        after = self._skippable_end(offset)
        if after is not None:
            if after > window.size:
                return _Closed(offset, window.size, Ending.CUT)
            if (run := self._skippable_run(offset)) > after:
                return _Closed(offset, run, Ending.SOUND)
            is_whole = self._lands(after) and not self._is_run_over(offset + 1, after)
            return _Closed(offset, after, Ending.SOUND) if is_whole else None
        head = bytes(window.view(offset, FRAME_HEADER_SIZE))
        header = frame_header(head)
        if header is not None:
            frame = _Frame(
                window, offset, header, inflater=self._reader.decompressobj(), swallows=self._swallows
            )
            if header.window > MAX_WINDOW:
                frame.pass_over(Ending.WINDOW)
            return frame
        if len(head) < FRAME_HEADER_SIZE and head and _MAGIC.startswith(head[:4]):
            return _Closed(offset, window.size, Ending.CUT)
        return None

    def trial(self, offset: int) -> Trial | None:
        """Return the first inflated bytes of the frame at `offset`, or None; b"" for skippable frames."""
        window = self._window
        after = self._skippable_end(offset)
        if after is not None:
            return Trial(b"", after) if after <= window.size and self._lands(after) else None
        header = frame_header(bytes(window.view(offset, FRAME_HEADER_SIZE)))
        if header is None or header.window > MAX_WINDOW:
            return None
        inflater, fed, at, head = self._trial.decompressobj(), offset, offset + header.size, b""
        end = None
        for _ in range(_TRIAL_BLOCKS):
            block = block_header(window.view(at, BLOCK_HEADER_SIZE))
            if block is None:
                break
            if block.kind == _RESERVED:
                return None
            data = at + BLOCK_HEADER_SIZE
            reach = data + (min(block.stored, TRIAL) if block.kind == _RAW else block.stored)
            try:
                head += inflater.decompress(window.view(fed, reach - fed))
            except zstandard.ZstdError:
                return None
            at = fed = data + block.stored
            if block.last and reach == at:
                end = at + (CHECKSUM_SIZE if header.checksum else 0)
            if block.last or reach < at or len(head) >= TRIAL:
                break
        return Trial(head, end)

    def _skippable_end(self, offset: int) -> int | None:
        size = skippable_size(bytes(self._window.view(offset, _SKIPPABLE_HEADER)))
        return None if size is None else offset + size

    def _skippable_run(self, offset: int) -> int:
        """Return the end of the skippable frames that follow each other from `offset` on, but for the last.

        They hold no magic of a frame, and lie in one stretch of `_RUN` bytes: there may be a million of them.
        """
        view = bytes(self._window.view(offset, _RUN))
        end = following = 0
        while _SKIPPABLE.match(view, following) and following + _SKIPPABLE_HEADER <= len(view):
            start, end = following, following
            size = int.from_bytes(view[start + 4 : start + _SKIPPABLE_HEADER], "little")
            following = start + _SKIPPABLE_HEADER + size
            if following > len(view) or (size and view.find(_MAGIC, start + 1, following) >= 0):
                break
        return offset + end

    def _lands(self, offset: int) -> bool:
        """Tell whether a frame begins at `offset` or the file ends there, after padding."""
        head = self._window.peek(offset, TRIAL)
        head = head[padding_end(head, 0, len(head)) :]
        return not head or is_frame(head)

    def _is_run_over(self, start: int, end: int) -> bool:
        """Tell whether a sound frame that begins in [start, end), and with a record, ends after `end`."""
        budget = _RUN_OVER_COST * (end - start)
        while budget > 0 and (found := self.find(start, end)) is not None:
            frame = self.open(found)
            assert frame is not None
            while frame.cost <= budget and frame.read():
                pass
            budget -= frame.cost
            if frame.ending is Ending.SOUND and frame.end > end:
                return True
            start = found + 1
        return False

    def _swallows(self, start: int, end: int) -> bool:
        """Tell whether the frame at [start, end), whose checksum is not there to tell, has run into another.

        A frame that is cut inside a block takes for its own what comes next, and ends where no frame begins.
        """
        return not self._lands(end) and self.find(start + 1, end) is not None


class _Closed:
    """A member that holds nothing and whose end is known."""

    __slots__ = ("end", "ending", "start")

    def __init__(self, start: int, end: int, ending: Ending) -> None:
        self.start = start
        self.end = end
        self.ending: Ending | None = ending

    @property
    def cost(self) -> int:
        return 0

    def read(self) -> bytes:
        return b""


class _Frame:
    """One frame that is not skippable."""

    def __init__(
        self,
        window: FileWindow,
        start: int,
        header: FrameHeader,
        *,
        inflater: "zstandard.ZstdDecompressionObj",
        swallows: Callable[[int, int], bool],
    ) -> None:
        self._window = window
        self._inflater = inflater
        self._checksum = header.checksum
        self._swallows = swallows
        self._last = False
        self._fed = start
        self._inflated = self._blocks = 0
        self.start = start
        self.end = start + header.size
        self.ending: Ending | None = None

    @property
    def cost(self) -> int:
        return self.end - self.start + self._inflated // 16 + self._blocks * _BLOCK_COST

    def read(self) -> bytes:
        piece = b""
        while not piece and self.ending is None:
            piece = self._read_block()
            if self._last and self.ending is None:
                self._close()
        return piece

    def _read_block(self) -> bytes:
        block = self._next_block()
        if block is None:
            return b""
        after = self.end + BLOCK_HEADER_SIZE + block.stored
        try:
            piece: bytes = self._inflater.decompress(self._window.view(self._fed, after - self._fed))
        except zstandard.ZstdError:
            self.pass_over(Ending.BLOCK)
            return b""
        self._last = block.last
        self._inflated += len(piece)
        self._fed = self.end = min(after, self._window.size)
        if after > self._window.size:
            self.ending = Ending.CUT
        return piece

    def _close(self) -> None:
        if not self._checksum:
            self.ending = Ending.DAMAGED if self._swallows(self.start, self.end) else Ending.SOUND
            return
        checksum = self._window.view(self.end, CHECKSUM_SIZE)
        self.end += len(checksum)
        self.ending = Ending.SOUND if len(checksum) == CHECKSUM_SIZE else Ending.CUT
        try:
            self._inflater.decompress(checksum)
        except zstandard.ZstdError:
            self.ending = Ending.CHECKSUM

    def pass_over(self, ending: Ending) -> None:
        """Move past the frame, which is given up."""
        while not self._last:
            block = self._next_block()
            if block is None:
                return
            self.end += BLOCK_HEADER_SIZE + block.stored
            self._last = block.last
        self.end += CHECKSUM_SIZE if self._checksum else 0
        self.ending = ending
        if self.end > self._window.size:
            self.end, self.ending = self._window.size, Ending.CUT

    def _next_block(self) -> BlockHeader | None:
        """Return the header of the block at `end`; if there is none, set the ending and return None."""
        self._blocks += 1
        block = block_header(self._window.view(self.end, BLOCK_HEADER_SIZE))
        if block is None:
            self.end, self.ending = self._window.size, Ending.CUT
            return None
        if block.kind == _RESERVED:
            self.ending = Ending.DAMAGED
            return None
        return block


def frame_header(head: bytes) -> FrameHeader | None:
    """Return the header (RFC 8878 section 3.1.1.1) that `head` begins with; None if it is not one, or cut."""
    if not head.startswith(_MAGIC):
        return None
    try:
        parameters = zstandard.get_frame_parameters(head)
        return FrameHeader(zstandard.frame_header_size(head), parameters.window_size, parameters.has_checksum)
    except zstandard.ZstdError:
        return None


def block_header(head: bytes | memoryview) -> BlockHeader | None:
    """Return the block header (RFC 8878, section 3.1.1.2) in three bytes; None if there are fewer.

    A block that is larger than a block may be is of the reserved type.
    """
    if len(head) < BLOCK_HEADER_SIZE:
        return None
    bits = int.from_bytes(head, "little")
    kind, size = bits >> 1 & 3, bits >> 3
    if size > _MAX_BLOCK:
        kind = _RESERVED
    return BlockHeader(kind, 1 if kind == _RLE else size, bool(bits & 1))


def _dictionary(window: FileWindow) -> zstandard.ZstdCompressionDict | None:
    """Return the dictionary of a file; None where it has none that can be used."""
    end = dictionary_end(window)
    start = window.skip_padding(0) + _SKIPPABLE_HEADER
    if end - start > MAX_DICTIONARY or end > window.size:
        return None
    data = window.peek(start, max(0, end - start))
    try:
        if data.startswith(_MAGIC):
            plain = zstandard.ZstdDecompressor(max_window_size=MAX_WINDOW)
            data = plain.stream_reader(data).read(MAX_DICTIONARY + 1)
        if not data or len(data) > MAX_DICTIONARY:
            return None
        dictionary = zstandard.ZstdCompressionDict(data)
        zstandard.ZstdDecompressor(dictionary).decompressobj()
    except zstandard.ZstdError:
        return None
    return dictionary
