"""Which formulas and images stay, and where; see `_placing.pyx`."""

from collections.abc import Callable, Sequence
from typing import Any

from transforms.extractors.markdown._formulas import Formula
from transforms.extractors.markdown.inserts import Insert
from transforms.extractors.markdown.tex import Delimiters
from transforms.extractors.segments._page import SegmentedPage

Finder = Callable[[SegmentedPage, int, int], Sequence[Formula | Insert]]
"""Finds something of a page among its tags [first, last), in order."""

class Placed:
    """What has no text, of what stays.

    Attributes:
        inside: those in each block.
        between: those between blocks: the element around each, itself, and the block after it.
        items: what stays, in order: blocks, and what stands between them by number, from -1 down.
        has_notes: whether footnotes are apart.
        has_tex: whether formulas are LaTeX.
        delimiters: what sets formulas in text apart; None: nothing does.
    """

    inside: dict[int, list[Formula | Insert]]
    between: list[tuple[int, Formula | Insert, int]]
    items: list[int]
    has_notes: bool
    has_tex: bool
    delimiters: Delimiters | None

def placed(page: SegmentedPage, kept: Any, finders: Sequence[Finder], shown: Any = None) -> Placed:
    """Finds what has no text, within blocks that stay and between them.

    Args:
        page: a page of n blocks.
        kept: bool (n,), the blocks that stay.
        finders: what finds it; of two that reach over the same tags, that of the earlier one stays.
        shown: bool (e,), elements in which all stays; else what has neighbours that do.
    """

def delimiters_of(page: SegmentedPage, kept: Any) -> Delimiters | None:
    """What sets formulas apart in the text that stays.

    Args:
        page: a page of n blocks.
        kept: bool (n,), the blocks that stay.
    """

def images(base: str | None, page: SegmentedPage, first: int, last: int) -> list[Insert]:
    """Finds the images of the web among the tags [first, last), in order.

    Args:
        base: what addresses are relative to.
        page: the page.
        first: the tag from which on they are looked for.
        last: the tag before which they are.
    """
