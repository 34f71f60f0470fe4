"""Methods that behave badly, for the guard's child."""

from __future__ import annotations

import ctypes
import os
import re
import signal
import time
from collections.abc import Callable

from transforms.extractors import registry
from transforms.extractors.extraction import Extraction
from transforms.model.books import RejectedError, RejectReason


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
            case b"pid":
                return keep_all(str(os.getpid()).encode())
            case b"grow":
                del [bytearray(b"x") * (40 << 20)][:]
                return keep_all(str(os.getpid()).encode())
        return keep_all(html)

    return method


def always_failing(*_: str) -> Callable[[bytes], Extraction]:
    """A method that fails on every page."""

    def method(html: bytes) -> Extraction:
        raise ZeroDivisionError("as ever")

    return method
