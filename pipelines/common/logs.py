"""Logging of Cedar and Beam, the same in the launcher and in its workers."""

from __future__ import annotations

import contextlib
import gc
import logging
import re
from collections.abc import Iterator

from pipelines.common.messages import visible

_WHERE = " [while running"
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
    # force: importing Beam may have installed a handler already, which would make this a no-op.
    logging.basicConfig(handlers=[handler], level=level.upper(), force=True)
    quiet = logging.getLogger().level > logging.INFO
    logging.getLogger("apache_beam").setLevel(logging.CRITICAL if quiet else level.upper())


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
        yield
    finally:
        gc.freeze()
        if collects:
            gc.enable()
    configure_logging(level)


def cause(error: Exception) -> str:
    """What went wrong in a job of Beam's, in one line.

    In this process Beam appends to the message where it happened; a fault in a worker elsewhere comes as a
    traceback, whose line with that mark says what it was.
    """
    lines = str(error).strip().splitlines() or [type(error).__name__]
    marked = [line for line in lines if _WHERE in line]
    line = (marked or lines)[-1 if marked else 0].partition(_WHERE)[0]
    return line[_leading_classes(line) :]


def _leading_classes(line: str) -> int:
    """Length of the names of exceptions that a traceback puts in front of a message."""
    at = 0
    while (match := _CLASS.match(line, at)) is not None:
        at = match.end()
    return at
