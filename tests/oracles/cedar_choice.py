"""How `cedar` chooses among blocks, by trying every number of the likeliest ones."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cedar.transforms.extractors.cedar.model import UNIT, Forest


def likelihood(score: int) -> int:
    """The probability of log-odds in ten-thousandths, in whole thousandths."""
    odds = np.exp(np.clip(score / -UNIT, -30, 30))
    return int(np.rint(1000 / (1 + odds)))


def choose(scores: Sequence[int], words: Sequence[int], *, shared: int) -> tuple[set[int], float]:
    """The blocks that stay, and the F1 to expect."""
    likely = [likelihood(score) for score in scores]
    weights = [max(word, 1) for word in words]
    whole = sum(one * weight for one, weight in zip(likely, weights, strict=True))

    def kept(level: int) -> set[int]:
        return {block for block, one in enumerate(likely) if one >= level}

    def held(level: int) -> int:
        return sum(weights[block] for block in kept(level))

    def apart(level: int) -> float:
        hits = sum(likely[block] * weights[block] for block in kept(level))
        return 2 * hits / (1000 * held(level) + max(whole, 1))

    def expected(level: int) -> float:
        together = sum(min(held(level), held(other)) / (held(level) + held(other)) for other in levels)
        return ((1000 - shared) * apart(level) + shared * (together * 0.05)) / 1000

    levels = range(25, 1000, 25)
    best = max((level for level in levels if kept(level)), key=expected, default=None)
    if best is None:
        return kept(max(likely)), apart(max(likely))
    return kept(best), expected(best)


def score(forest: Forest, values: Sequence[float]) -> int:
    """The score of a block with some values of columns: down each tree, from the first question on."""
    total = 0
    for of_tree, of_leaves in forest.trees():
        leaf = 0
        asked = (forest.features[of_tree], forest.thresholds[of_tree], forest.parted[of_tree])
        for new, (feature, threshold, parted) in enumerate(zip(*asked, strict=True), 1):
            if leaf == parted and np.float32(values[feature]) > threshold:
                leaf = new
        total += int(forest.leaves[of_leaves][leaf])
    return total
