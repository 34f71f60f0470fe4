"""LP: the largest pagelet.

Bar-Yossef, Rajagopalan: Template detection via data mining, WWW 2002. A pagelet is an element none of whose
children has k links or more, and none of whose ancestors is a pagelet: the page is cut from the body down, as
long as a child is rich in links. The content is the pagelet with most text; text directly in elements that
are not pagelets is lost. The definition is from memory, not read up in the paper. Our choices: k = 3, links
are `a` elements with or without an address, text is counted in characters (runs of blanks as one), of equal
pagelets the first wins.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from transforms.extractors.html.characters import Flags
from transforms.extractors.options import About
from transforms.extractors.tree.extraction import TreeDecision, TreeOptions, subtree_decision, tree_method
from transforms.extractors.tree.tree import Tree


@dataclass(frozen=True, slots=True, kw_only=True)
class LpOptions(TreeOptions):
    """Options of `lp`."""

    k: Annotated[int, About("links by which a child is rich in links", minimum=1)] = 3


def decide_lp(tree: Tree, options: LpOptions) -> TreeDecision:
    """Return what LP keeps of a tree."""
    chars = tree.text_sums(tree.chars)
    found = np.flatnonzero(pagelets(tree, options.k))
    largest = int(found[chars[found].argmax()]) if found.size else None
    return subtree_decision(tree, largest, chars.astype(np.float64))


lp = tree_method(decide_lp)
"""LP on a page of valid UTF-8; a block's score is the characters of its element."""


def pagelets(tree: Tree, k: int) -> Flags:
    """Mark the pagelets of the body. bool (n,)."""
    rich = tree.element_sums(tree.named("a")) >= k
    divided = tree.child_sums(rich) > 0
    # Whatever has a divided child has a child rich in links; so nothing below a pagelet is divided.
    begins = divided[tree.parents]
    if tree.size:
        begins[tree.body] = True
    return begins & ~divided & tree.in_body
