"""Lines, their characters and tags, and the text-to-tag ratio (Algorithm 1 of TTR 2008 and of CETR 2010).

The page without comments, scripts and styles is cut at CR LF, LF and CR; each line is trimmed of Unicode
blanks, and empty ones are dropped. For line i, x_i is the number of its code points outside of tags,
entities and inner blanks as written, and y_i the number of tags that start on it; what goes on from a tag of
an earlier line is neither. T_i = x_i / max(1, y_i).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from transforms.extractors.characters import Offsets
from transforms.extractors.text import TextBytes

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class TrimmedPage:
    """A page whose lines are trimmed, and joined by line feeds.

    Trimming before tags are read changes none: only blanks go, and never all of those that stand together.

    Attributes:
        html: the page, UTF-8.
        starts: int64 (n,), first byte of each line.
        stops: int64 (n,), the byte after its last: that of the line feed, or the page's length.
    """

    html: bytes
    starts: Offsets
    stops: Offsets


@dataclass(frozen=True, slots=True)
class Lines:
    """The lines of a page; n of them, in order, all arrays int64 (n,).

    Attributes:
        starts: first byte of each line in the trimmed page.
        stops: byte after its last.
        text_starts: where its text begins in the page's `TextBytes.coded`.
        text_stops: where it ends; the byte there belongs to no line's text, unless the next line was broken
            off from this one. Less than `text_starts` for a line that lies inside of a tag.
        characters: x_i.
        tags: y_i.
        broken: first and one past the last of the lines that one overlong source line was broken into;
            they join with nothing between them. Both 0 if there is none.
    """

    starts: Offsets
    stops: Offsets
    text_starts: Offsets
    text_stops: Offsets
    characters: Offsets
    tags: Offsets
    broken: tuple[int, int] = (0, 0)


def trim(source_lines: list[bytes], *, keep_blank: bool) -> TrimmedPage:
    """Trims the lines of a page, and drops the blank ones.

    Args:
        source_lines: the lines as `bytes.splitlines` cuts them, UTF-8.
        keep_blank: whether blank lines stay, as empty ones (the author's program).
    """
    lines = list(map(bytes.strip, source_lines))
    if not keep_blank:
        lines = list(filter(None, lines))
    page = _joined(lines)
    # `bytes.strip` knows six blanks; a line that begins or ends with any other byte than printable ASCII may
    # have more.
    data = np.frombuffer(page.html + b"!", np.uint8)
    odd = (data[page.starts] - np.uint8(0x21)) > 0x5D
    odd |= (data[page.stops - 1] - np.uint8(0x21)) > 0x5D
    changed = False
    for row in np.flatnonzero(odd).tolist():
        body = trimmed(lines[row])
        changed |= body != lines[row]
        lines[row] = body
    return _joined(lines if keep_blank else list(filter(None, lines))) if changed else page


def trimmed(line: bytes) -> bytes:
    """A line of UTF-8 without Unicode blanks at its ends."""
    return line.decode().strip().encode()


def _joined(lines: list[bytes]) -> TrimmedPage:
    lengths = np.fromiter(map(len, lines), np.int64, len(lines))
    stops = np.cumsum(lengths + 1) - 1
    return TrimmedPage(b"\n".join(lines), stops - lengths, stops)


def read_lines(page: TrimmedPage, text: TextBytes) -> Lines:
    """Counts x_i and y_i of the lines of a page.

    Args:
        page: the page.
        text: its text.
    """
    end = text.locate(page.stops)
    text_starts = np.zeros_like(end.offsets)
    tags_before = np.zeros_like(end.offsets)
    # A line feed inside of a tag is not in the text.
    text_starts[1:] = (end.offsets + ~end.inside)[:-1]
    tags_before[1:] = end.tags_before[:-1]
    tags = end.tags_before - tags_before
    characters = text.code_points(text_starts, end.offsets) - tags
    # The placeholder of a tag that goes on to the next line takes the separator in rendering.
    return Lines(page.starts, page.stops, text_starts, end.offsets - end.inside, characters, tags)


def ratios(characters: Offsets, tags: Offsets) -> Floats:
    """T_i = x_i / max(1, y_i): text-to-tag ratios, float64 (n,)."""
    return characters / np.maximum(tags, 1)
