"""The distance of two ordered trees (Zhang and Shasha 1989)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache

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

    def nodes(self) -> Iterator[OrderedTree]:
        """Yield the nodes, each after those under it."""
        for tree in self.inner:
            yield from tree.nodes()
        yield self


def tree_distance(one: OrderedTree, other: OrderedTree) -> float:
    """The least cost of inserted and deleted nodes, each 1, and of changes that make one tree the other."""
    ours, theirs = list(one.nodes()), list(other.nodes())

    @cache
    def distance(start: int, stop: int, other_start: int, other_stop: int) -> float:
        """Of two forests, each a range of nodes: what becomes of their last nodes decides."""
        if start == stop or other_start == other_stop:
            return stop - start + other_stop - other_start
        left, right = ours[stop - 1], theirs[other_stop - 1]
        first, other_first = stop - left.size, other_stop - right.size
        below = distance(first, stop - 1, other_first, other_stop - 1)
        return min(
            distance(start, stop - 1, other_start, other_stop) + 1,
            distance(start, stop, other_start, other_stop - 1) + 1,
            distance(start, first, other_start, other_first) + (below + _change(left, right)),
        )

    return distance(0, one.size, 0, other.size)


def _change(one: OrderedTree, other: OrderedTree) -> float:
    if one.name != other.name:
        return 1.0
    if one.text == other.text:
        return 0.0
    return edit_distance(one.text, other.text) / max(len(one.text), len(other.text))
