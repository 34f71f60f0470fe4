"""The chunked coding, undone by regular expressions: what `cedar.transforms.decode._chunks` is held to."""

from __future__ import annotations

import re

# Every repetition has an upper bound, so that looking at one place of the body costs O(1).
_SIZE_LINE = rb"[ \t]{0,64}+([0-9A-Fa-f]{1,16})[ \t]{0,64}+(?:;[^\n]{0,256}+)?+\r?\n"
_FIRST_HEAD = re.compile(rb"(?:\r?\n){0,8}+" + _SIZE_LINE)
_HEAD = re.compile(rb"(?:\r?\n){1,8}+" + _SIZE_LINE)
_POSSIBLE_HEAD = re.compile(rb"\n[ \t]{0,64}+[0-9A-Fa-f]{1,16}(?=[ \t\r\n;])")
_CR = 0x0D
_BODY_END = re.compile(rb"[\r\n]{0,16}+\Z")
_AFTER_LAST = re.compile(rb"\Z|\r?\n|[!#-'*+.0-9A-Z^_`a-z|~-]{1,64}+:")


def dechunk(body: bytes | memoryview, limit: int) -> tuple[bytes, bool] | None:
    """Undo the chunked coding; see `cedar.transforms.decode._chunks.dechunk`."""
    data = bytes(body)
    pieces: list[bytes] = []
    room = limit
    head = _FIRST_HEAD.match(data)
    if head is None:
        return None
    while head is not None:
        size, start = int(head[1], 16), head.end()
        if size == 0:
            return (b"".join(pieces), False)
        stop, head = _end_of_chunk(data, start, size)
        if head is None and not pieces and stop - start > size:
            return None
        pieces.append(data[start : min(stop, start + room)])
        if stop - start > room:
            break
        room -= stop - start
    return (b"".join(pieces), True)


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
