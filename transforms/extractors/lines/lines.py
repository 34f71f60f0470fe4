"""Lines, their characters and tags, and the text-to-tag ratio (Algorithm 1 of TTR 2008 and of CETR 2010).

The page without comments, scripts and styles is cut at CR LF, LF and CR; each line is trimmed of Unicode
blanks, and empty ones are dropped. For line i, x_i is the number of its code points outside of tags,
entities and inner blanks as written, and y_i the number of tags that start on it; what goes on from a tag of
an earlier line is neither. T_i = x_i / max(1, y_i).

Lines are found in the page's text, where a tag is one byte: that is half of the page. Only the lines that
end inside of a tag are not seen there.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from transforms.compiled import compiled
from transforms.extractors.html.characters import SPACE, Bytes, Flags, Offsets
from transforms.extractors.html.tag_names import Keys, TagNames
from transforms.extractors.html.tags import Tags
from transforms.extractors.html.text_bytes import TextBytes, code_points, coded_text

Floats = NDArray[np.float64]

_ASCII_BLANKS = bytes(b for b in range(0x80) if chr(b).isspace())


@dataclass(frozen=True, slots=True)
class Lines:
    """The lines of a page; n of them, in order, all arrays int64 (n,) but `parts`.

    Attributes:
        text_starts: where each line's text begins in the page's `TextBytes.coded`.
        text_stops: where it ends; the byte there belongs to no line's text, unless the next line was broken
            off from this one. Less than `text_starts` for a line that lies inside of a tag.
        characters: x_i.
        tags: y_i.
        broken: first and one past the last of the lines that one overlong source line was broken into;
            they join with nothing between them. Both 0 if there is none.
        parts: int64, the byte of the page where each of these lines starts, and where the last one stops.
    """

    text_starts: Offsets
    text_stops: Offsets
    characters: Offsets
    tags: Offsets
    broken: tuple[int, int]
    parts: Offsets


def trimmed(line: bytes) -> bytes:
    """A line of UTF-8 without Unicode blanks at its ends."""
    return line.decode().strip().encode()


def _is_blank(line: bytes) -> bool:
    body = line.strip()
    return not body or (not 0x20 < body[0] < 0x7F and not trimmed(body))


def source_ranges(html: bytes, *, keep_blank: bool) -> tuple[Offsets, Offsets]:
    """Where the lines of a page are.

    Args:
        html: the page, UTF-8.
        keep_blank: whether blank lines count, as empty ones.

    Returns:
        First byte of each trimmed line, and the byte after its last. int64 (n,) each.
    """
    starts, lengths, position = [], [], 0
    for line in html.splitlines(keepends=True):
        body = trimmed(line)
        if body or keep_blank:
            starts.append(position + (line.find(body) if body else 0))
            lengths.append(len(body))
        position += len(line)
    first = np.array(starts, np.int64)
    return first, first + np.array(lengths, np.int64)


def read_lines(html: bytes, tags: Tags, names: TagNames, *, keep_blank: bool) -> tuple[TextBytes, Lines]:
    """Takes the text out of a page, finds its lines, and counts their characters and tags.

    Args:
        html: the page, valid UTF-8.
        tags: its tags.
        names: their names.
        keep_blank: whether blank lines count, as empty ones.
    """
    coded, continuations, link_chars, placeholders, line_ends, starts, stops, characters, counts = (
        _read_lines(html, tags.starts, tags.stops, names.keys, names.ends, names.block_level, keep_blank)
    )
    text = TextBytes(coded, continuations, link_chars, tags, placeholders, line_ends)
    return text, Lines(starts, stops, characters, counts, (0, 0), placeholders[:0])


@compiled
def _read_lines(
    html: bytes,
    tag_starts: Offsets,
    tag_stops: Offsets,
    keys: Keys,
    ends: Flags,
    block_level: Flags,
    keep_blank: bool,
) -> tuple[Bytes, Offsets, int, Offsets, int, Offsets, Offsets, Offsets, Offsets]:
    """Fields of `TextBytes`, without its tags; starts, stops, characters and tags of the lines."""
    text = coded_text(html, tag_starts, tag_stops, keys, ends, block_level)
    coded, continuations, link_chars, placeholders, line_ends, line_ends_in_tags = text
    starts, stops = _trimmed_lines(coded, placeholders, line_ends, keep_blank=keep_blank)
    crossed = _line_ends_in_tags(html, tag_starts, tag_stops, line_ends_in_tags, keep_blank=keep_blank)
    if crossed.size:
        # Behind such a tag's placeholder, which takes the place of the line end, a line begins. None of
        # the ranges overlap, so sorting puts each start to its stop.
        starts = np.sort(np.concatenate((starts, placeholders[crossed] + 1)))
        stops = np.sort(np.concatenate((stops, placeholders[crossed])))
    tags_before = placeholders.searchsorted(starts)
    counts = np.empty_like(tags_before)
    np.subtract(tags_before[1:], tags_before[:-1], out=counts[:-1])
    counts[-1:] = placeholders.size - tags_before[-1:]
    inside = placeholders.searchsorted(stops) - tags_before if crossed.size else counts
    chars = code_points(continuations, starts, stops) - inside
    number = line_ends.size + line_ends_in_tags.size
    return coded, continuations, link_chars, placeholders, number, starts, stops, chars, counts


def _trimmed_lines(
    coded: Bytes, placeholders: Offsets, ends: Offsets, *, keep_blank: bool
) -> tuple[Offsets, Offsets]:
    """The lines as line ends outside of tags cut them: ranges of the text, trimmed."""
    solid = coded != SPACE
    solid[placeholders] = True
    changes = (solid[1:] != solid[:-1]).nonzero()[0] + 1
    if solid[0]:
        begin = np.zeros(1, np.int64)
    else:
        changes = np.concatenate((np.zeros(1, np.int64), changes))
        begin = changes[1:2] if changes.size > 1 else np.full(1, solid.size)
    # The text ends with a blank, so the last run of them is left open.
    blank_starts = changes[::2]
    blank_stops = np.append(changes[1::2], solid.size)
    around = blank_starts.searchsorted(ends, "right") - 1
    starts = np.concatenate((begin, blank_stops[around[:-1]]))[: ends.size]
    stops = blank_starts[around]
    if keep_blank:
        return np.minimum(starts, stops), stops
    visible = starts < stops
    return starts.compress(visible), stops.compress(visible)


def _begun_lines(tag: bytes, *, keep_blank: bool) -> int:
    """How many lines begin inside of a tag."""
    pieces = tag.splitlines()[1:]
    if keep_blank:
        return len(pieces)
    visible = [piece for piece in pieces if piece.strip(_ASCII_BLANKS)]
    return len(visible) if tag.isascii() else len(visible) - sum(map(_is_blank, visible))


def _line_ends_in_tags(
    html: bytes, tag_starts: Offsets, tag_stops: Offsets, line_ends_in_tags: Offsets, *, keep_blank: bool
) -> Offsets:
    """Which tags lines end in, each as often as there are lines that begin in it. int64, ascending."""
    last_of_tag = np.ones(line_ends_in_tags.size, bool)
    last_of_tag[:-1] = line_ends_in_tags[1:] != line_ends_in_tags[:-1]
    crossed = line_ends_in_tags[last_of_tag]
    begun = [
        _begun_lines(html[start:stop], keep_blank=keep_blank)
        for start, stop in zip(tag_starts[crossed].tolist(), tag_stops[crossed].tolist(), strict=True)
    ]
    return np.repeat(crossed, np.array(begun, np.int64))


@compiled
def ratios(characters: Offsets, tags: Offsets) -> Floats:
    """T_i = x_i / max(1, y_i): text-to-tag ratios, float64 (n,)."""
    return characters / np.maximum(tags, 1)


@compiled
def differ(ratios: Floats) -> bool:
    """Whether two of the ratios, float64 (n,), are not the same."""
    return ratios.size > 1 and bool(ratios.max() > ratios.min())
