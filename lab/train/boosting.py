"""Gradient boosting of oblivious trees for log-odds, on columns cut into bins.

Each tree takes, level by level, the one question whose halves best explain what is left to explain (Friedman,
"Greedy function approximation", 2001; second-order gains as in XGBoost, 2016), from a sample of rows and
columns. All sums run in the order of the rows, and exponentials are the C library's, so that a seed gives
the same trees to the last digit, whether a CPU has AVX-512 or not.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cedar.transforms.extractors.cedar.model import UNIT, Forest
from cedar.transforms.extractors.html._libm import exp
from cedar.transforms.extractors.html.characters import Floats, Offsets

_LEAST_CURVATURE = 1e-3


@dataclass(frozen=True, slots=True)
class BoostingPlan:
    """How trees are grown: `rate` is how much of its best value a leaf adds.

    `ridge` is added to a leaf's curvature: the larger, the smaller are leaves of few rows. By shares of the
    rows and columns a tree chooses its questions; leaves are filled by all rows.
    """

    trees: int
    depth: int = 4
    rate: float = 0.1
    ridge: float = 1.0
    rows: float = 0.2
    columns: float = 0.35
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Binned:
    """Columns cut into bins: `bins`, uint8 (k, n), is how many of a column's edges are below the value."""

    names: tuple[str, ...]
    edges: tuple[NDArray[np.float32], ...]
    bins: NDArray[np.uint8]


def binned(names: tuple[str, ...], values: NDArray[np.float32], bins: int = 64) -> Binned:
    """Cut columns, float32 (n, k), into up to twice `bins` bins: at quantiles, and evenly over the values."""
    edges = tuple(_edges(values[:, column], bins) for column in range(values.shape[1]))
    cut = np.stack([edge.searchsorted(values[:, column], "left") for column, edge in enumerate(edges)])
    return Binned(names, edges, cut.astype(np.uint8))


def _edges(column: NDArray[np.float32], bins: int) -> NDArray[np.float32]:
    distinct = np.unique(column)
    if distinct.size <= bins:
        return distinct[:-1]
    quantiles = np.quantile(column, np.linspace(0, 1, bins + 1)[1:-1], method="lower")
    even = distinct[np.linspace(0, distinct.size - 1, bins // 2 + 2).astype(int)[1:-1]]
    return np.unique(np.concatenate((quantiles, even))).astype(np.float32)


@dataclass(frozen=True, slots=True)
class Grown:
    """Trees over binned columns, in log-odds from `bias` on.

    Questions are (t, d): a column, and the cut beyond whose bin the answer is yes. Leaves are (t, 2 ** d).
    """

    bias: float
    features: Offsets
    cuts: Offsets
    leaves: Floats

    def scores(self, data: Binned, rows: Offsets) -> Floats:
        """Log-odds of some rows, float64 (len(rows),)."""
        result = np.full(rows.size, self.bias)
        for features, cuts, leaves in zip(self.features, self.cuts, self.leaves, strict=True):
            result += leaves[_leaf(data.bins[features][:, rows], cuts)]
        return result

    def forest(self, data: Binned) -> Forest:
        """Return the trees as the extractor reads them: over values, in whole ten-thousandths."""
        used = np.unique(self.features)
        thresholds = [
            [data.edges[f][cut] for f, cut in zip(features, cuts, strict=True)]
            for features, cuts in zip(self.features, self.cuts, strict=True)
        ]
        return Forest(
            columns=tuple(data.names[column] for column in used),
            features=used.searchsorted(self.features),
            thresholds=np.array(thresholds, np.float32),
            leaves=np.rint(self.leaves * UNIT).astype(np.int64),
            bias=round(self.bias * UNIT),
        )


def _leaf(bins: NDArray[np.uint8], cuts: Offsets) -> Offsets:
    leaf = np.zeros(bins.shape[1], np.int64)
    for row, cut in zip(bins, cuts, strict=True):
        leaf = leaf * 2 + (row > cut)
    return leaf


def grow(data: Binned, rows: Offsets, target: Floats, weight: Floats, plan: BoostingPlan) -> Grown:
    """Grow trees on m rows, int64 (m,), of which a share in [0, 1] is content. Target and weight are (m,)."""
    generator = np.random.default_rng(plan.seed)
    bins = np.ascontiguousarray(data.bins[:, rows])
    counts = np.array([edge.size for edge in data.edges])
    weight = weight / weight.mean()
    mean = float((weight * target).sum() / weight.sum())
    bias = math.log(mean / (1 - mean))
    scores = np.full(rows.size, bias)
    features, cuts, leaves = [], [], []
    for _ in range(plan.trees):
        likely = 1 / (1 + exp(-scores))
        slope = weight * (target - likely)
        curve = weight * np.maximum(likely * (1 - likely), _LEAST_CURVATURE)
        seen = np.flatnonzero(generator.random(rows.size) < plan.rows)
        asked = np.flatnonzero((generator.random(counts.size) < plan.columns) & (counts > 0))
        questions = _questions(bins[asked[:, None], seen], counts[asked], slope[seen], curve[seen], plan)
        features.append([int(asked[column]) for column, _ in questions])
        cuts.append([cut for _, cut in questions])
        leaf = _leaf(bins[features[-1]], np.array(cuts[-1]))
        size = 1 << plan.depth
        leaves.append(
            plan.rate * np.bincount(leaf, slope, size) / (np.bincount(leaf, curve, size) + plan.ridge)
        )
        scores += leaves[-1][leaf]
    return Grown(bias, np.array(features), np.array(cuts), np.array(leaves))


def _questions(
    bins: NDArray[np.uint8], counts: Offsets, slope: Floats, curve: Floats, plan: BoostingPlan
) -> list[tuple[int, int]]:
    """Find each level's best question in a share of the rows: the column's index, and the last bin of no."""
    ridge = plan.ridge * plan.rows
    leaf = np.zeros(slope.size, np.uint8)
    size = int(counts.max()) + 1
    beyond = np.arange(size - 1)[None, :] >= counts[:, None]
    found = []
    for level in range(plan.depth):
        sums = _histograms(bins, leaf, (slope, curve), (1 << level, size)).cumsum(2)
        left, every = sums[:, :, :-1], sums[:, :, -1:]
        right = every - left
        gain = left[..., 0] ** 2 / (left[..., 1] + ridge) + right[..., 0] ** 2 / (right[..., 1] + ridge)
        total = gain.sum(1)
        total[beyond] = -1
        column, cut = divmod(int(total.argmax()), size - 1)
        found.append((column, cut))
        leaf = (leaf * 2 + (bins[column] > cut)).astype(np.uint8)
    return found


def _histograms(
    bins: NDArray[np.uint8], leaf: NDArray[np.uint8], weights: Sequence[Floats], sizes: tuple[int, int]
) -> Floats:
    """Sum w weights in each bin of each leaf, for each of k columns, in the order of the m rows.

    float64 (k, leaves, bins, w), of bins (k, m), leaves (m,), and the numbers of leaves and of bins.
    """
    leaves, size = sizes
    first = leaf.astype(np.int64) * size
    sums = np.empty((len(bins), leaves * size, len(weights)))
    for column, row in enumerate(bins):
        place = first + row
        for index, weight in enumerate(weights):
            sums[column, :, index] = np.bincount(place, weight, leaves * size)
    return sums.reshape(len(bins), leaves, size, len(weights))
