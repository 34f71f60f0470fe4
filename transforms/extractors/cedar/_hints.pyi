from transforms.extractors.cedar._markup import Markup
from transforms.extractors.html.characters import Flags, Offsets

class Hints:
    """What is said of e elements."""

    groups: memoryview
    signatures: memoryview
    hidden: memoryview

    def __init__(self, markup: Markup, opens: Offsets, codes: Offsets) -> None:
        """Reads the start tags of elements.

        Args:
            markup: the tags of the page.
            opens: int64 (e,), the start tag of each element; that of element 0, the page, is not looked at.
            codes: int64 (e,), the names of the elements.
        """

    def said(self, group: int) -> Flags:
        """The elements of which a word of a group is said: bool (e,)."""
