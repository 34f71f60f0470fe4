"""Reads blocks; see `_reading.pyx`."""

from collections.abc import Mapping

from transforms.extractors.cedar._page import SegmentedPage
from transforms.extractors.markdown._formulas import Formula
from transforms.extractors.markdown.lines import TextLine

EM: int
STRONG: int
STRUCK: int
CODE: int

def is_gutter(given: Mapping[bytes, bytes]) -> bool:
    """Whether attributes are those of line numbers beside code."""

class BlockReader:
    """Reads the blocks of one paragraph after another.

    Attributes:
        box: the check box before the text of the paragraph, as Markdown has it.
    """

    box: str
    def __init__(self, page: SegmentedPage, placed: dict[int, list[Formula]]) -> None:
        """Makes a reader of a page, with the formulas in each of its blocks."""

    def begin(self) -> None:
        """Begins a paragraph: nothing is open."""

    def read(self, block: int) -> TextLine:
        """Reads a block."""

    def attributes(self, tag: int) -> dict[bytes, bytes]:
        """The attributes of a tag."""

    def code(self, blocks: list[int]) -> str:
        """Reads preformatted blocks as they stand, outer blank lines apart."""
