from typing import Final

from cedar.transforms.extractors.html.characters import Flags, Keys, Offsets

QUOTE_LIMIT: Final[int]

class Tags:
    count: int
    starts: Offsets
    stops: Offsets
    keys: Keys
    ends: Flags
    block_level: Flags
    def first(self, name: str, end: bool = False, start: int = 0) -> int: ...

def key(name: str) -> int: ...
