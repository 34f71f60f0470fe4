"""Means over the pages of a set, and the space that an extraction saves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from transforms.scoring.agreement import Agreement, harmonic_mean
from transforms.scoring.bootstrap import Interval, mean_interval


@dataclass(frozen=True, slots=True)
class Summary:
    """A measure over the pages of a set.

    Attributes:
        pages: number of pages.
        precision: mean over pages.
        recall: mean over pages.
        f1: mean of the pages' F1 with its bootstrap interval (the mean of CETR).
        f_of_means: harmonic mean of the mean precision and the mean recall (as CETD's tables have it).
        score: mean of the pages' CleanEval scores.
    """

    pages: int
    precision: float
    recall: float
    f1: Interval
    f_of_means: float
    score: float


def summarise(agreements: Sequence[Agreement], *, seed: int = 0) -> Summary:
    """Mean of the agreements of at least one page.

    Raises:
        ValueError: there is no page.
    """
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
