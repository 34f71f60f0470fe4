"""Where a page's elements and texts stand, estimated: blocks stack, words flow, floats share a row."""

import numpy as np
from numpy.typing import NDArray

from transforms.extractors.tree._tree import Tree
from transforms.extractors.vips._styles import Styles

def laid_out(
    tree: Tree, styles: Styles, widths: NDArray[np.float32], page_width: float
) -> tuple[NDArray[np.float32], NDArray[np.float32], float]:
    """Lay a page out.

    Args:
        tree: the page, n elements and t tags.
        styles: of its elements.
        widths: of the texts, in em, float32 (t,).
        page_width: pixels.

    Returns:
        The boxes of the elements, float32 (n, 4), and of the texts, float32 (t, 4), each x, y, width, height;
        all 0 for what has none; and the height of the page.
    """
