"""CPU and wall time spent; no result depends on it but the time columns."""

import time
from collections.abc import Iterable, Iterator
from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")


class Cost(NamedTuple):
    """Time spent: CPU and wall seconds."""

    cpu: float = 0.0
    wall: float = 0.0

    def __add__(self, other: "Cost") -> "Cost":  # type: ignore[override]
        return Cost(self[0] + other[0], self[1] + other[1])

    def __sub__(self, other: "Cost") -> "Cost":
        return Cost(self[0] - other[0], self[1] - other[1])

    def __truediv__(self, parts: int) -> "Cost":
        return Cost(self[0] / parts, self[1] / parts)

    def rounded(self) -> "Cost":
        """Return the same to the microsecond, as files have it."""
        return Cost(round(self[0], 6), round(self[1], 6))


NO_COST = Cost()


def clock() -> Cost:
    """Return the CPU time of this thread and wall time so far; the difference of two lies between them."""
    return Cost(time.thread_time(), time.monotonic())


class Timed(Iterator[T], Generic[T]):
    """An iterator that sums the time that its items take to be made: `spent`."""

    def __init__(self, items: Iterable[T]) -> None:
        self.spent = NO_COST
        self._items = iter(items)

    def __next__(self) -> T:
        start = clock()
        try:
            return next(self._items)
        finally:
            self.spent += clock() - start
