from cedar.transforms.extractors.html._tags import Tags
from cedar.transforms.extractors.html.characters import Offsets

class Source:
    original: bytes
    html: bytes
    tags: Tags
    noted: list[tuple[int, int, int]]
    kept: tuple[tuple[int, int], ...]
    def without(self, start: int, stop: int) -> Source: ...
    def original_offsets(self, offsets: Offsets) -> Offsets: ...

def remove_invisible(html: bytes) -> Source: ...
def lex(html: bytes) -> Tags: ...
