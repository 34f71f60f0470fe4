"""The learned table at work: trees lined up with the columns of a page, and all of them asked at once.

Each different question is asked once of all blocks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from transforms.compiled import compiled
from transforms.extractors.cedar.cedar_model import UNIT, Forest
from transforms.extractors.html.characters import Offsets

_CHUNK = 256
"""Blocks that are scored at a time, so that their answers stay in the cache."""


@dataclass(frozen=True, slots=True)
class Scorer:
    """A forest made ready: q different questions, and t trees of b questions.

    Attributes:
        rows: int64 (q,), the column each question is about.
        thresholds: float32 (q, 1); the answer is yes where the column is larger.
        questions: int64 (b, t), the questions of each tree, the highest bit first.
        begins: int64 (t, 1), where the leaves of each begin.
        leaves: int64 (t * 2 ** b,), what each leaf adds.
        bias: what all scores begin with.
    """

    rows: Offsets
    thresholds: NDArray[np.float32]
    questions: Offsets
    begins: Offsets
    leaves: Offsets
    bias: int

    def added(self, values: NDArray[np.float32]) -> NDArray[np.int64]:
        """What each tree adds to the score of each of n blocks: int64 (t, n).

        Args:
            values: float32 (columns, n), the columns the forest is lined up with, or more.
        """
        return _added(
            np.ascontiguousarray(values), self.rows, self.thresholds, self.questions, self.begins, self.leaves
        )

    def scores(self, values: NDArray[np.float32]) -> Offsets:
        """Scores of n blocks: int64 (n,)."""
        result = _summed(
            np.ascontiguousarray(values), self.rows, self.thresholds, self.questions, self.begins, self.leaves
        )
        result += self.bias
        return result


@compiled
def _added(
    values: NDArray[np.float32],
    rows: Offsets,
    thresholds: NDArray[np.float32],
    questions: Offsets,
    begins: Offsets,
    leaves: Offsets,
) -> NDArray[np.int64]:
    """`Scorer.added`, of its attributes."""
    yes = (values.take(rows, 0) > thresholds).view(np.uint8)
    first, *others = questions
    leaf = yes.take(first, 0)
    for question in others:
        leaf += leaf
        leaf += yes.take(question, 0)
    found: NDArray[np.int64] = leaves.take(leaf + begins)
    return found


@compiled
def _summed(
    values: NDArray[np.float32],
    rows: Offsets,
    thresholds: NDArray[np.float32],
    questions: Offsets,
    begins: Offsets,
    leaves: Offsets,
) -> Offsets:
    """What all trees add to the score of each block: int64 (n,)."""
    count = values.shape[1]
    result = np.empty(count, np.int64)
    for start in range(0, count, _CHUNK):
        part = slice(start, start + _CHUNK)
        _added(np.ascontiguousarray(values[:, part]), rows, thresholds, questions, begins, leaves).sum(
            0, out=result[part]
        )
    return result


def scorer(forest: Forest) -> Scorer:
    """Makes a forest ready."""
    trees, depth = forest.features.shape
    asked = list(zip(forest.features.ravel().tolist(), forest.thresholds.ravel().tolist(), strict=True))
    different = sorted(set(asked))
    place = {question: index for index, question in enumerate(different)}
    questions = np.array([place[question] for question in asked], np.int64)
    return Scorer(
        np.array([row for row, _ in different], np.int64),
        np.array([[threshold] for _, threshold in different], np.float32),
        np.ascontiguousarray(questions.reshape(trees, depth).T),
        np.arange(trees)[:, None] << depth,
        forest.leaves.ravel(),
        forest.bias,
    )


def aligned(forest: Forest, names: Sequence[str]) -> Forest:
    """The forest over all columns of a page, of which it asks for some.

    Raises:
        ValueError: it asks for a column that there is not.
    """
    place = {name: row for row, name in enumerate(names)}
    if not place.keys() >= set(forest.columns):
        raise ValueError("the table asks for columns that there are not")
    rows = np.array([place[name] for name in forest.columns], np.int64)
    return replace(forest, columns=tuple(names), features=rows[forest.features])


def joined(forests: Sequence[Forest]) -> Forest:
    """Forests over the same columns as one; the bias of each is in its first tree's leaves."""
    leaves = np.stack([forest.leaves for forest in forests])
    leaves[:, 0] += np.array([forest.bias for forest in forests])[:, None]
    return Forest(
        forests[0].columns,
        np.concatenate([forest.features for forest in forests]),
        np.concatenate([forest.thresholds for forest in forests]),
        leaves.reshape(-1, leaves.shape[2]),
        0,
    )


def cues(forest: Forest, values: NDArray[np.float32]) -> tuple[tuple[str, ...], NDArray[np.float64]]:
    """What each group of columns adds to the log-odds of each block.

    A question adds the difference between the mean leaf of the half it leads to and the mean leaf before it
    (Saabas 2014; leaves count equally), so that a tree's additions and its mean leaf sum to the leaf. The
    means of all trees and the bias come under "base".

    Args:
        forest: the trees.
        values: float32 (columns, n).

    Returns:
        The groups' names, and log-odds, float64 (groups, n); over all groups they sum to the score.
    """
    trees, depth = forest.features.shape
    groups = sorted({forest.columns[column].partition(".")[0] for column in np.unique(forest.features)})
    place = {name: index for index, name in enumerate(groups)}
    group = np.array([place.get(name.partition(".")[0], 0) for name in forest.columns], np.int64)
    added = np.zeros((len(groups) + 1, values.shape[1]))
    leaf = _leaf(forest, values)
    rows = np.arange(trees)[:, None]
    before = np.broadcast_to(forest.leaves.mean(1)[:, None], leaf.shape)
    added[-1] = forest.bias + forest.leaves.mean(1).sum()
    for level in range(depth):
        means = forest.leaves.reshape(trees, 2 << level, -1).mean(2)
        after = means[rows, leaf >> (depth - 1 - level)]
        np.add.at(added, group[forest.features[:, level]], after - before)
        before = after
    return (*groups, "base"), added / UNIT


def _leaf(forest: Forest, values: NDArray[np.float32]) -> Offsets:
    """The leaf of each block in each tree: int64 (t, n)."""
    trees, depth = forest.features.shape
    yes = values[forest.features.ravel()] > forest.thresholds.reshape(-1, 1)
    bits = yes.reshape(trees, depth, -1).view(np.uint8)
    leaf = bits[:, 0].copy()
    for level in range(1, depth):
        leaf <<= 1
        leaf |= bits[:, level]
    return leaf.astype(np.int64)
