from typing import Final, final

import numpy as np
from numpy.typing import NDArray

from cedar.transforms.extractors.html.characters import Flags, Offsets
from cedar.transforms.extractors.tree._tree import Tree
from cedar.transforms.extractors.vips.vips import Boxes

@final
class VisualTree:
    size: int
    leaves: int
    page_area: float
    leaf_tags: Offsets
    leaf_links: Flags
    leaf_boxes: NDArray[np.float32]
    def __new__(cls, tree: Tree, boxes: Boxes) -> VisualTree: ...
    def element(self, node: int) -> int: ...

def text_extents(tree: Tree) -> tuple[NDArray[np.float32], Offsets]: ...

MAX_NODES: Final[int]
