from transforms.extractors.html.characters import Flags
from transforms.extractors.segments._blocks import Blocks
from transforms.extractors.segments._markup import Markup

class Elements:
    """The e block-level elements of a page of n blocks; element 0 is the page."""

    count: int
    groups: memoryview
    signatures: memoryview
    hidden: memoryview
    some_hidden: bool
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

    def said(self, group: int) -> Flags:
        """The elements of which a word of a group is said: bool (e,)."""

    def inside(self, marks: Flags, blocks: Blocks, tenths: int) -> Flags:
        """The blocks inside of marked elements: bool (n,).

        Args:
            marks: bool (e,), some elements.
            blocks: the blocks of the page.
            tenths: what such an element holds less than of the page's words, in tenths.

        Raises:
            ValueError: marks of other elements, or blocks of another page.
        """
