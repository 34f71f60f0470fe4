import numpy as np
from numpy.typing import NDArray

from transforms.extractors.html.characters import Offsets
from transforms.extractors.segments._page import SegmentedPage

def vote(page: SegmentedPage, scores: Offsets, room: NDArray[np.float32]) -> None:
    """Measures the blocks of a page by the first scores of all.

    Args:
        page: a page of n blocks, one or more.
        scores: int64 (n,), first scores.
        room: float32 (len(VOTES), n), to be filled with the columns `VOTES`.

    Raises:
        ValueError: scores, or room, for other blocks than those of the page.
    """
