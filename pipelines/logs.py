"""Logging of Cedar and Beam, the same in the launcher and in its workers."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterator


def configure_logging(level: str) -> None:
    """Log to stderr from `level` on.

    Beam logs the traceback of each failing batch as an error; Cedar counts, retries and names the fault
    itself, so Beam's errors are shown from level info on only.
    """
    # force: importing Beam may have installed a handler already, which would make this a no-op.
    logging.basicConfig(format="%(levelname)s %(name)s: %(message)s", level=level.upper(), force=True)
    quiet = logging.getLogger().level > logging.INFO
    logging.getLogger("apache_beam").setLevel(logging.CRITICAL if quiet else level.upper())


@contextlib.contextmanager
def imports_quietly(level: str) -> Iterator[None]:
    """Import Beam within, without its warnings of extras that are not installed; then log from `level` on."""
    configure_logging("error")
    yield
    configure_logging(level)


def first_line(error: Exception) -> str:
    """What went wrong, without the traceback that Beam appends."""
    text = str(error).strip() or type(error).__name__
    return text.splitlines()[0].partition(" [while running")[0]
