"""Smoothing, k-means and the decisions of CETR on arrays."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cedar.transforms.extractors.lines._clustering import k_means
from cedar.transforms.extractors.lines._smoothing import derivative, moving_mean, standard_deviation
from cedar.transforms.extractors.lines.cetr import (
    Smoothing,
    k_means_decision,
    plane_decision,
    threshold_decision,
)
from cedar.transforms.extractors.lines.document import Decision
from cedar.transforms.extractors.lines.smoothing import FIXED_SIGMA, Floats, adaptive_gaussian, gaussian
from tests.extractors.samples import G20
from tests.helpers.shapes import assert_linear

T = np.array(G20, float)

ratios = st.lists(
    st.builds(lambda x, y: x / y, st.integers(0, 3000), st.integers(1, 40)) | st.just(0.0),
    min_size=2,
    max_size=60,
).map(lambda values: np.array(values, float))


def kept(decision: Decision) -> list[int]:
    return np.flatnonzero(decision.kept).tolist()


def test_standard_deviation_divides_by_n() -> None:
    assert standard_deviation(T) == pytest.approx(41.773766, rel=1e-7)
    assert standard_deviation(np.array([])) == 0.0


def test_fixed_smoothing_of_g20() -> None:
    smooth = gaussian(T, FIXED_SIGMA)
    assert smooth.round(3).tolist() == [
        *(0.709, 1.133, 1.262, 1.281, 1.222, 1.123, 12.853, 32.676, 41.49, 59.925),
        *(76.665, 79.725, 69.802, 60.6, 32.897, 11.397, 1.152, 1.192, 1.07, 1.064),
    ]
    assert standard_deviation(smooth) == pytest.approx(28.793100, rel=1e-7)


def test_literal_smoothing_takes_sigma_from_the_values() -> None:
    values = np.array([0, 1, 0, 1, 6, 7, 5, 8, 6, 1, 0, 1, 0], float)
    assert standard_deviation(values) == pytest.approx(2.965282, rel=1e-6)
    smooth = adaptive_gaussian(values)
    assert smooth.round(4).tolist() == [
        *(0.4622, 1.2585, 2.1379, 2.8229, 4.0369, 4.9561, 5.2678, 4.9919, 4.0977, 2.9631, 2.2559, 1.2585),
        0.4622,
    ]
    assert standard_deviation(smooth) == pytest.approx(1.644953, rel=1e-6)
    assert kept(threshold_decision(values, "literal", 1.0)) == list(range(2, 11))


def test_moving_mean_renormalises_at_the_ends() -> None:
    assert moving_mean(T, 2).round(3).tolist() == [
        *(0.667, 1.25, 1.2, 1.2, 1.2, 1.2, 16.6, 35.4, 35.4, 59, 81, 79, 60, 60.4, 36.6, 14.6, 1.2, 1.2, 1, 1)
    ]


def test_moving_mean_wider_than_the_page_is_the_mean() -> None:
    assert moving_mean(np.array([1.0, 2.0, 6.0]), 9).tolist() == [3.0, 3.0, 3.0]


def test_derivative_and_its_smoothing_on_g20() -> None:
    slope = derivative(gaussian(T, FIXED_SIGMA), 3)
    assert slope.round(3).tolist() == pytest.approx(
        [
            *(0.516, 0.122, -0.053, 3.785, 14.329, 27.883, 31.844, 26.684, 30.615, 15.473),
            *(-6.623, -25.293, -34.837, -45.451, -28.316, -10.259, -0.044, -0.126, -0.006, 0),
        ]
    )
    assert np.abs(gaussian(slope, FIXED_SIGMA)).round(3).tolist() == [
        *(0.238, 0.838, 3.117, 8.388, 15.474, 21.898, 26.963, 27.174, 20.894, 9.424),
        *(4.487, 20.126, 29.778, 30.856, 24.795, 15.819, 6.633, 1.607, 0.043, 0.033),
    ]


def test_derivative_of_a_constant_is_zero_and_windows_shorten() -> None:
    assert derivative(np.full(5, 7.0), 3).tolist() == [0.0] * 5
    assert derivative(np.array([0.0, 3.0, 6.0]), 3).tolist() == [4.5, 3.0, 0.0]
    assert derivative(np.array([4.0]), 3).tolist() == [0.0]


def test_centroids_of_g20() -> None:
    smooth = gaussian(T, FIXED_SIGMA)
    line = k_means(smooth[np.newaxis], 3, smooth.min(keepdims=True))
    assert line is not None
    assert sorted(line.centroids[:, 0].round(3).tolist()) == [2.955, 35.687, 69.343]
    slope = np.abs(gaussian(derivative(smooth, 3), FIXED_SIGMA))
    plane = k_means(np.stack((smooth, slope)), 3, np.zeros(2), pinned=True)
    assert plane is not None
    assert plane.centroids.round(3).tolist() == [[0, 0], [69.343, 18.934], [29.979, 24.956]]


@pytest.mark.parametrize(
    ("smoothing", "threshold", "line", "plane"),
    [
        ("fixed", range(7, 15), range(7, 15), range(6, 15)),
        ("literal", range(20), range(2, 20), range(20)),
    ],
)
def test_content_of_g20(smoothing: Smoothing, threshold: range, line: range, plane: range) -> None:
    assert kept(threshold_decision(T, smoothing, 1.0)) == list(threshold)
    assert kept(k_means_decision(T, smoothing, 3)) == list(line)
    assert kept(plane_decision(T, smoothing, 3, alpha=3)) == list(plane)


def test_k_means_sends_ties_to_the_lower_cluster() -> None:
    points = np.array([[0.0, 1.0, 2.0]])
    found = k_means(points, 2, np.zeros(1), pinned=True)
    assert found is not None
    assert found.labels.tolist() == [0, 0, 1]


def test_k_means_takes_no_more_clusters_than_points_differ() -> None:
    found = k_means(np.array([[1.0, 1.0, 5.0, 5.0]]), 3, np.array([1.0]))
    assert found is not None
    assert found.labels.tolist() == [0, 0, 1, 1]
    assert k_means(np.full((2, 4), 3.0), 3, np.zeros(2), pinned=True) is None


def test_a_pinned_origin_is_no_point_of_its_own() -> None:
    found = k_means(np.array([[4.0, 4.0, 9.0]]), 3, np.zeros(1), pinned=True)
    assert found is not None
    assert found.centroids.shape == (2, 1)


def test_a_pinned_cluster_may_lose_all_its_points() -> None:
    found = k_means(np.array([[8.0, 9.0, 10.0, 11.0]]), 3, np.zeros(1), pinned=True)
    assert found is not None
    assert found.centroids[0].tolist() == [0.0]
    assert 0 not in found.labels


@given(ratios, st.sampled_from([2.0, 0.5, 1024.0]))
def test_scaling_by_a_power_of_two_changes_no_selection(values: Floats, scale: float) -> None:
    for decide in (
        lambda t: threshold_decision(t, "fixed", 1.0),
        lambda t: k_means_decision(t, "fixed", 3),
        lambda t: plane_decision(t, "fixed", 3, alpha=3),
    ):
        assert kept(decide(values)) == kept(decide(values * scale))


@given(ratios, st.sampled_from(["fixed", "literal"]), st.floats(0, 3), st.floats(0, 3))
def test_a_higher_threshold_keeps_a_subset(values: Floats, smoothing: Smoothing, a: float, b: float) -> None:
    low, high = sorted((a, b))
    assert set(kept(threshold_decision(values, smoothing, high))) <= set(
        kept(threshold_decision(values, smoothing, low))
    )
    assert threshold_decision(values, smoothing, 0.0).kept.all()


@given(st.lists(st.floats(0, 3000), min_size=3, max_size=60, unique=True).map(np.array))
def test_reversed_lines_are_smoothed_in_reverse(values: Floats) -> None:
    for smooth in (
        lambda v: gaussian(v, FIXED_SIGMA),
        lambda v: gaussian(v, 7.3),
        lambda v: gaussian(v, 90.0),
    ):
        assert np.array_equal(smooth(values[::-1]), smooth(values)[::-1])
    decision = threshold_decision(values, "fixed", 1.0)
    clear = np.abs(decision.scores - (decision.threshold or 0.0)) > 1e-9
    mirrored = threshold_decision(values[::-1], "fixed", 1.0).kept[::-1]
    assert np.array_equal(decision.kept[clear], mirrored[clear])


def test_reversed_lines_are_clustered_in_reverse() -> None:
    rng = np.random.default_rng(7)
    for _ in range(40):
        values = rng.exponential(30, 80)
        forward, backward = (k_means_decision(v, "fixed", 3).kept for v in (values, values[::-1]))
        assert np.array_equal(forward, backward[::-1])


@given(ratios, st.floats(0, 1e9))
def test_smoothing_stays_finite_and_within_the_values(values: Floats, sigma: float) -> None:
    smooth = gaussian(values, sigma)
    slack = 1e-9 * values.max()
    assert np.isfinite(smooth).all()
    assert (smooth >= values.min() - slack).all()
    assert (smooth <= values.max() + slack).all()
    assert (smooth >= 0).all()


def test_a_wide_kernel_by_fourier_transform_is_the_sum_of_eq_3() -> None:
    values = np.random.default_rng(3).exponential(40, 1500)
    sigma = 410.3
    offsets = np.arange(1500)[:, np.newaxis] - np.arange(1500)
    weights = np.exp(-(offsets**2) / (2 * sigma**2)) * (np.abs(offsets) <= math.ceil(sigma))
    expected = weights @ values / weights.sum(axis=1)
    assert gaussian(values, sigma) == pytest.approx(expected, rel=1e-9)


def test_literal_smoothing_of_a_hundred_thousand_lines_is_not_quadratic() -> None:
    assert_linear(
        lambda values: plane_decision(np.frombuffer(values), "literal", 3, alpha=3),
        lambda size: np.random.default_rng(3).exponential(20000, size).tobytes(),
        25_000,
    )
