"""The visual tree: the nodes of a page that are seen."""

from typing import final

import numpy as np
from numpy.typing import NDArray

from transforms.extractors.html.characters import Flags, Offsets
from transforms.extractors.tree._tree import Tree
from transforms.extractors.vips.boxes import Boxes

@final
class VisualTree:
    """The valid nodes of a page in document order; l of them are leaves: texts, and what is replaced.

    Attributes:
        size: number of nodes.
        leaves: number of leaves, l.
        page_area: square pixels.
    """

    def __new__(cls, tree: Tree, boxes: Boxes) -> VisualTree:
        """Find the nodes that are seen.

        Raises:
            TreeLimitError: there are more than `MOST_NODES`.
        """
    @property
    def size(self) -> int: ...
    @property
    def leaves(self) -> int: ...
    @property
    def page_area(self) -> float: ...
    @property
    def leaf_tags(self) -> Offsets:
        """The tag that each text leaf follows, -1 for other leaves. int64 (l,)."""
    @property
    def leaf_links(self) -> Flags:
        """Marks the leaves in links. bool (l,)."""
    @property
    def leaf_boxes(self) -> NDArray[np.float32]:
        """Left, top, right and bottom of the leaves. float32 (l, 4)."""
    def element(self, node: int) -> int:
        """The element of a node; -1 for a text."""

MOST_NODES: int
"""Visual nodes of a page; a page with more goes to the stand-in."""
