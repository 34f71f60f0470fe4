"""Shapes of hostile pages: of any size, and CPU that grows with their size and no faster."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

import pytest

SMALL, LARGE = 50_000, 200_000
MAX_GROWTH = 10
"""How many times the CPU of a small page one of four times its size may take; what is quadratic takes 16."""
MIN_SECONDS = 0.01
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


def assert_time_is_linear(
    seconds: Callable[[bytes], float], make: Callable[[int], str | bytes], size: int = SMALL
) -> None:
    """Assert that four times the size takes at most `MAX_GROWTH` times the CPU.

    Args:
        seconds: the CPU that an input takes.
        make: an input of about a size.
        size: of the smaller one.
    """
    inputs = make(size), make(4 * size)
    small, large = (each.encode() if isinstance(each, str) else each for each in inputs)
    gc.freeze()  # collections look at what the input makes, not at all that other tests have left
    try:
        least = max(seconds(small), MIN_SECONDS)
        for _ in range(8):  # other processes take caches and the clock's time, too
            took = seconds(large)
            if took <= MAX_GROWTH * least:
                return
            least = max(least, seconds(small))
    finally:
        gc.unfreeze()
    pytest.fail(f"{len(large)} bytes take {took:.3f} s, {len(small)} take {least:.3f} s")


def assert_linear(
    function: Callable[[bytes], object], make: Callable[[int], str | bytes], size: int = SMALL
) -> None:
    """Assert of a function what `assert_time_is_linear` asserts of its CPU."""
    assert_time_is_linear(lambda data: cpu_seconds(lambda: function(data)), make, size)


def cpu_seconds(run: Callable[[], object]) -> float:
    """Return the CPU seconds of a run."""
    start = time.process_time()
    run()
    return time.process_time() - start
