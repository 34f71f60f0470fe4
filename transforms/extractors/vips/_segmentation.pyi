from typing import final

import numpy as np
from numpy.typing import NDArray

from cedar.transforms.extractors.html.characters import Offsets
from cedar.transforms.extractors.vips._visual import VisualTree

@final
class BlockTree:
    parents: NDArray[np.int32]
    degrees: NDArray[np.int32]
    nodes: NDArray[np.int32]
    weights: NDArray[np.int32]
    boxes: NDArray[np.int32]
    of_leaves: NDArray[np.int32]
    decisions: Offsets
    separators: Offsets
    def segments(self, permitted_degree: int) -> Offsets: ...

def segmented(visual: VisualTree, threshold: float) -> BlockTree: ...
