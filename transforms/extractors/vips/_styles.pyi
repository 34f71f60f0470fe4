"""How a page's elements are to be laid out, by their names, attributes and `style` attributes."""

from typing import final

import numpy as np
from numpy.typing import NDArray

from transforms.extractors.html.characters import Flags
from transforms.extractors.tree._tree import Tree

@final
class Styles:
    """What is known of n elements without style sheets.

    Attributes:
        sizes: float32 (n,), font sizes in pixels.
        weights: int16 (n,), font weights, 100 to 900.
        backgrounds: int32 (n,), colours of their own, 0xRRGGBB; -1 if absent.
        displays: uint8 (n,), as `Boxes` has them. What holds a block is one.
        visibles: bool (n,), whether they can be seen.
        links: bool (n,), whether they are `a`, or in one.
    """

    def __new__(cls, tree: Tree) -> Styles:
        """Read the styles of a tree's elements."""
    @property
    def sizes(self) -> NDArray[np.float32]: ...
    @property
    def weights(self) -> NDArray[np.int16]: ...
    @property
    def backgrounds(self) -> NDArray[np.int32]: ...
    @property
    def displays(self) -> NDArray[np.uint8]: ...
    @property
    def visibles(self) -> Flags: ...
    @property
    def links(self) -> Flags: ...
