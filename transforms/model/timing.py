"""The clocks that stages are timed with; no result depends on them but the time columns."""

from __future__ import annotations

import time
from collections.abc import Callable

from transforms.model.books import Cost, RejectedError, RejectReason


def clock() -> Cost:
    """CPU time of this thread and wall time so far; the difference of two is what lay between."""
    return Cost(time.thread_time(), time.perf_counter())


class Deadline:
    """The CPU time that a page may take; looked at between its steps, since a look costs a microsecond.

    Args:
        seconds: all that the page may take.
        spent: what it has taken before the step that begins now.
        time: gives the time so far.
    """

    __slots__ = ("_seconds", "_spent", "_start", "_time")

    def __init__(self, seconds: float, spent: float = 0.0, time: Callable[[], Cost] = clock) -> None:
        self._seconds, self._spent, self._time = seconds, spent, time
        self._start = time()

    def spent(self) -> Cost:
        """Return what the step has taken so far."""
        return self._time() - self._start

    def check(self) -> Cost:
        """Return what the step has taken so far.

        Raises:
            RejectedError: `time_limit`: the page has taken more than it may.
        """
        taken = self.spent()
        if self._spent + taken.cpu > self._seconds:
            raise RejectedError(RejectReason.TIME_LIMIT, f"{self._seconds:g} s of CPU time")
        return taken
