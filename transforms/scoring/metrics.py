r"""The measures, their names, and their means over the pages of a set.

Texts are normalised first, the extraction and the gold in the same way: character references decoded, NFC.
Tokens are runs between blanks as they stand (`words`), or runs of `\w` in lower case (`lowered`). In scripts
that are written without blanks between words each character is a token: else a page of Chinese would be a
handful of tokens. Measures of Weninger and Hsu (TTR, 2008) are on characters: common subsequence and edit
distance.

Subsequences and distances are exact, bit-parallel: a column of the dynamic program is one big integer, a bit
a token, |b| steps over |a| / 64 machine words. Python's own integers do this as fast as compiled libraries do
on texts of a page's length. `difflib.SequenceMatcher` cannot stand in: its matching is greedy, and below the
true length on most texts.

Intervals are by the bootstrap: pages are drawn with replacement (Efron's percentile interval). The draws
depend on the number of pages and the seed alone, so that two methods on the same pages are drawn alike.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections import Counter, deque
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter

import numpy as np
from numpy.typing import NDArray


def lcs_columns(a: Sequence[Hashable], b: Sequence[Hashable]) -> Iterator[int]:
    """Yield a column for each token of `b` (Crochemore et al. 2001; Hyyrö 2004).

    A column has a bit for each token of `a`. A 0 bit: the longest common subsequence of `a` and of `b` up to
    here grows by one at this token.
    """
    masks = _masks(a)
    column = all_ones = (1 << len(a)) - 1
    for token in b:
        mask = masks.get(token)
        if mask is not None:
            matches = column & mask
            column = ((column + matches) | (column - matches)) & all_ones
        yield column


def lcs_length(a: Sequence[Hashable], b: Sequence[Hashable]) -> int:
    """Return the length of the longest common subsequence."""
    if len(a) < len(b):
        a, b = b, a  # fewer steps over more bits
    if not b:
        return 0
    [column] = deque(lcs_columns(a, b), maxlen=1)
    return len(a) - column.bit_count()


def edit_distance(a: Sequence[Hashable], b: Sequence[Hashable]) -> int:
    """Levenshtein distance: insertions, deletions and substitutions cost 1 each (Myers 1999; Hyyrö 2003)."""
    if len(a) < len(b):
        a, b = b, a
    masks = _masks(a)
    all_ones = (1 << len(a)) - 1
    last = (all_ones + 1) >> 1
    rises, falls, distance = all_ones, 0, len(a)  # differences between neighbours in a column
    for token in b:
        matches = masks.get(token, 0) | falls
        diagonal = (((matches & rises) + rises) ^ rises) | matches
        to_the_right_up = falls | (all_ones & ~(rises | diagonal))
        to_the_right_down = rises & diagonal
        if to_the_right_up & last:
            distance += 1
        elif to_the_right_down & last:
            distance -= 1
        shifted = to_the_right_up << 1 | 1
        falls = shifted & diagonal & all_ones
        rises = (to_the_right_down << 1 | ~(shifted | diagonal)) & all_ones
    return distance


def _masks(sequence: Sequence[Hashable]) -> dict[Hashable, int]:
    """Token -> the places where it stands, as bits."""
    masks: dict[Hashable, int] = {}
    bit = 1
    for token in sequence:
        masks[token] = masks.get(token, 0) | bit
        bit <<= 1
    return masks


SHINGLE = 4
"""Tokens of a shingle."""

_LINE_BREAK = re.compile(r"[\r\n]+")
# What markup has to write as a reference: & < > ", no-break space, soft hyphen, joiners, direction marks.
_SPECIAL = re.compile('[&<>"\u00a0\u00ad\u200b-\u200f]')
_BLANKS = re.compile(r"\s+")


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


def bag_overlap(a: Sequence[Hashable], b: Sequence[Hashable]) -> int:
    """Return the number of tokens in common, each as often as in the text that has it less often."""
    return (Counter(a) & Counter(b)).total()


def shingles(tokens: Sequence[str]) -> list[tuple[str, ...]]:
    """List all runs of `SHINGLE` tokens, with repetitions; fewer tokens are one run, an empty text none."""
    if len(tokens) <= SHINGLE:
        return [tuple(tokens)] if tokens else []
    return list(zip(*(tokens[i:] for i in range(SHINGLE)), strict=False))


def snippet_agreement(extracted: Sequence[str], wanted: Sequence[str], unwanted: Sequence[str]) -> Agreement:
    """Take the share of unwanted snippets that are absent as precision, of wanted that are there as recall.

    Each is 1 without such snippets. They are found as runs of lower-cased tokens (`tokens.lowered`), so that
    blanks, punctuation and case do not matter.
    """
    whole = _joined(extracted)
    found = [_joined(lowered(normalise(snippet))) in whole for snippet in wanted]
    absent = [_joined(lowered(normalise(snippet))) not in whole for snippet in unwanted]
    recall = sum(found) / len(found) if found else 1.0
    precision = sum(absent) / len(absent) if absent else 1.0
    return Agreement(precision, recall, harmonic_mean(precision, recall))


def _joined(tokens: Sequence[str]) -> str:
    return f" {' '.join(tokens)} "


def ttr_text(text: str) -> str:
    """Return a normalised text without line breaks, special HTML characters and extra whitespace."""
    return _BLANKS.sub(" ", _SPECIAL.sub("", _LINE_BREAK.sub("", text))).strip()


def ttr_agreement(extracted: str, gold: str) -> Agreement:
    """LCS% = LCS / |gold| as recall, and EDR = 1 - edits / max(|extracted|, |gold|) as precision.

    The paper reads the two as recall and precision; their harmonic mean is ours. A substitution is one edit.
    """
    if not gold or not extracted:
        return Agreement.of(0, len(extracted), len(gold))
    recall = lcs_length(extracted, gold) / len(gold)
    precision = 1 - edit_distance(extracted, gold) / max(len(extracted), len(gold))
    return Agreement(precision, recall, harmonic_mean(precision, recall))


def _common(
    counted: Callable[[Sequence[Hashable], Sequence[Hashable]], int],
    tokens: Callable[[TextTokens], Sequence[Hashable]],
) -> Callable[[TextTokens, Gold], Agreement]:
    """Make the measure of the tokens that two texts have in common."""

    def measure(extracted: TextTokens, gold: Gold) -> Agreement:
        a, b = tokens(extracted), tokens(gold.tokens)
        return Agreement.of(counted(a, b), len(a), len(b))

    return measure


_lcs = _common(lcs_length, attrgetter("words"))
_bag = _common(bag_overlap, attrgetter("words"))
_bag_lower = _common(bag_overlap, attrgetter("lowered"))
_shingles = _common(bag_overlap, lambda text: shingles(text.lowered))
_ttr = lambda found, gold: ttr_agreement(ttr_text(found.text), ttr_text(gold.tokens.text))  # noqa: E731


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


# Thai, Lao, Myanmar, Khmer; the marks 々〆〇; kana; Han with its extensions; half-width kana.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff"
    "\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
_WORD = re.compile(rf"[{_UNSPACED}]|[^\s{_UNSPACED}]+")
_LOWERED = re.compile(rf"[{_UNSPACED}]|[^\W{_UNSPACED}]+")


def normalise(text: str) -> str:
    """Return the text with its character references decoded, in NFC."""
    return unicodedata.normalize("NFC", html.unescape(text))


def words(text: str) -> list[str]:
    """Return the raw tokens of a normalised text: runs between blanks, punctuation and case kept."""
    return _WORD.findall(text)


def lowered(text: str) -> list[str]:
    r"""Find the tokens of a normalised text in lower case: runs of `\w`."""
    return _LOWERED.findall(text.lower())


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

    `f1` is the mean of the pages' F1 (CETR's measure) with its bootstrap interval, `f_of_means` the harmonic
    mean of the mean precision and the mean recall (as in CETD's tables), `score` CleanEval's measure.
    """

    pages: int
    precision: float
    recall: float
    f1: Interval
    f_of_means: float
    score: float


def summarise(agreements: Sequence[Agreement], *, seed: int = 0) -> Summary:
    """Return the mean of the agreements of at least one page; raises ValueError without a page."""
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
    """Return the share of the bytes that need not be kept: 1 - text / HTML (TTR, Table 4); 0 without HTML."""
    return 1 - text_bytes / html_bytes if html_bytes else 0.0
