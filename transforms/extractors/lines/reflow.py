"""Line breaks for pages that are written in a single line (CETR 2010, section 5.3).

A page counts as written in a single line if one source line, untrimmed, holds at least 90 % of its code
points, line terminators not counted. That line is trimmed and then broken: once 65 characters, those of tags
included, were read since the last break, right after the 65th, or, if it is part of a tag, before the next
character that is not ("before_text") or right after that tag's `>` ("after_tag").

The broken lines are not trimmed at the breaks, none is dropped, and they join with nothing between them: a
break at a blank does not eat it, and a word or an entity that was cut comes out whole.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from transforms.compiled import compiled
from transforms.extractors.html import characters
from transforms.extractors.html.characters import Offsets
from transforms.extractors.html.tags import Tags
from transforms.extractors.html.text_bytes import TextBytes
from transforms.extractors.lines.lines import Lines, trimmed

LineBreak = Literal["before_text", "after_tag"]

SINGLE_LINE_SHARE = 0.9
"""Share of the page's code points from which on one line is the page."""

WIDTH = 65
"""Characters between breaks."""


@dataclass(frozen=True, slots=True)
class SingleLine:
    """The line that is the page.

    Attributes:
        index: which of the page's lines it is.
        start: its first byte, trimmed.
        stop: the byte after its last.
    """

    index: int
    start: int
    stop: int


def single_line(html: bytes, line_ends: int, *, keep_blank: bool) -> SingleLine | None:
    """The line that holds `SINGLE_LINE_SHARE` of a page's code points; None if there is none or it is blank.

    Args:
        html: the page, UTF-8.
        line_ends: number of its line ends; CR LF may be one or two.
        keep_blank: whether blank lines count.
    """
    found = _single_line(html, line_ends, keep_blank, SINGLE_LINE_SHARE)
    return SingleLine(*found) if found else None


@compiled
def _single_line(html: bytes, line_ends: int, keep_blank: bool, share: float) -> tuple[int, int, int] | None:
    """The fields of the `SingleLine`."""
    # A code point has one to four bytes, so nine tenths of the characters are nine thirteenths of the bytes
    # or more, line ends apart. Where these are at most a quarter of the page, that is over half of it, and
    # so the line that holds the middle byte.
    middle = len(html) // 2
    begin = max(html.rfind(b"\n", 0, middle), html.rfind(b"\r", 0, middle)) + 1
    end = min(
        [at for at in (html.find(b"\n", middle), html.find(b"\r", middle)) if at >= 0], default=len(html)
    )
    if 8 * line_ends <= len(html):
        if 2 * (end - begin) <= len(html):
            return None
        terminators = html.count(b"\n") + html.count(b"\r")
        if characters.count(html[begin:end]) < share * (characters.count(html) - terminators):
            return None
    source_lines = html.splitlines(keepends=True)
    counts = [characters.count(line.rstrip(b"\r\n")) for line in source_lines]
    longest = max(range(len(counts)), key=counts.__getitem__, default=-1)
    if longest < 0 or counts[longest] < share * sum(counts):
        return None
    line, before = source_lines[longest], source_lines[:longest]
    body = trimmed(line)
    start = sum(map(len, before)) + line.find(body)
    index = sum(keep_blank or bool(trimmed(other)) for other in before)
    return (index, start, start + len(body)) if body else None


def break_line(
    html: bytes, text: TextBytes, tags: Tags, lines: Lines, single: SingleLine, line_break: LineBreak
) -> Lines:
    """Breaks one line.

    Args:
        html: the page.
        text: its text.
        tags: its tags.
        lines: its lines.
        single: which of them to break.
        line_break: where to break if the 65th character is part of a tag.

    Returns:
        All lines, with the parts in the place of the line; as they are if it is too short to be broken.
    """
    index, start, stop = single.index, single.start, single.stop
    here = slice(tags.stops.searchsorted(start, "right"), tags.starts.searchsorted(stop))
    breaks = _break_offsets(
        html, tags.starts[here], tags.stops[here], start, stop, WIDTH, line_break == "before_text"
    )
    if not breaks.size:
        return lines
    at = text.locate(breaks)
    first = text.locate(np.array([start])).tags_before
    tags_before = np.concatenate((first, at.tags_before, first + lines.tags[index]))
    counts = np.diff(tags_before)
    text_edges = np.concatenate(
        (lines.text_starts[index : index + 1], at.offsets, lines.text_stops[index : index + 1])
    )
    within = text.code_points(text_edges[:-1], text_edges[1:]) - counts
    # The line's own count says whether the placeholder of a tag that goes on behind it is in its text.
    within[-1] = lines.characters[index] - within[:-1].sum()

    def put(column: Offsets, parts: Offsets) -> Offsets:
        return np.concatenate((column[:index], parts, column[index + 1 :]))

    return Lines(
        put(lines.text_starts, text_edges[:-1]),
        put(lines.text_stops, text_edges[1:]),
        put(lines.characters, within),
        put(lines.tags, counts),
        (index, index + counts.size),
        np.concatenate(([start], breaks, [stop])),
    )


@compiled
def _break_offsets(
    html: bytes, tag_starts: Offsets, tag_stops: Offsets, start: int, stop: int, width: int, before_text: bool
) -> Offsets:
    """The bytes before which the line [start, stop) is broken. int64, ascending, none of them an end of it.

    Args:
        html: the page.
        tag_starts: int64 (t,), where the tags start that are on the line, at least in part.
        tag_stops: int64 (t,), where they stop.
        start: the line's first byte.
        stop: the byte after its last.
        width: characters between breaks.
        before_text: whether a break inside of tags goes behind all that have nothing between them.
    """
    # The byte of each character, which turns characters into bytes, and by search bytes into characters.
    byte = np.flatnonzero(~characters.continuation(np.frombuffer(html, np.uint8)[start:stop]))
    tag_starts, tag_stops = tag_starts - start, tag_stops - start
    if before_text and tag_starts.size:
        apart = tag_starts[1:] != tag_stops[:-1]
        tag_starts = tag_starts[np.concatenate(([True], apart))]
        tag_stops = tag_stops[np.concatenate((apart, [True]))]
    first_of_part = _breaks(
        byte.size, byte.searchsorted(tag_starts).tolist(), byte.searchsorted(tag_stops).tolist(), width
    )
    return byte[np.array(first_of_part, np.int64)] + start


def _breaks(length: int, tag_starts: list[int], tag_stops: list[int], width: int) -> list[int]:
    """The characters of a line of `length` before which it is broken, none of them 0 or `length`.

    The lists hold where its tags, or runs of tags, start and stop, ascending, in characters.
    """
    breaks: list[int] = []
    position = tag = 0
    while length - position > width:
        last = position + width - 1
        while tag < len(tag_starts) and tag_stops[tag] <= last:
            tag += 1
        inside = tag < len(tag_starts) and tag_starts[tag] <= last
        position = tag_stops[tag] if inside else last + 1
        if position < length:
            breaks.append(position)
    return breaks
