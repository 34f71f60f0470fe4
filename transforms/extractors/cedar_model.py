"""The learned table: oblivious trees over a block's columns, and what each group of columns adds to a score.

An oblivious tree asks the same question of all blocks at each level (Kohavi 1994; Prokhorenkova et al.,
"CatBoost", NeurIPS 2018): d questions make a number of d bits, which is the index of its leaf. A block's
score is the sum of its leaves and a bias: the log-odds, in ten-thousandths, that it is content. Sums of
integers do not depend on the order in which a machine adds them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources

import numpy as np
from numpy.typing import NDArray

from transforms.extractors.characters import Offsets

UNIT = 10_000
"""Scores are log-odds times this."""

TABLE = "cedar_table.json"
_CHUNK = 4096


@dataclass(frozen=True, slots=True)
class Table:
    """The trees: t of them, of d questions each.

    Attributes:
        columns: names of the columns that are asked for.
        features: int64 (t, d), index of the column each question is about.
        thresholds: float32 (t, d); the answer is yes where the column is larger.
        leaves: int64 (t, 2 ** d), what each leaf adds; the first question is the highest bit.
        bias: what all scores begin with.
        calibration: float64 (k, 2), ascending: expected F1 of a page and the F1 that came of it.
    """

    columns: tuple[str, ...]
    features: Offsets
    thresholds: NDArray[np.float32]
    leaves: Offsets
    bias: int
    calibration: NDArray[np.float64]


def parse(text: str) -> Table:
    """Reads a table as `to_json` wrote it.

    Raises:
        ValueError: it does not fit together.
    """
    raw = json.loads(text)
    table = Table(
        tuple(raw["columns"]),
        np.array(raw["features"], np.int64),
        np.array(raw["thresholds"], np.float32),
        np.array(raw["leaves"], np.int64),
        int(raw["bias"]),
        np.array(raw["calibration"], np.float64),
    )
    trees, depth = table.features.shape
    fits = table.thresholds.shape == (trees, depth) and table.leaves.shape == (trees, 1 << depth)
    if not fits or table.features.min() < 0 or table.features.max() >= len(table.columns):
        raise ValueError("the table's parts do not fit together")
    return table


def to_json(table: Table) -> str:
    """Writes a table as JSON, a tree a line."""
    parts = {
        "columns": list(table.columns),
        "bias": table.bias,
        "calibration": table.calibration.tolist(),
        "features": table.features.tolist(),
        "thresholds": [[float(str(number)) for number in row] for row in table.thresholds],
        "leaves": table.leaves.tolist(),
    }
    lines = []
    for name, value in parts.items():
        rows = isinstance(value, list) and bool(value) and isinstance(value[0], list)
        body = (
            ",\n".join(json.dumps(row, separators=(",", ":")) for row in value) if rows else json.dumps(value)
        )
        lines.append(f'"{name}": [\n{body}\n]' if rows else f'"{name}": {body}')
    return "{\n" + ",\n".join(lines) + "\n}\n"


def packaged() -> Table:
    """The table that comes with the package."""
    return parse(resources.files(__package__).joinpath(TABLE).read_text(encoding="utf-8"))


def matrix(table: Table, columns: Mapping[str, NDArray[np.float32]]) -> NDArray[np.float32]:
    """The columns a table asks for, float32 (columns, n)."""
    return np.stack([columns[name] for name in table.columns])


def scores(table: Table, values: NDArray[np.float32]) -> Offsets:
    """Scores of blocks.

    Args:
        table: the trees.
        values: float32 (columns, n).

    Returns:
        int64 (n,).
    """
    count = values.shape[1]
    result = np.full(count, table.bias, np.int64)
    for first in range(0, count, _CHUNK):
        part = slice(first, first + _CHUNK)
        result[part] += np.take_along_axis(table.leaves, _leaf(table, values[:, part]), 1).sum(0)
    return result


def _leaf(table: Table, values: NDArray[np.float32]) -> Offsets:
    """The leaf of each block in each tree: int64 (t, n)."""
    trees, depth = table.features.shape
    yes = values[table.features.ravel()] > table.thresholds.reshape(-1, 1)
    bits = yes.reshape(trees, depth, -1).view(np.uint8)
    leaf = bits[:, 0].copy()
    for level in range(1, depth):
        leaf <<= 1
        leaf |= bits[:, level]
    return leaf.astype(np.int64)


def cues(table: Table, values: NDArray[np.float32]) -> tuple[tuple[str, ...], NDArray[np.float64]]:
    """What each group of columns adds to the log-odds of each block.

    A question adds the difference between the mean leaf of the half it leads to and the mean leaf before it
    (Saabas 2014; leaves count equally), so that a tree's additions and its mean leaf sum to the leaf. The
    means of all trees and the bias come under "base".

    Args:
        table: the trees.
        values: float32 (columns, n).

    Returns:
        The groups' names, and log-odds, float64 (groups, n); over all groups they sum to the score.
    """
    trees, depth = table.features.shape
    groups = sorted({name.partition(".")[0] for name in table.columns})
    place = {name: index for index, name in enumerate(groups)}
    group = np.array([place[name.partition(".")[0]] for name in table.columns], np.int64)
    added = np.zeros((len(groups) + 1, values.shape[1]))
    leaf = _leaf(table, values)
    rows = np.arange(trees)[:, None]
    before = np.broadcast_to(table.leaves.mean(1)[:, None], leaf.shape)
    added[-1] = table.bias + table.leaves.mean(1).sum()
    for level in range(depth):
        means = table.leaves.reshape(trees, 2 << level, -1).mean(2)
        after = means[rows, leaf >> (depth - 1 - level)]
        np.add.at(added, group[table.features[:, level]], after - before)
        before = after
    return (*groups, "base"), added / UNIT
