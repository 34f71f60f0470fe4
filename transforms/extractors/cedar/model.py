"""The learned table: oblivious trees over a block's columns, and what each group of columns adds to a score.

An oblivious tree asks the same question of all blocks at each level (Kohavi 1994; Prokhorenkova et al.,
"CatBoost", NeurIPS 2018): d questions make a number of d bits, which is the index of its leaf. A block's
score is the sum of its leaves and a bias: the log-odds, in ten-thousandths, that it is content. Sums of
integers do not depend on the order in which a machine adds them.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cedar.transforms.extractors.html.characters import Offsets

UNIT = 10_000
"""Scores are log-odds times this."""

TABLE = "table.json"


@dataclass(frozen=True, slots=True)
class Forest:
    """t oblivious trees of d questions each, about `columns` by name; `bias` is what all scores begin with.

    Attributes:
        features: int64 (t, d), index of the column each question is about.
        thresholds: float32 (t, d); the answer is yes where the column is larger.
        leaves: int64 (t, 2 ** d), what each leaf adds; the first question is the highest bit.
    """

    columns: tuple[str, ...]
    features: Offsets
    thresholds: NDArray[np.float32]
    leaves: Offsets
    bias: int


@dataclass(frozen=True, slots=True)
class Table:
    """All that was learned.

    Attributes:
        version: what rows call it, so that texts of two tables can be told apart.
        first: scores blocks by what they are.
        kinds: scores pages by what they are, in the order of `KINDS`.
        second: scores blocks by what they are, by the kind of page, and by the first scores of all.
        calibration: float64 (k, 2), ascending: expected F1 of a page, and the F1 that came of it.
    """

    version: str
    first: Forest
    kinds: tuple[Forest, ...]
    second: Forest
    calibration: NDArray[np.float64]


KINDS = ("article", "thread", "listing", "product", "reference")
"""Kinds of pages."""


def parse(text: str) -> Table:
    """Read a table as `to_json` wrote it.

    Raises:
        ValueError: it does not fit together.
    """
    raw = json.loads(text)
    return Table(
        version=str(raw["version"]),
        first=_forest(raw["first"]),
        kinds=tuple(_forest(raw["kinds"][kind]) for kind in KINDS),
        second=_forest(raw["second"]),
        calibration=np.array(raw["calibration"], np.float64),
    )


def _forest(raw: dict[str, Any]) -> Forest:
    forest = Forest(
        columns=tuple(raw["columns"]),
        features=np.array(raw["features"], np.int64),
        thresholds=np.array(raw["thresholds"], np.float32),
        leaves=np.array(raw["leaves"], np.int64),
        bias=int(raw["bias"]),
    )
    trees, depth = forest.features.shape
    fits = forest.thresholds.shape == (trees, depth) and forest.leaves.shape == (trees, 1 << depth)
    if not fits or forest.features.min() < 0 or forest.features.max() >= len(forest.columns):
        raise ValueError("the table's parts do not fit together")
    return forest


def to_json(table: Table) -> str:
    """Write a table as JSON, a tree a line."""
    kinds = ",\n".join(
        f'"{kind}": {_written(forest)}' for kind, forest in zip(KINDS, table.kinds, strict=True)
    )
    return (
        f'{{"version": {json.dumps(table.version)},\n"first": {_written(table.first)},\n'
        f'"kinds": {{{kinds}}},\n"second": {_written(table.second)},\n'
        f'"calibration": {json.dumps(table.calibration.tolist())}}}\n'
    )


def _written(forest: Forest) -> str:
    def rows(values: list[list[float]]) -> str:
        return "[\n" + ",\n".join(json.dumps(row, separators=(",", ":")) for row in values) + "]"

    thresholds = [[float(str(number)) for number in row] for row in forest.thresholds]
    return (
        f'{{"columns": {json.dumps(forest.columns)},\n"bias": {forest.bias},\n'
        f'"features": {rows(forest.features.tolist())},\n"thresholds": {rows(thresholds)},\n'
        f'"leaves": {rows(forest.leaves.tolist())}}}'
    )


def packaged() -> Table:
    """The table that comes with the package."""
    return parse(Path(__file__).with_name(TABLE).read_text(encoding="utf-8"))


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
