"""What kind of page it is: an article, a thread, a listing, a product, a reference."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from transforms.extractors.cedar import _features
from transforms.extractors.cedar._choice import likelihoods
from transforms.extractors.cedar._forest import Scorer
from transforms.extractors.cedar.model import KINDS
from transforms.extractors.html.characters import Offsets

_WHOLE = 1000
ALL_SHARED = _WHOLE
"""Thousandths of doubt that blocks share on a page of one text."""

_OF_PARTS = ("thread", "listing", "reference")
_LEAST_SHARED = 200
"""Thousandths of doubt that blocks share on pages of many parts."""


def summary(values: NDArray[np.float32], word_tenths: Offsets) -> NDArray[np.float32]:
    """Makes a page one row of columns: the means of its blocks' columns, over words and then over blocks.

    Args:
        values: float32 (k, n), columns of n blocks.
        word_tenths: int64 (n,), their words.

    Returns:
        float32 (2 k, 1), in the order of `summary_names`.
    """
    sums, words = _features.sums(values, word_tenths)
    means: NDArray[np.float64] = sums / np.array([[words], [word_tenths.size]])
    return means.reshape(-1, 1).astype(np.float32)


def summary_names(names: Sequence[str]) -> tuple[str, ...]:
    """Return the names of a summary's columns, made of the names of the blocks' columns."""
    return tuple(f"{over}.{name}" for over in ("words", "blocks") for name in names)


def kind_scores(kinds: Sequence[Scorer], page: NDArray[np.float32]) -> NDArray[np.int64]:
    """The log-odds, in ten-thousandths, that a page is of each of `KINDS`: int64 (kinds,).

    Args:
        kinds: the trees of each kind.
        page: its summary.
    """
    return np.concatenate([kind.scores(page) for kind in kinds])


def probabilities(scores: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the probability of each of `KINDS`, and of none of them, in thousandths: int64 (kinds + 1,).

    Each kind is judged for itself. What they leave of the whole is that of no kind; where they claim more
    than the whole, each has its part of it.
    """
    each = likelihoods(scores)
    claimed = int(each.sum())
    return np.append(each * _WHOLE // max(claimed, _WHOLE), max(_WHOLE - claimed, 0))


def shared_doubt(scores: NDArray[np.int64]) -> int:
    """Return how much of the blocks' doubt is one doubt, in thousandths: all of it on a page of one text.

    What is doubtful there is mostly what stands besides its text. The items of a listing, the posts of a
    thread and the sections of a reference differ; a page that is likely not one of these three is one text.
    """
    if all(scores[KINDS.index(kind)] <= 0 for kind in _OF_PARTS):
        return ALL_SHARED
    of_one_text = sum(int(probabilities(scores)[KINDS.index(kind)]) for kind in ("article", "product"))
    return _LEAST_SHARED + (_WHOLE - _LEAST_SHARED) * of_one_text // _WHOLE


def has_comments_apart(scores: NDArray[np.int64]) -> bool:
    """Return whether comments stand next to the content: on what is likeliest an article."""
    return KINDS[int(scores.argmax())] == "article"
