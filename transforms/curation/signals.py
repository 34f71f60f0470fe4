"""Signals of a text's quality: the record, its columns, and how to measure them.

The definitions, with formulas and sources, are in `docs/curation.md`; the plain ones that the compiled code
is held to are in `tests/oracles/signals.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from transforms.curation import _signals
from transforms.curation.stop_words import StopWords
from transforms.model.annotations import Signals

if TYPE_CHECKING:
    from transforms.curation._tokens import Tokens


def measure(text: str, stop_words: StopWords | None) -> tuple[Signals, Tokens]:
    """Measure all signals of a text.

    Args:
        text: any text that UTF-8 can hold.
        stop_words: those of its language; None if it has no list.

    Returns:
        The signals, and the tokens of the text, which `transforms.curation.signatures` takes.

    Raises:
        UnicodeEncodeError: a lone surrogate is in the text.
    """
    values, tokens = _signals.measure(text, None if stop_words is None else stop_words.hashes)
    return Signals(**values), tokens
