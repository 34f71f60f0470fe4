from cedar.transforms.extractors.html._tags import Tags
from cedar.transforms.extractors.html._text import Text
from cedar.transforms.extractors.html.characters import Floats, Offsets

class Lines:
    text: Text
    keep_blank: bool
    table: Offsets
    broken: tuple[int, int]
    parts: Offsets
    def __init__(self, text: Text, table: Offsets, keep_blank: bool) -> None: ...
    def __len__(self) -> int: ...
    def ratios(
        self, characters: Offsets | None = None
    ) -> tuple[Floats, float | None, float | None, bool]: ...

def read_lines(html: bytes, tags: Tags, *, keep_blank: bool) -> Lines: ...
