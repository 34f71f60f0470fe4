from transforms.extractors.html._source import Source
from transforms.extractors.html.characters import Flags, Offsets
from transforms.extractors.segments._blocks import Blocks
from transforms.extractors.segments._elements import Elements
from transforms.extractors.segments._headline import Headline
from transforms.extractors.segments._markup import Markup

class SegmentedPage:
    """A page of t tags, n blocks and e elements."""

    source: Source
    markup: Markup
    blocks: Blocks
    elements: Elements
    headline: Headline
    schemas: tuple[bool, ...]

    def __init__(self, html: bytes, whole: bool = False) -> None:
        """Reads a page of valid UTF-8."""

    def shown(self) -> Flags:
        """The elements that are on the page: outside of its head and of what its markup hides. bool (e,)."""

    def source_ranges(self) -> tuple[Offsets, Offsets]:
        """Where the blocks' source begins and ends in the page as given: int64 (n,) each, in code points."""

def schemas(html: bytes) -> tuple[bool, ...]:
    """What a page says it is, in the order of `names.SCHEMAS`: in JSON-LD, microdata or Open Graph."""
