"""CETR: content extraction via tag ratios (Weninger, Hsu, Han, WWW 2010).

Three methods on the ratios T of a page's lines (`lines`), smoothed to T' (`smoothing`):

    CETR-TM  threshold (section 4)          content: T'_i >= lambda std(T')
    CETR-KM  k-means on T' (section 4)      content: all clusters but the one whose centroid is nearest 0
    CETR     k-means in 2-D (section 5)     points (T'_i, |G'_i|), one centroid pinned to the origin;
                                            content: all clusters but the pinned one

with the derivative G (Eq. 4) and G' its smoothing by the same procedure:

    G_i = (1/alpha) sum_{j=1..alpha} T'_{i+j} - T'_i

The window shortens at the end of the page; the last line's G is 0. Modes of smoothing:

    fixed    Gaussian, sigma = 2 lines, radius 2
    literal  Gaussian, sigma = std of the smoothed values, radius ceil(sigma): the equations as they stand
"""

from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from cedar.transforms.extractors.extraction import Extraction
from cedar.transforms.extractors.html.characters import Floats
from cedar.transforms.extractors.lines._clustering import k_means
from cedar.transforms.extractors.lines._smoothing import derivative, standard_deviation
from cedar.transforms.extractors.lines.document import (
    Decision,
    LineOptions,
    decided,
    keep_everything,
    read_document,
)
from cedar.transforms.extractors.lines.smoothing import adaptive_gaussian, fixed_gaussian
from cedar.transforms.extractors.options import About

Smoothing = Literal["fixed", "literal"]
SmoothingOption = Annotated[Smoothing, About("how ratios are smoothed")]


@dataclass(frozen=True, slots=True, kw_only=True)
class ThresholdOptions(LineOptions):
    """Options of `cetr-tm`."""

    smoothing: SmoothingOption = "fixed"
    threshold_factor: Annotated[
        float, About("the paper's lambda: threshold / std of smoothed ratios", minimum=0, alias="lambda")
    ] = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class KMeansOptions(LineOptions):
    """Options of `cetr-km`."""

    smoothing: SmoothingOption = "fixed"
    k: Annotated[int, About("number of clusters", minimum=2, maximum=64)] = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class CetrOptions(KMeansOptions):
    """Options of `cetr`."""

    alpha: Annotated[int, About("lines that the derivative looks ahead (Eq. 4)", minimum=1, maximum=64)] = 3


_ORIGIN = np.zeros(2)


def cetr_tm(html: bytes, options: ThresholdOptions) -> Extraction:
    """CETR-TM on a page of valid UTF-8."""
    document = read_document(html, options)
    return decided(document, lambda t: threshold_decision(t, options.smoothing, options.threshold_factor))


def cetr_km(html: bytes, options: KMeansOptions) -> Extraction:
    """CETR-KM on a page of valid UTF-8."""
    document = read_document(html, options)
    return decided(document, lambda t: k_means_decision(t, options.smoothing, options.k))


def cetr(html: bytes, options: CetrOptions) -> Extraction:
    """CETR, in two dimensions, on a page of valid UTF-8."""
    document = read_document(html, options)
    return decided(document, lambda t: plane_decision(t, options.smoothing, options.k, alpha=options.alpha))


def threshold_decision(ratios: Floats, smoothing: Smoothing, threshold_factor: float) -> Decision:
    """CETR-TM: the lines with T'_i >= lambda std(T'); `ratios` are T, float64 (n,)."""
    smooth = _smoothed(ratios, smoothing)
    threshold = threshold_factor * standard_deviation(smooth)
    return Decision(smooth >= threshold, smooth, threshold)


def k_means_decision(ratios: Floats, smoothing: Smoothing, k: int) -> Decision:
    """CETR-KM: the lines outside of the cluster whose centroid is nearest 0; `ratios` are T, float64 (n,)."""
    smooth = _smoothed(ratios, smoothing)
    clusters = k_means(smooth[np.newaxis], k, smooth.min(keepdims=True))
    if clusters is None:
        return keep_everything(smooth)
    return Decision(clusters.labels != clusters.centroids[:, 0].argmin(), smooth, None)


def plane_decision(ratios: Floats, smoothing: Smoothing, k: int, *, alpha: int) -> Decision:
    """CETR: the lines outside of the cluster that is pinned to the origin; `ratios` are T, float64 (n,)."""
    smooth = _smoothed(ratios, smoothing)
    slope = absolute_slope(smooth, smoothing, alpha)
    clusters = k_means(np.array((smooth, slope)), k, _ORIGIN, pinned=True)
    return keep_everything(smooth) if clusters is None else Decision(clusters.labels != 0, smooth, None)


def absolute_slope(smooth: Floats, smoothing: Smoothing, alpha: int) -> Floats:
    """Return |G'| of T' (`smooth`). float64 (n,)."""
    return np.abs(_smoothed(derivative(smooth, alpha), smoothing))


def _smoothed(ratios: Floats, smoothing: Smoothing) -> Floats:
    return fixed_gaussian(ratios) if smoothing == "fixed" else adaptive_gaussian(ratios)
