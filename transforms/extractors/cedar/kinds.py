"""What kind of page it is: an article, a thread, a listing, a product, a reference."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from transforms.extractors.cedar import _features
from transforms.extractors.cedar._forest import Scorer
from transforms.extractors.cedar.model import KINDS, UNIT
from transforms.extractors.html.characters import Offsets


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
    """The names of a summary's columns, of those of the blocks."""
    return tuple(f"{over}.{name}" for over in ("words", "blocks") for name in names)


def kind_scores(kinds: Sequence[Scorer], page: NDArray[np.float32]) -> NDArray[np.int64]:
    """The log-odds, in ten-thousandths, that a page is of each of `KINDS`: int64 (kinds,).

    Args:
        kinds: the trees of each kind.
        page: its summary.
    """
    return np.concatenate([kind.scores(page) for kind in kinds])


def keeps_the_likely(scores: NDArray[np.int64]) -> bool:
    """Whether a page is likeliest an article or a product: of one text, with doubtful ones beside it."""
    return KINDS[int(scores.argmax())] in ("article", "product")


def has_comments_apart(scores: NDArray[np.int64]) -> bool:
    """Whether comments stand beside the content: on an article, or on what is hardly likelier a thread."""
    article, thread = KINDS.index("article"), KINDS.index("thread")
    first = int(scores.argmax())
    return first == article or (first == thread and int(scores[thread] - scores[article]) < UNIT)
