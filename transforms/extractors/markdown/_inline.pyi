"""Lines as Markdown: emphasis, code spans, links, formulas, escapes; see `_inline.pyx`."""

from transforms.extractors.cedar._page import SegmentedPage
from transforms.extractors.markdown._placing import Placed
from transforms.extractors.markdown._reading import BlockReader

class Inline:
    """Writes one paragraph after another.

    What is written are blocks, and formulas and images between blocks, which have negative numbers.

    Attributes:
        box: the check box before the text that was written last.
    """

    box: str
    def __init__(
        self,
        reader: BlockReader,
        page: SegmentedPage,
        base: str | None,
        emphasis: bool,
        placed: Placed,
    ) -> None:
        """Makes a writer.

        Args:
            reader: reads the blocks.
            page: their page.
            base: what addresses of links are relative to; None: links are text alone.
            emphasis: whether emphasised, strong and struck text is marked.
            placed: what has no text, of what stays.
        """

    def element(self, item: int) -> int:
        """The element around what stands between blocks."""

    def paragraphs(self, items: list[int]) -> list[list[str]]:
        """Writes blocks as paragraphs, the lines of each: one, but for formulas that stand apart."""

    def heading(self, items: list[int]) -> str:
        """Writes blocks as one line of a heading."""

    def cell(self, items: list[int]) -> str:
        """Writes blocks as one line of a table's cell."""

    def code(self, blocks: list[int]) -> str:
        """Reads preformatted blocks as they stand, outer blank lines apart."""

def fenced(code: str, language: str) -> list[str]:
    """Code between fences longer than any run of backticks in it."""
