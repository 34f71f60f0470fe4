"""Sets of rules that others published, with their thresholds, over Cedar's signals.

- `gopher`: Rae et al. 2021, appendix A.1.1, repetition and quality, as datatrove has them.
- `c4`: Raffel et al. 2020, section 2.2, without the list of bad words.
- `fineweb`: Penedo et al. 2024, section 3.6: `gopher`, C4 without the rule of the end of the line, and
  FineWeb's own.

All of them were made for English.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from cedar.transforms.curation.expressions import OPERATORS
from cedar.transforms.curation.float32 import rounded, written
from cedar.transforms.model.annotations import Signals

_FAILS = {"<=": ">", ">=": "<", "==": "!="}


@dataclass(frozen=True, slots=True)
class Bound:
    """A bound of a signal by `<=`, `>=` or `==`; `stored` is the limit as float32, as signals are."""

    signal: str
    operator: str
    limit: float
    stored: float = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "stored", rounded(self.limit))

    def holds(self, value: float) -> bool:
        """Tell whether a value, which is of float32 or a whole number, meets the bound."""
        return OPERATORS[self.operator](value, self.stored)

    def failure_of(self, value: float) -> str:
        """Say how a value breaks the bound: `dup_lines 0.4123 > 0.3`."""
        shown = _number(value) if isinstance(value, int) else written(value, self.limit)
        return f"{self.signal} {shown} {_FAILS[self.operator]} {_number(self.limit)}"


def _number(value: float) -> str:
    return str(value).lower() if isinstance(value, bool) else f"{value:.10g}"


def _bounds(written: str) -> tuple[Bound, ...]:
    """Read bounds as in `dup_lines <= 0.3, words >= 50`."""
    parts = (bound.split() for bound in written.split(","))
    return tuple(Bound(signal, operator, float(limit)) for signal, operator, limit in parts)


_GOPHER_REPETITION = _bounds(
    "dup_lines <= 0.30, dup_line_chars <= 0.20, top_2gram <= 0.20, top_3gram <= 0.18, top_4gram <= 0.16, "
    "dup_5gram <= 0.15, dup_6gram <= 0.14, dup_7gram <= 0.13, dup_8gram <= 0.12, dup_9gram <= 0.11, "
    "dup_10gram <= 0.10"
)
_GOPHER_QUALITY = _bounds(
    "cedar_words >= 50, cedar_words <= 100000, mean_word_length >= 3, mean_word_length <= 10, "
    "hash_ratio <= 0.1, ellipsis_ratio <= 0.1, bullet_lines <= 0.9, ellipsis_lines <= 0.3, "
    "alpha_words >= 0.8, stop_words >= 2"
)
_NO_FILLER = (Bound("lorem_ipsum", "==", False), Bound("curly_bracket", "==", False))
_C4 = (*_NO_FILLER, Bound("c4_sentences", ">=", 5))
_C4_ANY_END = (*_NO_FILLER, Bound("c4_sentences_any_end", ">=", 5))
_FINEWEB_QUALITY = _bounds(
    "terminal_lines >= 0.12, short_lines <= 0.67, dup_line_chars_net <= 0.01, newline_ratio <= 0.3"
)
_GOPHER = _GOPHER_REPETITION + _GOPHER_QUALITY

PRESETS: Mapping[str, tuple[Bound, ...]] = {
    "gopher": _GOPHER,
    "gopher-repetition": _GOPHER_REPETITION,
    "gopher-quality": _GOPHER_QUALITY,
    "c4": _C4,
    "fineweb": _GOPHER + _C4_ANY_END + _FINEWEB_QUALITY,
    "fineweb-quality": _FINEWEB_QUALITY,
}
"""The bounds of each preset, in order: the first bound that a page breaks is the reason to drop it."""

MADE_FOR = "eng"
"""The language that the presets were made for (ISO 639-3)."""

NOT_IF_DENSE = frozenset({"mean_word_length", "alpha_words", "stop_words", "hash_ratio", "ellipsis_ratio"})
"""Signals whose bounds do not apply to pages in scripts without blanks between words."""

EMPTY = "empty"
"""Why a page without a token is dropped, whatever the preset."""


def first_failing(bounds: Iterable[Bound], signals: Signals) -> str | None:
    """Return the failure of the first bound that a page does not keep; a signal that is null has none."""
    if not signals.cedar_words:
        return EMPTY
    dense = signals.dense_share > 0.5
    for bound in bounds:
        value = getattr(signals, bound.signal)
        if value is None or (dense and bound.signal in NOT_IF_DENSE) or bound.holds(value):
            continue
        return bound.failure_of(value)
    return None
