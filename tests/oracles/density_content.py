"""Where CETD finds content, element by element (Sun, Song, Liao, SIGIR 2011, section 4)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from cedar.transforms.extractors.tree.tree import Tree

TOLERANCE = 1e-9


def ranks(sums: Sequence[float]) -> list[int]:
    """The rank of each sum, 0 for the largest; sums that differ by rounding alone share one."""
    order = sorted(range(len(sums)), key=lambda place: -sums[place])
    found = [0] * len(sums)
    for before, place in pairwise(order):
        found[place] = found[before] + (sums[before] - sums[place] > TOLERANCE * sums[before])
    return found


def content(
    tree: Tree, density: Sequence[float], sums: Sequence[float], factor: float
) -> tuple[list[bool], float]:
    """The elements that are content, and the threshold, of a tree with elements."""
    body, stop = tree.body, int(tree.ends[tree.body])
    rank = dict(zip(range(body, stop), ranks(sums[body:stop]), strict=True))

    def densest(element: int) -> int:
        return min(range(element, int(tree.ends[element])), key=lambda one: (rank[one], one))

    def is_around(element: int, other: int) -> bool:
        return element <= other < tree.ends[element]

    best = densest(body)
    threshold = factor * min(density[one] for one in range(body, stop) if is_around(one, best))
    roots = set()
    waiting = [body]
    while waiting:
        element = waiting.pop()
        if density[element] >= threshold * (1 - TOLERANCE):
            roots.add(densest(element))
            waiting += [one for one in range(body, stop) if tree.parents[one] == element]
    return [any(is_around(root, one) for root in roots) for one in range(tree.size)], threshold


def kept(tree: Tree, marked: Sequence[bool], *, path_text: bool) -> tuple[list[bool], list[bool]]:
    """The elements that are content or hold some, and the tags of the body after which the text stays."""
    elements = [any(marked[one : int(tree.ends[one])]) for one in range(tree.size)]
    wanted = elements if path_text else marked
    first, last = tree.body_tags
    return elements, [first <= tag < last and wanted[tree.inside[tag]] for tag in range(tree.tags)]
