"""When a request to a server or a store is sent again: one policy for all of them."""

import time
from collections.abc import Callable
from dataclasses import dataclass

PROGRESS_BYTES = 1 << 20
"""Bytes after which earlier failures are forgotten."""

_MAX_ASKED_WAIT = 300.0


class TransientStorageError(OSError):
    """A request failed, and a retry may succeed.

    Attributes:
        cause: the fault in a word, as the books count it: a status, `cut`, `stall`, ...; "" = not told.
        retry_after: seconds that the server asks to wait, or 0.
    """

    def __init__(self, message: str, *, cause: str = "", retry_after: float = 0.0) -> None:
        super().__init__(message)
        self.cause = cause
        self.retry_after = retry_after


def _random() -> float:
    import random  # here, where a request has failed: help imports this module

    return random.random()  # noqa: S311 - how long to wait is no secret


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How long a request is repeated: attempts in a row, and seconds, both without progress.

    Waits double from `first_wait` to `max_wait` seconds, times a random number from [0.5, 1): so those who
    failed together do not come back together. A wait is never under `first_wait`, nor under the seconds that
    the server asks for (at most 300).
    """

    attempts: int = 20
    seconds: float = 1800.0
    first_wait: float = 1.0
    max_wait: float = 60.0


INTERACTIVE = RetryPolicy(attempts=5)
"""For a person who waits for a listing or a page; a worker's file may take its time."""

OBJECT_STORE = RetryPolicy(attempts=10, first_wait=0.1, max_wait=8.0)


class Retries:
    """The failures of one file or request, and how long to wait after each.

    Args:
        jitter: gives a number from [0, 1).
    """

    def __init__(
        self,
        policy: RetryPolicy,
        now: Callable[[], float] = time.monotonic,
        jitter: Callable[[], float] = _random,
    ) -> None:
        self._policy = policy
        self._now = now
        self._jitter = jitter
        self._failed = 0
        self._since = 0.0
        self._progress = 0

    def progress(self, count: int) -> None:
        """Count bytes that were delivered."""
        if self._failed:
            self._progress += count
            if self._progress >= PROGRESS_BYTES:
                self._failed = 0

    def wait_after(self, fault: TransientStorageError) -> float:
        """Return the seconds to wait before the next attempt; raise OSError after the last one."""
        now = self._now()
        if self._failed == 0:
            self._since, self._progress = now, 0
        self._failed += 1
        given_up = ""
        if self._failed >= self._policy.attempts:
            given_up = f"after {self._failed} attempts"
        elif now - self._since >= self._policy.seconds:
            given_up = f"after {(now - self._since) / 60:.0f} minutes without progress"
        if given_up:
            raise TransientStorageError(f"{fault} (given up {given_up})", cause=fault.cause) from fault
        wait = min(self._policy.max_wait, self._policy.first_wait * 2.0 ** (self._failed - 1))
        wait *= 0.5 + self._jitter() / 2
        return max(self._policy.first_wait, wait, min(_MAX_ASKED_WAIT, fault.retry_after))
