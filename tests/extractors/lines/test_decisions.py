"""Smoothing and clustering do what the papers' formulas say, value by value and point by point."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cedar.transforms.extractors.lines import _clustering, _smoothing, smoothing
from tests.oracles import clustering as clusters
from tests.oracles import smoothing as plain

RATIOS = st.one_of(
    st.sampled_from([0.0, 0.0, 1.0, 2.0, 3.5, 80.0, 1e6 / 3]), st.floats(0.0, 1e4, allow_subnormal=False)
)
VALUES = st.lists(RATIOS, min_size=1, max_size=60)
SETTINGS = settings(derandomize=True, max_examples=200, deadline=None)
SIZES = [1, 2, 3, 7, 8, 9, 64, 127, 128, 129, 257, 1037]


def close(found: Any, expected: Any) -> None:
    assert np.asarray(found) == pytest.approx(np.asarray(expected), rel=1e-9, abs=1e-6)


def check(values: list[float], alpha: int) -> None:
    ours = np.array(values)
    close(_smoothing.standard_deviation(ours), plain.standard_deviation(values))
    close(_smoothing.moving_mean(ours, alpha), plain.moving_mean(values, alpha))
    kernel = np.exp(-np.arange(min(alpha, (ours.size - 1) // 2) + 1.0))
    close(_smoothing.weighted_mean(ours, kernel), plain.weighted_mean(values, kernel.tolist()))
    close(_smoothing.derivative(ours, alpha), plain.derivative(values, alpha))
    close(_smoothing.derivative(ours[::-1], alpha), plain.derivative(values[::-1], alpha))


@given(VALUES, st.integers(1, 6))
@SETTINGS
def test_few_lines_are_smoothed_as_the_formulas_say(values: list[float], alpha: int) -> None:
    check(values, alpha)


@pytest.mark.parametrize("size", SIZES)
def test_many_lines_are_smoothed_as_the_formulas_say(size: int) -> None:
    random = np.random.default_rng(size)
    check((random.integers(0, 90, size) / random.integers(1, 7, size)).tolist(), 3)


@pytest.mark.parametrize("size", [0, 1, 7, 8, 9, 127, 128, 129, 136, 255, 1000, 20011])
def test_sums_are_added_up_in_numpys_order(size: int) -> None:
    values = np.random.default_rng(size).exponential(60.0, size)
    expected = float(np.sqrt(((values - values.mean()) ** 2).mean())) if size else 0.0
    assert _smoothing.standard_deviation(values) == expected


# Sums and means of integers are the same in every order.
POINTS = st.integers(1, 3).flatmap(
    lambda dimensions: st.lists(
        st.tuples(*[st.integers(0, 40).map(float)] * dimensions), min_size=1, max_size=40
    )
)


@pytest.mark.slow
@given(POINTS, st.integers(2, 8), st.booleans(), st.booleans())
@SETTINGS
def test_points_are_clustered_as_the_definitions_say(
    points: list[clusters.Point], k: int, pinned: bool, from_origin: bool
) -> None:
    first = (0.0,) * len(points[0]) if from_origin else points[0]
    rows = np.array(points).T
    found, expected = (
        _clustering.k_means(rows, k, np.array(first), pinned=pinned),
        clusters.k_means(points, k, first, pinned=pinned),
    )
    assert (found is None) == (expected is None)
    if found is not None and expected is not None:
        assert found.labels.tolist() == expected[0]
        assert found.centroids.tolist() == [list(centroid) for centroid in expected[1]]
    chosen = _clustering.farthest_first(rows, k, np.array(first))
    assert (chosen is None) == (len(set(points)) < 2)
    if chosen is not None:
        centres = clusters.farthest_first(points, k, first)
        assert chosen.centroids.tolist() == [list(centre) for centre in centres]
        assert chosen.labels.tolist() == [clusters.nearest(point, centres) for point in points]


def test_the_fixed_mode_is_the_gaussian_of_its_deviation() -> None:
    for size in range(12):
        values = np.random.default_rng(size).random(size)
        assert (
            smoothing.fixed_gaussian(values).tobytes()
            == smoothing.gaussian(values, smoothing.FIXED_SIGMA).tobytes()
        )


def test_no_lines_have_a_deviation_of_zero_and_no_smoothed_values() -> None:
    nothing = np.zeros(0)
    assert _smoothing.standard_deviation(nothing) == 0.0
    for smooth in (_smoothing.moving_mean(nothing, 2), _smoothing.weighted_mean(nothing, np.ones(1))):
        assert smooth.tolist() == []
    assert _smoothing.derivative(nothing, 2).tolist() == []
