from transforms.extractors.cedar._blocks import Blocks
from transforms.extractors.cedar._elements import Elements
from transforms.extractors.cedar._headline import Headline
from transforms.extractors.cedar._markup import Markup
from transforms.extractors.html._source import Source
from transforms.extractors.html.characters import Offsets

class SegmentedPage:
    """A page of t tags, n blocks and e elements."""

    source: Source
    markup: Markup
    blocks: Blocks
    elements: Elements
    headline: Headline
    schemas: tuple[bool, ...]

    def __init__(self, html: bytes) -> None:
        """Reads a page of valid UTF-8."""

    def source_ranges(self) -> tuple[Offsets, Offsets]:
        """Where the blocks' source begins and ends in the page as given: int64 (n,) each, in code points."""

def schemas(html: bytes) -> tuple[bool, ...]:
    """What a page says it is, in the order of `names.SCHEMAS`: in JSON-LD, microdata or Open Graph."""
