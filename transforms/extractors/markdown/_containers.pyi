"""The lists, items, quotes, tables and code that blocks stand in; see `_containers.pyx`."""

from collections.abc import Sequence
from typing import Any

from transforms.extractors.cedar._elements import Elements
from transforms.extractors.cedar._page import SegmentedPage

class Containers:
    """The containers of a page's kept blocks.

    Attributes:
        tables: the data tables, their rows of cells by table.
        paths: the containers around the elements that were asked for.
        flat: lists whose items are cards.
        gutters: elements of line numbers beside code.
        codes: the tag of the `code` that each block of several lines of code stands in.
        page_elements: the elements of the page.
    """

    tables: dict[int, Any]
    paths: dict[int, tuple[int, ...]]
    flat: set[int]
    gutters: set[int]
    codes: dict[int, int]
    @property
    def page_elements(self) -> Elements: ...
    def __init__(self, page: SegmentedPage, kept: Any, formulas: Sequence[int] = ()) -> None:
        """Finds the containers.

        Args:
            page: a page of n blocks.
            kept: bool (n,), the blocks that stay.
            formulas: the elements around formulas that stay between blocks.
        """

    def path(self, element: int) -> tuple[int, ...]:
        """The containers around an element and itself, the outermost first."""

    def kind(self, element: int) -> int:
        """What kind of a container an element is."""

    def level(self, element: int) -> int:
        """The level of a heading."""

    def attributes(self, element: int) -> dict[bytes, bytes]:
        """The attributes of an element's start tag."""

    def grid(self, table: int) -> list[list[int]] | None:
        """The cells of a data table in rows and columns.

        Returns:
            A list a row; each of its places an element, its negative where the cell reaches to, or 0;
            None if it is too large.
        """

NO_KIND: int
LIST: int
ITEM: int
QUOTE: int
CODE_BLOCK: int
TABLE: int
CELL: int
CAPTION: int
TITLE: int
