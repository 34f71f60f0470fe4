from transforms.extractors.segments._page import SegmentedPage

class Formula:
    first: int
    last: int
    tex: str
    is_display: bool
    offset: int
    def inline(self, in_cell: bool) -> str: ...
    def apart(self) -> list[str]: ...

def formulas(page: SegmentedPage, first: int, last: int) -> list[Formula]: ...
