"""TTR: text extraction via text-to-tag ratio (Weninger, Hsu: DEXA workshops 2008).

Five methods on the ratios T of a page's lines (`lines`). Four look at their moving mean of radius 2,

    e_k = (1 / 5) sum_{i=k-2..k+2} T_i    (Eq. 1; at the ends the mean of those that exist):

    TTR-T   threshold              content: e_k >= lambda std(e)
    TTR-KM  k-means                each is run for c = 1, 2, 3 clusters; h_c is the number of clusters whose
    TTR-EM  mixture of Gaussians   mean is above std(e); the c of the largest h_c is chosen, of equal ones
    TTR-FF  farthest first         the lowest; content: the lines of its clusters above std(e)

If no cluster of any run is above std(e), which the paper does not provide for, TTR-T decides. The paper ran
Weka's programs, which begin at random; here k-means and farthest first begin with the lowest value, and EM
with the clusters of k-means. The mean of a cluster of EM is its Gaussian's.

    TTR-P   prediction             on T itself, with s = std(T), line by line: content begins at a line that
                                   is s or more above the mean of the 3 before it, and ends with a line that
                                   is s or more above the mean of the 3 after it

The first line cannot begin content; the line that ends it is still content.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from cedar.transforms.extractors.extraction import Extraction
from cedar.transforms.extractors.html.characters import Floats
from cedar.transforms.extractors.lines import mixture
from cedar.transforms.extractors.lines._clustering import farthest_first, k_means
from cedar.transforms.extractors.lines._smoothing import derivative, moving_mean, standard_deviation
from cedar.transforms.extractors.lines.document import Decision, LineOptions, decided, read_document
from cedar.transforms.extractors.options import About

RADIUS = 2
"""Radius of the moving mean, in lines."""

_FactorOption = Annotated[
    float, About("the paper's lambda: threshold / standard deviation", minimum=0, alias="lambda")
]


@dataclass(frozen=True, slots=True)
class Clusters:
    """Clusters of n values: the label of each, intp (n,) in [0, c), and their means, float64 (c,)."""

    labels: NDArray[np.intp]
    means: Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class TtrThresholdOptions(LineOptions):
    """Options of `ttr-t`."""

    threshold_factor: _FactorOption = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterOptions(TtrThresholdOptions):
    """Options of `ttr-km`, `ttr-em` and `ttr-ff`."""

    max_clusters: Annotated[
        int, About("runs are made for 1 to this many clusters", minimum=1, maximum=64)
    ] = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class PredictionOptions(LineOptions):
    """Options of `ttr-p`."""

    threshold_factor: _FactorOption = 1.0
    window: Annotated[int, About("lines before and after that are looked at", minimum=1, maximum=64)] = 3


def ttr_t(html: bytes, options: TtrThresholdOptions) -> Extraction:
    """TTR-T on a page of valid UTF-8."""
    document = read_document(html, options)
    return decided(document, lambda t: threshold_decision(t, options.threshold_factor))


def ttr_km(html: bytes, options: ClusterOptions) -> Extraction:
    """TTR-KM on a page of valid UTF-8."""
    return _by_clusters(html, options, k_means_clusters)


def ttr_em(html: bytes, options: ClusterOptions) -> Extraction:
    """TTR-EM on a page of valid UTF-8."""
    return _by_clusters(html, options, mixture_clusters)


def ttr_ff(html: bytes, options: ClusterOptions) -> Extraction:
    """TTR-FF on a page of valid UTF-8."""
    return _by_clusters(html, options, farthest_first_clusters)


def ttr_p(html: bytes, options: PredictionOptions) -> Extraction:
    """TTR-P on a page of valid UTF-8; a line's score is T_i."""
    document = read_document(html, options)
    return decided(document, lambda t: prediction_decision(t, options.threshold_factor, options.window))


def _by_clusters(
    html: bytes, options: ClusterOptions, cluster: Callable[[Floats, int], Clusters]
) -> Extraction:
    document = read_document(html, options)
    return decided(
        document,
        lambda t: cluster_decision(t, cluster, options.threshold_factor, max_clusters=options.max_clusters),
    )


def threshold_decision(ratios: Floats, threshold_factor: float) -> Decision:
    """TTR-T: the lines with e_k >= lambda std(e); `ratios` are T, float64 (n,)."""
    smooth = moving_mean(ratios, RADIUS)
    threshold = threshold_factor * standard_deviation(smooth)
    return Decision(smooth >= threshold, smooth, threshold)


def cluster_decision(
    ratios: Floats,
    cluster: Callable[[Floats, int], Clusters],
    threshold_factor: float,
    *,
    max_clusters: int,
) -> Decision:
    """TTR-KM, TTR-EM, TTR-FF: the lines of the clusters above lambda std(e), of the run with most of them."""
    smooth = moving_mean(ratios, RADIUS)
    threshold = threshold_factor * standard_deviation(smooth)
    kept, hits = np.zeros(smooth.size, bool), 0
    for count in range(1, max_clusters + 1):
        found = cluster(smooth, count) if count > 1 else _one_cluster(smooth)
        above = found.means > threshold
        above &= np.bincount(found.labels, minlength=above.size) > 0
        if np.count_nonzero(above) > hits:
            kept, hits = above[found.labels], int(np.count_nonzero(above))
    if not hits:
        return threshold_decision(ratios, threshold_factor)
    return Decision(kept, smooth, threshold)


def _one_cluster(values: Floats) -> Clusters:
    return Clusters(np.zeros(values.size, np.intp), values.mean(keepdims=True))


def k_means_clusters(values: Floats, count: int) -> Clusters:
    """Clusters of float64 (n,) by k-means; see `_clustering.k_means`."""
    found = k_means(values[np.newaxis], count, values.min(keepdims=True))
    return Clusters(found.labels, found.centroids[:, 0]) if found else _one_cluster(values)


def mixture_clusters(values: Floats, count: int) -> Clusters:
    """Clusters of float64 (n,) by a mixture of Gaussians that begins with k-means; see `mixture.fit`."""
    begin = k_means_clusters(values, count)
    found = mixture.fit(values, np.unique(begin.labels, return_inverse=True)[1])
    return Clusters(found.labels, found.means)


def farthest_first_clusters(values: Floats, count: int) -> Clusters:
    """Clusters of float64 (n,) around farthest-first centres, which stay; means are the members'."""
    found = farthest_first(values[np.newaxis], count, values.min(keepdims=True))
    if found is None:
        return _one_cluster(values)
    sums = np.bincount(found.labels, values, len(found.centroids))
    return Clusters(found.labels, sums / np.bincount(found.labels))


def prediction_decision(ratios: Floats, threshold_factor: float, window: int) -> Decision:
    """TTR-P: the lines from each jump of lambda std(T) over a window through the next drop; T is (n,)."""
    height = threshold_factor * standard_deviation(ratios)
    jumps = -derivative(ratios[::-1], window)[::-1] >= height
    jumps[:1] = False
    drops = -derivative(ratios, window) >= height
    # A line is content if the last jump up to it is after the last drop before it.
    rows = np.arange(ratios.size)
    last_jump = np.maximum.accumulate(np.where(jumps, rows, -1))
    last_drop = np.full(ratios.size, -1)
    last_drop[1:] = np.maximum.accumulate(np.where(drops, rows, -1))[:-1]
    return Decision(last_jump > last_drop, ratios, height)
