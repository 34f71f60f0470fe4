"""What kind of page it is: an article, a thread, a listing, a product, a reference."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from transforms.compiled import compiled
from transforms.extractors.cedar.cedar_columns import Columns
from transforms.extractors.cedar.cedar_model import KINDS, UNIT
from transforms.extractors.cedar.cedar_scoring import Scorer
from transforms.extractors.html.characters import Offsets

_LANES = 8


def summary(values: NDArray[np.float32], units: Offsets) -> NDArray[np.float32]:
    """A page as one row of columns: the means of its blocks' columns, over words and then over blocks.

    Args:
        values: float32 (k, n), columns of n blocks.
        units: int64 (n,), their words.

    Returns:
        float32 (2 k, 1), in the order of `summary_names`.
    """
    words = np.maximum(units, 1).astype(np.float64)
    sums = _sums(np.ascontiguousarray(values), words)
    means: NDArray[np.float64] = sums / np.array([[words.sum()], [words.size]])
    return means.reshape(-1, 1).astype(np.float32)


@compiled
def _sums(values: NDArray[np.float32], words: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sums of columns over words and over blocks, float64 (2, k).

    They are added in an order of their own, so that they are the same on every machine: every eighth block,
    one after the other; then these eight sums, two and two.
    """
    lanes = np.zeros((2, len(values), _LANES))
    for first in range(0, words.size, _LANES):
        some = values[:, first : first + _LANES].astype(np.float64)
        lanes[0, :, : some.shape[1]] += some * words[first : first + _LANES]
        lanes[1, :, : some.shape[1]] += some
    while lanes.shape[2] > 1:
        lanes = lanes[:, :, 0::2] + lanes[:, :, 1::2]
    return np.ascontiguousarray(lanes[:, :, 0])


def summary_names(names: Sequence[str]) -> tuple[str, ...]:
    """The names of a summary's columns, of those of the blocks."""
    return tuple(f"{over}.{name}" for over in ("words", "blocks") for name in names)


def kind_scores(kinds: Scorer, page: NDArray[np.float32]) -> NDArray[np.int64]:
    """The log-odds, in ten-thousandths, that a page is of each of `KINDS`: int64 (kinds,).

    Args:
        kinds: the trees of all kinds, one kind after another, as many for each; the bias of each in its
            first tree.
        page: its summary.
    """
    scores: NDArray[np.int64] = kinds.added(page).reshape(len(KINDS), -1).sum(1)
    return scores


def keeps_the_likely(scores: NDArray[np.int64]) -> bool:
    """Whether a page is likeliest an article or a product: of one text, with doubtful ones beside it."""
    return KINDS[int(scores.argmax())] in ("article", "product")


def has_comments_apart(scores: NDArray[np.int64]) -> bool:
    """Whether comments stand beside the content: on an article, or on what is hardly likelier a thread."""
    article, thread = KINDS.index("article"), KINDS.index("thread")
    first = int(scores.argmax())
    return first == article or (first == thread and int(scores[thread] - scores[article]) < UNIT)


def add_to(made: Columns, scores: NDArray[np.int64]) -> None:
    """Adds a page's kind to its blocks' columns."""
    made.rows(_KINDS)[:] = scores[:, None]


_KINDS = tuple(f"kind.{kind}" for kind in KINDS)
