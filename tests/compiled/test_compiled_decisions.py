"""The compiled smoothing, clustering and decisions give the numpy functions' numbers, to the bit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from transforms.extractors.lines import cetr, clustering, smoothing

SIZES = [1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 64, 127, 128, 129, 136, 137, 255, 257, 1000, 1037, 20011]
RATIOS = st.one_of(
    st.sampled_from([0.0, 0.0, 1.0, 2.0, 3.5, 80.0, 1e6 / 3]), st.floats(0.0, 1e4, allow_subnormal=False)
)
VALUES = st.lists(RATIOS, min_size=1, max_size=60).map(np.array)
SETTINGS = settings(derandomize=True, max_examples=300, deadline=None)


def twin(function: Callable[..., Any]) -> Callable[..., Any]:
    """The numpy function of a compiled one."""
    return getattr(function, "__wrapped__", function)


def same(function: Callable[..., Any], *given: Any, **named: Any) -> None:
    """Checks that both give the same bits."""
    ours, theirs = function(*given, **named), twin(function)(*given, **named)
    for a, b in zip(*(x if isinstance(x, tuple) else (x,) for x in (ours, theirs)), strict=True):
        assert (a is None) == (b is None)
        if a is not None:
            a, b = np.asarray(a), np.asarray(b)
            assert (a.dtype, a.shape, a.tobytes()) == (b.dtype, b.shape, b.tobytes())


def check(values: Any, alpha: int, k: int) -> None:
    same(smoothing.standard_deviation, values)
    same(smoothing.mean_and_deviation, values)
    for truncated in (False, True):
        same(smoothing.moving_mean, values, alpha, truncated=truncated)
    radius = min(alpha, (values.size - 1) // 2)
    same(smoothing.weighted_mean, values, np.exp(-np.arange(radius + 1.0)))
    same(cetr.derivative, values, alpha)
    same(cetr.derivative, values[::-1], alpha)
    slope = cetr.derivative(values, alpha)
    same(cetr.off_origin, values, slope, k)
    same(cetr.weighted_plane, values, smoothing.fixed_kernel(values.size), k, alpha)
    points = np.stack((values, slope, values[::-1]))
    firsts = (values.min(keepdims=True), np.zeros(2), points[:, 0])
    for dimensions, first in enumerate(firsts, 1):
        for pinned in (False, True):
            same(clustering.lloyd, points[:dimensions], k, first, pinned)


@given(VALUES, st.integers(1, 6), st.integers(2, 8))
@SETTINGS
def test_few_lines_give_the_same_numbers(values: Any, alpha: int, k: int) -> None:
    check(values, alpha, k)


@pytest.mark.parametrize("size", SIZES)
def test_many_lines_give_the_same_numbers(size: int) -> None:
    random = np.random.default_rng(size)
    tags = random.integers(1, 7, size)
    for values in (
        random.integers(0, 90, size) / tags,
        np.floor(random.exponential(60.0, size)) * (random.random(size) < 0.2) / tags,
        random.random(size),
        random.integers(0, 2, size) * 1.0,
        np.full(size, 1.1),
    ):
        check(values, 3, 3)


def test_the_fixed_mode_is_the_gaussian_of_its_deviation() -> None:
    for size in range(12):
        values = np.random.default_rng(size).random(size)
        expected = smoothing.gaussian(values, smoothing.FIXED_SIGMA)
        assert smoothing.fixed_gaussian(values).tobytes() == expected.tobytes()


def test_no_lines_have_a_deviation_of_zero_and_no_smoothed_values() -> None:
    nothing = np.zeros(0)
    same(smoothing.standard_deviation, nothing)
    same(smoothing.moving_mean, nothing, 2)
    same(smoothing.weighted_mean, nothing, np.ones(1))
    same(cetr.derivative, nothing, 2)
