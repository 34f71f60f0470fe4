"""The text of blocks as Markdown: emphasis, code spans, links, escapes; see `_inline.pyx`."""

from transforms.extractors.cedar._page import SegmentedPage

class Inline:
    """Writes the lines of one paragraph after another.

    Args:
        page: the page.
        base: what addresses of links are relative to; None: links are text alone.
        emphasis: whether emphasised, strong and struck text is marked.
    """

    def __init__(self, page: SegmentedPage, base: str | None, emphasis: bool) -> None: ...
    def lines(self, blocks: list[int], kind: int = 0) -> list[str]:
        """Writes blocks of one paragraph, a line each.

        Args:
            blocks: the blocks, in order.
            kind: `PARAGRAPH`, `HEADING` or `CELL`.
        """

    def code(self, blocks: list[int]) -> str:
        """Reads preformatted blocks as they stand, outer blank lines apart."""

PARAGRAPH: int
HEADING: int
CELL: int
