"""Footnotes; see `_footnotes.pyx`."""

from typing import Any

from transforms.extractors.markdown.inserts import Insert
from transforms.extractors.segments._page import SegmentedPage

class Note:
    """A footnote.

    Attributes:
        number: its number, from 1 on.
        element: the element that it is, or that its block stands in.
        tag: the tag with its name.
        blocks: its blocks, in order.
    """

    number: int
    element: int
    tag: int
    blocks: list[int]

class Footnotes:
    """The footnotes of what stays.

    Attributes:
        inserts: references to them, and links back, in order.
        notes: the notes, in the order of the references to them.
    """

    inserts: list[Insert]
    notes: list[Note]
    def among(self, page: SegmentedPage, first: int, last: int) -> list[Insert]:
        """References and links back, whatever the tags: all are in blocks that stay."""

def footnotes(page: SegmentedPage, kept: Any) -> Footnotes:
    """Finds the footnotes of what stays.

    Args:
        page: a page of n blocks.
        kept: bool (n,), the blocks that stay.
    """
