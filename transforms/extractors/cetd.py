"""CETD: content extraction via text density (Sun, Song, Liao, SIGIR 2011).

For each element i of the body, its descendants alone (section 3):

    C_i    characters; of each text, runs of blanks count as one, those at its ends not at all
    T_i    elements
    LC_i   characters in links (`a`, `button`, `select`); a link's own are all in links
    LT_i   link tags: links, what is in them, and pure wrappers of links such as the `li` of `li > a`

    text density TD_i = C_i / T_i, with 1 for T_i = 0
    DensitySum_i = sum of the children's densities, and of the characters directly in i

The paper's DensitySum has children alone; its authors' program has the characters, too, else text between
`br` would be lost. Wrappers count among link tags for the authors' program alone; the paper's claim that
nothing but links has no density needs it.

Extraction (section 4): the threshold is lambda times the least density from the element of the largest
DensitySum up to the body. From the body down, as long as densities reach it, the element with the largest
DensitySum in the subtree of each element is content, with all that is in it. Content stays, its ancestors
stay around it; the rest goes. With lambda over 1 there may be no content at all.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from transforms.caps import DEFAULT_CAPS, Caps
from transforms.extractors.characters import Flags, Offsets
from transforms.extractors.dom import Tree, read_tree
from transforms.extractors.dom_extraction import TreeDecision, extraction
from transforms.extractors.dom_text import TreeText, tree_text
from transforms.extractors.extraction import Extraction
from transforms.extractors.options import About
from transforms.extractors.smoothing import Floats

_TOLERANCE = 1e-9
"""Densities that differ by less, relatively, are equal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CetdOptions:
    """Options of `cetd-ds`."""

    threshold_factor: Annotated[
        float,
        About("the paper's lambda: factor of the density threshold; 0 keeps all", minimum=0, alias="lambda"),
    ] = 1.0
    path_text: Annotated[
        Literal["keep", "drop"], About("text that stands directly in the ancestors of content")
    ] = "keep"
    hidden: Annotated[
        Literal["remove", "keep"],
        About("elements with a hidden attribute, or display: none in their style attribute"),
    ] = "remove"


@dataclass(frozen=True, slots=True)
class Counts:
    """What the n elements of a tree hold, int64 (n,) each.

    Attributes:
        chars: C.
        tags: T.
        link_chars: LC.
        link_tags: LT.
    """

    chars: Offsets
    tags: Offsets
    link_chars: Offsets
    link_tags: Offsets


def cetd_ds(html: bytes, options: CetdOptions, caps: Caps = DEFAULT_CAPS) -> Extraction:
    """CETD-DS, text density and DensitySum, on a page of valid UTF-8; a block's score is its element's TD.

    Raises:
        TreeLimitError: the page cannot be parsed whole.
    """
    tree = read_tree(html, caps, keep_hidden=options.hidden == "keep")
    text = tree_text(tree)
    densities = text_density(tree.text_sums(text.chars), descendants(tree))
    sums = density_sums(tree, text, densities)
    content, threshold = mark_content(tree, densities, sums, options.threshold_factor)
    return extraction(html, tree, text, _decision(tree, content, densities, threshold, options))


def descendants(tree: Tree) -> Offsets:
    """T: how many elements are below each. int64 (n,)."""
    return tree.ends - np.arange(tree.size) - 1


def counts(tree: Tree, text: TreeText) -> Counts:
    """Counts characters and elements, in links and in all."""
    links = tree.covered(tree.named("a", "button", "select"))
    chars = tree.text_sums(text.chars)
    tags = descendants(tree)
    link_chars = tree.text_sums(np.where(links[tree.inside], text.chars, 0))
    # In a wrapper of nothing but links, no character is outside of links, and no leaf.
    leaves = tree.element_sums(~links & (tags == 0))
    counted = links | ((leaves == 0) & (chars == link_chars))
    return Counts(chars, tags, link_chars, tree.element_sums(counted) - counted)


def text_density(chars: Offsets, tags: Offsets) -> Floats:
    """TD of elements with C = `chars` and T = `tags`, int64 (n,) each. float64 (n,)."""
    density: Floats = chars / np.maximum(tags, 1)
    return density


def density_sums(tree: Tree, text: TreeText, densities: Floats) -> Floats:
    """DensitySum of each element.

    Args:
        tree: the tree.
        text: its text; a stretch of L characters directly in an element adds L (its TD, were it an element).
        densities: of the elements, float64 (n,).

    Returns:
        float64 (n,).
    """
    size = tree.size
    # The root has no parent, and nothing stands outside of it: both go to a place that is cut off.
    of_children = np.bincount(tree.parents % (size + 1), densities, size + 1)
    of_text = np.bincount(tree.inside % (size + 1), text.chars, size + 1)
    sums: Floats = (of_children + of_text)[:size].astype(np.float64, copy=False)
    return sums


def mark_content(
    tree: Tree, densities: Floats, sums: Floats, threshold_factor: float
) -> tuple[Flags, float | None]:
    """Finds the content of a page.

    Args:
        tree: the tree; only its body is looked at.
        densities: of its elements, float64 (n,).
        sums: their DensitySums, float64 (n,).
        threshold_factor: lambda.

    Returns:
        The elements that are content, bool (n,), descendants of content included, and the threshold; None
        for a tree without elements.
    """
    content = np.zeros(tree.size, bool)
    if not tree.size:
        return content, None
    body, end = tree.body, int(tree.ends[tree.body])
    inside = np.arange(body, end)
    densest = _Densest(sums[body:end], body)
    best = densest.first
    on_path = inside[(inside <= best) & (tree.ends[body:end] > best)]
    threshold = threshold_factor * float(densities[on_path].min())

    dense = np.zeros(tree.size, bool)
    dense[body:end] = densities[body:end] >= threshold * (1.0 - _TOLERANCE)
    # Nobody looks below an element that is not dense.
    visited = inside[~tree.covered(~dense & tree.in_body)[body:end]]
    content[densest.within(visited, tree.ends[visited])] = True
    return tree.covered(content), threshold


class _Densest:
    """Where in ranges of elements the largest DensitySum is; the first of equal ones."""

    def __init__(self, sums: Floats, start: int) -> None:
        order = np.argsort(-sums, kind="stable")
        falling = sums[order]
        rank = np.zeros(sums.size, np.int64)
        rank[order[1:]] = np.cumsum(falling[:-1] - falling[1:] > _TOLERANCE * falling[:-1])
        self._start = start
        self._size = sums.size
        self._keys = rank * sums.size + np.arange(sums.size)

    @property
    def first(self) -> int:
        """The element of the largest DensitySum of all."""
        return int(self._keys.argmin()) + self._start

    def within(self, starts: Offsets, stops: Offsets) -> Offsets:
        """The elements of the largest DensitySum in the ranges [start, stop), none of them empty.

        Minima of 1, 2, 4, ... neighbours are made one after the other; two of them cover a range.

        Args:
            starts: int64 (m,).
            stops: int64 (m,).

        Returns:
            int64 (m,).
        """
        minima = self._keys
        first = starts - self._start
        width = 1
        result = np.empty(starts.size, np.int64)
        waiting = np.arange(starts.size)
        lengths = stops - starts
        while waiting.size:
            fit = lengths[waiting] < 2 * width
            now = waiting[fit]
            result[now] = np.minimum(minima[first[now]], minima[first[now] + lengths[now] - width])
            waiting = waiting[~fit]
            minima = np.minimum(minima[:-width], minima[width:])
            width *= 2
        return result % self._size + self._start


def _decision(
    tree: Tree, content: Flags, densities: Floats, threshold: float | None, options: CetdOptions
) -> TreeDecision:
    """The decision that content stays, and its ancestors around it."""
    around = (tree.element_sums(content) > 0) & ~content
    kept = content[tree.inside]
    if options.path_text == "keep":
        kept |= around[tree.inside]
    return TreeDecision(content | around, kept & tree.body_text, densities, threshold)
