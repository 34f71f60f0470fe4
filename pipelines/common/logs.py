"""Logging of Cedar and Beam, the same in the launcher and in its workers."""

from __future__ import annotations

import contextlib
import gc
import io
import logging
import os
import re
import sys
import threading
from collections.abc import Iterator, Sequence
from typing import Any, TextIO

from pipelines.common.messages import visible

_NOT_NEEDED = ("pandas", "pymongo")
"""What Beam imports for transforms that no command has, if it is there: 50 MiB and a fifth of a second."""

_WHERE = re.compile(r" \[while running '[^']*'\]")
_CLASS = re.compile(r"[a-z_.]*[A-Z]\w*(?:Error|Exception): ")


class _VisibleFormatter(logging.Formatter):
    """Writes out what steers a terminal: names of inputs and URLs come from outside."""

    def format(self, record: logging.LogRecord) -> str:
        return visible(super().format(record))


def configure_logging(level: str) -> None:
    """Log to stderr from `level` on.

    Beam logs the traceback of each failing batch as an error; Cedar counts, retries and names the fault
    itself, so Beam's errors are shown from level info on only.
    """
    handler = logging.StreamHandler()
    handler.setFormatter(_VisibleFormatter("%(levelname)s %(name)s: %(message)s"))
    if logging.getLevelName(level.upper()) > logging.INFO:
        handler.addFilter(_is_not_of_beam)
    # force: importing Beam may have installed a handler already, which would make this a no-op.
    logging.basicConfig(handlers=[handler], level=level.upper(), force=True)


def _is_not_of_beam(record: logging.LogRecord) -> bool:
    """Tell whether a record is not of Beam, which logs some by other names, and a job's traceback as root."""
    return "/apache_beam/" not in record.pathname.replace(os.sep, "/")


@contextlib.contextmanager
def threads_logged() -> Iterator[None]:
    """Within it what other threads print on stderr, and the faults that end them, are logged at level info.

    A runner follows its job in threads of its own, which end when the job server does, and its worker in
    this process prints the traceback of each fault; the job's fault is named without them.
    """
    before = threading.excepthook
    threading.excepthook = _log_fault
    try:
        with contextlib.redirect_stderr(_OfMainThread(sys.stderr)):
            yield
    finally:
        threading.excepthook = before


class _OfMainThread(io.TextIOBase):
    """A stream for the main thread alone; what other threads write is logged."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write, or log."""
        if threading.current_thread() is threading.main_thread():
            return self._stream.write(text)
        if text.strip():
            logging.getLogger(__name__).info("%s", text.rstrip())
        return len(text)

    def flush(self) -> None:
        """Write out what is held back."""
        self._stream.flush()

    def isatty(self) -> bool:
        """Tell whether it is a terminal."""
        return self._stream.isatty()

    def fileno(self) -> int:
        """Its number."""
        return self._stream.fileno()


def _log_fault(fault: threading.ExceptHookArgs) -> None:
    if fault.exc_value is not None:
        trace = (fault.exc_type, fault.exc_value, fault.exc_traceback)
        logging.getLogger(__name__).info("a thread ended with a fault", exc_info=trace)


@contextlib.contextmanager
def _without(names: Sequence[str]) -> Iterator[None]:
    """Within it modules that are not imported yet seem not to be installed; who asks later gets them."""
    hidden = [name for name in names if name not in sys.modules]
    # What is None there is not available, says the import system.
    hiding: dict[str, Any] = dict.fromkeys(hidden)
    sys.modules.update(hiding)
    try:
        yield
    finally:
        for name in hidden:
            sys.modules.pop(name)


@contextlib.contextmanager
def imports_quietly(level: str) -> Iterator[None]:
    """Import Beam within, without its warnings of extras that are not installed; then log from `level` on.

    Beam's some 1,500 modules are imported without the garbage collector, which would go over their objects
    again and again, and are then put out of its sight.
    """
    configure_logging("error")
    collects = gc.isenabled()
    gc.disable()
    try:
        with _without(_NOT_NEEDED):
            yield
    finally:
        gc.freeze()
        if collects:
            gc.enable()
    configure_logging(level)


def cause(error: Exception) -> str:
    """Return what went wrong in a job of Beam's, in one line.

    In this process Beam adds where it happened to the error's first argument, which may stand anywhere in its
    message; a fault in a worker elsewhere comes as a traceback, whose line with that mark says what it was.
    """
    lines = str(error).strip().splitlines() or [type(error).__name__]
    marked = [line for line in lines if _WHERE.search(line)]
    line = _WHERE.sub("", (marked or lines)[-1 if marked else 0])
    return line[_leading_classes(line) :]


def _leading_classes(line: str) -> int:
    """Length of the names of exceptions that a traceback puts in front of a message."""
    at = 0
    while (match := _CLASS.match(line, at)) is not None:
        at = match.end()
    return at
