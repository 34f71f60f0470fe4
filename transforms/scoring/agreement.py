"""Precision, recall and F1 of an extraction against its gold, and the CleanEval score."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far an extraction agrees with its gold; each number is from 0 to 1, `f1` the harmonic mean."""

    precision: float
    recall: float
    f1: float

    @property
    def score(self) -> float:
        """The CleanEval score of the page, 1 - distance / alignment length (CETD, section 5.2).

        With the distance in insertions and deletions it is L / (|a| + |b| - L) = F / (2 - F).
        """
        return self.f1 / (2 - self.f1)

    @staticmethod
    def of(common: int, extracted: int, gold: int) -> Agreement:
        """Return the agreement of two lists of tokens by what they have in common.

        Two empty texts agree wholly; an empty gold has been recalled, but nothing in the extraction is right.
        """
        if not gold:
            return NOTHING_RIGHT_OF_NOTHING if extracted else WHOLE
        if not extracted:
            return NOTHING
        return Agreement(common / extracted, common / gold, 2 * common / (extracted + gold))


WHOLE = Agreement(1.0, 1.0, 1.0)
NOTHING = Agreement(0.0, 0.0, 0.0)
NOTHING_RIGHT_OF_NOTHING = Agreement(0.0, 1.0, 0.0)


def harmonic_mean(precision: float, recall: float) -> float:
    """F1 of a precision and a recall; 0 where both are 0."""
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0
