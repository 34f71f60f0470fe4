"""VIPS (Cai, Yu, Wen, Ma: VIPS: a vision-based page segmentation algorithm, MSR-TR-2003-79).

A page is cut into blocks by its looks: where elements and texts stand, their fonts and backgrounds.

    visual tree   the nodes that are seen (`_visual`)
    extraction    rules divide nodes until each one left looks whole: the pool
    separators    the gaps between the blocks of the pool, and their weights
    structure     the pool is split at the heaviest separators, part by part; blocks that are not final are
                  extracted from again, in the next round

Each block has a degree of coherence (DoC), 1 to 10, which grows downwards; the segments of a page are its
outermost blocks that reach a permitted degree (PDoC). VIPS says nothing of content; our rule is after Song,
Liu, Wen and Ma (WWW 2004), without what they learn. They weigh spatial features (where a block stands, and
how large it is) and features of content (images, links); the centre of the page counts most. The seed is the
segment, of coarse ones, with most words outside of links. Of the fine segments those are content that have
words enough, few of them in links, and stand in the seed's column for at least half of their width; if none
is, the seed. The shares of links do most of the work.

The text of the report was not available; rules and weights are as two independent programs quote them, and
docs/algorithms.md lists what they leave open. Boxes are estimated, since pages of a crawl come without their
style sheets (`_estimate`).
"""

from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray

from cedar.transforms.extractors.html.characters import Flags, Floats, Offsets
from cedar.transforms.extractors.options import About
from cedar.transforms.extractors.tree.extraction import TreeDecision, TreeMethod, TreeOptions, text_decision
from cedar.transforms.extractors.tree.tree import Tree
from cedar.transforms.extractors.vips._estimate import laid_out
from cedar.transforms.extractors.vips._segmentation import BlockTree, segmented
from cedar.transforms.extractors.vips._styles import Styles
from cedar.transforms.extractors.vips._visual import VisualTree, text_extents

SMALL = 0.1
"""Relative size below which rules 9 and 10 leave a node whole."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VipsOptions(TreeOptions):
    """Options of `vips`."""

    choose: Annotated[
        Literal["column", "largest"],
        About("segments that are content: fine ones in the seed's column, or the seed alone"),
    ] = "column"
    seed_pdoc: Annotated[
        int, About("permitted degree of coherence of the segments that the seed is chosen from", 1, 10)
    ] = 5
    pdoc: Annotated[int, About("permitted degree of coherence of the segments that are kept", 1, 10)] = 10
    max_link_share: Annotated[
        float, About("share of words in links up to which a segment is kept", minimum=0, maximum=1)
    ] = 0.35
    min_words: Annotated[int, About("words that a segment needs to be kept", minimum=0)] = 8


PAGE_WIDTH = 1024.0
"""Pixels of the window."""


@dataclass(frozen=True, slots=True)
class Boxes:
    """A page as it is laid out: n elements, t tags with the texts after them. Pixels, from the page's corner.

    `elements`, (n,), is of `SEEN`; `texts`, float32 (t, 4), are x, y, width, height, 0 for what has no box.
    """

    elements: NDArray[np.void]
    texts: NDArray[np.float32]
    width: float
    height: float


def estimated_boxes(tree: Tree, widths: NDArray[np.float32]) -> Boxes:
    """Estimate the boxes without a browser or style sheets; texts are `widths` em wide, float32 (t,)."""
    styles = Styles(tree)
    texts, height = laid_out(tree, styles, widths, PAGE_WIDTH)
    return Boxes(styles.elements, texts, PAGE_WIDTH, height)


@dataclass(frozen=True, slots=True)
class PageInBlocks:
    """A page cut into blocks: how it is laid out, what of it is seen, its blocks, and its leaves."""

    boxes: Boxes
    visual: VisualTree
    blocks: BlockTree
    leaves: "Leaves"


@TreeMethod
def vips(tree: Tree, options: VipsOptions) -> TreeDecision:
    """VIPS; a block's score is the share of its segment's words in links.

    Raises TreeLimitError if too many nodes are seen.
    """
    page = segmented_page(tree)
    choice = choose(page.blocks, page.leaves, options)
    threshold = options.max_link_share if options.choose == "column" else None
    texts = page.leaves.tags >= 0
    tags = page.leaves.tags[texts]
    segments = choice.segments[page.blocks.of_leaves[texts]]
    kept = np.zeros(tree.tags, bool)
    kept[tags] = choice.kept[segments]
    scores = np.zeros(tree.tags)
    scores[tags] = choice.link_shares[segments]
    return text_decision(tree, kept, scores, threshold=threshold)


def segmented_page(tree: Tree, boxes: Boxes | None = None) -> PageInBlocks:
    """Cut a page into blocks by its boxes (default: estimated); raise TreeLimitError for too many nodes."""
    widths, words = text_extents(tree)
    boxes = estimated_boxes(tree, widths) if boxes is None else boxes
    visual = VisualTree(tree, boxes)
    return PageInBlocks(boxes, visual, segmented(visual, SMALL), Leaves.of(visual, words))


_SHARE_IN_COLUMN = 0.5


@dataclass(frozen=True, slots=True)
class Leaves:
    """The l leaves of a page: their words, those in links, and where each begins and ends, (l,) each.

    `tags` is the tag that a text follows; -1 for other leaves.
    """

    tags: Offsets
    words: Offsets
    link_words: Offsets
    left: Floats
    right: Floats

    @staticmethod
    def of(visual: VisualTree, words: Offsets) -> "Leaves":
        """Look at the leaves of a visual tree; `words` is int64 (t,), those after each tag."""
        tags = visual.leaf_tags
        counts = np.where(tags >= 0, words[tags], 0) if tags.size else tags
        boxes = visual.leaf_boxes.astype(np.float64)
        return Leaves(tags, counts, np.where(visual.leaf_links, counts, 0), boxes[:, 0], boxes[:, 2])


@dataclass(frozen=True, slots=True)
class ChosenSegments:
    """What the rule chose among the m blocks of a page.

    Attributes:
        segments: int64 (m,), the segment that each block is, or is in; -1 for those above.
        kept: bool (m,), the segments that are content.
        link_shares: float64 (m,), of each segment the share of its words in links.
        seed: the seed, in its column; -1 on a page without leaves.
    """

    segments: Offsets
    kept: Flags
    link_shares: Floats
    seed: int
    column: tuple[float, float]


def choose(blocks: BlockTree, leaves: Leaves, options: VipsOptions) -> ChosenSegments:
    """Choose the segments that are content."""
    size = blocks.parents.size
    coarse = blocks.segments(options.seed_pdoc)
    fine = coarse if options.choose == "largest" else blocks.segments(options.pdoc)
    kept = np.zeros(size, bool)
    if not leaves.tags.size:
        return ChosenSegments(fine, kept, np.zeros(size), -1, (0.0, 0.0))
    of_leaves = coarse[blocks.of_leaves]
    seed = int(np.bincount(of_leaves, leaves.words - leaves.link_words, size).argmax())
    if seed not in of_leaves:  # no words at all: the first segment
        seed = int(of_leaves[0])
    in_seed = of_leaves == seed
    column = float(leaves.left[in_seed].min()), float(leaves.right[in_seed].max())
    of_leaves = fine[blocks.of_leaves]
    words = np.bincount(of_leaves, leaves.words, size)
    link_words = np.bincount(of_leaves, leaves.link_words, size)
    if options.choose == "column":
        inside = _in_column(of_leaves, leaves, size, column=column)
        kept = (words >= options.min_words) & (link_words <= options.max_link_share * words) & inside
    if not kept.any():
        # The seed is not a segment among finer ones: all that are in it.
        kept[fine[(coarse == seed) & (fine >= 0)]] = True
    return ChosenSegments(fine, kept, link_words / np.maximum(words, 1), seed, column)


def _in_column(of_leaves: Offsets, leaves: Leaves, size: int, *, column: tuple[float, float]) -> Flags:
    """Mark the segments, bool (m,), at least half of whose width is in a column."""
    left, right = np.full(size, np.inf), np.full(size, -np.inf)
    np.minimum.at(left, of_leaves, leaves.left)
    np.maximum.at(right, of_leaves, leaves.right)
    common = np.minimum(right, column[1]) - np.maximum(left, column[0])
    inside: Flags = common >= _SHARE_IN_COLUMN * np.maximum(1.0, right - left)
    return inside
