"""Messages between the guard, its server and its child: the server sends fixed numbers, the child JSON.

Hostile markup may have taken the child over: nothing that it sends is run, and a message that is not a valid
answer is refused.
"""

import json
import socket
import struct
from dataclasses import asdict, astuple, dataclass, fields
from typing import Any

from cedar.transforms.extractors.extraction import Block, Extraction, GivenExtraction, PageMetrics
from cedar.transforms.model.books import RejectedError, RejectReason
from cedar.transforms.model.texts import MAX_DETAIL_CHARS, valid_text

SPAWN, WAIT = b"s", b"w"
"""Requests to the server: fork a child for the socket that comes along; tell how the last child ended."""

CHILD = struct.Struct("<qdq")
"""The server's answer to `SPAWN`: the child's id, and what a page is granted: CPU seconds, bytes of memory.

The id is `NO_CHILD` if no child was made; then a frame follows that says why.
"""

NO_CHILD = -1

TRYING = "the method tries a small page"
"""A line on the standard error of the server, as long as that is true: the method may end the process."""

END = struct.Struct("<qd")
"""The server's answer to `WAIT`: the child's wait status, and the CPU seconds of all its life."""

_LENGTH = struct.Struct("<q")
_AT_ONCE = 64 << 10  # bytes of an answer that are asked for before its size is known
_MAX_ANSWER_BYTES = 64 << 20  # bytes; of large pages `_ANSWER_SHARE` times theirs
_ANSWER_SHARE = 16
_MAX_INT32 = 2**31 - 1  # columns are int32
_MAX_CPU_SECONDS = 1e9


class MalformedAnswerError(Exception):
    """Raised if a child sends anything but an answer."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a child says of a page.

    Attributes:
        found: the extraction, or why the page is rejected.
        leaves: whether the child takes no other page.
        cpu_seconds: CPU time of all its life.
    """

    found: Extraction | RejectedError
    leaves: bool
    cpu_seconds: float


def encoded(found: Extraction | RejectedError, *, with_html: bool, with_blocks: bool = False) -> bytes:
    """Write what was found, with its kept HTML and its blocks if wanted, as JSON.

    Raises UnicodeEncodeError: a text holds a lone surrogate.
    """
    if isinstance(found, RejectedError):
        written: dict[str, Any] = {
            "reason": found.reason.value,
            "detail": valid_text(found.detail)[:MAX_DETAIL_CHARS],
        }
    else:
        written = {
            "text": found.text,
            "title": found.title,
            "html": found.html if with_html else None,
            "fallback": found.fallback,
            "metrics": asdict(found.metrics),
            "blocks": [astuple(block) for block in found.blocks] if with_blocks else [],
        }
    return json.dumps(written, ensure_ascii=False).encode()


def answer(found: bytes, *, leaves: bool, cpu_seconds: float) -> bytes:
    """Write an answer with what was found, `encoded`; `decoded` reads it."""
    return b'{"leaves": %s, "cpu_seconds": %r, "found": %s}' % (
        b"true" if leaves else b"false",
        float(cpu_seconds),
        found,
    )


def decoded(data: bytes) -> Answer:
    """Read an answer; raise MalformedAnswerError if it is not valid."""
    try:
        given = json.loads(data.decode())
        leaves = _of_type(given, "leaves", bool)
        cpu_seconds = _of_type(given, "cpu_seconds", float)
        if not 0 <= cpu_seconds <= _MAX_CPU_SECONDS:
            raise ValueError(f"{cpu_seconds} s")
        found = _of_type(given, "found", dict)
        return Answer(_reject(found) if "reason" in found else _extraction(found), leaves, cpu_seconds)
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise MalformedAnswerError(str(error)) from error


def _of_type(given: dict[str, Any], name: str, *kinds: type) -> Any:
    """Return a value; raise TypeError for one of another type, ValueError for text that is not valid."""
    value = given[name]
    if type(value) not in kinds:
        raise TypeError(f"{name} is a {type(value).__name__}")
    if isinstance(value, str):
        value.encode()
    return value


def _reject(given: dict[str, Any]) -> RejectedError:
    return RejectedError(
        RejectReason(_of_type(given, "reason", str)), _of_type(given, "detail", str)[:MAX_DETAIL_CHARS]
    )


_NONE = type(None)


def _extraction(given: dict[str, Any]) -> Extraction:
    metrics = _of_type(given, "metrics", dict)
    for field in fields(PageMetrics):
        if field.type == str | None:
            _of_type(metrics, field.name, str, _NONE)
            continue
        if field.type is int and not 0 <= _of_type(metrics, field.name, int) <= _MAX_INT32:
            raise ValueError(f"{field.name} {metrics[field.name]}")
        number = _of_type(metrics, field.name, int, float, _NONE)
        if number != number:
            raise ValueError(f"{field.name} is not a number")
    return GivenExtraction(
        _of_type(given, "text", str),
        _of_type(given, "title", str, _NONE),
        PageMetrics(**metrics),
        fallback=_of_type(given, "fallback", str, _NONE),
        given_html=_of_type(given, "html", str, _NONE),
        given_blocks=tuple(_block(values) for values in _of_type(given, "blocks", list)),
    )


def _block(values: list[Any]) -> Block:
    names = [field.name for field in fields(Block)]
    given = dict(zip(names, values, strict=True))
    cues = tuple(
        (_of_type({"cue": name}, "cue", str), float(number)) for name, number in _of_type(given, "cues", list)
    )
    return Block(
        text=_of_type(given, "text", str),
        kept=_of_type(given, "kept", bool),
        score=float(_of_type(given, "score", int, float)),
        start=_of_type(given, "start", int, _NONE),
        stop=_of_type(given, "stop", int, _NONE),
        path=_of_type(given, "path", str, _NONE),
        cues=cues,
        reason=_of_type(given, "reason", str),
    )


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
    if not 0 <= size <= max(_MAX_ANSWER_BYTES, _ANSWER_SHARE * page_bytes):
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
