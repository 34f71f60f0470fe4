import numpy as np
from numpy.typing import NDArray

from cedar.transforms.extractors.html.characters import Offsets
from cedar.transforms.extractors.segments._page import SegmentedPage

def vote(page: SegmentedPage, scores: Offsets, room: NDArray[np.float32]) -> None: ...
