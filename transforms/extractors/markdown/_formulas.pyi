"""The formulas that markup holds; see `_formulas.pyx`."""

from transforms.extractors.segments._page import SegmentedPage

class Formula:
    """A formula: its TeX, and the tags [first, last] that it reaches over.

    Attributes:
        first: its first tag; one of a script stands before it.
        last: its last tag; one of a script has first - 1.
        tex: what it says.
        is_display: whether it stands on a line of its own.
        offset: characters that are not blanks between the tag before a script and it.
        blank_before, blank_after: whether blanks stand next to it.
    """

    first: int
    last: int
    tex: str
    is_display: bool
    offset: int
    blank_before: bool
    blank_after: bool
    def inline(self, in_cell: bool) -> str:
        """Writes it within a line."""

    def apart(self) -> list[str]:
        """Writes it on lines of its own."""

def formulas(page: SegmentedPage, first: int, last: int) -> list[Formula]:
    """Finds the formulas among the tags [first, last), in order; none is in another."""
