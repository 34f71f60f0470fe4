"""What attributes make of an element; see `_roles.pyx`."""

from typing import Any

from transforms.extractors.cedar._page import SegmentedPage

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
