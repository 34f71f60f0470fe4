"""What the program that CETR's author distributed does otherwise than the paper: the `author-code` mode.

Here are its tags; its way to cluster is in `cetr`. It reads line by line: every `<` opens a tag, which ends
at the next `>`, or else takes the rest of the line. A `>` before any `<` of its line ends a tag that began on
an earlier line: what stands before it on this line does not count, and it is one tag. Blank lines stay, with
ratio 0, and a page in a single line is not broken.
"""

from __future__ import annotations

import numpy as np

from transforms.extractors import lines
from transforms.extractors.lines import Lines, TrimmedPage
from transforms.extractors.tag_names import tag_names
from transforms.extractors.tags import Tags
from transforms.extractors.text import text_bytes


def read_lines(page: TrimmedPage) -> Lines:
    """The lines of a page with x_i and y_i as the author's program counts them."""
    tags = line_tags(page)
    return lines.read_lines(page, text_bytes(page.html, tags, tag_names(page.html, tags)))


def line_tags(page: TrimmedPage) -> Tags:
    """The tags of a page as the author's program sees them; none goes on to another line.

    One that is closed but not opened on its line starts where the line does.
    """
    data = np.frombuffer(page.html, np.uint8)
    at = np.flatnonzero((data == ord("<")) | (data == ord(">")))
    opening = data[at] == ord("<")
    line = page.starts.searchsorted(at, "right") - 1
    new_line = np.ones(at.size, bool)
    new_line[1:] = line[1:] != line[:-1]
    last_of_line = np.ones(at.size, bool)
    last_of_line[:-1] = new_line[1:]

    goes_on = np.zeros(at.size, bool)
    goes_on[1:] = opening[:-1] & ~new_line[1:]
    stray = ~opening & new_line
    starts = np.where(stray, page.starts[line], at)[(opening & ~goes_on) | stray]
    # A tag that nothing on its line closes ends with the line, after further `<` if there are any.
    unclosed = opening & last_of_line
    stops = np.where(unclosed, page.stops[line], at + 1)[(~opening & goes_on) | stray | unclosed]
    return Tags(starts, stops)
