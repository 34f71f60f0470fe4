"""VIPS (Cai, Yu, Wen, Ma: VIPS: a vision-based page segmentation algorithm, MSR-TR-2003-79).

A page is cut into blocks by what is seen of it: where elements and texts stand, their fonts and backgrounds.

    visual tree   the nodes that are seen (`_visual`)
    extraction    rules divide nodes until what is left looks whole: the pool (`_segmentation`)
    separators    the gaps between the blocks of the pool, and their weights (`_separators`)
    structure     the pool is split at the heaviest separators, part by part; blocks that are not final are
                  extracted from again, in the next round

Each block has a degree of coherence (DoC), 1 to 10, which grows downwards; the segments of a page are its
outermost blocks that reach a permitted degree (PDoC). VIPS says nothing of content: `choice` has our rule.

The text of the report was not available; rules and weights are as two independent programs quote them, and
docs/algorithms.md lists what they leave open. Boxes are estimated, since pages of a crawl come without their
style sheets (`_estimate`); with `layout=chromium` a worker's browser lays pages out (`rendering`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from transforms.extractors.options import About
from transforms.extractors.tree.extraction import TreeDecision, TreeOptions, text_decision, tree_method
from transforms.extractors.tree.tree import Tree
from transforms.extractors.vips._segmentation import BlockTree, segmented
from transforms.extractors.vips._visual import VisualTree, text_extents
from transforms.extractors.vips.boxes import Boxes, estimated_boxes
from transforms.extractors.vips.browsers import ONLY_WORKERS
from transforms.extractors.vips.choice import ChosenSegments, Leaves, choose

SMALL = 0.1
"""Relative size below which rules 9 and 10 leave a node whole."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VipsOptions(TreeOptions):
    """Options of `vips`."""

    layout: Annotated[
        Literal["estimate", "chromium"],
        About(
            "where the boxes are from: estimated from markup; or a browser, in `cedar extract` and `evaluate`"
        ),
    ] = "estimate"
    choose: Annotated[
        Literal["column", "largest"],
        About("segments that are content: fine ones in the seed's column, or the seed alone"),
    ] = "column"
    seed_pdoc: Annotated[
        int, About("permitted degree of coherence of the segments of which the seed is one", 1, 10)
    ] = 5
    pdoc: Annotated[int, About("permitted degree of coherence of the segments that are kept", 1, 10)] = 10
    max_link_share: Annotated[
        float, About("share of words in links up to which a segment is kept", minimum=0, maximum=1)
    ] = 0.35
    min_words: Annotated[int, About("words that a segment needs to be kept", minimum=0)] = 8


@dataclass(frozen=True, slots=True)
class PageInBlocks:
    """A page cut into blocks: how it is laid out, what of it is seen, its blocks, and its leaves."""

    boxes: Boxes
    visual: VisualTree
    blocks: BlockTree
    leaves: Leaves


def decide_vips(tree: Tree, options: VipsOptions, boxes: Boxes | None = None) -> TreeDecision:
    """Say what is kept of a tree.

    Args:
        tree: the tree.
        options: the options.
        boxes: how a browser has laid it out, if it has.

    Raises:
        TreeLimitError: there are too many nodes that are seen.
        ValueError: a browser is asked for; only a worker has one.
    """
    if boxes is None and options.layout != "estimate":
        raise ValueError(ONLY_WORKERS)
    page = segmented_page(tree, boxes)
    choice = choose(page.blocks, page.leaves, options)
    threshold = options.max_link_share if options.choose == "column" else None
    return decision(tree, page, choice, threshold)


vips = tree_method(decide_vips)
"""VIPS on a page of valid UTF-8; a block's score is the share of its segment's words in links."""


def segmented_page(tree: Tree, boxes: Boxes | None = None) -> PageInBlocks:
    """Cut a page into blocks.

    Args:
        tree: the page.
        boxes: how it is laid out; estimated unless given.

    Raises:
        TreeLimitError: it has too many nodes that are seen.
    """
    widths, words = text_extents(tree)
    boxes = estimated_boxes(tree, widths) if boxes is None else boxes
    visual = VisualTree(tree, boxes)
    return PageInBlocks(boxes, visual, segmented(visual, SMALL), Leaves.of(visual, words))


def decision(tree: Tree, page: PageInBlocks, choice: ChosenSegments, threshold: float | None) -> TreeDecision:
    """The decision that follows from a choice of segments."""
    texts = page.leaves.tags >= 0
    tags = page.leaves.tags[texts]
    segments = choice.segments[page.blocks.of_leaves[texts]]
    kept = np.zeros(tree.tags, bool)
    kept[tags] = choice.kept[segments]
    scores = np.zeros(tree.tags)
    scores[tags] = choice.link_shares[segments]
    return text_decision(tree, kept, scores, threshold)
