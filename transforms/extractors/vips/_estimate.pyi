import numpy as np
from numpy.typing import NDArray

from cedar.transforms.extractors.tree._tree import Tree
from cedar.transforms.extractors.vips._styles import Styles

def laid_out(
    tree: Tree, styles: Styles, widths: NDArray[np.float32], page_width: float
) -> tuple[NDArray[np.float32], float]: ...
