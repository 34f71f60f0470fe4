"""Evidence of VIPS: the page in segments, and the tree of blocks; of Crunch: which filter took what."""

from __future__ import annotations

from collections import Counter

import numpy as np

from pipelines.common.messages import counted
from pipelines.drawing.evidence import Axis, Bars, Evidence, Work, number
from pipelines.drawing.sheets import (
    MAX_BOXES,
    MAX_OUTLINED,
    Outline,
    OutlineRow,
    Sheet,
    SheetBox,
    outline,
    separator_box,
)
from pipelines.explain.tree_evidence import first_tags, read_shown
from transforms.extractors.tree import _crunch, crunch
from transforms.extractors.tree.tree import Tree
from transforms.extractors.vips import vips
from transforms.extractors.vips.vips import ChosenSegments, choose

_HEADING = 40  # characters of a block's text in the tree


def segments(work: Work[vips.VipsOptions]) -> Evidence:
    """VIPS."""
    options, blocks = work.options, work.blocks
    tree = read_shown(work.html, options)
    page = vips.segmented_page(tree)
    choice = choose(page.blocks, page.leaves, options)
    threshold = options.max_link_share if options.choose == "column" else None
    decision = vips.decision(tree, page, choice, threshold)
    shown = Bars(
        "Share of words in links",
        "One bar a block of text, in the order of the page: that of its segment. The dashed line is the "
        "largest share that is kept.",
        "share in links",
        np.array([block.score for block in blocks]),
        threshold,
    )
    said = _sayings(page, choice, options)
    # The segment of the text after each tag, int64 (t,); -1 where it is not seen.
    found = np.full(tree.tags, -1, np.int64)
    texts = page.leaves.tags >= 0
    found[page.leaves.tags[texts]] = choice.segments[page.blocks.of_leaves[texts]]
    of_blocks = found[first_tags(tree, decision)].tolist()
    beginnings = _beginnings(tree, page)
    return Evidence(
        "The page is cut into segments that look whole, by where things stand, fonts and backgrounds. "
        + (
            f"Those with {options.min_words} words or more, at most {options.max_link_share:.0%} of them in "
            "links, that stand in the column of the largest segment are content."
            if options.choose == "column"
            else "The one with most words outside of links is content."
        ),
        Axis.of_blocks("block", blocks),
        (_sheet(page, choice, beginnings), _outline(tree, page, choice, beginnings), shown),
        tuple("cannot be seen" if segment < 0 else said[segment] for segment in of_blocks),
        tuple(f"{_degree(page, of)}, {block.path}" for of, block in zip(of_blocks, blocks, strict=True)),
    )


def _degree(page: vips.PageInBlocks, segment: int) -> str:
    if segment < 0:
        return "in no segment"
    return f"segment {segment}, degree of coherence {page.blocks.degrees[segment]}"


def _sayings(page: vips.PageInBlocks, choice: ChosenSegments, options: vips.VipsOptions) -> list[str]:
    """Why each block, as a segment, is kept or dropped."""
    size = page.blocks.parents.size
    of_leaves = choice.segments[page.blocks.of_leaves]
    words = np.bincount(of_leaves, page.leaves.words, size).astype(int).tolist()
    said = []
    for place, (count, share) in enumerate(zip(words, choice.link_shares.tolist(), strict=True)):
        of_words = f"in a segment of {counted(count, 'word')}"
        if choice.kept[place]:
            said.append(f"{of_words}, {share:.0%} of them in links, in the main column")
        elif options.choose == "largest":
            said.append("in another segment than the largest")
        elif count < options.min_words:
            said.append(f"{of_words}, fewer than {options.min_words}")
        elif share > options.max_link_share:
            said.append(f"{of_words}, {share:.0%} of them in links")
        else:
            said.append("in a segment next to the main column")
    return said


def _sheet(page: vips.PageInBlocks, choice: ChosenSegments, beginnings: list[str]) -> Sheet:
    blocks = page.blocks
    boxes = page.visual.leaf_boxes
    of_leaves = choice.segments[blocks.of_leaves]
    texts = [
        _box(box, kept=bool(choice.kept[segment]))
        for box, segment in zip(boxes.tolist(), of_leaves.tolist(), strict=True)
    ]
    own = np.unique(of_leaves)
    shown = [
        _box(
            blocks.boxes[segment].tolist(),
            kept=bool(choice.kept[segment]),
            about=_degree(page, segment),
            label=beginnings[segment],
        )
        for segment in own.tolist()
    ]
    separators = [
        separator_box(axis, (start, end), (low, high), weight)
        for block, axis, start, end, low, high, weight in blocks.separators.tolist()
        if choice.segments[block] < 0
    ]
    left, right = choice.column
    more = max(len(texts) - MAX_BOXES, len(shown) - MAX_OUTLINED, len(separators) - MAX_OUTLINED, 0)
    return Sheet(
        title="The page in segments",
        about="Boxes of texts, estimated; outlined are the segments, in colour those that are kept. Bars are "
        "the separators between them, with their weights: heavier ones cut first. The main column is shaded."
        + (" What is further down is not drawn." if more else ""),
        width=round(page.boxes.width),
        height=max(1, round(page.boxes.height)),
        texts=tuple(texts[:MAX_BOXES]),
        segments=tuple(shown[:MAX_OUTLINED]),
        separators=tuple(separators[:MAX_OUTLINED]),
        column=SheetBox(round(left), 0, round(right - left), 0) if choice.seed >= 0 else None,
    )


def _box(corners: list[float], *, kept: bool, label: str = "", about: str = "") -> SheetBox:
    left, top, right, bottom = map(round, corners)
    return SheetBox(left, top, right - left, bottom - top, kept, label, about)


def _outline(tree: Tree, page: vips.PageInBlocks, choice: ChosenSegments, beginnings: list[str]) -> Outline:
    blocks = page.blocks
    rows = []
    columns = (column.tolist() for column in (blocks.parents, blocks.degrees, blocks.nodes, blocks.weights))
    for place, (parent, degree, node, weight) in enumerate(zip(*columns, strict=True)):
        element = page.visual.element(node) if node >= 0 else -1
        name = tree.name(element) if element >= 0 else "text" if node >= 0 else "several"
        cut = "" if weight < 0 else f", cut at weight {weight}"
        state = "" if choice.segments[place] != place else "k" if choice.kept[place] else "s"
        rows.append(OutlineRow(parent, degree, state, f"{name}{cut}: {beginnings[place]}"))
    return outline(
        "The tree of blocks",
        "Each block stands at its degree of coherence, 1 to 10, below the block that it is part of. Filled "
        "ones are the segments, in colour those that are kept.",
        rows,
    )


def _beginnings(tree: Tree, page: vips.PageInBlocks) -> list[str]:
    """Tell how the text of each block begins."""
    parents = page.blocks.parents.tolist()
    found = [""] * len(parents)
    for tag, block in zip(page.leaves.tags.tolist(), page.blocks.of_leaves.tolist(), strict=True):
        if tag < 0:
            continue
        text = " ".join(tree.text[tree.texts[tag] : tree.texts[tag + 1]].decode().split())
        place = block
        while place >= 0 and len(found[place]) < _HEADING:
            found[place] = f"{found[place]} {text}".strip()[:_HEADING]
            place = parents[place]
    return found


_TAKEN = {
    _crunch.AD: "from a host of ads",
    _crunch.LINK_LIST: "in a list of links",
    _crunch.TEXT_LINK: "a text link",
    _crunch.IMAGE_LINK: "in a link with an image",
    _crunch.IMAGE: "an image",
    _crunch.SWITCHED_OFF: "in an element that is switched off",
    _crunch.EMPTY_TABLE: "in a table without substance",
}


def filters(work: Work[crunch.CrunchOptions]) -> Evidence:
    """Crunch."""
    tree = crunch.filtered_tree(read_shown(work.html, work.options), work.options)
    decision = crunch.decide_crunch(tree, work.options)
    _, by = _crunch.taken(tree, crunch.marked(tree, work.options)[0], crunch.SETTINGS[work.options.preset])
    some = tree.body_text & (tree.chars > 0)
    counts = Counter(by[some].tolist())
    took = "; ".join(f"{what}: {counts[code]:,}" for code, what in _TAKEN.items() if counts[code])
    return Evidence(
        "Filters go down the page; the first that applies takes a text. Texts that were taken: "
        f"{took or 'none'}.",
        Axis.of_blocks("block", work.blocks),
        (
            Bars(
                "Links a word",
                "One bar a block of text, in page order: that of the innermost cell around it. From the "
                "dashed line on a cell is a list of links.",
                "links a word",
                np.array([block.score for block in work.blocks]),
                work.result.metrics.threshold,
            ),
        ),
        tuple(
            "no filter took it" if block.kept else _TAKEN[int(by[tag])]
            for block, tag in zip(work.blocks, first_tags(tree, decision), strict=True)
        ),
        tuple(f"{number(block.score)} links a word, {block.path}" for block in work.blocks),
    )
