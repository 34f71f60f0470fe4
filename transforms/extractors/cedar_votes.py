"""A second look: what the first scores of a page's other blocks say about a block.

Blocks vote: those near it, those in the elements around it, its kin (blocks in elements of the same name and
class), and the set that would be chosen now. This is what smoothing does in CETR, and what a threshold on a
container does in CETD, with learned weights. Likelihoods are whole thousandths, so that sums are exact.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from transforms.extractors.cedar_blocks import Page
from transforms.extractors.cedar_choice import likelihood
from transforms.extractors.cedar_columns import Columns, distance, numbered, over, running, side
from transforms.extractors.cedar_hints import Hints
from transforms.extractors.cedar_layout import ANCESTORS, Layout
from transforms.extractors.characters import Offsets

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
    likely = likelihood(scores)
    words = np.maximum(page.units, 1)
    votes = _Votes(likely, words, running(likely * words), running(words))
    _choice(made, votes, scores)
    _neighbours(made, votes)
    _elements(made, page, said, layout, votes)
    _runs(made, votes, layout.headings)


def _choice(made: Columns, votes: _Votes, scores: Offsets) -> None:
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
    made.add("vote.likely", votes.likely)
    made.add("vote.mass_above", ranked[0])
    made.add("vote.expected_here", ranked[1])
    made.add("vote.above_last", votes.likely - votes.likely[order[best]])
    sure = votes.likely > _SURE
    made.add_same("vote.expected", expected[best])
    made.add_same("vote.last", votes.likely[order[best]])
    made.add_same("vote.sure_share", mass[sure].sum() / total)
    made.add_same("vote.sure_words", votes.words[sure].sum())
    made.add_same("vote.total", total // 1000)
    made.add_same("vote.share", total / votes.total[-1])


def _neighbours(made: Columns, votes: _Votes) -> None:
    """The blocks before and behind, one by one and in windows."""
    count = votes.likely.size
    padded = np.zeros(count + 2 * _PADDING, np.int64)
    padded[_PADDING:-_PADDING] = votes.likely
    made.add_all(_NEAR, padded[np.arange(count) + _OFFSETS])
    index = np.arange(count)
    first, last = np.maximum(index - _REACHES, 0), np.minimum(index + _REACHES + 1, count)
    own = votes.likely * votes.words
    mass = votes.mass[last] - votes.mass[first] - own
    made.add_all(_WINDOWS, over(mass, votes.total[last] - votes.total[first] - votes.words))


def _elements(made: Columns, page: Page, said: Hints, layout: Layout, votes: _Votes) -> None:
    """The elements around the block, their siblings of one kind, and the block's kin on the page."""
    first, last, parents = page.first, page.last, page.elements.parents
    mass, words = votes.mass[last] - votes.mass[first], votes.total[last] - votes.total[first]
    both = np.stack((over(mass, words), mass / max(int(votes.mass[-1]), 1)), 1)
    made.add_all(_AROUND, both[layout.around].transpose(0, 2, 1).reshape(-1, made.count))
    group = layout.siblings
    together = over(np.bincount(group, mass), np.bincount(group, words))[group]
    current = page.nearest
    for level in range(1, _SIBLINGS + 1):
        made.add(f"vote.siblings{level}", together[current])
        current = parents[current]
    kin = numbered((said.signatures * _ODD + said.signatures[parents])[page.nearest])
    own = votes.likely * votes.words
    kin_mass, kin_words = np.bincount(kin, own)[kin], np.bincount(kin, votes.words)[kin]
    made.add("vote.kin", kin_mass / kin_words)
    made.add("vote.other_kin", over(kin_mass - own, kin_words - votes.words))


def _runs(made: Columns, votes: _Votes, headings: Offsets) -> None:
    """Sure blocks before and behind, the likeliest run of blocks (BTE), and the rest of the section."""
    count = votes.likely.size
    index = np.arange(count)
    sure = votes.likely > _SURE
    sums = running(np.where(sure, votes.words, 0))
    made.add("vote.sure_before", over(sums[:-1], sums[-1]))
    made.add("vote.sure_after", over(sums[-1] - sums[1:], sums[-1]))
    last = np.maximum.accumulate(np.where(sure, index, -count))
    following = np.minimum.accumulate(np.where(sure, index, 2 * count)[::-1])[::-1]
    made.add("vote.since_sure", np.minimum(index - last, count))
    made.add("vote.to_sure", np.minimum(following - index, count))
    gain = running((votes.likely - 500) * votes.words)
    stop = int((gain - np.minimum.accumulate(gain)).argmax())
    start = int(gain[: stop + 1].argmin())
    made.add("vote.run", side(count, start, stop))
    made.add("vote.run_distance", distance(count, start, stop))
    section = np.cumsum(headings > 0)
    begins = np.concatenate(([0], (headings > 0).nonzero()[0]))
    ends = np.append(begins[1:], count)[section]
    made.add("vote.section", votes.mean(begins[section], ends))
    made.add("vote.rest", votes.mean(index + 1, ends))
