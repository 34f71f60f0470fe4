"""Which segments are content: a rule after Song, Liu, Wen and Ma (WWW 2004), without what they learn.

They weigh spatial features (where a block stands, and how large it is) and those of content (images, links);
the centre of the page counts most. Ours: the seed is the segment, of coarse ones, with most words outside of
links. Of the fine segments those are content that have words enough, few of them in links, and stand in the
seed's column for at least half of their width; if none is, the seed. The shares of links do most of the work.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from transforms.extractors.html.characters import Flags, Floats, Offsets
from transforms.extractors.vips._segmentation import BlockTree
from transforms.extractors.vips._visual import VisualTree

if TYPE_CHECKING:
    from transforms.extractors.vips.vips import VipsOptions

_SHARE_IN_COLUMN = 0.5


@dataclass(frozen=True, slots=True)
class Leaves:
    """What is known of the l leaves of a page.

    Attributes:
        tags: int64 (l,), the tag that a text follows; -1 for other leaves.
        words: int64 (l,), in each.
        link_words: int64 (l,), of these, those in links.
        left: float32 (l,), where each begins.
        right: float32 (l,), where it ends.
    """

    tags: Offsets
    words: Offsets
    link_words: Offsets
    left: NDArray[np.float32]
    right: NDArray[np.float32]

    @staticmethod
    def of(visual: VisualTree, words: Offsets) -> Leaves:
        """Look at the leaves of a visual tree; `words` is int64 (t,), those after each tag."""
        tags = visual.leaf_tags
        counts = np.where(tags >= 0, words[tags], 0) if tags.size else tags
        boxes = visual.leaf_boxes
        return Leaves(tags, counts, np.where(visual.leaf_links, counts, 0), boxes[:, 0], boxes[:, 2])


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenSegments:
    """What the rule chose among the m blocks of a page.

    Attributes:
        segments: int64 (m,), the segment that each block is, or is in; -1 for those above.
        kept: bool (m,), the segments that are content.
        link_shares: float64 (m,), of each segment the share of its words in links.
        seed: the seed; -1 on a page without leaves.
        column: where the seed's column begins and ends.
    """

    segments: Offsets
    kept: Flags
    link_shares: Floats
    seed: int
    column: tuple[float, float]


def choose(blocks: BlockTree, leaves: Leaves, options: VipsOptions) -> ChosenSegments:
    """Choose the segments that are content."""
    size = blocks.parents.size
    coarse = blocks.segments(options.seed_pdoc)
    fine = coarse if options.choose == "largest" else blocks.segments(options.pdoc)
    kept = np.zeros(size, bool)
    if not leaves.tags.size:
        return ChosenSegments(
            segments=fine, kept=kept, link_shares=np.zeros(size), seed=-1, column=(0.0, 0.0)
        )
    of_leaves = coarse[blocks.of_leaves]
    seed = int(np.bincount(of_leaves, leaves.words - leaves.link_words, size).argmax())
    if seed not in of_leaves:  # no words at all: the first segment
        seed = int(of_leaves[0])
    in_seed = of_leaves == seed
    column = float(leaves.left[in_seed].min()), float(leaves.right[in_seed].max())
    of_leaves = fine[blocks.of_leaves]
    words = np.bincount(of_leaves, leaves.words, size)
    link_words = np.bincount(of_leaves, leaves.link_words, size)
    if options.choose == "column":
        inside = _in_column(of_leaves, leaves, size, column)
        kept = (words >= options.min_words) & (link_words <= options.max_link_share * words) & inside
    if not kept.any():
        # The seed is not a segment among finer ones: all that are in it.
        kept[fine[(coarse == seed) & (fine >= 0)]] = True
    return ChosenSegments(
        segments=fine, kept=kept, link_shares=link_words / np.maximum(words, 1), seed=seed, column=column
    )


def _in_column(of_leaves: Offsets, leaves: Leaves, size: int, column: tuple[float, float]) -> Flags:
    """Marks the segments, bool (m,), at least half of whose width is in a column."""
    left, right = np.full(size, np.inf), np.full(size, -np.inf)
    np.minimum.at(left, of_leaves, leaves.left)
    np.maximum.at(right, of_leaves, leaves.right)
    common = np.minimum(right, column[1]) - np.maximum(left, column[0])
    inside: Flags = common >= _SHARE_IN_COLUMN * np.maximum(1.0, right - left)
    return inside
