from cedar.transforms.extractors.html._source import Source
from cedar.transforms.extractors.html.characters import Flags, Offsets
from cedar.transforms.extractors.segments._blocks import Blocks
from cedar.transforms.extractors.segments._elements import Elements
from cedar.transforms.extractors.segments._markup import Markup

class TitleMatch:
    likeness: memoryview
    block: int
    block_likeness: float
    def __init__(self, markup: Markup, blocks: Blocks, elements: Elements) -> None: ...

class SegmentedPage:
    source: Source
    markup: Markup
    blocks: Blocks
    elements: Elements
    title_match: TitleMatch
    headline_start: int
    headline_stop: int
    schemas: tuple[bool, ...]
    def __init__(self, html: bytes, whole: bool = False) -> None: ...
    def shown(self) -> Flags: ...
    def source_ranges(self) -> tuple[Offsets, Offsets]: ...

def schemas(html: bytes) -> tuple[bool, ...]: ...
