"""The measures by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from transforms.scoring.agreement import Agreement
from transforms.scoring.alignment import lcs_length
from transforms.scoring.overlap import bag_overlap, shingles
from transforms.scoring.snippets import snippet_agreement
from transforms.scoring.tokens import lowered, normalise, words
from transforms.scoring.ttr import ttr_agreement, ttr_text


@dataclass(frozen=True, slots=True)
class TextTokens:
    """A text, ready to be compared."""

    text: str
    words: list[str]
    lowered: list[str]

    @staticmethod
    def of(text: str) -> TextTokens:
        """Normalise and tokenise."""
        plain = normalise(text)
        return TextTokens(plain, words(plain), lowered(plain))


@dataclass(frozen=True, slots=True)
class Gold:
    """What a page's extraction is compared with."""

    tokens: TextTokens
    wanted: tuple[str, ...] = ()
    unwanted: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Metric:
    """One measure."""

    name: str
    meaning: str
    function: Callable[[TextTokens, Gold], Agreement | None]


def _lcs(extracted: TextTokens, gold: Gold) -> Agreement:
    a, b = extracted.words, gold.tokens.words
    return Agreement.of(lcs_length(a, b), len(a), len(b))


def _bag(extracted: TextTokens, gold: Gold) -> Agreement:
    a, b = extracted.words, gold.tokens.words
    return Agreement.of(bag_overlap(a, b), len(a), len(b))


def _bag_lower(extracted: TextTokens, gold: Gold) -> Agreement:
    a, b = extracted.lowered, gold.tokens.lowered
    return Agreement.of(bag_overlap(a, b), len(a), len(b))


def _shingles(extracted: TextTokens, gold: Gold) -> Agreement:
    a, b = shingles(extracted.lowered), shingles(gold.tokens.lowered)
    return Agreement.of(bag_overlap(a, b), len(a), len(b))


def _ttr(extracted: TextTokens, gold: Gold) -> Agreement:
    return ttr_agreement(ttr_text(extracted.text), ttr_text(gold.tokens.text))


def _snippets(extracted: TextTokens, gold: Gold) -> Agreement | None:
    if not gold.wanted and not gold.unwanted:
        return None
    return snippet_agreement(extracted.lowered, gold.wanted, gold.unwanted)


_METRICS = (
    Metric("lcs", "longest common subsequence of raw words (CETD; CETR's matching in order)", _lcs),
    Metric("bag-lower", "bags of lower-cased words, in any order (what benchmarks publish)", _bag_lower),
    Metric("bag", "bags of raw words, in any order (CETR for VIPS)", _bag),
    Metric("shingles", "bags of runs of four lower-cased words", _shingles),
    Metric("ttr", "TTR's LCS% as recall and EDR as precision, on characters", _ttr),
    Metric("snippets", "snippets that must appear as recall, that must not as precision", _snippets),
)
METRICS: Mapping[str, Metric] = {metric.name: metric for metric in _METRICS}
"""The measures by name, the default first."""
