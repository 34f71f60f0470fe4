"""A second look: what the first scores of a page's other blocks say about a block.

Blocks vote: those near it, those in the elements around it, its kin (blocks in elements of the same name and
class), and the set that would be chosen now. This is what smoothing does in CETR, and what a threshold on a
container does in CETD, with learned weights. Likelihoods are whole thousandths, so that sums are exact.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from transforms.compiled import compiled
from transforms.extractors.cedar.cedar_blocks import Page
from transforms.extractors.cedar.cedar_choice import STEPS, likelihood
from transforms.extractors.cedar.cedar_columns import (
    Columns,
    best_run,
    distance,
    fill,
    firsts,
    named,
    over,
    running,
    side,
    since,
)
from transforms.extractors.cedar.cedar_hints import Hints
from transforms.extractors.cedar.cedar_layout import ANCESTORS, Layout
from transforms.extractors.html.characters import Offsets

_SURE = 800
"""Thousandths from which a block is sure."""

_PADDING = 2
_OFFSETS = np.array([[0], [1], [3], [4]])  # in the padded column: two and one before, one and two behind
_NEAR = tuple(f"vote.likely{offset:+d}" for offset in (-2, -1, 1, 2))
_REACHES = np.array([[2], [5], [12]])
_WINDOWS = tuple(f"vote.window{reach}" for reach in (2, 5, 12))
_AROUND = tuple(
    f"vote.around{level + 1}{measure}" for level in range(ANCESTORS) for measure in ("", "_share")
)
_SIBLINGS = 5
_CHOICE = named(
    "vote",
    "likely mass_above expected_here above_last expected last sure_share sure_words total share",
)
_ELEMENTS = (
    *_AROUND,
    *(f"vote.siblings{level + 1}" for level in range(_SIBLINGS)),
    "vote.kin",
    "vote.other_kin",
)
_RUNS = named(
    "vote",
    "sure_before sure_after since_sure to_sure run run_distance section rest",
)
_VOTES = (*_CHOICE, *_NEAR, *_WINDOWS, *_ELEMENTS, *_RUNS)
_ODD = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, slots=True)
class _Votes:
    """Likelihoods of n blocks.

    Attributes:
        likely: int64 (n,), thousandths.
        words: int64 (n,), tenths of words, one or more.
        mass: int64 (n + 1,), running sums of likely * words.
        total: int64 (n + 1,), running sums of words.
    """

    likely: Offsets
    words: Offsets
    mass: Offsets
    total: Offsets

    def mean(self, first: Offsets, last: Offsets) -> NDArray[np.float64]:
        """Mean likelihood of the words in each range of blocks [first, last)."""
        return over(self.mass[last] - self.mass[first], self.total[last] - self.total[first])


def add_to(made: Columns, page: Page, said: Hints, layout: Layout, scores: Offsets) -> None:
    """Measures blocks by the first scores of all.

    Args:
        made: columns of the page's blocks, to which those of the votes come.
        page: the page, of n blocks.
        said: what is said of its elements.
        layout: the elements around its blocks, and its headings.
        scores: int64 (n,), first scores.
    """
    _voted(
        made.rows(_VOTES),
        scores,
        page.units,
        page.first,
        page.last,
        page.elements.parents,
        page.nearest,
        layout.around,
        layout.siblings,
        layout.headings,
        said.signatures,
        STEPS,
    )


@compiled
def _voted(
    room: NDArray[np.float32],
    scores: Offsets,
    units: Offsets,
    first: Offsets,
    last: Offsets,
    parents: Offsets,
    nearest: Offsets,
    around: Offsets,
    siblings: Offsets,
    headings: Offsets,
    signatures: NDArray[np.uint64],
    steps: Offsets,
) -> None:
    """Fills room with the columns of `_VOTES`, of scores and what pages, layouts and hints have.

    Args:
        room: float32 (len(_VOTES), n), to be filled.
        scores: int64 (n,).
        units: int64 (n,).
        first: int64 (e,).
        last: int64 (e,).
        parents: int64 (e,).
        nearest: int64 (n,).
        around: int64 (ANCESTORS, n).
        siblings: int64 (e,).
        headings: int64 (n,).
        signatures: uint64 (e,).
        steps: `cedar_choice.STEPS`.
    """
    likely = likelihood(scores, steps)
    words = np.maximum(units, 1)
    votes = _Votes(likely, words, running(likely * words), running(words))
    families = (
        (_CHOICE, _choice(votes, scores)),
        ((*_NEAR, *_WINDOWS), _neighbours(votes)),
        (_ELEMENTS, _elements(votes, first, last, parents, nearest, around, siblings, signatures)),
        (_RUNS, _runs(votes, headings)),
    )
    begin = 0
    for names, columns in families:
        fill(room[begin : begin + len(names)], columns)
        begin += len(names)


_Family = list[NDArray[np.generic] | float]


def _choice(votes: _Votes, scores: Offsets) -> _Family:
    """The set that would be chosen now, and where the block stands to it."""
    mass = votes.likely * votes.words
    order = np.argsort(-scores, kind="stable")
    hits = np.cumsum(mass[order])
    total = max(int(hits[-1]), 1)
    expected = 2 * hits / (1000 * np.cumsum(votes.words[order]) + total)
    best = int(expected.argmax())
    ranked = np.empty((2, scores.size))
    ranked[0, order] = hits / total
    ranked[1, order] = expected
    last = votes.likely[order[best]]
    sure = votes.likely > _SURE
    return [
        votes.likely,
        ranked[0],
        ranked[1],
        votes.likely - last,
        expected[best],
        last,
        mass[sure].sum() / total,
        votes.words[sure].sum(),
        total // 1000,
        total / votes.total[-1],
    ]


def _neighbours(votes: _Votes) -> _Family:
    """The blocks before and behind, one by one and in windows."""
    count = votes.likely.size
    padded = np.zeros(count + 2 * _PADDING, np.int64)
    padded[_PADDING:-_PADDING] = votes.likely
    index = np.arange(count)
    first, last = np.maximum(index - _REACHES, 0), np.minimum(index + _REACHES + 1, count)
    own = votes.likely * votes.words
    mass = votes.mass[last] - votes.mass[first] - own
    windows = over(mass, votes.total[last] - votes.total[first] - votes.words)
    return [*padded[index + _OFFSETS], *windows]


def _elements(
    votes: _Votes,
    first: Offsets,
    last: Offsets,
    parents: Offsets,
    nearest: Offsets,
    around: Offsets,
    siblings: Offsets,
    signatures: NDArray[np.uint64],
) -> _Family:
    """The elements around the block, their siblings of one kind, and the block's kin on the page."""
    mass, words = votes.mass[last] - votes.mass[first], votes.total[last] - votes.total[first]
    both = np.stack((over(mass, words), mass / max(int(votes.mass[-1]), 1)), 1)
    columns: _Family = [*both[around].transpose(0, 2, 1).reshape(-1, nearest.size)]
    together = over(np.bincount(siblings, mass), np.bincount(siblings, words))[siblings]
    current = nearest
    for _ in range(_SIBLINGS):
        columns.append(together[current])
        current = parents[current]
    kin = firsts((signatures * _ODD + signatures[parents])[nearest])
    own = votes.likely * votes.words
    kin_mass, kin_words = np.bincount(kin, own)[kin], np.bincount(kin, votes.words)[kin]
    return [*columns, kin_mass / kin_words, over(kin_mass - own, kin_words - votes.words)]


def _runs(votes: _Votes, headings: Offsets) -> _Family:
    """Sure blocks before and behind, the likeliest run of blocks (BTE), and the rest of the section."""
    count = votes.likely.size
    index = np.arange(count)
    sure = votes.likely > _SURE
    sums = running(np.where(sure, votes.words, 0))
    run = best_run((votes.likely - 500) * votes.words)
    section = np.cumsum(headings > 0)
    begins = np.concatenate(([0], (headings > 0).nonzero()[0]))
    ends = np.append(begins[1:], count)[section]
    return [
        over(sums[:-1], sums[-1]),
        over(sums[-1] - sums[1:], sums[-1]),
        since(sure),
        since(sure[::-1])[::-1],
        side(count, *run),
        distance(count, *run),
        votes.mean(begins[section], ends),
        votes.mean(index + 1, ends),
    ]
