"""What the tests of decoding share."""

import time
from collections.abc import Callable

import pytest


def _seconds(run: Callable[[], object]) -> float:
    """CPU seconds of the fastest of three runs."""
    times = []
    for _ in range(3):
        start = time.process_time()
        run()
        times.append(time.process_time() - start)
    return min(times)


@pytest.fixture
def assert_linear() -> Callable[..., None]:
    """Assert that CPU time at most trebles for each doubling of the input, over two doublings."""

    def check(function: Callable[[bytes], object], make: Callable[[int], bytes], size: int) -> None:
        small, large = make(size), make(4 * size)
        # A floor of two milliseconds: below it the clock and the cache decide, not the code.
        assert _seconds(lambda: function(large)) <= 9 * max(_seconds(lambda: function(small)), 0.002)

    return check
