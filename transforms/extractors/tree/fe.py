"""FE and K-FE: FeatureExtractor and K-FeatureExtractor.

Debnath, Mitra, Pal, Giles: Automatic identification of informative sections of Web pages, TKDE 2005.

The tags of `table`, `tr`, `div`, `p`, `ul` and `hr` part a page into blocks. Each block B has a vector of
features: how much of the page's text (characters, runs of blanks as one), links (`a`), images, list items,
form controls and embedded objects it holds,

    v_f(B) = h_f(B) / (sum of h_f over all blocks),    shares s_f(B) = v_f(B) / (sum of v over B's features).

    FE    keeps the blocks in which text wins against all other features: s_text > 0.5
    K-FE  clusters the blocks by k-means on s, k = 3, and keeps the cluster of the largest mean of s_text

Both survive in outline only: the list of features, the normalisation, FE's bound, k and what K-FE clusters
are our choices. Scripts and frames, features too, are not in our trees. K-means starts from the block with
most text; the next centres are the farthest from those chosen.
"""

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from cedar.transforms.extractors.html.characters import Floats, Offsets
from cedar.transforms.extractors.lines._clustering import k_means
from cedar.transforms.extractors.options import About
from cedar.transforms.extractors.tree.extraction import TreeDecision, TreeMethod, TreeOptions, text_decision
from cedar.transforms.extractors.tree.tree import Tree

_PARTS = ("table", "tr", "div", "p", "ul", "hr")
_FEATURES = (
    ("a",),
    ("img", "svg", "picture", "map"),
    ("li", "dt", "dd"),
    ("input", "select", "textarea", "button"),
    ("object", "embed", "applet", "video", "audio"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FeOptions(TreeOptions):
    """Options of `fe`."""

    share: Annotated[
        float, About("share of text among a block's features over which it stays", minimum=0, maximum=1)
    ] = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class KfeOptions(TreeOptions):
    """Options of `kfe`."""

    k: Annotated[int, About("number of clusters", minimum=2, maximum=64)] = 3


@TreeMethod
def fe(tree: Tree, options: FeOptions) -> TreeDecision:
    """FeatureExtractor; a block's score is the share of text in it."""
    blocks = feature_blocks(tree)
    kept = blocks.shares[0] > options.share
    return text_decision(
        tree, kept[blocks.of_tags], blocks.shares[0][blocks.of_tags], threshold=options.share
    )


@TreeMethod
def kfe(tree: Tree, options: KfeOptions) -> TreeDecision:
    """K-FeatureExtractor; a block's score is the share of text in it."""
    blocks = feature_blocks(tree)
    kept = blocks.chars > 0
    some = np.flatnonzero(blocks.shares.any(axis=0))
    points = blocks.shares[:, some]
    if some.size and (clusters := k_means(points, options.k, points[:, blocks.chars[some].argmax()])):
        sizes = np.bincount(clusters.labels, minlength=len(clusters.centroids))
        best = np.where(sizes > 0, clusters.centroids[:, 0], -1.0).argmax()
        kept[some] &= clusters.labels == best
    return text_decision(tree, kept[blocks.of_tags], blocks.shares[0][blocks.of_tags], threshold=None)


@dataclass(frozen=True, slots=True)
class FeatureBlocks:
    """The m blocks of a tree's body: their characters, and the shares s (6, m) of their features, text first.

    `of_tags`, int64 (t,), is the block to which each tag and the text after it belong. A block without
    features has shares of 0.
    """

    of_tags: Offsets
    chars: Offsets
    shares: Floats


def feature_blocks(tree: Tree) -> FeatureBlocks:
    """Part a tree into blocks, and count their features."""
    cuts = np.zeros(tree.tags, bool)
    parts = tree.named(*_PARTS)
    cuts[tree.opens[parts]] = cuts[tree.closes[parts]] = True
    of_tags: Offsets = np.cumsum(cuts)
    counted = [np.where(tree.body_text, tree.chars, 0)]
    for names in _FEATURES:
        marks = np.zeros(tree.tags, np.int64)
        marks[tree.opens[tree.named(*names) & tree.in_body]] = 1
        counted.append(marks)
    size = int(of_tags[-1]) + 1 if of_tags.size else 0
    held = np.array([np.bincount(of_tags, values, size) for values in counted])
    fractions = held / np.maximum(held.sum(axis=1, keepdims=True), 1.0)
    totals = fractions.sum(axis=0)
    shares = fractions / np.where(totals > 0.0, totals, 1.0)
    return FeatureBlocks(of_tags, held[0].astype(np.int64), shares)
