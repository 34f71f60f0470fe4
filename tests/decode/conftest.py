"""What the tests of decoding share."""

from collections.abc import Callable

import pytest

from tests.oracles.trees import cpu_seconds


@pytest.fixture
def assert_linear() -> Callable[..., None]:
    """Assert that CPU time at most trebles for each doubling of the input, over two doublings."""

    def check(function: Callable[[bytes], object], make: Callable[[int], bytes], size: int) -> None:
        small, large = make(size), make(4 * size)
        # A floor of two milliseconds: below it the clock and the cache decide, not the code.
        assert cpu_seconds(lambda: function(large)) <= 9 * max(cpu_seconds(lambda: function(small)), 0.002)

    return check
