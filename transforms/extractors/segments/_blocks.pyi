from transforms.extractors.segments._markup import Markup

MAX_BLOCKS: int

class Blocks:
    count: int
    text: memoryview
    starts: memoryview
    stops: memoryview
    first_gaps: memoryview
    last_gaps: memoryview
    word_tenths: memoryview
    chars: memoryview
    linked: memoryview
    plain: memoryview
    kinds: memoryview
    last_kinds: memoryview
    texts: memoryview
    word_sums: memoryview
    plain_sums: memoryview
    stop_sums: memoryview
    long_sums: memoryview
    char_sums: memoryview
    def __init__(self, markup: Markup, whole: bool = False) -> None: ...
    def read(self, block: int) -> str: ...
