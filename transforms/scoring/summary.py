"""Means over the pages of a set, how sure they are, and the space that an extraction saves.

Intervals are by the bootstrap: pages are drawn with replacement (Efron's percentile interval). The draws
depend on the number of pages and the seed alone, so that two methods on the same pages are drawn alike.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from transforms.scoring.metrics import Agreement, harmonic_mean

RESAMPLES = 2000
LEVEL = 0.95
_BLOCK = 1 << 20  # drawn indices held at a time


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean and where it lies with 95 % confidence."""

    mean: float
    low: float
    high: float


def mean_interval(values: NDArray[np.float64], *, seed: int = 0) -> Interval:
    """Return the mean of `values`, float64 (n,), n at least 1, one a page, and its bootstrap interval."""
    generator = np.random.default_rng(seed)
    rows = max(1, _BLOCK // values.size)
    draws = (
        values[generator.integers(values.size, size=(min(rows, RESAMPLES - done), values.size))]
        for done in range(0, RESAMPLES, rows)
    )
    means = np.concatenate([drawn.mean(axis=1) for drawn in draws])
    low, high = np.quantile(means, ((1 - LEVEL) / 2, (1 + LEVEL) / 2))
    return Interval(float(values.mean()), float(low), float(high))


@dataclass(frozen=True, slots=True)
class Summary:
    """A measure over the pages of a set: means over pages.

    `f1` is the mean of the pages' F1 (that of CETR) with its bootstrap interval, `f_of_means` the harmonic
    mean of the mean precision and the mean recall (as in CETD's tables), `score` that of CleanEval.
    """

    pages: int
    precision: float
    recall: float
    f1: Interval
    f_of_means: float
    score: float


def summarise(agreements: Sequence[Agreement], *, seed: int = 0) -> Summary:
    """Mean of the agreements of at least one page; raises ValueError without a page."""
    if not agreements:
        raise ValueError("no page to take the mean of")
    table = np.array([(a.precision, a.recall, a.score) for a in agreements])
    precision, recall, score = (float(mean) for mean in table.mean(axis=0))
    return Summary(
        len(agreements),
        precision,
        recall,
        mean_interval(np.array([a.f1 for a in agreements]), seed=seed),
        harmonic_mean(precision, recall),
        score,
    )


def space_saving(text_bytes: int, html_bytes: int) -> float:
    """Share of the bytes that need not be kept: 1 - text / HTML (TTR, Table 4); 0 without HTML."""
    return 1 - text_bytes / html_bytes if html_bytes else 0.0
