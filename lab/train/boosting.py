"""Gradient boosting of trees for log-odds, by LightGBM; its trees as the extractor reads them.

LightGBM parts the leaf that explains most of what is left to explain (Ke et al., NeurIPS 2017). In one
thread, a seed gives the same trees to the last digit.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cedar.transforms.extractors.cedar.model import UNIT, Forest
from cedar.transforms.extractors.html.characters import Floats, Offsets


@dataclass(frozen=True, slots=True)
class BoostingPlan:
    """How trees are grown.

    Attributes:
        leaves: of a tree, at most.
        rate: how much of its best value a leaf adds.
        ridge: is added to a leaf's curvature; the larger, the smaller are leaves of few rows.
        rows, columns: the shares of rows and columns that a tree is grown by.
        min_rows: of a leaf, among the rows that a tree is grown by.
        bins: into how many each column is cut, at most.
    """

    trees: int
    leaves: int
    rate: float
    ridge: float = 1.0
    rows: float = 0.5
    columns: float = 0.25
    min_rows: int = 100
    bins: int = 127
    seed: int = 1

    def options(self) -> dict[str, object]:
        """The names that LightGBM has for them."""
        return {
            "objective": "cross_entropy",
            "num_leaves": self.leaves,
            "learning_rate": self.rate,
            "lambda_l2": self.ridge,
            "bagging_fraction": self.rows,
            "bagging_freq": 1,
            "feature_fraction": self.columns,
            "min_data_in_leaf": self.min_rows,
            "max_bin": self.bins,
            "seed": self.seed,
            "num_threads": 1,
            "deterministic": True,
            "force_col_wise": True,
            "use_missing": False,
            "feature_pre_filter": False,
            "verbose": -1,
        }


@dataclass(frozen=True, slots=True)
class Rows:
    """n rows of k columns to learn from, by name; a share in [0, 1] of each is what is looked for.

    Attributes:
        values: float32 (k, n).
        data: the same as LightGBM has them, cut into bins, with their shares and weights.
    """

    names: tuple[str, ...]
    values: NDArray[np.float32]
    data: Any

    @staticmethod
    def of(
        names: tuple[str, ...],
        values: NDArray[np.float32],
        *,
        shares: Floats,
        weights: Floats,
        plan: BoostingPlan,
    ) -> "Rows":
        """Cut columns into bins."""
        import lightgbm

        scaled = weights / weights.mean()
        data = lightgbm.Dataset(values.T, shares, weight=scaled, params=plan.options(), free_raw_data=True)
        return Rows(names, values, data.construct())

    def grow(self, plan: BoostingPlan, seen: Offsets | None = None) -> Forest:
        """Grow trees on some of the rows, ascending, or on all."""
        import lightgbm

        data = self.data if seen is None else self.data.subset(seen)
        grown = lightgbm.train(plan.options(), data, plan.trees)
        return forest(self.names, grown.model_to_string())


def forest(names: Sequence[str], text: str) -> Forest:
    """Read LightGBM's trees: leaves in whole ten-thousandths, only the columns that are asked about.

    A tree of LightGBM's grows as one of `Forest` does: question q parts a leaf, which keeps its number,
    and the new leaf is number q + 1.
    """
    trees = [_tree(part) for part in text.split("\n\nTree=")[1:]]
    # A tree without a question adds the same to all scores.
    constant = sum(tree.leaves[0] for tree in trees if not tree.parted)
    asking = [tree for tree in trees if tree.parted]
    if not asking:
        raise ValueError("no question explains anything: too few rows")
    features = np.concatenate([tree.features for tree in asking])
    used = np.unique(features)
    leaves = np.concatenate([tree.leaves for tree in asking])
    leaves[: len(asking[0].leaves)] += constant
    return Forest(
        columns=tuple(names[column] for column in used),
        stops=np.cumsum([len(tree.parted) for tree in asking]),
        features=used.searchsorted(features),
        thresholds=np.concatenate([tree.thresholds for tree in asking]),
        parted=np.concatenate([tree.parted for tree in asking]).astype(np.uint8),
        leaves=np.rint(leaves * UNIT).astype(np.int32),
    )


@dataclass(frozen=True, slots=True)
class _Tree:
    features: list[int]
    thresholds: NDArray[np.float32]
    parted: list[int]
    leaves: Floats


def _tree(text: str) -> _Tree:
    fields = dict(line.split("=", 1) for line in text.splitlines() if "=" in line)
    left = [int(child) for child in fields.get("left_child", "").split()]
    parted = []
    for question in range(len(left)):
        # The leaf that it parts keeps its number on the side of no; leaves have negative numbers.
        while question >= 0:
            question = left[question]
        parted.append(~question)
    thresholds = [float(f"{float(number):.6g}") for number in fields.get("threshold", "").split()]
    return _Tree(
        features=[int(column) for column in fields.get("split_feature", "").split()],
        thresholds=np.array(thresholds, np.float32),
        parted=parted,
        leaves=np.array(fields["leaf_value"].split(), np.float64),
    )
