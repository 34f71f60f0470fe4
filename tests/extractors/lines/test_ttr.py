"""TTR's five methods and the mixture of Gaussians behind one of them."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cedar import extract
from cedar.transforms.extractors.html.characters import Floats
from cedar.transforms.extractors.lines import mixture
from cedar.transforms.extractors.lines._smoothing import moving_mean, standard_deviation
from cedar.transforms.extractors.lines.document import Decision
from cedar.transforms.extractors.lines.ttr import (
    Clusters,
    cluster_decision,
    farthest_first_clusters,
    k_means_clusters,
    mixture_clusters,
    prediction_decision,
    threshold_decision,
)
from tests.extractors.samples import G20, PAGE_W, paragraphs, pieces
from tests.extractors.tree_samples import PAGE_W2

T = np.array(G20, float)
E = moving_mean(T, 2)
METHODS = ("ttr-t", "ttr-km", "ttr-em", "ttr-ff", "ttr-p")
CLUSTERINGS = (k_means_clusters, mixture_clusters, farthest_first_clusters)
Clustering = Callable[[Floats, int], Clusters]

ratios = st.lists(
    st.builds(lambda x, y: x / y, st.integers(0, 3000), st.integers(1, 40)) | st.just(0.0),
    min_size=2,
    max_size=60,
).map(lambda values: np.array(values, float))


def kept(decision: Decision) -> list[int]:
    return np.flatnonzero(decision.kept).tolist()


def by_clusters(values: Floats, cluster: Clustering, *, max_clusters: int = 3) -> Decision:
    return cluster_decision(values, cluster, 1.0, max_clusters=max_clusters)


def test_threshold_on_g20() -> None:
    decision = threshold_decision(T, 1.0)
    assert decision.threshold == pytest.approx(28.210504, rel=1e-7)
    assert decision.scores.round(3).tolist() == [
        *(0.667, 1.25, 1.2, 1.2, 1.2, 1.2, 16.6, 35.4, 35.4, 59, 81, 79, 60, 60.4, 36.6, 14.6, 1.2, 1.2, 1, 1)
    ]
    assert kept(decision) == list(range(7, 15))


@pytest.mark.parametrize(
    ("cluster", "means"),
    [
        (k_means_clusters, [3.5264, 67.88, 35.8]),
        (mixture_clusters, [3.5264, 67.8605, 35.7997]),
        (farthest_first_clusters, [3.5264, 67.88, 35.8]),
    ],
)
def test_three_clusters_of_g20_have_the_most_above_its_deviation(
    cluster: Clustering, means: list[float]
) -> None:
    assert cluster(E, 3).means.round(4).tolist() == means
    hits = [int((cluster(E, count).means > standard_deviation(E)).sum()) for count in (2, 3)]
    assert E.mean() < standard_deviation(E)
    assert hits == [1, 2]
    assert kept(by_clusters(T, cluster)) == list(range(7, 15))


def test_farthest_first_centres_of_g20() -> None:
    labels = farthest_first_clusters(E, 3).labels
    assert [int(labels[int(np.abs(E - centre).argmin())]) for centre in (0.667, 81, 36.6)] == [0, 1, 2]


def test_prediction_on_g20() -> None:
    decision = prediction_decision(T, 1.0, 3)
    assert decision.threshold == pytest.approx(41.773766, rel=1e-7)
    assert kept(decision) == [8, 9, 10, 11]


@pytest.mark.parametrize(
    ("method", "on_w", "on_w2"),
    [
        ("ttr-t", range(3, 10), range(3, 10)),
        ("ttr-km", range(3, 10), range(3, 10)),
        ("ttr-em", range(3, 10), range(3, 10)),
        ("ttr-ff", range(3, 10), range(3, 10)),
        ("ttr-p", (5, 7), (5,)),
    ],
)
def test_content_of_page_w_and_w2(method: str, on_w: range, on_w2: range) -> None:
    for page, expected in ((PAGE_W, on_w), (PAGE_W2, on_w2)):
        blocks = extract(page, method).blocks
        assert [i for i, block in enumerate(blocks) if block.kept] == list(expected)


def test_numbers_of_page_w() -> None:
    result = extract(PAGE_W, "ttr-t")
    assert result.metrics.threshold == pytest.approx(8.870035, rel=1e-7)
    assert [block.score for block in result.blocks] == pytest.approx(
        [0.75, 0.7875, 2.03, 10.38, 14.58, 23.68, 24.067, 22.667, 17.333, 16.111], abs=5e-4
    )
    assert extract(PAGE_W, "ttr-p").metrics.threshold == pytest.approx(17.278128, rel=1e-7)
    assert [b.score for b in extract(PAGE_W, "ttr-p").blocks[:4]] == [2.25, 0, 0, 0.9]


def test_of_equally_many_clusters_above_the_deviation_the_fewer_are_taken() -> None:
    values = np.array([0.0] * 6 + [10.0] * 6 + [12.0] * 6)

    def cluster(means: list[float]) -> Clustering:
        return lambda smooth, count: Clusters(np.arange(smooth.size) * count // smooth.size, np.array(means))

    assert 0 < standard_deviation(moving_mean(values, 2)) < 5 < values.mean()
    assert by_clusters(values, cluster([0.0, 9.0]), max_clusters=2).kept.all()
    assert kept(by_clusters(values, cluster([0.0, 9.0, 9.0]), max_clusters=3)) == list(range(6, 18))
    # A cluster without lines is none.
    empty = Clusters(np.zeros(18, np.intp), np.array([9.0, 9.0]))
    assert by_clusters(values, lambda *_: empty, max_clusters=2).kept.all()


def test_where_no_cluster_is_above_the_deviation_the_threshold_decides() -> None:
    values = np.array([0.0] * 40 + [300.0] + [0.0] * 40)

    def one(smooth: Floats, _: int) -> Clusters:
        return Clusters(np.zeros(smooth.size, np.intp), smooth.mean(keepdims=True))

    assert by_clusters(values, one).kept.tolist() == threshold_decision(values, 1.0).kept.tolist()
    assert kept(by_clusters(values, one)) == list(range(38, 43))


def plain_prediction(values: list[float], height: float, window: int) -> list[int]:
    inside, content = False, []
    for k, value in enumerate(values):
        before, behind = values[max(0, k - window) : k], values[k + 1 : k + 1 + window]
        inside = inside or (k > 0 and value - sum(before) / len(before) >= height)
        if inside:
            content.append(k)
        inside = inside and not (behind and value - sum(behind) / len(behind) >= height)
    return content


@given(
    st.lists(st.integers(0, 50).map(lambda v: v * 6.0), min_size=2, max_size=50),
    st.integers(1, 3),
    st.sampled_from([0.25, 0.5, 1.0]),
)
def test_prediction_is_the_walk_from_line_to_line(values: list[float], window: int, factor: float) -> None:
    decision = prediction_decision(np.array(values), factor, window)
    height = decision.threshold
    assert height is not None
    assert kept(decision) == plain_prediction(values, height, window)


def test_prediction_cannot_begin_with_the_first_line_and_keeps_the_one_that_ends_it() -> None:
    assert kept(prediction_decision(np.array([90.0, 0, 0, 0, 90, 0, 0, 0]), 1.0, 3)) == [4]
    assert kept(prediction_decision(np.array([0.0, 0, 0, 90, 90, 90]), 1.0, 3)) == [3, 4, 5]


def plain_em(points: list[float], labels: list[int]) -> tuple[list[int], list[float]]:
    """EM for Gaussians by its definition, point by point."""
    size, clusters = len(points), range(max(labels) + 1)
    belongs = [[float(label == c) for c in clusters] for label in labels]
    means, deviations, likelihood = [0.0 for _ in clusters], [0.0 for _ in clusters], -math.inf
    for _ in range(100):
        weights = []
        for c in clusters:
            mass = sum(row[c] for row in belongs)
            weights.append(mass / size)
            if mass > 0:
                means[c] = sum(row[c] * x for row, x in zip(belongs, points, strict=True)) / mass
                square = sum(row[c] * (x - means[c]) ** 2 for row, x in zip(belongs, points, strict=True))
                deviations[c] = max(math.sqrt(square / mass), 1e-6)
        total = 0.0
        for i, x in enumerate(points):
            logs = [
                math.log(max(weights[c], 1e-300))
                - math.log(deviations[c])
                - (x - means[c]) ** 2 / (2 * deviations[c] ** 2)
                for c in clusters
            ]
            highest = max(logs)
            shares = [math.exp(value - highest) for value in logs]
            belongs[i] = [share / sum(shares) for share in shares]
            total += highest + math.log(sum(shares))
        previous, likelihood = likelihood, total / size
        if likelihood - previous < 1e-6:
            break
    return [row.index(max(row)) for row in belongs], means


def test_mixture_is_that_of_the_definition() -> None:
    random = np.random.default_rng(5)
    for size in (5, 12, 40, 90):
        for count in (2, 3):
            values = np.concatenate((random.exponential(4, size), random.normal(60, 15, size // 2)))
            begin = k_means_clusters(values, count).labels
            found = mixture.fit(values, begin)
            labels, means = plain_em(values.tolist(), begin.tolist())
            assert found.means == pytest.approx(means, rel=1e-6)
            assert found.labels.tolist() == labels
            assert found.weights.sum() == pytest.approx(1.0)


@given(ratios, st.integers(2, 4))
def test_mixtures_are_finite_and_treat_equal_points_alike(values: Floats, count: int) -> None:
    found = mixture_clusters(values, count)
    assert np.isfinite(found.means).all()
    assert ((found.labels >= 0) & (found.labels < found.means.size)).all()
    for value in np.unique(values):
        assert np.unique(found.labels[values == value]).size == 1


def test_a_component_of_equal_points_keeps_a_deviation() -> None:
    found = mixture.fit(np.array([0.0, 0.0, 5.0, 5.0]), np.array([0, 0, 1, 1]))
    assert found.deviations.tolist() == [mixture.MIN_DEVIATION] * 2
    assert found.means.tolist() == [0.0, 5.0]
    assert found.weights.tolist() == [0.5, 0.5]


@pytest.mark.parametrize("cluster", CLUSTERINGS)
def test_no_more_clusters_than_values_differ(cluster: Clustering) -> None:
    found = cluster(np.array([1.0, 1.0, 5.0, 5.0]), 3)
    assert found.labels.tolist() == [0, 0, 1, 1]
    assert found.means.tolist() == [1.0, 5.0]
    assert cluster(np.full(4, 3.0), 3).means.tolist() == [3.0]


@given(ratios, st.sampled_from([2.0, 0.5, 1024.0]))
def test_scaling_by_a_power_of_two_changes_no_selection(values: Floats, scale: float) -> None:
    for decide in (
        lambda t: threshold_decision(t, 1.0),
        lambda t: by_clusters(t, k_means_clusters),
        lambda t: by_clusters(t, farthest_first_clusters),
        lambda t: prediction_decision(t, 1.0, 3),
    ):
        assert kept(decide(values)) == kept(decide(values * scale))


@given(ratios, st.floats(0, 3), st.floats(0, 3))
def test_a_higher_threshold_keeps_a_subset(values: Floats, a: float, b: float) -> None:
    low, high = (set(kept(threshold_decision(values, factor))) for factor in sorted((a, b)))
    assert high <= low
    assert threshold_decision(values, 0.0).kept.all()


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("", ""),
        ("x", "x"),
        ("<p></p>", ""),
        ("no tag here\n\nnor here", "no tag here\nnor here"),
        ("<p>one line</p>", "one line"),
        ("<p>same</p>\n<i>four</i>", "same\nfour"),
    ],
)
def test_pages_on_which_ratios_tell_nothing_are_kept(method: str, page: str, text: str) -> None:
    result = extract(page, method)
    assert result.text == text
    assert result.metrics.threshold is None


@pytest.mark.parametrize("method", METHODS[:4])
def test_two_lines_whose_mean_is_one_are_kept(method: str) -> None:
    assert extract("<p>a</p>\n<p>" + "b" * 40 + "</p>", method).text == "a\n" + "b" * 40


@given(pieces, st.sampled_from(METHODS), st.sampled_from(["raw", "decoded"]))
def test_output_is_kept_lines(page: str, method: str, chars: str) -> None:
    page = page.encode(errors="replace").decode()
    result = extract(page, method, chars=chars)
    everything = iter("".join(block.text for block in result.blocks).replace(" ", ""))
    assert all(character in everything for character in "".join(result.text.split()))
    assert result.metrics.content_lines == sum(block.kept for block in result.blocks)
    assert all(math.isfinite(block.score) for block in result.blocks)
    assert extract(page, method, chars=chars) == result


@given(paragraphs, st.sampled_from(METHODS))
def test_comments_scripts_styles_and_blank_lines_change_nothing(lines: list[str], method: str) -> None:
    noise = ["<!-- <p> -->", "", "<script>a<b</script>", "<style>\np{}\n</style>", "\n  \t"]
    noisy = "\n".join(line + noise[i % len(noise)] for i, line in enumerate(lines))
    assert extract(noisy, method).text == extract("\n".join(lines), method).text


def test_a_hundred_thousand_lines() -> None:
    values = moving_mean(np.random.default_rng(3).exponential(20, 100_000), 2)
    began = time.process_time()
    for cluster in CLUSTERINGS:
        by_clusters(values, cluster)
    prediction_decision(values, 1.0, 3)
    assert time.process_time() - began < 8
