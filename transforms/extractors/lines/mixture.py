"""Mixtures of Gaussians in one dimension by expectation maximisation (Dempster, Laird, Rubin 1977)."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cedar.transforms.extractors.html._libm import exp, log
from cedar.transforms.extractors.html.characters import Floats

MAX_ITERATIONS = 100
"""Iterations after which EM stops even if the likelihood still grows."""

MIN_DEVIATION = 1e-6
"""Smallest standard deviation of a component."""

MIN_GAIN = 1e-6
"""EM stops when an iteration adds less than this to the mean log-likelihood of a point."""


_NOTHING = 1e-300  # stands for a weight of 0, whose logarithm is not finite


@dataclass(frozen=True, slots=True)
class Mixture:
    """A mixture of c Gaussians over n points.

    `labels`, intp (n,), is the component that most probably made each point, of equals the first. Standard
    deviations are at least `MIN_DEVIATION`; the sum of weights is 1. Means and these are float64 (c,).
    """

    labels: NDArray[np.intp]
    means: Floats
    deviations: Floats
    weights: Floats


def fit(points: Floats, labels: NDArray[np.intp]) -> Mixture:
    """Fit a mixture to points, float64 (n,), beginning with the components that a clustering describes.

    Each of the n >= 1 points has a label in [0, c), none of these is empty, and equal points share one. A
    component that loses all its points continues with its last mean and deviation, and weight 0.
    """
    # Equal points go together: most lines of a page have the ratio of others.
    values, first, rows, repeats = np.unique(
        points, return_index=True, return_inverse=True, return_counts=True
    )
    counts = repeats.astype(np.float64)
    counted = counts * values
    belongs = np.equal.outer(np.arange(labels.max() + 1), labels[first]).astype(np.float64)
    means = deviations = np.zeros(len(belongs))
    likelihood = -math.inf
    for _ in range(MAX_ITERATIONS):
        # Maximisation: each component's share, mean and deviation, its points weighted by `belongs`.
        masses = _row_sums(belongs, counts)
        means = _weighted_means(_row_sums(belongs, counted), masses, means)
        distances = values - means[:, np.newaxis]
        distances *= distances
        belongs *= distances
        spread = _weighted_means(_row_sums(belongs, counts), masses, deviations * deviations)
        deviations = np.maximum(np.sqrt(spread), MIN_DEVIATION)
        weights = masses / points.size
        # Expectation: log of weight times density, a constant factor left out, and from it `belongs`.
        distances *= (-0.5 / (deviations * deviations))[:, np.newaxis]
        distances += (log(np.maximum(weights, _NOTHING)) - log(deviations))[:, np.newaxis]
        highest = distances.max(axis=0)
        distances -= highest
        belongs = exp(distances.ravel()).reshape(distances.shape)
        total = belongs.sum(axis=0)
        belongs /= total
        previous, likelihood = likelihood, float((counts * (highest + log(total))).sum()) / points.size
        if likelihood - previous < MIN_GAIN:
            break
    return Mixture(belongs.argmax(axis=0)[rows], means, deviations, weights)


def _row_sums(rows: Floats, factors: Floats) -> Floats:
    """Sum over each row, float64 (c, n), times factors (n,); float64 (c,).

    Not a matrix product: BLAS's may differ in the last bit with the number of threads.
    """
    sums: Floats = np.einsum("cn,n->c", rows, factors)
    return sums


def _weighted_means(sums: Floats, masses: Floats, otherwise: Floats) -> Floats:
    """`sums` / `masses`, or `otherwise` where a mass is 0; float64 (c,) each."""
    return np.divide(sums, masses, out=otherwise.copy(), where=masses > 0.0)
