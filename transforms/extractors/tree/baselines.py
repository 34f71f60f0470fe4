"""Three filters of the tree that later papers compare with: LQF, LP and LSI.

LQF: the link quota filter.

Mantratzis, Orgun, Cassidy: Separating XHTML content from navigation clutter using DOM-structure block
analysis, Hypertext 2005; in the form in which later papers compare with it (Gottron: CombineE, 2008), which
is all that we know of it.

The link quota of a block-level element is its share of characters in links. Elements whose quota is over a
bound go, the innermost first; the rest of the page is content. CombineE's LQF-25, -50 and -75 are the bounds
.25, .5 and .75. Our choices: what has gone no longer counts in the quotas of the elements around it; the
body, the root and `br` stay; characters are counted with runs of blanks as one and those at the ends of texts
not at all; `a` without an address is a link.

LP: the largest pagelet.

Bar-Yossef, Rajagopalan: Template detection via data mining, WWW 2002. A pagelet is an element none of whose
children has k links or more, and none of whose ancestors is a pagelet: the page is cut from the body down, as
long as a child is rich in links. The content is the pagelet with most text; text directly in elements that
are not pagelets is lost. The definition is from memory, not read up in the paper. Our choices: k = 3, links
are `a` elements with or without an address, text is counted in characters (runs of blanks as one), of equal
pagelets the first wins.

LSI: the largest size increase.

A heuristic of Omini (Buttler, Liu, Pu: A fully automated object extraction system for the World Wide Web,
ICDCS 2001; Han, Buttler, Pu: Wrapping Web data into XML, SIGMOD Record 2001). The content is the subtree that
adds most to the visible size of the page beyond its parts' size:

    size(u) - size(u) / fanout(u)

with the mean size of its children as the size of a part. The definition is from memory, not read up in the
papers. Our choices: size is counted in characters (runs of blanks as one), children are elements and texts,
of equal subtrees the first wins, which is the body where nothing is divided at all.
"""

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from cedar.transforms.extractors.html.characters import Flags, Floats
from cedar.transforms.extractors.options import About
from cedar.transforms.extractors.tree.extraction import (
    TreeDecision,
    TreeMethod,
    TreeOptions,
    subtree_decision,
)
from cedar.transforms.extractors.tree.tree import Tree


@dataclass(frozen=True, slots=True, kw_only=True)
class LqfOptions(TreeOptions):
    """Options of `lqf`."""

    quota: Annotated[
        float, About("share of characters in links over which an element goes", minimum=0, maximum=1)
    ] = 0.5


@TreeMethod
def lqf(tree: Tree, options: LqfOptions) -> TreeDecision:
    """LQF; a block's score is the link quota of its element."""
    goes, quotas = filtered(tree, options.quota)
    kept = ~tree.covered(goes)
    return TreeDecision(kept, kept[tree.inside] & tree.body_text, quotas, options.quota)


def filtered(tree: Tree, bound: float) -> tuple[Flags, Floats]:
    """Take elements with a quota over `bound`, deepest first. These, bool (n,); all quotas, float64 (n,)."""
    size = tree.size
    in_links = tree.covered(tree.named("a"))[tree.inside]
    # Of each element the text directly in it, and then what the levels below leave.
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


@dataclass(frozen=True, slots=True, kw_only=True)
class LpOptions(TreeOptions):
    """Options of `lp`."""

    k: Annotated[int, About("links by which a child is rich in links", minimum=1)] = 3


@TreeMethod
def lp(tree: Tree, options: LpOptions) -> TreeDecision:
    """LP; a block's score is the characters of its element."""
    chars = tree.text_sums(tree.chars)
    found = np.flatnonzero(pagelets(tree, options.k))
    largest = int(found[chars[found].argmax()]) if found.size else None
    return subtree_decision(tree, largest, chars.astype(np.float64))


def pagelets(tree: Tree, k: int) -> Flags:
    """Mark the pagelets of the body. bool (n,)."""
    rich = tree.element_sums(tree.named("a")) >= k
    divided = tree.child_sums(rich) > 0
    # Whatever has a divided child has a child rich in links; so nothing below a pagelet is divided.
    begins = divided[tree.parents]
    if tree.size:
        begins[tree.body] = True
    return begins & ~divided & tree.in_body


@TreeMethod
def lsi(tree: Tree, _: TreeOptions) -> TreeDecision:
    """LSI; a block's score is the size increase of its element."""
    increases = size_increases(tree)
    largest = None
    if tree.size:
        largest = int(increases[tree.body : tree.ends[tree.body]].argmax()) + tree.body
    return subtree_decision(tree, largest, increases)


def size_increases(tree: Tree) -> Floats:
    """size(u) - size(u) / fanout(u) of each element; 0 for one without children. float64 (n,)."""
    fanouts = tree.child_sums(np.ones(tree.size)) + tree.direct_sums(tree.chars > 0)
    sizes = tree.text_sums(tree.chars)
    return sizes - sizes / np.maximum(fanouts, 1)
