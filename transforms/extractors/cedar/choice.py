"""Which blocks to keep: the set of the greatest expected F1, where blocks share their doubt.

For blocks of w words that are content with probability p, a set K has the expected F1 of about
2 sum_K p w / (sum_K w + sum p w), if each is in doubt for itself. The best set holds the likeliest blocks
down to some p: half of the best F1 (Ye et al., "Optimizing F-measures", ICML 2012). So a page of which little
is sure would keep nearly all that is doubtful.

But doubts are mostly one: a row of teasers is content, all of it, or it is not. If a single number u, even in
(0, 1), decided on all blocks, the content would be C_u, the blocks of p > u, and the expected F1 of a set the
mean over u of 2 |K and C_u| / (|K| + |C_u|), in words. Of two groups, one sure and one in doubt, it keeps the
second where that is likelier content than not.

What is expected lies between the two: how much of the doubt is shared follows from the kind of page. Sets are
cut at likelihoods of 25, 50 ... 975 thousandths.
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
        kept: bool (n,), the blocks that stay; `tenths` of words in all.
        threshold: the score, in log-odds, of the least likely block that stays.
        confidence: the F1 to expect, as learned from pages of known text, in [0, 1].
        likeliest: the probability of the likeliest block, in thousandths.
    """

    kept: Flags
    threshold: float
    confidence: float
    likeliest: int
    tenths: int


def choose(scores: Offsets, word_tenths: Offsets, *, shared: int, calibration: NDArray[np.float64]) -> Choice:
    """Choose blocks by n >= 1 scores, log-odds in ten-thousandths, and the tenths of their words.

    `shared` is how much of the blocks' doubt is one doubt, in thousandths; `calibration` as in `model.Table`.
    """
    kept, last, expected, likeliest, tenths = _choice.choose(scores, word_tenths, shared)
    confidence = np.interp(expected, calibration[:, 0], calibration[:, 1])
    return Choice(kept, last / UNIT, float(confidence), likeliest, tenths)
