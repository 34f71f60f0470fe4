"""The learned table: trees over a block's columns, and what each group of columns adds to a score.

A tree grows leaf by leaf. It begins with one leaf, number 0, which holds all blocks. Its question number q
(from 0 on) parts one leaf: blocks whose column is larger than the threshold move on to a new leaf, number
q + 1. A block's score is the sum of its leaves: the log-odds, in ten-thousandths, that it is content. Sums of
integers do not depend on the order in which a machine adds them.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cedar.transforms.extractors.html.characters import Offsets

UNIT = 10_000
"""Scores are log-odds times this."""

TABLE = "table.json"

MAX_QUESTIONS = 255
"""Of a tree: a byte has the number of a leaf."""


@dataclass(frozen=True, slots=True)
class Forest:
    """t trees of q questions in all, about `columns` by name; one tree after the other.

    Attributes:
        stops: int64 (t,), how many questions there are up to the end of each tree.
        features: int64 (q,), index of the column each question is about.
        thresholds: float32 (q,); the answer is yes where the column is larger.
        parted: uint8 (q,), the leaf that each question parts.
        leaves: int32 (q + t,), what each leaf adds.
    """

    columns: tuple[str, ...]
    stops: Offsets
    features: Offsets
    thresholds: NDArray[np.float32]
    parted: NDArray[np.uint8]
    leaves: NDArray[np.int32]

    def __post_init__(self) -> None:
        """Check that the parts fit together.

        Raises ValueError: they do not.
        """
        questions = self.features.size
        sizes = np.diff(self.stops, prepend=0)
        fits = (
            self.stops.size
            and self.stops[-1] == questions == self.thresholds.size == self.parted.size
            and self.leaves.size == questions + self.stops.size
            and 1 <= sizes.min() <= sizes.max() <= MAX_QUESTIONS
            and 0 <= self.features.min() <= self.features.max() < len(self.columns)
            and (self.parted < self.parts()).all()
            and np.abs(self.leaves.astype(np.int64)).sum() < 1 << 31
        )
        if not fits:
            raise ValueError("the parts of a forest do not fit together")

    def parts(self) -> NDArray[np.uint8]:
        """The new leaf that each question makes: uint8 (q,)."""
        sizes = np.diff(self.stops, prepend=0)
        return (np.arange(self.features.size) - np.repeat(self.stops - sizes, sizes) + 1).astype(np.uint8)

    def trees(self) -> Iterator[tuple[slice, slice]]:
        """The questions of each tree, and its leaves."""
        start = 0
        for tree, stop in enumerate(self.stops.tolist()):
            yield slice(start, stop), slice(start + tree, stop + tree + 1)
            start = stop


@dataclass(frozen=True, slots=True)
class Table:
    """All that was learned.

    Attributes:
        version: the name of the table in rows, so that texts of two tables can be told apart.
        first: scores blocks by their own columns.
        kinds: one forest for each kind of page, in the order of `KINDS`.
        second: scores blocks by their own columns, the kind of page, and the first scores of all blocks.
        calibration: float64 (k, 2), ascending: the expected F1 of a page, and the F1 that was measured.
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

    Raises ValueError: it does not fit together.
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
    features, thresholds, parted, leaves = zip(*raw["trees"], strict=True)
    return Forest(
        columns=tuple(raw["columns"]),
        stops=np.cumsum([len(tree) for tree in features]),
        features=np.concatenate(features).astype(np.int64),
        thresholds=np.concatenate(thresholds).astype(np.float32),
        parted=np.concatenate(parted).astype(np.uint8),
        leaves=np.concatenate(leaves).astype(np.int32),
    )


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
    rows = []
    for of_tree, leaves in forest.trees():
        thresholds = [float(str(number)) for number in forest.thresholds[of_tree]]
        tree = (
            forest.features[of_tree].tolist(),
            thresholds,
            forest.parted[of_tree].tolist(),
            forest.leaves[leaves].tolist(),
        )
        rows.append(json.dumps(tree, separators=(",", ":")))
    trees = ",\n".join(rows)
    return f'{{"columns": {json.dumps(forest.columns)},\n"trees": [\n{trees}]}}'


def packaged() -> Table:
    """The table that comes with the package."""
    return parse(Path(__file__).with_name(TABLE).read_text(encoding="utf-8"))


def aligned(forest: Forest, names: Sequence[str]) -> Forest:
    """Return the forest over all columns of a page; it may ask for some of them only.

    Raises ValueError: it asks for a column that there is not.
    """
    place = {name: row for row, name in enumerate(names)}
    if not place.keys() >= set(forest.columns):
        raise ValueError("the table asks for columns that there are not")
    rows = np.array([place[name] for name in forest.columns], np.int64)
    return replace(forest, columns=tuple(names), features=rows[forest.features])


def cues(forest: Forest, values: NDArray[np.float32]) -> tuple[tuple[str, ...], NDArray[np.float64]]:
    """What each group of columns adds to the log-odds of each block.

    A question adds the difference between the mean leaf of the side it leads to and the mean leaf before it
    (Saabas 2014; leaves count equally), so that a tree's additions and its mean leaf sum to the leaf. The
    means of all trees come under "base".

    Args:
        values: float32 (columns, n).

    Returns:
        The groups' names, and log-odds, float64 (groups, n); over all groups they sum to the score.
    """
    group_of = [name.partition(".")[0] for name in forest.columns]
    groups = sorted({group_of[column] for column in np.unique(forest.features).tolist()})
    added = np.zeros((len(groups) + 1, values.shape[1]))
    for of_tree, of_leaves in forest.trees():
        features, thresholds = forest.features[of_tree].tolist(), forest.thresholds[of_tree]
        parted = forest.parted[of_tree].tolist()
        before, no, yes = _means(parted, forest.leaves[of_leaves].tolist())
        leaf = np.zeros(values.shape[1], np.int64)
        added[-1] += before[0]
        for question, (feature, part) in enumerate(zip(features, parted, strict=True)):
            asked = leaf == part
            answers = asked & (values[feature] > thresholds[question])
            leaf[answers] = question + 1
            row = added[groups.index(group_of[feature])]
            row[asked] += no[question] - before[question]
            row[answers] += yes[question] - no[question]
    return (*groups, "base"), added / UNIT


def _means(parted: list[int], leaves: list[int]) -> tuple[list[float], list[float], list[float]]:
    """The mean of a tree's leaves that are part of what each question parts; of its no; of its yes."""
    sums, sizes = list(leaves), [1] * len(leaves)
    before, no, yes = ([0.0] * len(parted) for _ in range(3))
    for question in reversed(range(len(parted))):
        part, new = parted[question], question + 1
        no[question], yes[question] = sums[part] / sizes[part], sums[new] / sizes[new]
        sums[part] += sums[new]
        sizes[part] += sizes[new]
        before[question] = sums[part] / sizes[part]
    return before, no, yes
