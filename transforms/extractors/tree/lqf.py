"""LQF: the link quota filter.

Mantratzis, Orgun, Cassidy: Separating XHTML content from navigation clutter using DOM-structure block
analysis, Hypertext 2005; in the form in which later papers compare with it (Gottron: CombineE, 2008), which
is all that we know of it.

The link quota of a block-level element is its share of characters in links. Elements whose quota is over a
bound go, the innermost first; the rest of the page is content. CombineE's LQF-25, -50 and -75 are the bounds
.25, .5 and .75. Our choices: what has gone no longer counts in the quotas of the elements around it; the
body, the root and `br` stay; characters are counted with runs of blanks as one and those at the ends of texts
not at all; `a` without an address is a link.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from transforms.extractors.html.characters import Flags, Floats
from transforms.extractors.options import About
from transforms.extractors.tree.extraction import TreeDecision, TreeOptions, tree_method
from transforms.extractors.tree.tree import Tree


@dataclass(frozen=True, slots=True, kw_only=True)
class LqfOptions(TreeOptions):
    """Options of `lqf`."""

    quota: Annotated[
        float, About("share of characters in links over which an element goes", minimum=0, maximum=1)
    ] = 0.5


def decide_lqf(tree: Tree, options: LqfOptions) -> TreeDecision:
    """Return what LQF keeps of a tree."""
    goes, quotas = filtered(tree, options.quota)
    kept = ~tree.covered(goes)
    return TreeDecision(kept, kept[tree.inside] & tree.body_text, quotas, options.quota)


lqf = tree_method(decide_lqf)
"""LQF on a page of valid UTF-8; a block's score is the link quota of its element."""


def filtered(tree: Tree, bound: float) -> tuple[Flags, Floats]:
    """Take elements with a quota over `bound`, deepest first. These, bool (n,); all quotas, float64 (n,)."""
    size = tree.size
    in_links = tree.covered(tree.named("a"))[tree.inside]
    # Of each element what is directly in it, and then what the levels below leave.
    chars = tree.direct_sums(tree.chars)
    link_chars = tree.direct_sums(np.where(in_links, tree.chars, 0))
    exempt = ~tree.block_level | tree.named("br")
    if size:
        exempt[[0, tree.body]] = True
    goes = np.zeros(size, bool)
    quotas = np.zeros(size)
    # The elements of each depth, in order.
    order = np.argsort(tree.depths.astype(np.int16), kind="stable")
    levels = np.split(order, np.cumsum(np.bincount(tree.depths))[:-1]) if size else []
    for level in reversed(levels):
        quotas[level] = link_chars[level] / np.maximum(chars[level], 1.0)
        goes[level] = (quotas[level] > bound) & ~exempt[level]
        stays = level[~goes[level] & (tree.parents[level] >= 0)]
        np.add.at(chars, tree.parents[stays], chars[stays])
        np.add.at(link_chars, tree.parents[stays], link_chars[stays])
    return goes, quotas
