"""A page's text outside of its tags, and how it reads in the output.

Tags leave one placeholder byte each: a blank for `br` and for start and end tags of block-level elements,
nothing (NUL, dropped in the end) for the others, so that words neither fuse nor break. Lines are then ranges
of this shorter array. Rendering decodes entities, makes each run of blanks one space, trims, and drops the
control characters that are no blanks (they go first: they part no words and hold no blanks apart).
"""

from __future__ import annotations

import html as html_standard
import re
from dataclasses import dataclass

import numpy as np

from transforms.extractors import characters
from transforms.extractors.characters import SPACE, Bytes, Flags, Offsets
from transforms.extractors.tag_names import TagNames
from transforms.extractors.tags import Tags

_SEPARATOR = 0x1E  # a blank, so the text holds none once its blanks are spaces; no entity decodes to it
_DROPPED = bytes(b for b in [*range(0x20), 0x7F] if not chr(b).isspace())
_CONTROLS = re.compile("[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f]")
_SPACE_REFERENCE = re.compile(
    rb"&(?:nbsp;|#0*(?:32|160)(?:;|(?![0-9]))|#[xX]0*(?:20|[aA]0)(?:;|(?![0-9a-fA-F])))"
)
_HIGH_CONTROL = re.compile(rb"\xc2[\x80-\x9f]")
_REFERENCE = re.compile("&(?:#[0-9]+|#[xX][0-9a-fA-F]+|[0-9A-Za-z]{1,32});?")
_LONGEST_REFERENCE = 40
_LONG_DECIMAL = re.compile("&#[0-9]{9,}")


@dataclass(frozen=True, slots=True)
class TextBytes:
    """The bytes of a page outside of its tags, with one placeholder byte for each tag.

    Attributes:
        coded: uint8 (m,), the text: every byte of a blank is a space, tags are a space or NUL; its last
            byte stands for the end of the page.
        continuations: int64, where it holds the second and later bytes of a code point.
        link_chars: code points, not blanks, whose last `a` tag before them is a start tag.
        tag_stops: int64 (t + 1,), the byte of the page after each tag, with 0 before the first.
        removed: int64 (t + 1,), how many bytes fewer than the page `coded` has after so many tags.
        tag_starts: int64 (t,), the byte of the page where each tag starts.
    """

    coded: Bytes
    continuations: Offsets
    link_chars: int
    tag_stops: Offsets
    removed: Offsets
    tag_starts: Offsets

    def locate(self, positions: Offsets) -> Located:
        """Where bytes of the page stand in `coded`: those inside of a tag, after its placeholder."""
        tags_before = self.tag_starts.searchsorted(positions)
        tag_stop = self.tag_stops[tags_before]
        return Located(
            np.maximum(positions, tag_stop) - self.removed[tags_before], tags_before, positions < tag_stop
        )

    def code_points(self, starts: Offsets, stops: Offsets) -> Offsets:
        """Number of code points (placeholders included) in each range [start, stop) of `coded`."""
        lengths = stops - starts
        if self.continuations.size:
            lengths -= self.continuations.searchsorted(stops) - self.continuations.searchsorted(starts)
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


def text_bytes(html: bytes, tags: Tags, names: TagNames) -> TextBytes:
    """Takes the text out of a page.

    Args:
        html: valid UTF-8.
        tags: its tags.
        names: their names.

    Returns:
        Its text.
    """
    size = tags.starts.size
    tag_stops = np.zeros(size + 1, np.int64)
    tag_stops[1:] = tags.stops
    removed = np.zeros(size + 1, np.int64)
    np.cumsum(tags.stops - tags.starts - 1, out=removed[1:])

    # Each run of text goes with the byte after it: the tag's `<`, or a line feed behind the last one.
    runs = np.empty(size + 1, np.int64)
    runs[:-1] = tags.starts
    runs[-1] = len(html)
    runs -= tag_stops
    runs += 1
    source = np.repeat(removed, runs)
    source += np.arange(source.size)
    data = np.frombuffer(html + b"\n", np.uint8)[source]
    placeholders = tags.starts - removed[:-1]

    coded = characters.blanks_as_spaces(data)
    coded[placeholders] = names.block_level * SPACE
    continuation = characters.continuation(data)
    link_chars = _link_chars((coded > SPACE) & ~continuation, placeholders, names)
    return TextBytes(coded, np.flatnonzero(continuation), link_chars, tag_stops, removed, tags.starts)


def _link_chars(counted: Flags, placeholders: Offsets, names: TagNames) -> int:
    """How many of the characters marked stand after an `a` start tag and before the next `a` tag."""
    links = np.flatnonzero(names.named("a"))
    if not links.size:
        return 0
    sums = np.add.reduceat(counted, placeholders[links], dtype=np.int64)
    return int(sums[~names.ends[links]].sum())


def render_lines(text: TextBytes, stops: Offsets) -> list[str]:
    """Renders the whole page, cut into lines.

    Args:
        text: the page's text.
        stops: int64 (n,), ascending, where each line ends in `text.coded`; the byte there is no part of a
            line. A line begins after the one before.

    Returns:
        The lines as they read in the output; "" where nothing is visible.
    """
    coded = text.coded.copy()
    coded[stops] = _SEPARATOR
    packed = b"\x1e" + coded.tobytes().translate(None, _DROPPED)
    if b"\xc2" in packed:
        packed = _HIGH_CONTROL.sub(b"", packed)
    if b"&" in packed:
        packed = _SPACE_REFERENCE.sub(b" ", packed)
    # A run of blanks shrinks to its last space, and to nothing before a separator.
    data = np.frombuffer(packed, np.uint8)
    kept = np.ones(data.size, bool)
    kept[:-1] = (data[:-1] != SPACE) | (data[1:] > SPACE)
    page = data[kept].tobytes().replace(b"\x1e ", b"\x1e").decode()
    decoded: dict[str, str] = {}
    page = _unescaped(page, decoded)
    lines = page.split("\x1e")[1:-1]
    # What is left to do was made by references: blanks other than spaces, and control characters.
    if all(_tidied(character) == character for character in decoded.values()):
        return lines
    return [line if line.isprintable() else _tidied(line) for line in lines]


def render_range(text: TextBytes, start: int, stop: int) -> str:
    """Renders the range [start, stop) of `text.coded` as one line."""
    return rendered(text.coded[start:stop].tobytes())


def rendered(text: bytes) -> str:
    """Renders UTF-8 text without tags as one line: entities decoded, blanks collapsed, controls dropped."""
    return _tidied(_unescaped(text.translate(None, _DROPPED).decode(), {}))


def after_reference(text: TextBytes, offset: int) -> int:
    """The end of the character reference that `offset` of `text.coded` cuts in two; `offset` if none.

    A reference belongs to the line in which it begins, and comes out whole.
    """
    first = max(0, offset - _LONGEST_REFERENCE)
    around = text.coded[first : offset + _LONGEST_REFERENCE].tobytes().decode("latin-1")
    ampersand = around.rfind("&", 0, offset - first)
    found = _REFERENCE.match(around, ampersand) if ampersand >= 0 else None
    if found is None or first + found.end() <= offset:
        return offset
    return first + found.end() if _unescaped(found[0], {}) != found[0] else offset


def _unescaped(text: str, decoded: dict[str, str]) -> str:
    """Decodes the character references of `text`, and puts each that occurs into `decoded`."""

    def decode(reference: re.Match[str]) -> str:
        written = reference[0]
        if written not in decoded:
            # Python refuses to read integers of thousands of digits; nine are beyond Unicode as well.
            short = _LONG_DECIMAL.sub(_shortened, written)
            decoded[written] = html_standard.unescape(short)
        return decoded[written]

    return _REFERENCE.sub(decode, text) if "&" in text else text


def _shortened(reference: re.Match[str]) -> str:
    return "&#" + (reference[0][2:].lstrip("0") or "0")[:9]


def _tidied(text: str) -> str:
    return " ".join(_CONTROLS.sub("", text).split())
