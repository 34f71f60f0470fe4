"""Shapes of hostile pages: of any size, and CPU that grows with their size and no faster."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

import pytest

SMALL, LARGE = 50_000, 200_000
MOST = 8
"""How many times the CPU of a small page one of four times its size may take; what is quadratic takes 16."""
FLOOR = 0.01
"""Seconds below which the clock decides, and not the code."""

Make = Callable[[int], str]


def repeated(unit: str, before: str = "<p>", after: str = "") -> Make:
    return lambda size: before + unit * (size // len(unit)) + after


def nested(opened: str, closed: str, before: str = "<p>", after: str = "") -> Make:
    def make(size: int) -> str:
        depth = size // (len(opened) + len(closed))
        return before + opened * depth + "x" + closed * depth + after

    return make


def numbered(unit: str, before: str, other: str = "", between: str = "") -> Make:
    """Units with their numbers, then others with the same numbers."""

    def make(size: int) -> str:
        count = size // len((unit + other).format(12345))
        first, second = (
            "".join(each.format(number) for number in range(count)) if each else "" for each in (unit, other)
        )
        return before + first + between + second

    return make


def assert_time_is_linear(seconds: Callable[[bytes], float], make: Make) -> None:
    """Assert that pages of `LARGE` bytes take at most `MOST` times the CPU of those of `SMALL`.

    Args:
        seconds: the CPU that a page takes.
        make: a page of about a size.
    """
    small, large = (make(size).encode() for size in (SMALL, LARGE))
    gc.freeze()  # collections look at what the page makes, not at all that other tests have left
    try:
        least = max(seconds(small), FLOOR)
        for _ in range(8):  # other processes take caches and the clock's time, too
            took = seconds(large)
            if took <= MOST * least:
                return
            least = max(least, seconds(small))
    finally:
        gc.unfreeze()
    pytest.fail(f"{LARGE} bytes take {took:.3f} s, {SMALL} take {least:.3f} s")


def assert_linear(function: Callable[[bytes], object], make: Callable[[int], bytes], size: int) -> None:
    """Assert that CPU time at most trebles for each doubling of the input, over two doublings."""
    small, large = make(size), make(4 * size)
    # A floor: below it the clock and the cache decide, not the code.
    assert cpu_seconds(lambda: function(large)) <= 9 * max(cpu_seconds(lambda: function(small)), 0.002)


def cpu_seconds(run: Callable[[], object]) -> float:
    """Return the CPU seconds of the fastest of three runs."""
    times = []
    for _ in range(3):
        start = time.process_time()
        run()
        times.append(time.process_time() - start)
    return min(times)
