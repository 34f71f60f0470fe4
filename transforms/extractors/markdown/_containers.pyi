"""The lists, items, quotes, tables and code that blocks stand in; see `_containers.pyx`."""

from collections.abc import Sequence
from typing import Any

from transforms.extractors.segments._page import SegmentedPage

class Containers:
    """The containers of a page's kept blocks."""

    def __init__(self, page: SegmentedPage, kept: Any, formulas: Sequence[int] = ()) -> None:
        """Finds the containers.

        Args:
            page: a page of n blocks.
            kept: bool (n,), the blocks that stay.
            formulas: the elements around formulas that stay between blocks.
        """

    def attributes(self, element: int) -> dict[bytes, bytes]:
        """The attributes of an element's start tag."""

class Roles:
    """What attributes make of elements.

    Attributes:
        notes: notes, tips and warnings that are set apart: quotes.
        posts: block quotes that a forum has for its posts: none.
        titles: headings, with their levels.
    """

    notes: set[int]
    posts: set[int]
    titles: dict[int, int]

def roles(page: SegmentedPage, sums: Any) -> Roles:
    """Finds the elements that are something else than their names say.

    Args:
        page: a page of n blocks.
        sums: int64 (n + 1,), the blocks that stay before each.
    """
