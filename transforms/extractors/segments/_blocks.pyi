from cedar.transforms.extractors.segments._markup import Markup

MAX_BLOCKS: int

class Blocks:
    count: int
    link_chars: int
    cut_chars: int
    first_gaps: memoryview
    last_gaps: memoryview
    word_tenths: memoryview
    chars: memoryview
    linked: memoryview
    plain: memoryview
    kinds: memoryview
    word_sums: memoryview
    def __init__(self, markup: Markup, whole: bool = False) -> None: ...
    def read(self, block: int) -> str: ...
