"""The images of a page as Markdown; see `_images.pyx`."""

from transforms.extractors.cedar._page import SegmentedPage
from transforms.extractors.markdown.inserts import Insert

def images(base: str | None, page: SegmentedPage, first: int, last: int) -> list[Insert]:
    """Finds the images of the web among the tags [first, last), in order.

    Args:
        base: what addresses are relative to.
        page: the page.
        first: the tag from which on they are looked for.
        last: the tag before which they are.
    """

def described(text: str) -> str:
    """Writes a description within square brackets: those of its own that would end it are round."""
