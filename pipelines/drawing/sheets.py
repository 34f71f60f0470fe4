"""A page as it is laid out, and the tree of its blocks, for a template that draws them as SVG."""

from __future__ import annotations

from dataclasses import dataclass, replace

MAX_BOXES = 1500
"""Boxes of texts that a sheet shows."""

MAX_OUTLINED = 400
"""Segments, and separators, that a sheet shows; and rows of an outline."""

_LEAST_HEIGHT = 3  # pixels of a separator without a width, so that it is seen
_TEXT = 60  # characters


@dataclass(frozen=True, slots=True)
class SheetBox:
    """A box in page pixels, and what is said of it."""

    x: int
    y: int
    width: int
    height: int
    kept: bool = False
    label: str = ""
    about: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """A page with its segments; width and height are pixels.

    The label of a segment is how its text begins, that of a separator its weight; `column` has the main text.
    """

    title: str
    about: str
    width: int
    height: int
    texts: tuple[SheetBox, ...]
    segments: tuple[SheetBox, ...]
    separators: tuple[SheetBox, ...]
    column: SheetBox | None = None


@dataclass(frozen=True, slots=True)
class OutlineRow:
    """A block in the tree of blocks: the row of its parent or -1, its degree of coherence, and how it begins.

    Its state is "k" for a segment that is kept, "s" for one that is not, "" for other blocks.
    """

    parent: int
    degree: int
    state: str
    text: str


@dataclass(frozen=True, slots=True)
class Outline:
    """The tree of a page's blocks, from coarse ones on the left to fine ones on the right, parents first."""

    title: str
    about: str
    rows: tuple[OutlineRow, ...]
    left_out: int


def separator_box(axis: int, across: tuple[int, int], along: tuple[int, int], weight: int) -> SheetBox:
    """Return the box of a separator (axis 1: horizontal) from its reach across and along."""
    thickness = max(_LEAST_HEIGHT, across[1] - across[0])
    start = across[0] - max(0, thickness - (across[1] - across[0])) // 2
    length = along[1] - along[0]
    if axis == 1:
        return SheetBox(along[0], start, length, thickness, label=str(weight))
    return SheetBox(start, along[0], thickness, length, label=str(weight))


def outline(title: str, about: str, blocks: list[OutlineRow]) -> Outline:
    """Put blocks, whose parents are places in the list, in the order of their tree."""
    children: dict[int, list[int]] = {}
    for place, block in enumerate(blocks):
        children.setdefault(block.parent, []).append(place)
    rows: list[OutlineRow] = []
    where = {-1: -1}
    waiting = children.get(-1, [])[::-1]
    while waiting and len(rows) < MAX_OUTLINED:
        place = waiting.pop()
        block = blocks[place]
        where[place] = len(rows)
        text = block.text if len(block.text) <= _TEXT else f"{block.text[:_TEXT]} …"
        rows.append(replace(block, parent=where[block.parent], text=text))
        waiting += children.get(place, [])[::-1]
    return Outline(title, about, tuple(rows), len(blocks) - len(rows))
