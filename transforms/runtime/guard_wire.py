"""How the guard, its server and its child speak: frames of fixed numbers and UTF-8 text.

What a child sends is data alone. Hostile markup may have taken it over: nothing that it says is run, and what
does not read as an answer is not taken as one.
"""

import math
import socket
import struct
from dataclasses import dataclass, fields
from operator import attrgetter

from cedar.transforms.extractors.extraction import Extraction, GivenExtraction, PageMetrics
from cedar.transforms.model.books import RejectedError, RejectReason
from cedar.transforms.model.texts import MOST_DETAIL, valid_text

SPAWN, WAIT = b"s", b"w"
"""What the guard asks of the server: a child for the socket that comes along, and how the last one ended."""

CHILD = struct.Struct("<qdq")
"""The server's answer to `SPAWN`: the child's id, and what a page is granted: CPU seconds, bytes of memory.

`NO_CHILD` stands for an id if absent; then a frame follows that says why.
"""

NO_CHILD = -1

TRYING = "the method tries a small page"
"""A line on the standard error of the server, as long as that is true: the method may end the process."""

END = struct.Struct("<qd")
"""The server's answer to `WAIT`: the child's wait status, and the CPU seconds of all its life."""

_LENGTH = struct.Struct("<q")
_AT_ONCE = 64 << 10  # bytes of an answer that are asked for before its size is known
_MOST_ANSWER = 64 << 20  # bytes; of large pages `_ANSWER_SHARE` times theirs
_ANSWER_SHARE = 16
_MOST_NUMBER = 2**31 - 1  # columns are int32
_MOST_SECONDS = 1e9

_METRICS = fields(PageMetrics)
_CODES: dict[object, str] = {int: "q", float: "d", float | None: "d"}
_TEXTS = 4
_HEAD = struct.Struct("<?d")  # whether the child leaves, and its CPU seconds
# Whether it is a reject, sizes of the texts in bytes (-1: None), metrics (NaN: None).
_FOUND = struct.Struct(f"<?{_TEXTS}q" + "".join(_CODES[field.type] for field in _METRICS))
_NO_METRICS = (0,) * len(_METRICS)
_COUNTS = tuple(place for place, field in enumerate(_METRICS) if field.type is int)

_metric_values = attrgetter(*(field.name for field in _METRICS))


class MalformedAnswerError(Exception):
    """Raised where a child sends what is not an answer."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a child says of a page: the extraction, without blocks, or why it is rejected.

    And whether it `leaves`, taking no other page, and the CPU time of all its life.
    """

    found: Extraction | RejectedError
    leaves: bool
    cpu_seconds: float


def encoded(found: Extraction | RejectedError, *, with_html: bool) -> bytes:
    """Write what was found, with its kept HTML if wanted; raise UnicodeEncodeError for invalid text."""
    texts: tuple[str | None, ...]
    metrics: tuple[float, ...]
    if isinstance(found, RejectedError):
        detail = valid_text(found.detail)[:MOST_DETAIL]
        texts, metrics = (found.reason.value, detail, None, None), _NO_METRICS
    else:
        texts = (found.text, found.title, found.html if with_html else None, found.fallback)
        metrics = tuple([math.nan if value is None else value for value in _metric_values(found.metrics)])
    parts = [b"" if text is None else text.encode() for text in texts]
    sizes = [-1 if text is None else len(part) for text, part in zip(texts, parts, strict=True)]
    return b"".join((_FOUND.pack(isinstance(found, RejectedError), *sizes, *metrics), *parts))


def answer(found: bytes, *, leaves: bool, cpu_seconds: float) -> bytes:
    """Write an answer with what was found, `encoded`; `decoded` reads it."""
    return _HEAD.pack(leaves, cpu_seconds) + found


def decoded(data: bytes) -> Answer:
    """Read an answer; raise MalformedAnswerError where it is not valid."""
    try:
        leaves, cpu_seconds = _HEAD.unpack_from(data)
        is_reject, *numbers = _FOUND.unpack_from(data, _HEAD.size)
        texts = _texts(data, numbers[:_TEXTS])
        if not 0 <= cpu_seconds <= _MOST_SECONDS:
            raise MalformedAnswerError(f"{cpu_seconds} s")
        return Answer(_reject(texts) if is_reject else _extraction(texts, numbers), leaves, cpu_seconds)
    except (struct.error, ValueError) as error:
        raise MalformedAnswerError(str(error)) from error


def _texts(data: bytes, sizes: list[int]) -> list[str | None]:
    """Return the texts after the head; ValueError for invalid UTF-8, or sizes that are not the frame's."""
    texts: list[str | None] = []
    at, view = _HEAD.size + _FOUND.size, memoryview(data)
    for size in sizes:
        if size < -1 or size > len(data) - at:
            raise ValueError(f"a text of {size} bytes")
        if size < 0:
            texts.append(None)
            continue
        texts.append(str(view[at : at + size], "utf-8"))
        at += size
    if at != len(data):
        raise ValueError("bytes after the texts")
    return texts


def _reject(texts: list[str | None]) -> RejectedError:
    reason, detail, *_ = texts
    return RejectedError(RejectReason(reason or ""), (detail or "")[:MOST_DETAIL])


def _extraction(texts: list[str | None], numbers: list[float]) -> Extraction:
    text, title, html, fallback = texts
    if text is None:
        raise ValueError("no text")
    metrics = numbers[_TEXTS:]
    for place in _COUNTS:
        if not 0 <= metrics[place] <= _MOST_NUMBER:
            raise ValueError(f"{_METRICS[place].name} {metrics[place]}")
    values = [None if value != value else value for value in metrics]  # NaN is not an other number
    metrics_given = PageMetrics(*values)  # type: ignore[arg-type]
    return GivenExtraction(text, title, metrics_given, fallback=fallback, given_html=html)


def send(end: socket.socket, message: bytes) -> None:
    """Send a message with its length in front, in one call as far as it goes; raises ConnectionError."""
    head = _LENGTH.pack(len(message))
    sent = end.sendmsg((head, message))
    if sent < len(head) + len(message):
        end.sendall(head[sent:])
        end.sendall(memoryview(message)[max(0, sent - len(head)) :])


def receive(end: socket.socket) -> bytes:
    """Return a message that `send` sent, of any size; raise EOFError where the other side is gone."""
    (size,) = _LENGTH.unpack(receive_exactly(end, _LENGTH.size))
    return receive_exactly(end, size)


def receive_answer(end: socket.socket, page_bytes: int) -> Answer:
    """Return what a child says of a page of this many bytes; most often small, and taken in one call.

    Raises EOFError where the other side is gone, MalformedAnswerError for no answer, or one too large.
    """
    data = end.recv(_LENGTH.size + _AT_ONCE)
    if len(data) < _LENGTH.size:
        data += receive_exactly(end, _LENGTH.size - len(data))
    (size,) = _LENGTH.unpack_from(data)
    if not 0 <= size <= max(_MOST_ANSWER, _ANSWER_SHARE * page_bytes):
        raise MalformedAnswerError(f"an answer of {size} bytes")
    missing = _LENGTH.size + size - len(data)
    return decoded(data[_LENGTH.size :] + (receive_exactly(end, missing) if missing > 0 else b""))


def receive_exactly(end: socket.socket, size: int) -> bytes:
    """Receive a number of bytes; raise EOFError where the other side is gone."""
    data = end.recv(size, socket.MSG_WAITALL)
    if len(data) == size:
        return data
    parts, missing = [data], size - len(data)
    while missing:
        if not parts[-1]:
            raise EOFError
        parts.append(end.recv(missing, socket.MSG_WAITALL))
        missing -= len(parts[-1])
    return b"".join(parts)
