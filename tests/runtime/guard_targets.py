"""Methods that behave badly, for the guard's child."""

from __future__ import annotations

import ctypes
import os
import re
import resource
import signal
import socket
import struct
import time
from collections.abc import Callable

from cedar.transforms.extractors import registry
from cedar.transforms.extractors.extraction import Extraction
from cedar.transforms.model.books import RejectedError, RejectReason


def by_content(*_: str) -> Callable[[bytes], Extraction]:
    """A method that does what the page says, or extracts it."""
    keep_all = registry.bind("keep-all", "{}")

    def method(html: bytes) -> Extraction:
        match html:
            case b"burn":
                while True:
                    pass
            case b"work":
                end = time.process_time() + 0.25
                while time.process_time() < end:
                    pass
            case b"burn in C":
                re.match(b"(a*)*b", b"a" * 40)
            case b"sleep":
                time.sleep(60)
            case b"allocate":
                bytearray(1 << 34)
            case b"fail":
                raise ZeroDivisionError("no such page")
            case b"reject":
                raise RejectedError(RejectReason.MEDIA_TYPE, "said so")
            case b"segfault":
                ctypes.string_at(0)
            case b"killed":
                os.kill(os.getpid(), signal.SIGKILL)
            case b"leave":
                os._exit(3)
            case b"end":
                os.kill(os.getpid(), signal.SIGTERM)
            case b"lie":
                _pages().sendall(struct.pack("<q", 1 << 60))
            case b"babble":
                _pages().sendall(struct.pack("<q", 200) + bytes(range(200)))
            case b"escape":
                return keep_all("<br>".join(_escapes()).encode())
            case b"pid":
                return keep_all(str(os.getpid()).encode())
            case b"grow":
                del [bytearray(b"x") * (40 << 20)][:]
                return keep_all(str(os.getpid()).encode())
        return keep_all(html)

    return method


def _pages() -> socket.socket:
    """The child's socket, as code that has taken it over would find it."""
    for descriptor in range(3, 20):
        try:
            return socket.socket(fileno=os.dup(descriptor))
        except OSError:
            continue
    raise AssertionError("no socket")


def _escapes() -> list[str]:
    """What of the child's surroundings it can reach."""
    parent = os.getppid()
    tries: dict[str, Callable[[], object]] = {
        "fork": os.fork,
        "program": lambda: os.execv("/bin/true", ["true"]),
        "socket": socket.socket,
        "signal": lambda: os.kill(parent, 0),
        "file": lambda: os.close(os.open("/tmp", os.O_RDWR | os.O_TMPFILE)),
        "memory": lambda: os.close(os.open(f"/proc/{parent}/mem", os.O_RDWR)),
        "limits": lambda: resource.prlimit(parent, resource.RLIMIT_CPU),
        "terminal": lambda: None if os.path.samefile("/dev/fd/2", os.devnull) else 1 / 0,
    }
    reached = []
    for name, attempt in tries.items():
        try:
            attempt()
        except PermissionError:
            continue
        reached.append(name)
    return reached


def refusing(*_: str) -> Callable[[bytes], Extraction]:
    """A method that cannot be made here."""
    raise OSError("no such\nluck")


def dying_in_children(*_: str) -> Callable[[bytes], Extraction]:
    """A method that works in the server alone."""
    server, keep_all = os.getpid(), registry.bind("keep-all", "{}")

    def method(html: bytes) -> Extraction:
        if os.getpid() != server:
            os._exit(3)
        return keep_all(html)

    return method


def leaving(*_: str) -> Callable[[bytes], Extraction]:
    """A method that ends its process on every page."""
    return lambda _: os._exit(3)


def crashing(*_: str) -> Callable[[bytes], Extraction]:
    """A method whose C library ends the process, with a word."""

    def method(_: bytes) -> Extraction:
        os.write(2, b"no luck in C\n")
        os.abort()

    return method


def importing_late(*_: str) -> Callable[[bytes], Extraction]:
    """A method that tells at which page it was warm: it imports at its first one."""
    keep_all, seen = registry.bind("keep-all", "{}"), list[bytes]()

    def method(html: bytes) -> Extraction:
        seen.append(html)
        return keep_all(str(len(seen)).encode())

    return method


def always_failing(*_: str) -> Callable[[bytes], Extraction]:
    """A method that fails on every page."""

    def method(html: bytes) -> Extraction:
        raise ZeroDivisionError("as ever")

    return method
