from collections.abc import Sequence
from typing import Any

from transforms.extractors.segments._page import SegmentedPage

class Containers:
    def __init__(self, page: SegmentedPage, kept: Any, formulas: Sequence[int] = ()) -> None: ...
    def attributes(self, element: int) -> dict[bytes, bytes]: ...

class Roles:
    notes: set[int]
    posts: set[int]
    titles: dict[int, int]

def roles(page: SegmentedPage, sums: Any) -> Roles: ...
