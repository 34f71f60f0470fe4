from transforms.extractors.html.characters import Flags, Offsets
from transforms.extractors.segments._page import SegmentedPage

def complete(page: SegmentedPage, scores: Offsets, chosen: Flags, *, one_text: bool) -> Flags:
    """The choice made whole: bool (n,).

    Args:
        page: a page of n blocks.
        scores: int64 (n,), log-odds in ten-thousandths.
        chosen: bool (n,), the blocks that were chosen.
        one_text: whether the page is likely one text, and neither posts nor the items of a listing.

    Raises:
        ValueError: scores or a choice of another page.
    """
