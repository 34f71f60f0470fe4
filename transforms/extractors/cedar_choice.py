"""Which blocks to keep: the set of the greatest expected F1; on a page that is one article, the likely ones.

For blocks of w words that are content with probability p, a set K has the expected F1 of about
2 sum_K p w / (sum_K w + sum p w). The best set holds the k likeliest blocks for some k: a block joins as
long as its p is above half of the F1 without it (Ye et al., "Optimizing F-measures", ICML 2012). So a page
of which little is sure keeps what is doubtful, and an article does not.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from transforms.extractors.cedar_model import UNIT, Table
from transforms.extractors.characters import Flags, Offsets

SURE = 0.8
"""Probability from which a block is sure."""

ARTICLE_SHARE = 0.8
"""Share of the expected words that stand in sure blocks of an article."""

ARTICLE_WORDS = 1000
"""Tenths of words in the sure blocks of an article."""


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


def choose(scores: Offsets, units: Offsets, table: Table) -> Choice:
    """Chooses blocks.

    Args:
        scores: int64 (n,), as `cedar_model.scores` gives them; n is one or more.
        units: int64 (n,), their words.
        table: its calibration is used.
    """
    likely = probability(scores)
    words = np.maximum(units, 1)
    order = np.argsort(-scores, kind="stable")
    hits = np.cumsum((likely * words)[order])
    kept_words = np.cumsum(words[order])
    expected = 2 * hits / (kept_words + hits[-1])
    count = int(expected.argmax()) + 1
    if _is_article(likely, words):
        count = max(1, int(np.count_nonzero(scores > 0)))
    kept = np.zeros(scores.size, bool)
    kept[order[:count]] = True
    confidence = np.interp(expected[count - 1], table.calibration[:, 0], table.calibration[:, 1])
    return Choice(kept, float(scores[order[count - 1]]) / UNIT, float(confidence))


def probability(scores: Offsets) -> NDArray[np.float64]:
    """Probabilities of scores, float64 (n,)."""
    result: NDArray[np.float64] = 1 / (1 + np.exp(-np.clip(scores / UNIT, -30, 30)))
    return result


def _is_article(likely: NDArray[np.float64], words: Offsets) -> bool:
    sure = likely > SURE
    mass = int(words[sure].sum())
    return mass >= ARTICLE_WORDS and float((likely * words)[sure].sum()) >= ARTICLE_SHARE * float(
        likely @ words
    )
