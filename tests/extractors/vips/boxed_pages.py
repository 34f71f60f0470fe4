"""Pages that say in their markup where everything stands, for tests of what is made of boxes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from cedar.transforms.extractors.tree.tree import Tree, read_tree, visible_source
from cedar.transforms.extractors.vips._segmentation import BlockTree
from cedar.transforms.extractors.vips._styles import Styles
from cedar.transforms.extractors.vips.vips import Boxes, PageInBlocks, segmented_page

PAGE_1 = """
<body box="0 0 1024 382" style="background: white"><div box="0 0 1024 40" texts="0 0 87 19"
 style="background: #003366">SITE NAME</div><div box="0 40 1024 300"><div box="0 60 180 260"><a
 box="0 60 39 19" texts="0 60 39 19">Home</a><a box="0 80 39 19" texts="0 80 39 19">News</a><a
 box="0 100 48 19" texts="0 100 48 19">Sport</a></div><div box="220 60 780 260"><h1 box="220 60 780 40"
 texts="220 61 154 38" style="font-size: 32px">Headline</h1><p box="220 110 780 20"
 texts="220 110 279 19">First paragraph of the story.</p><p box="220 150 780 20"
 texts="220 150 67 19, 326 150 106 19">Second<b box="287 150 39 19"
 texts="287 150 39 19">bold</b>paragraph.</p></div>
</div><hr box="0 350 1024 2"><div box="0 362 1024 20" texts="0 362 87 19">Copyright</div></body>
"""
"""A page with a header, two columns and a footer; 1024 by 382 pixels."""

PAGE_2 = """
<body box="0 0 800 640" style="background: white"><table box="0 0 800 600"><tbody box="0 0 800 600"><tr
 box="0 0 800 60"><td box="0 0 800 60" texts="220 20 120 20"><img box="10 10 200 40">Daily News</td></tr><tr
 box="0 60 800 540"><td box="0 60 160 540" bgcolor="#eee"><a box="10 70 45 18" texts="10 70 45 18">World</a><a
 box="10 90 45 18" texts="10 90 45 18">Local</a><a box="10 110 60 18" texts="10 110 60 18">Weather</a></td><td
 box="170 60 460 540"><font box="180 70 300 30" texts="180 70 300 30"
 style="font-size: 24px; font-weight: bold">Storm hits coast</font><p box="180 120 440 200"
 texts="180 120 440 200">Long first paragraph</p><hr box="180 340 440 2"><p box="180 362 440 180"
 texts="180 362 440 180">Long second paragraph</p></td><td box="640 60 160 540" bgcolor="#eee"><img
 box="650 70 120 240"></td></tr></tbody></table><div box="0 610 800 20"
 texts="0 610 150 18">All rights reserved</div></body>
"""
"""A page laid out as a table; 800 by 640 pixels."""


def boxed(page: str, width: float, height: float) -> tuple[Tree, Boxes]:
    """The tree of a page, and the boxes that its elements name: `box` theirs, `texts` their texts'."""
    tree = read_tree(visible_source(page.encode()), keep_hidden=False)
    elements, texts = Styles(tree).elements, np.zeros((tree.tags, 4), np.float32)
    for element in range(tree.size):
        attributes = tree.attributes(element)
        elements["box"][element] = _numbers(attributes.get("box", "0 0 0 0"))
        own = np.flatnonzero((tree.inside == element) & (tree.chars > 0))
        given = [_numbers(part) for part in attributes.get("texts", "").split(",") if part]
        for tag, box in zip(own.tolist(), given, strict=True):
            texts[tag] = box
    return tree, Boxes(elements, texts, width, height)


def _numbers(text: str) -> list[float]:
    return [float(number) for number in text.split()]


def cut(page: str, width: float, height: float) -> tuple[Tree, PageInBlocks]:
    """A page that names its boxes, cut into blocks."""
    tree, boxes = boxed(page, width, height)
    return tree, segmented_page(tree, boxes)


def texts_of(tree: Tree, page: PageInBlocks, block: int) -> str:
    """The texts in a block, in the order of the page."""
    inside = [block]
    for each, parent in enumerate(page.blocks.parents.tolist()):
        if parent in inside:
            inside.append(each)
    tags = page.leaves.tags[np.isin(page.blocks.of_leaves, inside) & (page.leaves.tags >= 0)]
    return " ".join(tree.text[tree.texts[tag] : tree.texts[tag + 1]].decode().strip() for tag in tags)


def name_of(tree: Tree, page: PageInBlocks, block: int) -> str:
    """What a block is: an element's name, `text`, or `several`."""
    node = int(page.blocks.nodes[block])
    element = page.visual.element(node) if node >= 0 else -1
    return tree.name(element) if element >= 0 else "text" if node >= 0 else "several"


def drawn(tree: Tree, page: PageInBlocks) -> list[str]:
    """The blocks of a page, a line each: degree of coherence, what it is, and the text of the innermost."""
    return list(_drawn(tree, page, page.blocks, 0, ""))


def _drawn(tree: Tree, page: PageInBlocks, blocks: BlockTree, block: int, indent: str) -> Iterator[str]:
    children = np.flatnonzero(blocks.parents == block).tolist()
    text = "" if children else f" {texts_of(tree, page, block)}"
    yield f"{indent}{blocks.degrees[block]} {name_of(tree, page, block)}{text}".rstrip()
    for child in children:
        yield from _drawn(tree, page, blocks, child, indent + "  ")


def rules(tree: Tree, page: PageInBlocks) -> list[str]:
    """The rules that decided, in order, with the elements they decided about."""
    return [f"{tree.name(page.visual.element(node))} {rule}" for node, rule in page.blocks.decisions]


def segment_texts(tree: Tree, page: PageInBlocks, pdoc: int) -> list[str]:
    """The texts of the segments at a permitted degree of coherence."""
    found = page.blocks.segments(pdoc).tolist()
    return [texts_of(tree, page, block) for block in range(len(found)) if found[block] == block]
