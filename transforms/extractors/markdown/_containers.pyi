"""The lists, items, quotes, tables and code that blocks stand in; see `_containers.pyx`."""

from collections.abc import Sequence
from typing import Any

from transforms.extractors.cedar._page import SegmentedPage

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
