"""Snippets that must, and that must not, appear in an extraction."""

from __future__ import annotations

from collections.abc import Sequence

from transforms.scoring.agreement import Agreement, harmonic_mean
from transforms.scoring.tokens import lowered, normalise


def snippet_agreement(extracted: Sequence[str], wanted: Sequence[str], unwanted: Sequence[str]) -> Agreement:
    """Share of the unwanted snippets that are absent as precision, of the wanted that are there as recall.

    Snippets are found as runs of lower-cased tokens, so that blanks, punctuation and case do not matter.

    Args:
        extracted: the extraction's tokens as `tokens.lowered` gives them.
        wanted: texts that must appear; without any, recall is 1.
        unwanted: texts that must not; without any, precision is 1.
    """
    whole = _joined(extracted)
    found = [_joined(lowered(normalise(snippet))) in whole for snippet in wanted]
    absent = [_joined(lowered(normalise(snippet))) not in whole for snippet in unwanted]
    recall = sum(found) / len(found) if found else 1.0
    precision = sum(absent) / len(absent) if absent else 1.0
    return Agreement(precision, recall, harmonic_mean(precision, recall))


def _joined(tokens: Sequence[str]) -> str:
    return f" {' '.join(tokens)} "
