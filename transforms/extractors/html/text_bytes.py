"""A page's text outside of its tags.

Tags leave one placeholder byte each: a blank for `br` and for start and end tags of block-level elements,
nothing (NUL, dropped in the end) for the others, so that words neither fuse nor break. Lines are then ranges
of this shorter array.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from transforms.extractors.html import characters
from transforms.extractors.html.characters import SPACE, Bytes, Flags, Offsets
from transforms.extractors.html.tag_names import Keys, key
from transforms.extractors.html.tags import Tags

_FIVE = np.uint8(5)  # shifts a mark to a space
_LINK = np.uint64(key("a"))
_LINE_FEED, _CARRIAGE_RETURN = np.uint8(0x0A), np.uint8(0x0D)


@dataclass(frozen=True, slots=True)
class TextBytes:
    """The bytes of a page outside of its tags, with one placeholder byte for each tag.

    Attributes:
        coded: uint8 (m,), the text: every byte of a blank is a space, tags are a space or NUL; its last
            byte stands for the end of the page.
        continuations: int64, where it holds the second and later bytes of a code point.
        link_chars: code points, not blanks, whose last `a` tag before them is a start tag.
        tags: the page's tags; t of them.
        placeholders: int64 (t,), where each tag's placeholder is in `coded`.
        line_ends: number of line ends of the page, in tags and out of them; CR LF counts for one, and so
            does the end of the page, unless a line end is before it.
    """

    coded: Bytes
    continuations: Offsets
    link_chars: int
    tags: Tags
    placeholders: Offsets
    line_ends: int

    @property
    def removed(self) -> Offsets:
        """How many bytes fewer than the page `coded` has after so many tags. int64 (t + 1,)."""
        return removed_bytes(self.tags.starts, self.tags.stops)

    def locate(self, positions: Offsets) -> Located:
        """Where bytes of the page stand in `coded`: those inside of a tag, after its placeholder."""
        tags_before = self.tags.starts.searchsorted(positions)
        tag_stop = np.concatenate(([0], self.tags.stops))[tags_before]
        return Located(
            np.maximum(positions, tag_stop) - self.removed[tags_before], tags_before, positions < tag_stop
        )

    def code_points(self, starts: Offsets, stops: Offsets) -> Offsets:
        """Number of code points (placeholders included) in each range [start, stop) of `coded`."""
        return code_points(self.continuations, starts, stops)


def code_points(continuations: Offsets, starts: Offsets, stops: Offsets) -> Offsets:
    """Number of code points in each range [start, stop) of bytes, of which some are `continuations`."""
    lengths = stops - starts
    if continuations.size:
        lengths -= continuations.searchsorted(stops) - continuations.searchsorted(starts)
    return lengths


@dataclass(frozen=True, slots=True)
class Located:
    """Positions of a page in its `TextBytes`.

    Attributes:
        offsets: int64 (m,), where they stand in `coded`.
        tags_before: int64 (m,), how many tags start before them.
        inside: bool (m,), whether they are inside of a tag.
    """

    offsets: Offsets
    tags_before: Offsets
    inside: Flags


def removed_bytes(tag_starts: Offsets, tag_stops: Offsets) -> Offsets:
    """How many bytes fewer a page has after so many tags, each of which leaves one. int64 (t + 1,)."""
    removed = np.zeros(tag_starts.size + 1, np.int64)
    np.cumsum(tag_stops - tag_starts - 1, out=removed[1:])
    return removed


class Coded(NamedTuple):
    """A page's text, and where its lines end.

    Attributes:
        coded: as in `TextBytes`.
        continuations: as there.
        link_chars: as there.
        placeholders: as there.
        line_ends: int64, where lines end in `coded`: at a space for a line end of the page (CR LF is one),
            and at the last byte, unless a line end is before it.
        line_ends_in_tags: int64, ascending, the tag of each CR and LF inside of one.
    """

    coded: Bytes
    continuations: Offsets
    link_chars: int
    placeholders: Offsets
    line_ends: Offsets
    line_ends_in_tags: Offsets


def coded_text(
    html: bytes, tag_starts: Offsets, stops: Offsets, keys: Keys, ends: Flags, block_level: Flags
) -> Coded:
    """Takes the text out of a page.

    Args:
        html: the page, UTF-8.
        tag_starts: int64 (t,), the byte of each tag's `<`.
        stops: int64 (t,), the byte after its `>`.
        keys: uint64 (t,), the key of its name.
        ends: bool (t,), whether it is an end tag.
        block_level: bool (t,), whether it parts words.
    """
    size = tag_starts.size
    tag_stops = np.zeros(size + 1, np.int64)
    tag_stops[1:] = stops
    removed = removed_bytes(tag_starts, stops)

    # Each run of text goes with the byte after it: the tag's `<`, or a line feed behind the last one.
    runs = np.empty(size + 1, np.int64)
    runs[:-1] = tag_starts
    runs[-1] = len(html)
    runs -= tag_stops
    runs += 1
    where = np.repeat(removed, runs)
    where += np.arange(where.size)
    page = np.frombuffer(html + b"\n", np.uint8)
    data = page.take(where)
    placeholders = tag_starts - removed[:-1]

    coded = characters.blanks_as_spaces(data)
    coded[placeholders] = block_level.view(np.uint8) << _FIVE
    continuation = characters.continuation(data)
    link_chars = _link_chars((coded > SPACE) > continuation, placeholders, keys, ends)

    page_line_ends = _line_ends(html)
    tags_before = tag_starts.searchsorted(page_line_ends)
    outside = page_line_ends >= tag_stops[tags_before]
    line_ends = (page_line_ends - removed[tags_before])[outside]
    if html and not html.endswith((b"\n", b"\r")):
        line_ends = np.append(line_ends, data.size - 1)
    return Coded(
        coded,
        continuation.nonzero()[0],
        link_chars,
        placeholders,
        line_ends,
        tags_before[~outside] - 1,
    )


def _line_ends(html: bytes) -> Offsets:
    """Where lines end: at each CR LF (its CR), LF or CR."""
    page = np.frombuffer(html, np.uint8)
    marks = page == _LINE_FEED
    if b"\r" in html:
        returns = page == _CARRIAGE_RETURN
        marks[1:] &= ~returns[:-1]
        marks |= returns
    ends: Offsets = marks.nonzero()[0]
    return ends


def _link_chars(counted: Flags, placeholders: Offsets, keys: Keys, ends: Flags) -> int:
    """How many of the characters marked stand after an `a` start tag and before the next `a` tag."""
    links = (keys == _LINK).nonzero()[0]
    if not links.size:
        return 0
    sums = np.add.reduceat(counted.view(np.uint8), placeholders[links], dtype=np.uint32)
    return int(sums[~ends[links]].sum())
