"""The distance of two ordered trees (Zhang and Shasha 1989)."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from transforms.scoring.alignment import edit_distance


@dataclass(frozen=True, slots=True)
class OrderedTree:
    """A node of a name, its text, and the nodes under it; `size` is their number with itself.

    Nodes of two names are as far apart as a node and none, two texts as their edits over the longer's length.
    """

    name: str
    text: str = ""
    inner: tuple[OrderedTree, ...] = ()
    size: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "size", 1 + sum(tree.size for tree in self.inner))


def tree_distance(one: OrderedTree, other: OrderedTree) -> float:
    """The least cost of inserted and deleted nodes, each 1, and of changes that make one tree the other."""
    first, second = _Postorder(one), _Postorder(other)
    known = np.zeros((len(first.nodes), len(second.nodes)))
    for i in first.keyroots:
        for j in second.keyroots:
            _fill(first, second, (i, j), known)
    return float(known[-1, -1])


class _Postorder:
    """The nodes of a tree, each after those under it, and the leftmost leaf under each."""

    def __init__(self, tree: OrderedTree) -> None:
        self.nodes: list[OrderedTree] = []
        self.lefts: list[int] = []
        pending: list[tuple[OrderedTree, int, int]] = [(tree, 0, 0)]
        while pending:
            node, place, start = pending.pop()
            if place == 0:
                start = len(self.nodes)
            if place < len(node.inner):
                pending += [(node, place + 1, start), (node.inner[place], 0, 0)]
            else:
                self.nodes.append(node)
                self.lefts.append(start)
        self.keyroots = sorted({left: place for place, left in enumerate(self.lefts)}.values())


def _fill(one: _Postorder, other: _Postorder, roots: tuple[int, int], known: NDArray[np.float64]) -> None:
    """Distances of the forests that end in the nodes under two roots."""
    i, j = roots
    first, second = one.lefts[i], other.lefts[j]
    forest = np.zeros((i - first + 2, j - second + 2))
    forest[:, 0] = np.arange(forest.shape[0])
    forest[0, :] = np.arange(forest.shape[1])
    for a in range(1, forest.shape[0]):
        for b in range(1, forest.shape[1]):
            x, y = first + a - 1, second + b - 1
            least = min(forest[a - 1, b], forest[a, b - 1]) + 1
            if one.lefts[x] == first and other.lefts[y] == second:
                forest[a, b] = min(least, forest[a - 1, b - 1] + _change(one.nodes[x], other.nodes[y]))
                known[x, y] = forest[a, b]
            else:
                before = forest[one.lefts[x] - first, other.lefts[y] - second]
                forest[a, b] = min(least, before + known[x, y])


def _change(one: OrderedTree, other: OrderedTree) -> float:
    if one.name != other.name:
        return 1.0
    if one.text == other.text:
        return 0.0
    return edit_distance(one.text, other.text) / max(len(one.text), len(other.text))
