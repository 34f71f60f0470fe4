"""Why blocks were kept: the numbers of a decision, and a page as it is laid out, for drawing."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

import numpy as np

from transforms.extractors.extraction import Block, Extraction
from transforms.extractors.html.characters import Flags, Floats, Offsets


@dataclass(frozen=True, slots=True)
class Axis:
    """What a chart has bars for: n lines, blocks or elements, and the blocks that belong to each.

    Attributes:
        noun: what a bar is, in the singular.
        starts: int64 (n,), the first block of each bar.
        stops: int64 (n,), the block after its last; `starts` where it has none.
        of_block: int64 (b,), the bar of each block.
        kept: bool (n,), whether it is content.
        notes: what is said of each bar; empty where a bar is a block, whose numbers say it, or where there
            are so many that bars are shared.
    """

    noun: str
    starts: Offsets
    stops: Offsets
    of_block: Offsets
    kept: Flags
    notes: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """Number of bars, n."""
        return self.starts.size

    @property
    def one_to_one(self) -> bool:
        """Whether each bar is a block."""
        places = np.arange(self.size)
        if self.of_block.size != self.size:
            return False
        return bool(((self.of_block == places) & (self.starts == places) & (self.stops == places + 1)).all())

    @staticmethod
    def of_blocks(noun: str, blocks: tuple[Block, ...]) -> Axis:
        """Return the axis with a bar for each block."""
        places = np.arange(len(blocks))
        return Axis(noun, places, places + 1, places, np.array([block.kept for block in blocks], bool))


@dataclass(frozen=True, slots=True)
class Bars:
    """A bar chart over an axis.

    Attributes:
        about: how to read it, a sentence or two.
        label: what the values are, with their symbol.
        values: float64 (n,).
        threshold: the line that decided, or None.
        winner: a bar to point out, or None.
    """

    title: str
    about: str
    label: str
    values: Floats
    threshold: float | None = None
    winner: int | None = None
    winner_label: str = ""


@dataclass(frozen=True, slots=True)
class Scatter:
    """A scatter plot with a point for each place of an axis: x and y are float64 (n,).

    Of the centroids of clusters, `centres`, the one of what is not content comes first.
    """

    title: str
    about: str
    x_label: str
    y_label: str
    x: Floats
    y: Floats
    centres: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Mode:
    """One way of smoothing under a movable threshold, by the option's value.

    `values`, float64 (n,), are what the threshold is compared with; `unit` is that for a factor of 1.
    """

    name: str
    values: Floats
    unit: float


@dataclass(frozen=True, slots=True)
class Control:
    """A threshold that can be moved in the page: content is what reaches factor * unit.

    `mode` was applied, `modes` can be chosen; `chart` is the place of the chart that shows the values, which
    have a `symbol`.
    """

    factor: float
    mode: str
    modes: tuple[Mode, ...]
    chart: int
    symbol: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """All that is shown of a decision.

    The rule, and for each block why it was kept or dropped, and the numbers it was judged by.
    """

    rule: str
    axis: Axis
    charts: tuple[Bars | Scatter | Sheet | Outline, ...]
    reasons: tuple[str, ...]
    numbers: tuple[str, ...]
    control: Control | None = None


Options = TypeVar("Options")


@dataclass(frozen=True, slots=True)
class Work(Generic[Options]):
    """A method's work on a page (valid UTF-8): its options record, the extraction and the blocks of that."""

    html: bytes
    options: Options
    result: Extraction
    blocks: tuple[Block, ...]


def generic(work: Work[Any]) -> Evidence:
    """Return the evidence that every method has: scores of blocks, and the threshold where there is one."""
    result, blocks = work.result, work.blocks
    threshold = result.metrics.threshold
    scores = np.array([block.score for block in blocks])
    noun = noun_of(result)
    about = f"One bar a {noun}, in the order of the page; the coloured ones were kept."
    if threshold is not None:
        about += " The dashed line is the threshold."
    return Evidence(
        f"Each {noun} has a score, the number that the method judged it by.",
        Axis.of_blocks(noun, blocks),
        (Bars(f"Score of each {noun}", about, "score", scores, threshold),),
        either(blocks, "chosen by the method", "left out by the method"),
        tuple(", ".join(filter(None, (f"score {number(block.score)}", block.path))) for block in blocks),
    )


def either(blocks: tuple[Block, ...], kept: str, dropped: str) -> tuple[str, ...]:
    """Say one thing of the blocks that were kept, and another of those that were dropped."""
    return tuple(kept if block.kept else dropped for block in blocks)


def noun_of(result: Extraction) -> str:
    """Return what an extraction's blocks are: lines, which alone have tag ratios, or blocks."""
    return "block" if result.metrics.tag_ratio_mean is None else "line"


def number(value: float) -> str:
    """Return a number for people: four significant digits, thousands apart."""
    if not np.isfinite(value):
        return str(value)
    return (f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}").replace("-", "\N{MINUS SIGN}")


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
