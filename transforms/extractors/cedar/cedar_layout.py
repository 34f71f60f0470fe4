"""How a page's blocks lie in its elements: what is around each, and which elements are alike."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from transforms.compiled import compiled
from transforms.extractors.cedar.cedar_blocks import Page
from transforms.extractors.cedar.cedar_columns import firsts
from transforms.extractors.cedar.cedar_hints import Hints
from transforms.extractors.cedar.cedar_tree import CODE
from transforms.extractors.html.characters import Offsets

ANCESTORS = 4
"""How many of the elements around a block are measured, wrappers not counted."""

_LEVELS = np.array(
    [int(name[1]) if name in ("h1", "h2", "h3", "h4", "h5", "h6") else 0 for name in (*CODE, "")]
)


@dataclass(frozen=True, slots=True)
class Layout:
    """How a page's n blocks lie in its e elements.

    Attributes:
        headings: int64 (n,), 1 to 6 for blocks in a heading, 0 for others.
        outer: int64 (e,), of the elements around each that hold the same blocks, the outermost.
        around: int64 (ANCESTORS, n), the nearest elements that hold more blocks than the one before.
        siblings: int64 (e,), equal for children of one element that have one name and class.
    """

    headings: Offsets
    outer: Offsets
    around: Offsets
    siblings: Offsets


def lay_out(page: Page, said: Hints) -> Layout:
    """Looks at the elements around a page's blocks."""
    elements = page.elements
    return Layout(
        *_laid_out(
            elements.codes, elements.parents, page.first, page.last, page.nearest, said.signatures, _LEVELS
        )
    )


@compiled
def _laid_out(
    codes: Offsets,
    parents: Offsets,
    first: Offsets,
    last: Offsets,
    nearest: Offsets,
    signatures: NDArray[np.uint64],
    levels: Offsets,
) -> tuple[Offsets, Offsets, Offsets, Offsets]:
    """The attributes of `Layout`, of those of a page, its elements, and its hints; `levels` is `_LEVELS`."""
    same = (first == first[parents]) & (last == last[parents])
    outer = np.where(same, parents, np.arange(parents.size))
    while True:  # each turn doubles the way: as many as the logarithm of the depth
        further = outer[outer]
        if (further == outer).all():
            break
        outer = further
    around = np.empty((ANCESTORS, nearest.size), np.int64)
    current = outer[nearest]
    around[0] = current = np.where((last - first)[current] > 1, current, outer[parents[current]])
    for level in range(1, ANCESTORS):
        around[level] = current = outer[parents[current]]
    siblings = firsts(signatures * np.uint64(0x9E3779B97F4A7C15) + parents.astype(np.uint64))
    return levels[codes[nearest]], outer, around, siblings
