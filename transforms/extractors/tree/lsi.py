"""LSI: the largest size increase.

A heuristic of Omini (Buttler, Liu, Pu: A fully automated object extraction system for the World Wide Web,
ICDCS 2001; Han, Buttler, Pu: Wrapping Web data into XML, SIGMOD Record 2001). The content is the subtree that
adds most to the visible size of the page beyond that of its parts:

    size(u) - size(u) / fanout(u)

with the mean size of its children as that of a part. The definition is from memory, not read up in the
papers. Our choices: size is counted in characters (runs of blanks as one), children are elements and texts,
of equal subtrees the first wins, which is the body where nothing is divided at all.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from transforms.extractors.html.characters import Floats
from transforms.extractors.tree.extraction import TreeDecision, TreeOptions, subtree_decision, tree_method
from transforms.extractors.tree.tree import Tree


@dataclass(frozen=True, slots=True, kw_only=True)
class LsiOptions(TreeOptions):
    """Options of `lsi`."""


def decide_lsi(tree: Tree, _: LsiOptions) -> TreeDecision:
    """Return what LSI keeps of a tree."""
    increases = size_increases(tree)
    largest = None
    if tree.size:
        largest = int(increases[tree.body : tree.ends[tree.body]].argmax()) + tree.body
    return subtree_decision(tree, largest, increases)


lsi = tree_method(decide_lsi)
"""LSI on a page of valid UTF-8; a block's score is the size increase of its element."""


def size_increases(tree: Tree) -> Floats:
    """size(u) - size(u) / fanout(u) of each element; 0 for one without children. float64 (n,)."""
    fanouts = tree.child_sums(np.ones(tree.size)) + tree.direct_sums(tree.chars > 0)
    sizes = tree.text_sums(tree.chars)
    return sizes - sizes / np.maximum(fanouts, 1)
