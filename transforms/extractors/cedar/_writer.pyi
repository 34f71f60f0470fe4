from transforms.extractors.html.characters import Flags
from transforms.extractors.segments._page import SegmentedPage

def write(page: SegmentedPage, kept: Flags) -> tuple[bytes, int]:
    """Writes blocks of a page, in its order.

    Args:
        page: a page of n blocks.
        kept: bool (n,), the blocks that stay.

    Returns:
        The text, UTF-8, and its number of words.

    Raises:
        ValueError: marks of other blocks than those of the page.
    """
