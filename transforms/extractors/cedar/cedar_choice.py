"""Which blocks to keep: the set of the greatest expected F1, or, on a page of one text, the likely ones.

For blocks of w words that are content with probability p, a set K has the expected F1 of about
2 sum_K p w / (sum_K w + sum p w). The best set holds the k likeliest blocks for some k: a block joins as
long as its p is above half of the F1 without it (Ye et al., "Optimizing F-measures", ICML 2012). So a page
of which little is sure keeps what is doubtful; an article or a product does not.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from transforms.compiled import compiled
from transforms.extractors.cedar.cedar_model import UNIT
from transforms.extractors.html.characters import Flags, Offsets


@dataclass(frozen=True, slots=True)
class Choice:
    """What was chosen.

    Attributes:
        kept: bool (n,), the blocks that stay.
        threshold: the score, in log-odds, of the least likely block that stays; None where none does.
        confidence: the F1 to expect, as learned from pages of known text, in [0, 1].
    """

    kept: Flags
    threshold: float | None
    confidence: float


def choose(scores: Offsets, units: Offsets, *, likely: bool, calibration: NDArray[np.float64]) -> Choice:
    """Chooses blocks.

    Args:
        scores: int64 (n,), log-odds in ten-thousandths; n is one or more.
        units: int64 (n,), their words.
        likely: keep the blocks that are likelier content than not, if there are any.
        calibration: float64 (k, 2), as in `cedar_model.Table`.
    """
    kept, last, expected = _chosen(scores, units, likely, STEPS)
    confidence = np.interp(expected, calibration[:, 0], calibration[:, 1])
    return Choice(kept, last / UNIT, float(confidence))


@compiled
def _chosen(scores: Offsets, units: Offsets, likely: bool, steps: Offsets) -> tuple[Flags, int, float]:
    """The blocks that stay, the score of the least likely of them, and the F1 to expect, as it comes."""
    words = np.maximum(units, 1)
    order = np.argsort(-scores, kind="stable")
    hits = np.cumsum((likelihood(scores, steps) * words)[order])
    expected = 2 * hits / (1000 * np.cumsum(words[order]) + max(int(hits[-1]), 1))
    count = int(np.count_nonzero(scores > 0)) if likely else 0
    count = count or int(expected.argmax()) + 1
    kept = np.zeros(scores.size, bool)
    kept[order[:count]] = True
    return kept, int(scores[order[count - 1]]), float(expected[count - 1])


def likelihood(scores: Offsets, steps: Offsets) -> Offsets:
    """Probabilities of scores, in whole thousandths: int64 (n,).

    Args:
        scores: int64 (n,), log-odds in ten-thousandths.
        steps: `STEPS`.
    """
    return steps.searchsorted(scores, "right")


def _steps() -> Offsets:
    """The least score of each likelihood from one thousandth to all."""
    thousandths = np.arange(1, 1001)
    low, high = np.full(1000, -_SURE * UNIT), np.full(1000, _SURE * UNIT)
    while (low < high).any():
        middle = (low + high) // 2
        reached = np.rint(1000 / (1 + np.exp(middle / -UNIT))) >= thousandths
        low, high = np.where(reached, low, middle + 1), np.where(reached, middle, high)
    return low


_SURE = 30
"""Log-odds beyond which nothing is in doubt."""

STEPS = _steps()
"""The least scores of the likelihoods 1 to 1000, int64 (1000,)."""
