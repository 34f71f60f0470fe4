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

from transforms.extractors.cedar import _choice
from transforms.extractors.cedar.model import UNIT
from transforms.extractors.html.characters import Flags, Offsets


@dataclass(frozen=True, slots=True)
class Choice:
    """What was chosen.

    Attributes:
        kept: bool (n,), the blocks that stay.
        threshold: the score, in log-odds, of the least likely block that stays.
        confidence: the F1 to expect, as learned from pages of known text, in [0, 1].
    """

    kept: Flags
    threshold: float
    confidence: float


def choose(
    scores: Offsets, word_tenths: Offsets, *, likely: bool, calibration: NDArray[np.float64]
) -> Choice:
    """Chooses blocks.

    Args:
        scores: int64 (n,), log-odds in ten-thousandths; n is one or more.
        word_tenths: int64 (n,), their words.
        likely: keep the blocks that are likelier content than not, if there are any.
        calibration: float64 (k, 2), as in `model.Table`.
    """
    kept, last, expected = _choice.choose(scores, word_tenths, likely)
    confidence = np.interp(expected, calibration[:, 0], calibration[:, 1])
    return Choice(kept, last / UNIT, float(confidence))
