"""Short copies of articles: the content is cut after some words, and its surroundings stay as they are.

News of a hundred words stands among as many teasers as an essay does. Pages with known text have few of them;
their copies teach that it is not the share of a page's words that makes an article.
"""

from __future__ import annotations

import zlib

import numpy as np

from transforms.extractors.html.characters import Flags, Floats, Offsets
from transforms.extractors.segments._page import SegmentedPage

CONTENT = 0.5
"""The share of a block's words from which the block counts as content."""

_FEWEST, _MOST = 30, 219
"""Words that a short copy has at least, but for those of its last block."""

_SHORTER = 60
"""Words that have to go, or the copy is none."""


def kept_and_cut(shares: Floats, lengths: Floats, name: str) -> tuple[Flags, Flags] | None:
    """Mark the blocks of content, bool (n,), that stay in a short copy, and those that go.

    The page's name decides on the number of words. None where the content is short already.
    """
    words = _FEWEST + zlib.crc32(name.encode()) % (_MOST - _FEWEST + 1)
    content = shares >= CONTENT
    own = lengths * content
    before = np.cumsum(own) - own
    cut = content & (before >= words)
    if own.sum() < words + _SHORTER or not cut.any():
        return None
    return content & ~cut, cut


def without_blocks(page: SegmentedPage, cut: Flags) -> bytes:
    """Return the source of a page without marked blocks, and without the elements that hold nothing else."""
    size = len(page.markup.html)
    starts = np.append(page.markup.tags.starts, size)
    stops = np.concatenate(([0], page.markup.tags.stops))
    of_blocks = np.stack(
        (stops[np.asarray(page.blocks.first_gaps)[cut]], starts[np.asarray(page.blocks.last_gaps)[cut]]), 1
    )
    ranges = np.concatenate((of_blocks, element_ranges(page, _emptied(page, cut))))
    ranges = ranges[ranges[:, 0] < ranges[:, 1]]
    first = page.source.original_offsets(ranges[:, 0])
    last = page.source.original_offsets(ranges[:, 1] - 1)
    order = np.argsort(first, kind="stable")
    left, end = [], 0
    for start, stop in zip(first[order].tolist(), (last[order] + 1).tolist(), strict=True):
        left.append(page.source.original[end:start])
        end = max(end, stop)
    return b"".join((*left, page.source.original[end:]))


def _emptied(page: SegmentedPage, cut: Flags) -> Flags:
    """Mark the elements of which all blocks go."""
    first, last = np.asarray(page.elements.first), np.asarray(page.elements.last)
    sums = np.concatenate(([0], np.cumsum(cut)))
    gone: Flags = (last > first) & (sums[last] - sums[first] == last - first)
    gone[0] = False  # the page itself
    return gone


def element_ranges(page: SegmentedPage, marks: Flags) -> Offsets:
    """Find where k marked elements, not the page itself, begin and end: int64 (k, 2), bytes of the markup."""
    elements, tags, html = page.elements, page.markup.tags, page.markup.html
    starts = np.append(tags.starts, len(html))
    stops = np.concatenate(([0], tags.stops))
    opens, closes = np.asarray(elements.opens)[marks], np.asarray(elements.closes)[marks]
    codes = np.append(np.asarray(page.markup.codes), 255)
    # The end tag goes, too, where the element has one of its own.
    own = np.array([html[start : start + 2] == b"</" for start in starts[closes].tolist()], bool)
    own &= codes[closes] == np.asarray(elements.codes)[marks]
    own &= closes < tags.count
    ends = np.where(own, stops[np.minimum(closes + 1, tags.count)], starts[closes])
    return np.stack((starts[opens], ends), 1)
