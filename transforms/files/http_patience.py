"""How long to wait after a fault that may pass, and when to give up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from transforms.files.storage import PassingFaultError

_LONGEST_WAIT = 60.0
_LONGEST_ASKED_WAIT = 300.0
_PROGRESS = 1 << 20
"""Bytes after which all that went wrong before is forgotten."""


class TransientError(PassingFaultError):
    """An answer or a connection of a web server that was refused, cut or stalled.

    Attributes:
        cause: the fault in a word, as the books count it: a status, `cut`, `stall`, ...
        retry_after: seconds that the server asks to wait, or 0.
    """

    def __init__(self, cause: str, message: str, retry_after: float = 0.0) -> None:
        super().__init__(message)
        self.cause = cause
        self.retry_after = retry_after


@dataclass(frozen=True, slots=True)
class Persistence:
    """How much is borne without progress: attempts in a row, and seconds."""

    attempts: int = 20
    seconds: float = 1800.0


class Patience:
    """What is left to bear for one file: 1 MiB of progress gives all of it back.

    Args:
        persistence: how much there is.
        now: a clock, in seconds.
        jitter: a number from [0, 1): so that those who failed together do not come back together.
    """

    def __init__(
        self, persistence: Persistence, now: Callable[[], float], jitter: Callable[[], float]
    ) -> None:
        self._persistence = persistence
        self._now = now
        self._jitter = jitter
        self._failed = 0
        self._since = 0.0
        self._progress = 0

    def progress(self, count: int) -> None:
        """Count bytes that were delivered."""
        if self._failed:
            self._progress += count
            if self._progress >= _PROGRESS:
                self._failed = 0

    def wait_after(self, fault: TransientError) -> float:
        """Seconds to wait before the next attempt.

        They double from 1 to 60, times a number from [0.5, 1), but are never under 1, nor under what the
        server asks for (at most 300).

        Raises:
            OSError: it has been tried for long enough.
        """
        now = self._now()
        if self._failed == 0:
            self._since, self._progress = now, 0
        self._failed += 1
        if self._failed >= self._persistence.attempts:
            raise OSError(f"{fault} (given up after {self._failed} attempts)") from fault
        if now - self._since >= self._persistence.seconds:
            minutes = (now - self._since) / 60
            raise OSError(f"{fault} (given up after {minutes:.0f} minutes without progress)") from fault
        wait = min(_LONGEST_WAIT, 2.0 ** (self._failed - 1)) * (0.5 + self._jitter() / 2)
        return max(1.0, wait, min(_LONGEST_ASKED_WAIT, fault.retry_after))
