"""What is seen of a page's elements and texts, however the page was laid out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from transforms.extractors.html.characters import Flags
from transforms.extractors.tree._tree import Tree
from transforms.extractors.vips._estimate import laid_out
from transforms.extractors.vips._styles import Styles

PAGE_WIDTH = 1024.0
"""Pixels of the window."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Boxes:
    """A page as it is laid out: n elements, t tags with the texts after them. Pixels, from the page's corner.

    Attributes:
        elements: float32 (n, 4), x, y, width, height; width and height 0 for what has no box.
        texts: float32 (t, 4), the same.
        sizes, weights: float32 and int16 (n,), of fonts; weights 100 to 900.
        backgrounds: int32 (n,), own colours, 0xRRGGBB; -1 where what is below is seen.
        displays: uint8 (n,), computed: 0 not at all, 1 inline, 2 inline-block and its like, 3 else.
        visibles: bool (n,), whether they are seen, and the texts in them.
        width, height: of the page.
    """

    elements: NDArray[np.float32]
    texts: NDArray[np.float32]
    sizes: NDArray[np.float32]
    weights: NDArray[np.int16]
    backgrounds: NDArray[np.int32]
    displays: NDArray[np.uint8]
    visibles: Flags
    width: float
    height: float


def estimated_boxes(tree: Tree, widths: NDArray[np.float32]) -> Boxes:
    """Estimate the boxes without a browser or style sheets; texts are `widths` em wide, float32 (t,)."""
    styles = Styles(tree)
    elements, texts, height = laid_out(tree, styles, widths, PAGE_WIDTH)
    return Boxes(
        elements=elements,
        texts=texts,
        sizes=styles.sizes,
        weights=styles.weights,
        backgrounds=styles.backgrounds,
        displays=styles.displays,
        visibles=styles.visibles,
        width=PAGE_WIDTH,
        height=height,
    )
