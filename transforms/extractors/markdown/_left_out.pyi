import numpy as np
import numpy.typing as npt

from cedar.transforms.extractors.segments._page import SegmentedPage

def left_out(page: SegmentedPage, kept: npt.NDArray[np.bool_]) -> set[int]: ...
