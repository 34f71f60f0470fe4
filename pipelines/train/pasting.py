"""Rows of teasers, taken from one page and pasted into another: inside and below a short article.

Teasers below short news are what is most often kept in error, and few pages with known text have both. The
rows are those of other sites, so that nothing but what they are tells them from the article.
"""

from __future__ import annotations

import zlib

import numpy as np

from pipelines.train.shortening import element_ranges
from transforms.extractors.html.characters import Flags, Floats, Offsets
from transforms.extractors.segments._page import SegmentedPage

_TEASERS = 3
"""Like children that an element has at least to be a row of teasers."""

_FEWEST, _MOST = 30, 400
"""Words that a row has at least, and at most."""

_IN_TEXT = 0.05
"""Share of a row's words that may be in the text of its own page."""

_LEVELS = 4
"""Up to how many elements around the last block of the text end before a row is pasted."""


def teaser_rows(page: SegmentedPage, shares: Floats, lengths: Floats, most: int) -> list[bytes]:
    """Return the source of some rows of teasers: elements of like children, with links, apart from the text.

    Args:
        page: a page of n blocks.
        shares: float64 (n,), the share of each block that is content.
        lengths: float64 (n,), the words of each block.
        most: how many rows at most; the longest ones.
    """
    elements, blocks = page.elements, page.blocks
    first, last = np.asarray(elements.first), np.asarray(elements.last)
    words = _sums(lengths, first, last)
    in_text = _sums(lengths * shares, first, last)
    linked = _sums(np.asarray(blocks.linked).astype(float), first, last)
    chars = _sums(np.asarray(blocks.chars).astype(float), first, last)
    parents, siblings = np.asarray(elements.parents), np.asarray(elements.siblings)
    alike = np.bincount(siblings[(last > first)], minlength=siblings.size)
    is_row = np.zeros(siblings.size, bool)
    is_row[parents[siblings[alike >= _TEASERS]]] = True
    is_row &= (words >= _FEWEST) & (words <= _MOST) & (in_text <= _IN_TEXT * words)
    is_row &= (10 * linked >= chars) & (last - first >= _TEASERS)
    is_row[0] = False
    outermost = is_row & ~is_row[parents]
    rows = element_ranges(page, outermost)
    longest = np.argsort(-words[outermost], kind="stable")[:most]
    starts = page.source.original_offsets(rows[longest, 0])
    stops = page.source.original_offsets(rows[longest, 1] - 1) + 1
    return [page.source.original[start:stop] for start, stop in zip(starts, stops, strict=True)]


def with_rows(page: SegmentedPage, content: Flags, rows: list[bytes], name: str) -> bytes:
    """Return the source of a page with rows pasted below its text, and every third time also into it.

    Args:
        page: a page of n blocks.
        content: bool (n,), the blocks of its text, one or more.
        rows: what is pasted, one or more.
        name: the page's; it decides on the places.
    """
    chance = zlib.crc32(name.encode())
    text = content.nonzero()[0]
    below = [(_end(page, int(text[-1]), 1 + chance % _LEVELS), b"".join(rows))]
    if chance % 3 == 0 and text.size > 3:
        below.insert(0, (_end(page, int(text[text.size // 2]), 0), rows[-1]))
    source, end, parts = page.source.original, 0, []
    for place, row in below:
        parts += [source[end:place], row]
        end = max(end, place)
    return b"".join((*parts, source[end:]))


def _end(page: SegmentedPage, block: int, levels: int) -> int:
    """Return where the element ends that is some levels around a block, in the page as given."""
    parents = np.asarray(page.elements.parents)
    marks = np.zeros(parents.size, bool)
    element = int(page.elements.nearest[block])
    for _ in range(levels):
        element = int(parents[element]) or element
    if not element:
        return len(page.source.original)
    marks[element] = True
    return int(page.source.original_offsets(element_ranges(page, marks)[:, 1] - 1)[0]) + 1


def _sums(values: Floats, first: Offsets, last: Offsets) -> Floats:
    sums = np.concatenate(([0.0], np.cumsum(values)))
    found: Floats = sums[last] - sums[first]
    return found
