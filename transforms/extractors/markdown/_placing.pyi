from collections.abc import Callable, Sequence
from typing import Any

from transforms.extractors.markdown._formulas import Formula
from transforms.extractors.markdown.lines import Insert
from transforms.extractors.markdown.tex import Delimiters
from transforms.extractors.segments._page import SegmentedPage

Finder = Callable[[SegmentedPage, int, int], Sequence[Formula | Insert]]

class Placed:
    inside: dict[int, list[Formula | Insert]]
    between: list[tuple[int, Formula | Insert, int]]
    items: list[int]
    has_notes: bool
    has_tex: bool
    delimiters: Delimiters | None

def placed(page: SegmentedPage, kept: Any, finders: Sequence[Finder], shown: Any = None) -> Placed: ...
def delimiters_of(page: SegmentedPage, kept: Any) -> Delimiters | None: ...
def images(base: str | None, page: SegmentedPage, first: int, last: int) -> list[Insert]: ...

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
