import numpy as np
from numpy.typing import NDArray

from cedar.transforms.extractors.html.characters import Offsets
from cedar.transforms.extractors.segments._page import SegmentedPage

def measure(page: SegmentedPage) -> NDArray[np.float32]: ...
def find_prose(page: SegmentedPage) -> Offsets: ...
def means(
    values: NDArray[np.float32], word_tenths: Offsets, asked: NDArray[np.uint8] | None = None
) -> NDArray[np.float32]: ...
