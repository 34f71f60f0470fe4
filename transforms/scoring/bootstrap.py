"""How sure a mean over pages is: intervals by the bootstrap, with a seed.

Pages are drawn with replacement (Efron's percentile interval). The draws depend on the number of pages and
the seed alone, so that two methods on the same pages are drawn alike.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

RESAMPLES = 2000
LEVEL = 0.95
_BLOCK = 1 << 20  # drawn indices held at a time


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean and where it lies with 95 % confidence."""

    mean: float
    low: float
    high: float


def mean_interval(values: NDArray[np.float64], *, seed: int = 0, resamples: int = RESAMPLES) -> Interval:
    """Return the mean of `values` and its bootstrap interval.

    Args:
        values: float64 (n,), n at least 1: one number a page.
        seed: of the draws.
        resamples: number of draws.
    """
    generator = np.random.default_rng(seed)
    rows = max(1, _BLOCK // values.size)
    means = np.concatenate(
        [
            values[generator.integers(values.size, size=(min(rows, resamples - done), values.size))].mean(
                axis=1
            )
            for done in range(0, resamples, rows)
        ]
    )
    low, high = np.quantile(means, ((1 - LEVEL) / 2, (1 + LEVEL) / 2))
    return Interval(float(values.mean()), float(low), float(high))


def paired_difference(
    a: NDArray[np.float64], b: NDArray[np.float64], *, seed: int = 0, resamples: int = RESAMPLES
) -> Interval:
    """Return the mean of a - b over the same pages and its bootstrap interval.

    Args:
        a: float64 (n,), one method's numbers, n at least 1.
        b: float64 (n,), the other's on the same pages.
        seed: of the draws.
        resamples: number of draws.
    """
    return mean_interval(a - b, seed=seed, resamples=resamples)
