"""How long a page may take."""

from __future__ import annotations

from collections.abc import Callable

from transforms.model._cost import Cost, clock
from transforms.model.books import RejectedError, RejectReason


class Deadline:
    """The CPU seconds that a page may take, some of them `spent` before this step.

    They are looked at between the page's steps, since a look costs a microsecond.
    """

    __slots__ = ("_seconds", "_spent", "_start", "_time")

    def __init__(self, seconds: float, spent: float = 0.0, time: Callable[[], Cost] = clock) -> None:
        self._seconds, self._spent, self._time = seconds, spent, time
        self._start = time()

    def spent(self) -> Cost:
        """Return what the step has taken so far."""
        return self._time() - self._start

    def resume(self, taken: Cost) -> None:
        """Continue with what the step has taken by now, after work on other pages."""
        self._start = self._time() - taken

    def check(self) -> Cost:
        """Return what the step has taken so far; raise RejectedError of `time_limit` if that is too much."""
        taken = self.spent()
        if self._spent + taken.cpu > self._seconds:
            raise RejectedError(RejectReason.TIME_LIMIT, f"{self._seconds:g} s of CPU time")
        return taken
