from typing import Any

from transforms.extractors.markdown.inserts import Insert
from transforms.extractors.segments._page import SegmentedPage

class Note:
    number: int
    element: int
    tag: int
    blocks: list[int]

class Footnotes:
    inserts: list[Insert]
    notes: list[Note]
    def among(self, page: SegmentedPage, first: int, last: int) -> list[Insert]: ...

def footnotes(page: SegmentedPage, kept: Any) -> Footnotes: ...
