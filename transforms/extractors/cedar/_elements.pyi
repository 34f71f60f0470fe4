from transforms.extractors.cedar._blocks import Blocks
from transforms.extractors.cedar._hints import Hints
from transforms.extractors.cedar._markup import Markup
from transforms.extractors.html.characters import Flags

class Elements:
    """The e block-level elements of a page of n blocks; element 0 is the page."""

    count: int
    hints: Hints
    codes: memoryview
    parents: memoryview
    opens: memoryview
    closes: memoryview
    first: memoryview
    last: memoryview
    outer: memoryview
    siblings: memoryview
    nearest: memoryview
    headings: memoryview
    around: memoryview

    def __init__(self, markup: Markup, blocks: Blocks) -> None:
        """Finds the elements that tags open, and where blocks lie in them."""

    def inside(self, marks: Flags, blocks: Blocks, tenths: int) -> Flags:
        """The blocks inside of marked elements: bool (n,).

        Args:
            marks: bool (e,), some elements.
            blocks: the blocks of the page.
            tenths: what such an element holds less than of the page's words, in tenths.

        Raises:
            ValueError: marks of other elements, or blocks of another page.
        """
