from cedar.transforms.extractors.html.characters import Flags
from cedar.transforms.extractors.segments._blocks import Blocks
from cedar.transforms.extractors.segments._markup import Markup

class Elements:
    count: int
    hidden: memoryview
    codes: memoryview
    parents: memoryview
    opens: memoryview
    closes: memoryview
    first: memoryview
    last: memoryview
    first_alike: memoryview
    nearest: memoryview
    headings: memoryview
    groups: memoryview
    def __init__(self, markup: Markup, blocks: Blocks) -> None: ...
    def inside(self, marks: Flags, blocks: Blocks, tenths: int = ...) -> Flags: ...
