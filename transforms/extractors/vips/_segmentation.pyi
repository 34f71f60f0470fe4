"""The blocks of a page: rules that divide its nodes, round by round, and separators between what is left."""

from typing import final

import numpy as np
from numpy.typing import NDArray

from transforms.extractors.html.characters import Offsets
from transforms.extractors.vips._visual import VisualTree

Numbers = NDArray[np.int32]

@final
class BlockTree:
    """The m blocks of a page, parents before their children, and children in their order.

    Attributes:
        parents: int32 (m,); -1 for the first, which is the page.
        degrees: int32 (m,), degrees of coherence, 1 to 10: none is below its parent's.
        nodes: int32 (m,), the visual node that a block is; -1 for one that separators make of several.
        weights: int32 (m,), of the separators at which a block is split; -1 where it is not.
        boxes: int32 (m, 4), left, top, right, bottom.
        of_leaves: int32 (l,), the innermost block of each leaf of the visual tree.
        decisions: int32 (r, 2), the nodes that a rule decided about, and the rule, in order.
        separators: int32 (s, 7): of each separator at which a block was split the block, the axis (1: it is
            horizontal), where it starts and ends across, where it starts and ends along, and its weight.
    """

    @property
    def parents(self) -> Numbers: ...
    @property
    def degrees(self) -> Numbers: ...
    @property
    def nodes(self) -> Numbers: ...
    @property
    def weights(self) -> Numbers: ...
    @property
    def boxes(self) -> Numbers: ...
    @property
    def of_leaves(self) -> Numbers: ...
    @property
    def decisions(self) -> Numbers: ...
    @property
    def separators(self) -> Numbers: ...
    def segments(self, permitted_degree: int) -> Offsets:
        """Find the segment of each block at a permitted degree of coherence (PDoC), 1 to 10.

        A block is a segment if its degree reaches that or it has no children, and none above it is one.

        Returns:
            int64 (m,), the segment that each block is, or is in; -1 for the blocks above segments.
        """

def segmented(visual: VisualTree, threshold: float) -> BlockTree:
    """Cut a page into blocks.

    Args:
        visual: its visual tree.
        threshold: the relative size below which rules 9 and 10 keep a node whole.
    """
