"""A slow, plain reading of the estimate of boxes, element by element, to hold the compiled one against."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field

from cedar.transforms.extractors.tree.tree import Tree
from tests.oracles.vips import REPLACED

_BLOCKS = """html body address article aside blockquote caption center dd details dialog dir div dl dt
fieldset figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr legend li listing main menu
nav ol p plaintext pre search section summary table tbody td tfoot th thead tr ul xmp"""
BLOCKS = frozenset(_BLOCKS.split())
FONTS = {
    "h1": 2.0,
    "h2": 1.5,
    "h3": 1.17,
    "h5": 0.83,
    "h6": 0.67,
    **dict.fromkeys(("small", "sub", "sup"), 0.83),
    "big": 1.2,
}
MARGINS = {
    **dict.fromkeys(("p", "ul", "ol", "dl", "h3", "pre", "blockquote", "figure", "menu", "dir"), 1.0),
    "h1": 0.67,
    "h2": 0.83,
    "h4": 1.33,
    "h5": 1.67,
    "h6": 2.33,
    "hr": 0.5,
    "fieldset": 0.2,
}
INDENTED = frozenset({"ul", "ol", "menu", "dir", "dd", "blockquote", "figure"})

Box = list[float]


@dataclass(eq=False)
class Element:
    """An element with what is known of it; texts stand among its children as tags."""

    name: str
    size: float
    attributes: dict[str, str]
    parent: Element | None
    children: list[Element | int] = field(default_factory=list)
    box: Box = field(default_factory=lambda: [0.0, 0.0, 0.0, 0.0])
    display: str = "inline"

    @property
    def style(self) -> dict[str, str]:
        parts = (part.partition(":") for part in self.attributes.get("style", "").split(";"))
        return {name.strip(): value.strip() for name, _, value in parts if value}

    def length(self, name: str, around: float) -> float:
        """A width or height in pixels, 0 where there is none; shares are of `around`."""
        text = self.style.get(name, self.attributes.get(name, ""))
        found = re.match(r"([0-9]+(?:\.[0-9]+)?)(%|em|px)?", text)
        if found is None:
            return 0.0
        return float(found[1]) * {"%": around / 100, "em": self.size}.get(found[2], 1.0)

    @property
    def elements(self) -> list[Element]:
        return [child for child in self.children if isinstance(child, Element)]


def elements_of(tree: Tree) -> list[Element]:
    """All elements of a tree."""
    made: list[Element] = []
    for each in range(tree.size):
        above = made[int(tree.parents[each])] if each else None
        name = tree.name(each)
        size = (above.size if above else 16.0) * FONTS.get(name, 1.0)
        element = Element(name, size, tree.attributes(each), above)
        if found := re.fullmatch(r"([0-9]+)px", element.style.get("font-size", "")):
            element.size = float(found[1])
        element.display = "block" if name in BLOCKS else "inline"
        made.append(element)
    starts = {int(start): each for each, start in enumerate(tree.opens.tolist())}
    for tag in range(tree.tags):
        if tag in starts and (above := made[starts[tag]].parent):
            above.children.append(made[starts[tag]])
        if tree.inside[tag] >= 0 and tree.chars[tag] > 0:
            made[int(tree.inside[tag])].children.append(tag)
    for element in reversed(made):
        if element.parent and element.display == "block":
            element.parent.display = "block"
    return made


class Layout:
    """Blocks stack, words flow; cells, and floats with a width, stand side by side."""

    def __init__(self, tree: Tree, widths: list[float], page_width: float) -> None:
        self.elements = elements_of(tree)
        self.texts: list[Box] = [[0.0, 0.0, 0.0, 0.0] for _ in range(tree.tags)]
        self.widths = widths
        body = self.elements[tree.body]
        self.block(body, 8.0, 8.0, body.length("width", page_width - 16) or page_width - 16)
        self.height = body.box[1] + body.box[3] + 8.0

    def block(self, element: Element, x: float, y: float, width: float) -> float:
        """Lay a block out; its height."""
        indent = 40.0 if element.name in INDENTED and width > 120 else 0.0
        flow = Flow(self, x + indent, y, max(20.0, width - indent))
        columns = self.columns(element, width) if element.name == "table" else []
        if columns:
            width = sum(columns)
        flow.take(element, element, columns)
        flow.end_line()
        flow.end_row()
        height = flow.line - y + (flow.margin if element.name == "body" else 0.0)
        fixed = element.length("height", 0.0) if element.name in ("table", "td", "th") else 0.0
        if "height" in element.style:
            fixed = element.length("height", 0.0)
        element.box = [x, y, width, max(height, fixed)]
        return element.box[3]

    def columns(self, table: Element, width: float) -> list[float]:
        """The widths of a table's columns."""
        rows = rows_of(table)
        count = max((sum(map(span, row)) for row in rows), default=0)
        given, wanted = [0.0] * count, [20.0] * count
        for row in rows:
            at = 0
            for cell in row:
                if span(cell) == 1:
                    given[at] = max(given[at], cell.length("width", width))
                    wanted[at] = max(wanted[at], self.widest(cell))
                at += span(cell)
        free = width - sum(given)
        total = sum(want for want, fixed in zip(wanted, given, strict=True) if not fixed)
        used = [max(20.0, fixed or free * want / total) for want, fixed in zip(wanted, given, strict=True)]
        if used and (sum(used) > width or not all(given) or table.length("width", 1000.0)):
            used = [each * width / sum(used) for each in used]
        return used

    def widest(self, element: Element) -> float:
        """How wide an element would be without line ends, up to 600 pixels."""
        if element.name in REPLACED:
            return element.length("width", 0.0) or 20.0
        best = line = 0.0
        for child in element.children:
            if isinstance(child, int):
                line += self.widths[child] * element.size
            elif child.display == "block" or child.name == "br":
                best, line = max(best, line, self.widest(child)), 0.0
            else:
                line += self.widest(child)
        return min(600.0, max(best, line))


def rows_of(table: Element) -> list[list[Element]]:
    """The cells of each row of a table."""
    return [list(_within(row, ("td", "th"), ("form",))) for row in _within(table, ("tr",), PASSED)]


PASSED = ("tbody", "thead", "tfoot", "form")


def _within(element: Element, wanted: tuple[str, ...], passed: tuple[str, ...]) -> list[Element]:
    found = []
    for child in element.elements:
        if child.name in wanted:
            found.append(child)
        elif child.name in passed:
            found += _within(child, wanted, passed)
    return found


def span(cell: Element) -> int:
    return int(cell.attributes.get("colspan", 1))


class Flow:
    """What is in one block, from its top down."""

    def __init__(self, layout: Layout, left: float, top: float, width: float) -> None:
        self.layout, self.left, self.width = layout, left, width
        self.at, self.line, self.height, self.margin = left, top, 0.0, 0.0
        self.row: float | None = None
        self.row_at = self.row_height = 0.0

    def end_line(self) -> None:
        self.at, self.line, self.height = self.left, self.line + self.height, 0.0

    def end_row(self) -> None:
        if self.row is not None:
            self.line = max(self.line, self.row + self.row_height)
            self.row = None

    def begin_line(self) -> None:
        self.line, self.margin = self.line + self.margin, 0.0
        self.end_row()

    def begin_block(self, element: Element) -> None:
        self.end_line()
        self.end_row()
        margin = MARGINS.get(element.name, 0.0) * element.size
        self.line, self.margin = self.line + max(self.margin, margin), margin

    def take(self, element: Element, block: Element, columns: list[float]) -> None:
        """Lay out what is in an element of a block."""
        for child in element.children:
            if isinstance(child, int):
                self.text(child, element)
            elif child.name == "hr":
                self.begin_block(child)
                child.box = [self.left, self.line, self.width, 2.0]
                self.line += 2.0
            elif child.name == "br":
                self.begin_line()
                self.height = max(self.height, 1.2 * child.size)
                self.end_line()
            elif child.name in REPLACED:
                self.replaced(child, element)
            elif block.name == "table" and child.name in PASSED:
                self.group(child, block, columns)
            elif block.name == "table" and child.name == "tr":
                self.table_row(child, columns)
            elif child.display == "block":
                self.block(child)
            else:
                self.take(child, block, columns)
                reach(element, child.box)

    def group(self, child: Element, table: Element, columns: list[float]) -> None:
        self.end_line()
        top = self.line
        child.box = [self.left, top, 0.0, 0.0]
        self.take(child, table, columns)
        self.end_line()
        if columns:
            child.box[2:] = [sum(columns), self.line - top]

    def table_row(self, row: Element, columns: list[float]) -> None:
        self.begin_block(row)
        at, x, height = 0, self.left, 0.0
        cells = _within(row, ("td", "th"), ("form",))
        width = sum(columns) if columns else self.width
        inner = Flow(self.layout, self.left, self.line, max(20.0, width))
        for cell in cells:
            own = sum(columns[at : at + span(cell)])
            height = max(height, self.layout.block(cell, x, self.line, own))
            at, x = at + span(cell), x + own
        for cell in cells:
            cell.box[3] = height
        row.box = [self.left, self.line, width, max(height, inner.line - self.line)]
        self.line += row.box[3]

    def block(self, child: Element) -> None:
        width = min(child.length("width", self.width) or self.width, self.width)
        if child.style.get("float") in ("left", "right") and child.length("width", self.width):
            self.end_line()
            if self.row is None or self.row_at + width > self.left + self.width + 1:
                self.row = self.line if self.row is None else self.row + self.row_height
                self.row_at, self.row_height = self.left, 0.0
            self.row_height = max(self.row_height, self.layout.block(child, self.row_at, self.row, width))
            self.row_at += width
            return
        self.begin_block(child)
        self.line += self.layout.block(child, self.left, self.line, width)

    def replaced(self, child: Element, element: Element) -> None:
        is_block = child.display == "block"
        if is_block:
            self.end_line()
        self.begin_line()
        seen = child.name != "img" or "alt" in child.attributes
        width = child.length("width", self.width) or (20.0 if seen else 0.0)
        height = child.length("height", 0.0) or (20.0 if width else 0.0)
        if self.at + width > self.left + self.width and self.at > self.left:
            self.end_line()
        child.box = [self.at, self.line, width, height]
        reach(element, child.box)
        self.at, self.height = self.at + width, max(self.height, height)
        if is_block:
            self.end_line()

    def text(self, tag: int, element: Element) -> None:
        width, high = self.layout.widths[tag] * element.size, 1.2 * element.size
        self.begin_line()
        self.height = max(self.height, high)
        room = self.left + self.width - self.at
        if width <= room:
            box = [self.at, self.line, width, high]
            self.at += width + 0.25 * element.size
        else:
            rest = width - max(0.0, room)
            further = math.ceil(rest / self.width)
            box = [self.left, self.line, self.width, (1 + further) * high]
            self.at, self.line = self.left + rest % self.width, self.line + further * high
        self.layout.texts[tag] = box
        reach(element, box)


def reach(element: Element, box: Box) -> None:
    """Has an inline element reach around a box."""
    if element.display == "block" or box[2] <= 0 or box[3] <= 0:
        return
    x, y, width, height = element.box
    if width <= 0:
        element.box = list(box)
        return
    left, top = min(x, box[0]), min(y, box[1])
    right, bottom = max(x + width, box[0] + box[2]), max(y + height, box[1] + box[3])
    element.box = [left, top, right - left, bottom - top]
