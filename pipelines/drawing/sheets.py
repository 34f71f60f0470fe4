"""A page as it is laid out, and the tree of its blocks: geometry that the template writes as SVG."""

from __future__ import annotations

from dataclasses import dataclass

MAX_BOXES = 1500
"""Boxes of texts that a sheet shows."""

MAX_OUTLINED = 400
"""Segments, and separators, that a sheet shows; and rows of an outline."""

ROW_HEIGHT = 18
"""Pixels of a row of an outline."""

DEGREES = 10
"""Degrees of coherence, 1 to 10."""

_COLUMN = 26  # pixels of a degree
_MARGIN = 16
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
    """A block in the tree of blocks: its place by degree of coherence and row, and that of its parent.

    Its state is "k" for a segment that is kept, "s" for one that is not, "" for other blocks.
    """

    x: int
    y: int
    parent_x: int
    parent_y: int
    state: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Outline:
    """The tree of a page's blocks, from coarse ones on the left to fine ones on the right.

    Ticks are x and name of each degree of coherence; rows have parents before their children.
    """

    title: str
    about: str
    ticks: tuple[tuple[int, int], ...]
    rows: tuple[OutlineRow, ...]
    height: int
    text_x: int
    left_out: int


@dataclass(frozen=True, slots=True)
class OutlineBlock:
    """A block as an outline is told of it: its parent's place or -1, its degree, see `OutlineRow`."""

    parent: int
    degree: int
    state: str
    text: str


def separator_box(axis: int, across: tuple[int, int], along: tuple[int, int], weight: int) -> SheetBox:
    """Return the box of a separator (axis 1: horizontal) from its reach across and along."""
    thickness = max(_LEAST_HEIGHT, across[1] - across[0])
    start = across[0] - max(0, thickness - (across[1] - across[0])) // 2
    length = along[1] - along[0]
    if axis == 1:
        return SheetBox(along[0], start, length, thickness, label=str(weight))
    return SheetBox(start, along[0], thickness, length, label=str(weight))


def outline(title: str, about: str, blocks: list[OutlineBlock]) -> Outline:
    """Lay the tree of a page's blocks out, parents before their children."""
    children: dict[int, list[int]] = {}
    for place, block in enumerate(blocks):
        children.setdefault(block.parent, []).append(place)
    rows: list[OutlineRow] = []
    where: dict[int, tuple[int, int]] = {}
    waiting = children.get(-1, [])[::-1]
    while waiting and len(rows) < MAX_OUTLINED:
        place = waiting.pop()
        block = blocks[place]
        x, y = _x_of(block.degree), ROW_HEIGHT * (len(rows) + 2)
        parent_x, parent_y = where.get(block.parent, (x, y))
        where[place] = (x, y)
        text = block.text if len(block.text) <= _TEXT else f"{block.text[:_TEXT]} …"
        rows.append(OutlineRow(x, y, parent_x, parent_y, block.state, text))
        waiting += children.get(place, [])[::-1]
    return Outline(
        title=title,
        about=about,
        ticks=tuple((_x_of(degree), degree) for degree in range(1, DEGREES + 1)),
        rows=tuple(rows),
        height=ROW_HEIGHT * (len(rows) + 3),
        text_x=_x_of(DEGREES) + _MARGIN,
        left_out=len(blocks) - len(rows),
    )


def _x_of(degree: int) -> int:
    return _MARGIN + _COLUMN * (degree - 1)
