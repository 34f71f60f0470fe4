"""The chunked transfer coding, read leniently (RFC 9112, section 7.1).

Crawls hold chunks with bare line feeds, extensions, trailers, sizes that lie, and cut ends; and bodies
that the crawler has de-chunked while the header still says `chunked`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

# Every repetition has an upper bound, so that looking at one place of the body costs O(1).
_SIZE_LINE = rb"[ \t]{0,64}+([0-9A-Fa-f]{1,16})[ \t]{0,64}+(?:;[^\n]{0,256}+)?+\r?\n"
_FIRST_HEAD = re.compile(rb"(?:\r?\n){0,8}+" + _SIZE_LINE)
_HEAD = re.compile(rb"(?:\r?\n){1,8}+" + _SIZE_LINE)
_POSSIBLE_HEAD = re.compile(rb"\n[ \t]{0,64}+[0-9A-Fa-f]{1,16}(?=[ \t\r\n;])")
_CR = 0x0D
_BODY_END = re.compile(rb"[\r\n]{0,16}+\Z")
_AFTER_LAST = re.compile(rb"\Z|\r?\n|[!#-'*+.0-9A-Z^_`a-z|~-]{1,64}+:")


@dataclass(frozen=True, slots=True)
class Dechunked:
    """Chunks put together.

    Attributes:
        data: what the chunks held.
        truncated: the last chunk is missing, or the cap cut.
    """

    data: bytes
    truncated: bool


def dechunk(body: bytes | memoryview, limit: int) -> Dechunked | None:
    """Undo the chunked coding; None where `body` does not have the form of chunks.

    A size that lies (where the chunk should end there is neither a size line nor the end of the body) is
    corrected: the chunk goes on to the next line that is a size and tells the truth, or else to the end of
    the body. Linear in the length of `body`.

    Args:
        body: the coded body.
        limit: bytes of data that are kept at most.
    """
    data = bytes(body)
    pieces: list[bytes] = []
    room = limit
    head = _FIRST_HEAD.match(data)
    if head is None:
        return None
    while head is not None:
        size, start = int(head[1], 16), head.end()
        if size == 0:
            return Dechunked(b"".join(pieces), False)
        stop, head = _end_of_chunk(data, start, size)
        if head is None and not pieces and stop - start > size:
            return None
        pieces.append(data[start : min(stop, start + room)])
        if stop - start > room:
            break
        room -= stop - start
    return Dechunked(b"".join(pieces), True)


def _end_of_chunk(data: bytes, start: int, size: int) -> tuple[int, re.Match[bytes] | None]:
    """Where the data of the chunk at `start` end, and the head of the next chunk, if there is one."""
    stop = start + size
    if stop <= len(data):
        head = _HEAD.match(data, stop)
        if head is not None or _BODY_END.match(data, stop):
            return stop, head
    for possible in _POSSIBLE_HEAD.finditer(data, start):
        line_end = possible.start()
        if line_end > start and data[line_end - 1] == _CR:
            line_end -= 1
        head = _HEAD.match(data, line_end)
        if head is not None and _tells_the_truth(data, head):
            return line_end, head
    return len(data), None


def _tells_the_truth(data: bytes, head: re.Match[bytes]) -> bool:
    """Whether a chunk ends where its head says."""
    stop = head.end() + int(head[1], 16)
    if stop == head.end():
        return _AFTER_LAST.match(data, stop) is not None
    return stop <= len(data) and (_HEAD.match(data, stop) or _BODY_END.match(data, stop)) is not None
