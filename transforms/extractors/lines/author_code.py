"""What the program that CETR's author distributed does otherwise than the paper: the `author-code` mode.

Here are its tags; its way to cluster is in `cetr`. It reads line by line: every `<` opens a tag, which ends
at the next `>`, or else takes the rest of the line. A `>` before any `<` of its line ends a tag that began on
an earlier line: what stands before it on this line does not count, and it is one tag. Blank lines stay, with
ratio 0, and a page in a single line is not broken.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from transforms.extractors.html.characters import Offsets, continuation
from transforms.extractors.html.tags import Tags
from transforms.extractors.lines import lines
from transforms.extractors.lines.lines import Lines


def recount(html: bytes, found: Lines) -> Lines:
    """The lines of a page, blank ones and all, with x_i and y_i as the author's program counts them."""
    starts, stops = lines.source_ranges(html, keep_blank=True)
    tags = line_tags(html, starts, stops)
    inner = np.flatnonzero(continuation(np.frombuffer(html, np.uint8)))

    def code_points(first: Offsets, last: Offsets) -> Offsets:
        return last - first - (inner.searchsorted(last) - inner.searchsorted(first))

    owner = starts.searchsorted(tags.starts, "right") - 1
    inside = np.zeros(starts.size, np.int64)
    np.add.at(inside, owner, code_points(tags.starts, tags.stops))
    counts = np.bincount(owner, minlength=starts.size)
    return replace(found, characters=code_points(starts, stops) - inside, tags=counts)


def line_tags(html: bytes, line_starts: Offsets, line_stops: Offsets) -> Tags:
    """The tags of a page as the author's program sees them; none goes on to another line.

    One that is closed but not opened on its line starts where the line does.

    Args:
        html: the page.
        line_starts: int64 (n,), the first byte of each trimmed line.
        line_stops: int64 (n,), the byte after its last.
    """
    data = np.frombuffer(html, np.uint8)
    at = np.flatnonzero((data == ord("<")) | (data == ord(">")))
    opening = data[at] == ord("<")
    line = line_starts.searchsorted(at, "right") - 1
    new_line = np.ones(at.size, bool)
    new_line[1:] = line[1:] != line[:-1]
    last_of_line = np.ones(at.size, bool)
    last_of_line[:-1] = new_line[1:]

    goes_on = np.zeros(at.size, bool)
    goes_on[1:] = opening[:-1] & ~new_line[1:]
    stray = ~opening & new_line
    starts = np.where(stray, line_starts[line], at)[(opening & ~goes_on) | stray]
    # A tag that nothing on its line closes ends with the line, after further `<` if there are any.
    unclosed = opening & last_of_line
    stops = np.where(unclosed, line_stops[line], at + 1)[(~opening & goes_on) | stray | unclosed]
    return Tags(starts, stops)
