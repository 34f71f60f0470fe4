"""The worked numbers of CETR on the array G20 and on pages W and W2, as far as no other test has them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from cedar import extract
from cedar.transforms.extractors.html.characters import Floats
from cedar.transforms.extractors.lines._clustering import k_means
from cedar.transforms.extractors.lines._smoothing import derivative
from cedar.transforms.extractors.lines.cetr import (
    Smoothing,
    k_means_decision,
    plane_decision,
    threshold_decision,
)
from cedar.transforms.extractors.lines.document import LineOptions, read_document
from cedar.transforms.extractors.lines.smoothing import FIXED_SIGMA, adaptive_gaussian, gaussian
from tests.extractors.samples import G20, PAGE_W
from tests.extractors.tree_samples import PAGE_W2

T = np.array(G20, float)
W = read_document(PAGE_W.encode(), LineOptions())
W2 = read_document(PAGE_W2.encode(), LineOptions())


def slope_of(smooth: Floats) -> Floats:
    return np.abs(gaussian(derivative(smooth, 3), FIXED_SIGMA))


def test_characters_and_tags_of_page_w() -> None:
    assert W.lines.table[:, 2].tolist() == [9, 0, 0, 9, 14, 88, 42, 91, 17, 0]
    assert W.lines.table[:, 3].tolist() == [4, 1, 1, 10, 2, 2, 2, 2, 6, 2]
    assert W2.lines.table[:, 2].tolist() == W.lines.table[:, 2].tolist()
    assert W2.lines.table[:, 3].tolist() == [4, 1, 1, 10, 3, 2, 2, 3, 6, 2]


def test_derivative_of_page_w() -> None:
    assert slope_of(gaussian(W.ratios, FIXED_SIGMA)).round(3).tolist() == [
        *(7.267, 9.131, 10.191, 9.585, 5.764, 0.257, 4.003, 5.664, 5.374, 3.796)
    ]


def test_centroids_of_page_w() -> None:
    smooth = gaussian(W.ratios, FIXED_SIGMA)
    line = k_means(smooth[np.newaxis], 3, smooth.min(keepdims=True))
    assert line is not None
    assert np.sort(line.centroids[:, 0]).round(3).tolist() == [1.088, 13.007, 24.804]
    plane = k_means(np.stack((smooth, slope_of(smooth))), 3, np.zeros(2), pinned=True)
    assert plane is not None
    assert plane.centroids.round(3).tolist() == [[0, 0], [24.804, 3.308], [9.065, 7.307]]


def test_ratios_and_smoothing_of_page_w2() -> None:
    smooth = gaussian(W2.ratios, FIXED_SIGMA)
    assert smooth.round(3).tolist() == [
        *(0.904, 0.751, 1.254, 7.97, 14.336, 21.517, 22.913, 19.621, 12.558, 8.396)
    ]
    assert slope_of(smooth).round(3).tolist() == [
        *(6.745, 8.326, 8.948, 8.041, 4.246, 0.942, 4.653, 5.785, 5.317, 3.704)
    ]


@pytest.mark.parametrize(
    ("method", "smoothing", "on_w", "on_w2"),
    [
        ("cetr-tm", "fixed", range(4, 10), range(4, 10)),
        ("cetr-km", "fixed", range(3, 10), range(3, 10)),
        ("cetr", "fixed", range(1, 10), range(10)),
        ("cetr-tm", "literal", range(1, 10), range(1, 10)),
        ("cetr-km", "literal", range(1, 10), range(1, 10)),
        ("cetr", "literal", range(1, 10), range(1, 10)),
        ("keep-all", None, range(10), range(10)),
    ],
)
def test_content_of_page_w_and_w2(method: str, smoothing: str | None, on_w: range, on_w2: range) -> None:
    options = {"smoothing": smoothing} if smoothing else {}
    for page, expected in ((PAGE_W, on_w), (PAGE_W2, on_w2)):
        blocks = extract(page, method, **options).blocks
        assert [i for i, block in enumerate(blocks) if block.kept] == list(expected)


def test_fixed_kernel() -> None:
    weights = [math.exp(-1 / 2), math.exp(-1 / 8), 1.0, math.exp(-1 / 8), math.exp(-1 / 2)]
    assert sum(weights) == pytest.approx(3.978055, rel=1e-6)
    impulse = np.zeros(9)
    impulse[4] = 1.0
    assert gaussian(impulse, FIXED_SIGMA)[2:7] == pytest.approx(np.array(weights) / sum(weights))
    assert T.mean() == 24.45


def test_the_literal_radius_is_capped_at_half_of_g20() -> None:
    # sigma is 41.8; the capped kernel is so flat that the mean over ten to nineteen lines is near.
    smooth = adaptive_gaussian(T)
    near = [T[max(0, i - 9) : i + 10].mean() for i in range(20)]
    assert smooth == pytest.approx(near, rel=0.02)


def selections(values: Floats, smoothing: Smoothing) -> list[list[bool]]:
    decisions = (
        threshold_decision(values, smoothing, 1.0),
        k_means_decision(values, smoothing, 3),
        plane_decision(values, smoothing, 3, alpha=3),
    )
    return [decision.kept.tolist() for decision in decisions]


def test_scaling_may_change_selections_of_the_literal_mode_alone() -> None:
    random = np.random.default_rng(1)
    arrays = [random.exponential(8, 40) * (random.random(40) < 0.4) for _ in range(60)]
    assert any(selections(values, "literal") != selections(2 * values, "literal") for values in arrays)
    assert all(selections(values, "fixed") == selections(2 * values, "fixed") for values in arrays)
