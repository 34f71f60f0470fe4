"""The measures of Weninger and Hsu, TTR (2008), on characters: common subsequence and edit distance."""

from __future__ import annotations

import re

from transforms.scoring.agreement import NOTHING, NOTHING_RIGHT_OF_NOTHING, WHOLE, Agreement, harmonic_mean
from transforms.scoring.alignment import edit_distance, lcs_length

_LINE_BREAK = re.compile(r"[\r\n]+")
# What markup has to write as a reference: & < > ", no-break space, soft hyphen, joiners, direction marks.
_SPECIAL = re.compile('[&<>"\u00a0\u00ad\u200b-\u200f]')
_BLANKS = re.compile(r"\s+")


def ttr_text(text: str) -> str:
    """Return a normalised text without line breaks, special HTML characters and extra whitespace."""
    return _BLANKS.sub(" ", _SPECIAL.sub("", _LINE_BREAK.sub("", text))).strip()


def ttr_agreement(extracted: str, gold: str) -> Agreement:
    """LCS% = LCS / |gold| as recall, and EDR = 1 - edits / max(|extracted|, |gold|) as precision.

    The paper reads the two as recall and precision; their harmonic mean is ours. A substitution is one edit.
    """
    if not gold:
        return NOTHING_RIGHT_OF_NOTHING if extracted else WHOLE
    if not extracted:
        return NOTHING
    recall = lcs_length(extracted, gold) / len(gold)
    precision = 1 - edit_distance(extracted, gold) / max(len(extracted), len(gold))
    return Agreement(precision, recall, harmonic_mean(precision, recall))
