from transforms.extractors.segments._blocks import Blocks
from transforms.extractors.segments._elements import Elements
from transforms.extractors.segments._markup import Markup

class Headline:
    """The headline of a page of n blocks."""

    likeness: memoryview
    block: int
    found: float

    def __init__(self, markup: Markup, blocks: Blocks, elements: Elements) -> None:
        """Looks for the headline."""
