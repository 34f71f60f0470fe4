import numpy as np
from numpy.typing import NDArray

from transforms.extractors.html.characters import Offsets
from transforms.extractors.segments._page import SegmentedPage

def measure(page: SegmentedPage) -> NDArray[np.float32]:
    """Measures the blocks of a page, at least one.

    Returns:
        float32 (columns, n): `BLOCK_COLUMNS`, and after them room for the others of `ALL_COLUMNS`.
    """

def sums(values: NDArray[np.float32], word_tenths: Offsets) -> tuple[NDArray[np.float64], float]:
    """Sums of columns over words and over blocks.

    Args:
        values: float32 (k, n), columns of n blocks.
        word_tenths: int64 (n,), of the blocks; each counts as one or more.

    Returns:
        float64 (2, k), and the sum of the words.

    Raises:
        ValueError: columns and words of different blocks.
    """
