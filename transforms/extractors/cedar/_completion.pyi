from transforms.extractors.html.characters import Flags, Offsets
from transforms.extractors.segments._page import SegmentedPage

def complete(page: SegmentedPage, scores: Offsets, chosen: Flags) -> Flags:
    """The choice made whole: bool (n,).

    Args:
        page: a page of n blocks.
        scores: int64 (n,), log-odds in ten-thousandths.
        chosen: bool (n,), the blocks that were chosen.

    Raises:
        ValueError: scores or a choice of another page.
    """
