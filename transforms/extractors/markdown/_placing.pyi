"""Which formulas stay, and where; see `_placing.pyx`."""

from typing import Any

from transforms.extractors.cedar._page import SegmentedPage
from transforms.extractors.markdown._formulas import Formula
from transforms.extractors.markdown.tex import Delimiters

class Placed:
    """The formulas of what stays.

    Attributes:
        inside: those in each block.
        between: those between blocks: the element around each, itself, and the block after it.
        items: what stays, in order: blocks, and formulas between them by number, from -1 down.
        delimiters: what sets formulas in text apart.
    """

    inside: dict[int, list[Formula]]
    between: list[tuple[int, Formula, int]]
    items: list[int]
    delimiters: Delimiters | None

def placed_formulas(page: SegmentedPage, kept: Any) -> Placed:
    """Finds the formulas of what stays, within blocks and between them.

    Args:
        page: a page of n blocks.
        kept: bool (n,), the blocks that stay.
    """
