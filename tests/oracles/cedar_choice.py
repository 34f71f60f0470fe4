"""How `cedar` chooses among blocks, by trying every number of the likeliest ones."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from transforms.extractors.cedar.model import UNIT, Forest


def likelihood(score: int) -> int:
    """The probability of log-odds in ten-thousandths, in whole thousandths."""
    odds = np.exp(np.clip(score / -UNIT, -30, 30))
    return int(np.rint(1000 / (1 + odds)))


def choose(scores: Sequence[int], words: Sequence[int], *, likely: bool) -> tuple[set[int], float]:
    """The blocks that stay, and the F1 to expect."""
    order = sorted(range(len(scores)), key=lambda block: -scores[block])
    weights = [max(word, 1) for word in words]
    mass = [likelihood(score) * weight for score, weight in zip(scores, weights, strict=True)]

    def expected(count: int) -> float:
        some = order[:count]
        hits, kept = sum(mass[block] for block in some), sum(weights[block] for block in some)
        return 2 * hits / (1000 * kept + max(sum(mass), 1))

    count = sum(score > 0 for score in scores) if likely else 0
    count = count or max(range(1, len(scores) + 1), key=expected)
    return set(order[:count]), expected(count)


def score(forest: Forest, values: Sequence[float]) -> int:
    """The score of a block with some values of columns: down each tree, question by question."""
    total = forest.bias
    for features, thresholds, leaves in zip(forest.features, forest.thresholds, forest.leaves, strict=True):
        leaf = 0
        for feature, threshold in zip(features, thresholds, strict=True):
            leaf = 2 * leaf + bool(np.float32(values[feature]) > threshold)
        total += int(leaves[leaf])
    return total
