"""The lists, items, quotes, tables and code that blocks stand in; see `_containers.pyx`."""

from typing import Any

from transforms.extractors.cedar._page import SegmentedPage

class Containers:
    """The containers of a page's kept blocks.

    Attributes:
        tables: the data tables, their rows of cells by table.
    """

    tables: dict[int, Any]
    def __init__(self, page: SegmentedPage, kept: Any) -> None: ...
    def path(self, element: int) -> tuple[int, ...]:
        """The containers around an element and itself, the outermost first."""

    def kind(self, element: int) -> int:
        """What kind of a container an element is."""

    def attributes(self, element: int) -> dict[bytes, bytes]:
        """The attributes of an element's start tag."""
