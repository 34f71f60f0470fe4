"""Logging of Cedar and Beam, the same in the launcher and in its workers."""

import contextlib
import gc
import io
import json
import logging
import os
import re
import sys
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TextIO

from cedar.pipelines.common.terminal import escape_controls
from cedar.transforms.files.http_options import with_urls_without_secrets
from cedar.transforms.runtime.events import EVENTS

_NOT_NEEDED = ("pandas", "pymongo")
"""Packages that Beam imports if installed, for transforms that no command has: 50 MiB, .2 s."""

_WHERE = re.compile(r" \[while running '[^']*'\]")
_DETAILS = re.compile(r'\s*details = "(.*)"$')
"""The line of an error of gRPC's that says what it is."""

_CLASSES = re.compile(r"(?:[a-z_.]*[A-Z]\w*(?:Error|Exception): )+")
"""Names of exceptions that a traceback puts in front of a message."""


class _VisibleFormatter(logging.Formatter):
    """Writes control characters out: names of inputs and URLs come from outside."""

    def format(self, record: logging.LogRecord) -> str:
        return escape_controls(with_urls_without_secrets(super().format(record)))


@dataclass(frozen=True, slots=True)
class LogOptions:
    """How a run logs: from which level on, and as text or as JSON, one object per line."""

    level: str = "warning"
    format: str = "text"


class _JsonFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        happened = getattr(record, "event", None)
        about = {} if happened is None else {"event": happened, **getattr(record, "about", {})}
        return _json_line(record.levelname.lower(), super().format(record), logger=record.name, **about)


def _json_line(level: str, message: str, **about: Any) -> str:
    moment = datetime.now(UTC).isoformat(timespec="milliseconds")
    return json.dumps(
        {
            "time": moment,
            "level": level,
            "message": escape_controls(with_urls_without_secrets(message)),
            **about,
        }
    )


class _StreamWrapper(io.TextIOBase):
    """A stream in front of another one."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def flush(self) -> None:
        self.stream.flush()


class _JsonLines(_StreamWrapper):
    """A standard error on which each line is an object."""

    def write(self, text: str) -> int:
        line = text.strip("\n")
        if line:
            level = "warning" if line.startswith("cedar: ") else "info"
            self.stream.write(f"{_json_line(level, line.removeprefix('cedar: '))}\n")
        return len(text)


_BEAM_LEVELS = {"debug": logging.DEBUG, "info": logging.WARNING}
"""From which level on Beam's own records are shown, by the level of the run."""


def configure_logging(options: LogOptions) -> None:
    """Configure logging to stderr; with JSON, other lines printed there become objects, too.

    Beam logs the traceback of each failing batch as an error; Cedar counts, retries and names the fault
    itself, so Beam's warnings and errors are shown from level info on, and the rest at level debug.
    """
    as_json, level = options.format == "json", options.level.upper()
    if as_json and not isinstance(sys.stderr, _JsonLines):
        sys.stderr = _JsonLines(sys.stderr)
    elif not as_json and isinstance(sys.stderr, _JsonLines):
        sys.stderr = sys.stderr.stream
    handler = logging.StreamHandler(sys.stderr.stream if isinstance(sys.stderr, _JsonLines) else sys.stderr)
    text = _VisibleFormatter("%(levelname)s %(name)s: %(message)s")
    handler.setFormatter(_JsonFormatter() if as_json else text)
    beam_level = _BEAM_LEVELS.get(options.level, logging.CRITICAL)
    # By file: Beam logs some by other names, and a job's traceback as root.
    handler.addFilter(
        lambda record: (
            record.levelno >= beam_level or "/apache_beam/" not in record.pathname.replace(os.sep, "/")
        )
    )
    logging.getLogger(EVENTS).setLevel(logging.INFO if as_json else logging.NOTSET)
    # force: importing Beam may have installed a handler already, which would make this a no-op.
    logging.basicConfig(handlers=[handler], level=level, force=True)


@contextlib.contextmanager
def threads_logged() -> Iterator[None]:
    """Within it what other threads print on stderr is logged at level info, as are the faults that end them.

    A runner follows its job in threads of its own, and its worker here prints the traceback of each fault.
    Such a thread may outlive the job and fail when the server goes, so faults are logged afterwards, too.
    """
    threading.excepthook = _log_fault
    with contextlib.redirect_stderr(_MainThreadOnly(sys.stderr)):
        yield


class _MainThreadOnly(_StreamWrapper):
    """A stream for the main thread alone; what other threads write is logged."""

    def write(self, text: str) -> int:
        if threading.current_thread() is threading.main_thread():
            return self.stream.write(text)
        if text.strip():
            logging.getLogger(__name__).info("%s", text.rstrip())
        return len(text)

    def isatty(self) -> bool:
        return self.stream.isatty()

    def fileno(self) -> int:
        return self.stream.fileno()


def _log_fault(fault: threading.ExceptHookArgs) -> None:
    if fault.exc_value is not None:
        trace = (fault.exc_type, fault.exc_value, fault.exc_traceback)
        logging.getLogger(__name__).info("a thread ended with a fault", exc_info=trace)


@contextlib.contextmanager
def _hidden(names: Sequence[str]) -> Iterator[None]:
    """Within it modules that are not imported yet seem not to be installed."""
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
def imports_quietly(options: LogOptions = LogOptions()) -> Iterator[None]:
    """Import Beam within, without its warnings of extras that are not installed; then configure logging.

    The garbage collector is off while Beam's 1,500 modules are imported, and ignores them afterwards.
    """
    configure_logging(LogOptions("error", options.format))
    collects = gc.isenabled()
    gc.disable()
    try:
        with _hidden(_NOT_NEEDED):
            yield
    finally:
        gc.freeze()
        if collects:
            gc.enable()
    configure_logging(options)


def cause(error: Exception) -> str:
    """Return the cause of an error in a job of Beam's, in one line.

    In this process Beam adds where it happened to the error's first argument, which may stand anywhere in its
    message; a fault in a worker elsewhere comes as a traceback, whose line with that mark says what it was.
    """
    lines = str(error).strip().splitlines() or [type(error).__name__]
    lines = [found[1] for found in map(_DETAILS.match, lines) if found] or lines
    marked = [line for line in lines if _WHERE.search(line)]
    line = _WHERE.sub("", (marked or lines)[-1 if marked else 0])
    leading = _CLASSES.match(line)
    return line if leading is None else line[leading.end() :]
