"""The tree over labels by which fastText's hierarchical softmax asks for them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from transforms.curation.fasttext_file import MOST_OF_A_LABEL


def children_of(counts: NDArray[np.int64]) -> NDArray[np.int32]:
    """Build Huffman's tree over labels (Mikolov et al. 2013, section 2.1).

    Args:
        counts: shape (labels,): how often each came in training, the most frequent one first.

    Returns:
        Shape (labels - 1, 2): the children of each inner node, left and right. Inner nodes are numbered after
        the labels, the root last.
    """
    labels = len(counts)
    sums = [*counts.tolist(), *[MOST_OF_A_LABEL] * (labels - 1)]
    children = np.empty((labels - 1, 2), np.int32)
    leaf, node = labels - 1, labels
    for new in range(labels, 2 * labels - 1):
        for side in range(2):
            if leaf >= 0 and sums[leaf] < sums[node]:
                children[new - labels, side] = leaf
                leaf -= 1
            else:
                children[new - labels, side] = node
                node += 1
        left, right = children[new - labels].tolist()
        sums[new] = sums[left] + sums[right]
    return children
