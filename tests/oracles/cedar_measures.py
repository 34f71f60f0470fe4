"""Sums and surroundings of blocks that the plain columns of `cedar` are made of."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tests.oracles.cedar_pages import STOP, Block, Element, Page

Column = list[float]


def over(top: float, bottom: float) -> float:
    return top / max(bottom, 1)


def total(blocks: Iterable[Block], what: str) -> int:
    return sum(getattr(block, what) for block in blocks)


def stops(blocks: Iterable[Block]) -> int:
    return sum(block.count_of(STOP) for block in blocks)


def heading(element: Element) -> int:
    return int(element.name[1]) if re.fullmatch("h[1-6]", element.name) else 0


def up(element: Element) -> Element:
    """The element around another one, or the page itself."""
    return element.parent or element


def outermost(element: Element) -> Element:
    """Of the elements around it that hold the same blocks, the outermost."""
    while element.parent and (element.parent.first, element.parent.last) == (element.first, element.last):
        element = element.parent
    return element


def around(element: Element) -> list[Element]:
    """The four nearest elements that hold more blocks than the one before."""
    current = outermost(element)
    if current.last - current.first <= 1:
        current = outermost(up(current))
    found = [current]
    while len(found) < 4:
        found.append(outermost(up(found[-1])))
    return found


def siblings(page: Page, element: Element) -> list[Element]:
    """The children of its parent that have its name and class; of the page, the page."""
    return [
        other
        for other in page.elements
        if other.parent is element.parent and other.signature == element.signature
    ]
