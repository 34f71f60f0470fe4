"""CoreEx (Prasad, Paepcke: Content Extraction from Online News Articles, 2008).

Words and links are counted from the leaves up (section 2):

    text      textCnt = its words (runs between blanks), linkCnt = 0
    link      textCnt = linkCnt = 1, whatever is in it
    element   the sums over its children

S of an element N is the set of its children, texts included, for which

    (textCnt - linkCnt) / textCnt > threshold = 0.9

and with setTextCnt and setLinkCnt, the sums over S,

    score(N) = weight_ratio * (setTextCnt - setLinkCnt) / setTextCnt + weight_text * setTextCnt / pageText

0 where S is empty; pageText is textCnt of the body, weight_ratio = 1 - weight_text = 0.99. The S of the
element of the highest score is the content. Of equal scores the one higher in the tree wins; where the paper
draws lots (siblings), and where it is silent, the earlier one. What stands in script, select, form, input,
textarea and option is not there at all.

The formula is lost in the texts of the paper that we have; it is restored from the prose around it. Links are
`a` elements with an address (the paper does not say; `anchors` chooses); they and their descendants are no
candidates.

Variant `modern`, ours: weight_text = 0.1, and forms are read. One link in some hundred words costs more than
a paragraph weighs by 0.01, so that the longest paragraph without links beats the article; and some sites wrap
the page in a form.
"""

from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from cedar.transforms.extractors.html.characters import Flags, Floats, Offsets
from cedar.transforms.extractors.options import About
from cedar.transforms.extractors.tree._tree import words
from cedar.transforms.extractors.tree.extraction import TreeDecision, TreeMethod, TreeOptions
from cedar.transforms.extractors.tree.tree import Tree

_IGNORED = ("script", "select", "input", "textarea", "option")
_MODERN_TEXT_WEIGHT = 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class CoreExOptions(TreeOptions):
    """Options of `coreex`."""

    variant: Annotated[
        Literal["paper", "modern"],
        About("modern: text_weight 0.1 and forms kept, whatever those options say"),
    ] = "paper"
    threshold: Annotated[
        float, About("share of words outside of links above which a child counts", minimum=0, maximum=0.99)
    ] = 0.9
    text_weight: Annotated[
        float,
        About("weight of the share of the page's text; the ratio weighs the rest", minimum=0, maximum=1),
    ] = 0.01
    anchors: Annotated[
        Literal["href", "all"], About("which a elements are links: those with an address, or all")
    ] = "href"
    forms: Annotated[
        Literal["ignore", "unwrap", "keep"],
        About("the contents of forms; unwrap: kept in a form that holds more than half of the page's words"),
    ] = "ignore"


@dataclass(frozen=True, slots=True)
class CoreExCounts:
    """The words and links of a tree of n elements and t tags, int64: textCnt and linkCnt of elements (n,).

    textCnt is 0 for ignored text and text in a link; `words` counts the text after each tag (t,), and
    `page_text` the body's.
    """

    page_text: int
    text: Offsets
    links: Offsets
    words: Offsets


@TreeMethod
def coreex(tree: Tree, options: CoreExOptions) -> TreeDecision:
    """CoreEx; a block's score is its element's."""
    ignored = ignored_elements(tree, "keep" if options.variant == "modern" else options.forms)
    links = tree.named("a") & ~ignored
    if options.anchors == "href":
        links = tree.with_attribute(links, "href")
    counts = count(tree, links, ignored)
    members = _ratios(counts.text, counts.links) > options.threshold
    weight = _MODERN_TEXT_WEIGHT if options.variant == "modern" else options.text_weight
    scores = set_scores(tree, counts, members, text_weight=weight)
    chosen = highest(tree, scores)
    kept_text = np.zeros(tree.tags, bool)
    kept = np.zeros(tree.size, bool)
    if chosen is not None:
        kept = tree.covered(members & (tree.parents == chosen)) & ~ignored
        kept_text = kept[tree.inside] | (tree.inside == chosen)
        places = np.arange(tree.size)
        kept |= (places <= chosen) & (tree.ends > chosen)
    return TreeDecision(kept, kept_text & tree.body_text, scores, None)


def ignored_elements(tree: Tree, forms: Literal["ignore", "unwrap", "keep"]) -> Flags:
    """Mark the elements that CoreEx does not see, and all elements in them. bool (n,)."""
    roots = tree.named(*_IGNORED)
    if forms != "keep":
        found = tree.named("form")
        if forms == "unwrap" and tree.size:
            held = tree.text_sums(words(tree))
            found &= 2 * held <= held[tree.body]
        roots |= found
    return tree.covered(roots)


def count(tree: Tree, links: Flags, ignored: Flags) -> CoreExCounts:
    """Count words and links; links in links, and ignored elements with their descendants, do not count."""
    inside = tree.covered(links)
    outermost = links & ((tree.parents < 0) | ~inside[tree.parents])
    lost = (tree.inside < 0) | (inside | ignored)[tree.inside]
    text_words = np.where(lost, 0, words(tree))
    link_counts = tree.element_sums(outermost)
    text = np.where(inside & ~outermost, 0, link_counts + tree.text_sums(text_words))
    page_text = int(text[tree.body]) if tree.size else 0
    return CoreExCounts(page_text=page_text, text=text, links=link_counts, words=text_words)


def set_scores(tree: Tree, counts: CoreExCounts, members: Flags, *, text_weight: float) -> Floats:
    """Score the elements of the body, each in [0, 1]; others have 0. float64 (n,).

    `members`, bool (n,), are the elements that belong to the set S of their parent.
    """
    text = tree.child_sums(np.where(members, counts.text, 0)) + tree.direct_sums(counts.words)
    links = tree.child_sums(np.where(members, counts.links, 0))
    ratios = (1.0 - text_weight) * _ratios(text, links)
    scores = ratios + text_weight * text / max(counts.page_text, 1)
    return np.where((text > 0) & tree.in_body, scores, 0.0)


def highest(tree: Tree, scores: Floats) -> int | None:
    """Find the element of the highest score above 0, if any: of equal ones the least deep, then the first."""
    if not (scores > 0).any():
        return None
    best = np.flatnonzero(scores == scores.max())
    return int(best[tree.depths[best].argmin()])


def _ratios(text: Offsets | Floats, links: Offsets | Floats) -> Floats:
    return (text - links) / np.maximum(text, 1)
