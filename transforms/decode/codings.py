"""The content codings gzip, deflate, br and zstd, undone piece by piece up to a limit.

RFC 9110, section 8.4.1 (gzip, deflate), RFC 7932 (br), RFC 8878 (zstd). A bomb costs what the limit allows,
and a coded body that is cut or damaged gives what stands before the damage.
"""

import zlib
from collections.abc import Callable, Generator, Iterator, Mapping

import brotli
import zstandard

from cedar.transforms.warc.zstd_frames import (
    BLOCK_HEADER_SIZE,
    CHECKSUM_SIZE,
    FRAME_HEADER_SIZE,
    MAX_WINDOW,
    block_header,
    frame_header,
    is_frame,
    skippable_size,
)

MAX_MEMBERS = 1024
"""Gzip members of a body that are undone; the rest is left, and the page is `truncated`."""

MAX_ZSTD_BLOCKS = 1 << 17
"""zstd blocks of a body that are walked; with more, the page is `truncated`."""

_INPUT_STEP = 16 << 10
_OUTPUT_STEP = 128 << 10
# brotli keeps back what it made in a call that fails, so small steps keep more of a damaged body.
_BROTLI_INPUT_STEP = 256
_ZSTD_OUTPUT_STEP = 4 << 10
_GZIP_MAGIC = b"\x1f\x8b"


def undo(coding: str, body: bytes | memoryview, max_body: int) -> tuple[bytes, bool, bool]:
    """Undo one coding, in time and memory linear in `len(body)` and `max_body`, whatever the ratio.

    Returns:
        The body, at most `max_body` bytes; whether the coded data end early or cannot be decoded to
        their end, so that this is what came before; whether there was more than that.
    """
    pieces: list[bytes] = []
    room = max_body
    damaged = capped = False
    try:
        for piece in CODINGS[coding](memoryview(body)):
            pieces.append(piece[:room])
            room -= len(piece)
            if room < 0:
                capped = True
                break
    except (EOFError, zlib.error, brotli.error, zstandard.ZstdError):
        damaged = True
    return b"".join(pieces), damaged, capped


def _gzip(body: memoryview) -> Iterator[bytes]:
    """One member or several; what follows the last member is padding and no part of the body."""
    position = 0
    for _ in range(MAX_MEMBERS):
        position = yield from _inflate(body, position, 16 + zlib.MAX_WBITS)
        if body[position : position + 2] != _GZIP_MAGIC:
            return
    raise EOFError("too many members")


def _deflate(body: memoryview) -> Iterator[bytes]:
    """Yield a zlib stream, as the RFC has it, or a raw one, as some servers send it."""
    has_zlib_header = len(body) > 1 and body[0] & 15 == zlib.DEFLATED and (body[0] << 8 | body[1]) % 31 == 0
    yield from _inflate(body, 0, zlib.MAX_WBITS if has_zlib_header else -zlib.MAX_WBITS)


def _inflate(body: memoryview, position: int, wbits: int) -> Generator[bytes, None, int]:
    """Inflate the stream that begins at `position`; returns the position after it."""
    engine = zlib.decompressobj(wbits)
    while not engine.eof:
        coded = body[position : position + _INPUT_STEP]
        before = engine.copy()
        try:
            piece = engine.decompress(coded, _OUTPUT_STEP)
        except zlib.error:
            # The failed call keeps back what it made. Byte by byte, all up to the damage comes out.
            for i in range(len(coded)):
                yield before.decompress(coded[i : i + 1])
            raise
        position += len(coded) - len(engine.unconsumed_tail) - len(engine.unused_data)
        if piece:
            yield piece
        elif not coded:
            raise EOFError("the stream ends early")
    return position


def _brotli(body: memoryview) -> Iterator[bytes]:
    engine = brotli.Decompressor()
    position = 0
    while not engine.is_finished():
        coded: bytes | memoryview = b""
        if engine.can_accept_more_data():
            coded = body[position : position + _BROTLI_INPUT_STEP]
            position += len(coded)
            if not coded:
                raise EOFError("the stream ends early")
        yield engine.process(coded, output_buffer_limit=_OUTPUT_STEP)


def _zstd(body: memoryview) -> Iterator[bytes]:
    """One frame or several; what follows the last frame is padding and no part of the body."""
    stop, whole = _zstd_frames(body)
    engine = zstandard.ZstdDecompressor(max_window_size=MAX_WINDOW)
    with engine.stream_reader(body[:stop], read_across_frames=True) as reader:
        while piece := reader.read(_ZSTD_OUTPUT_STEP):
            yield piece
    if not whole:
        raise EOFError("the frame ends early")


def _zstd_frames(body: memoryview) -> tuple[int, bool]:
    """Find where the last frame ends, and whether it is all there: the reader itself does not tell.

    Walks the headers of the blocks; a skippable frame counts as a block.
    """
    position = blocks = 0
    while True:
        head = bytes(body[position : position + FRAME_HEADER_SIZE])
        if position and not is_frame(head):
            return min(position, len(body)), position <= len(body)
        skippable = skippable_size(head)
        if skippable is not None:
            position += skippable
            blocks += 1
            if blocks > MAX_ZSTD_BLOCKS:
                return len(body), False
            continue
        frame = frame_header(head)
        if frame is None:
            return len(body), False
        position += frame.size
        last = False
        while not last:
            block = block_header(body[position : position + BLOCK_HEADER_SIZE])
            blocks += 1
            if block is None or blocks > MAX_ZSTD_BLOCKS:
                return len(body), False
            position += BLOCK_HEADER_SIZE + block.stored
            last = block.last
            if position > len(body):
                return len(body), False
        position += CHECKSUM_SIZE * frame.checksum


CODINGS: Mapping[str, Callable[[memoryview], Iterator[bytes]]] = {
    "gzip": _gzip,
    "x-gzip": _gzip,
    "deflate": _deflate,
    "br": _brotli,
    "zstd": _zstd,
}
"""The content codings that are known, and what undoes them."""
