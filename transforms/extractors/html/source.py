"""Removal of what is not text: comments, scripts and styles, and the way back to the page as given.

One pass from the left; whichever opens first wins, so a comment opener inside of a script is script text (as
HTML5 reads it) and a script inside of a comment is comment. Nothing is put in the place of what is removed:
text before and after it becomes one line. What is unclosed goes on to the end of the input.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from transforms.compiled import compiled
from transforms.extractors.html.characters import Flags, Offsets, windows
from transforms.extractors.html.tags import TagScanner

Words = NDArray[np.uint64]


class _Name(NamedTuple):
    """A name of seven bytes at most, as what stands behind a `<`, eight bytes in one little-endian number.

    Attributes:
        letters: the name.
        fold: the bits that are set before comparing: bit 5 of each letter where case is of no account.
        mask: the name's bits.
        size: their number, where the byte begins that ends the name.
    """

    letters: int
    fold: int
    mask: int
    size: int

    def among(self, words: Words) -> Flags:
        """Which of the words are this name, and a byte that ends names. bool (m,)."""
        same: Flags = ((words | np.uint64(self.fold)) & np.uint64(self.mask)) == np.uint64(self.letters)
        same &= _ENDS_NAME[(words >> np.uint64(self.size)).astype(np.uint8)]
        return same


class _Element(NamedTuple):
    """The names of an element's start tag and of its end tag, with its slash."""

    start: _Name
    end: _Name


def _element(name: str, *, fold: bool) -> _Element:
    def behind(text: str) -> _Name:
        case = bytes(0x20 * (fold and letter.isalpha()) for letter in text)
        letters, bits = (int.from_bytes(part, "little") for part in (text.encode(), case))
        size = 8 * len(text)
        return _Name(letters, bits, (1 << size) - 1, size)

    return _Element(behind(name), behind("/" + name))


@dataclass(frozen=True, slots=True)
class Removal:
    """What is removed besides comments.

    Attributes:
        elements: those that go.
        to_end: whether what is unclosed goes on to the end of the input; else it stays.
    """

    elements: tuple[_Element, ...]
    to_end: bool


HTML = Removal((_element("script", fold=True), _element("style", fold=True)), to_end=True)
"""Comments, scripts and styles, names in any case."""

AUTHOR_CODE = Removal(
    tuple(_element(name, fold=False) for name in ("script", "SCRIPT", "style")), to_end=False
)
"""What the author's program of CETR removes, if it is closed: scripts in one case, styles in lower case."""

# How what is removed begins, behind the `<`. Bit 5 folds the case of letters; the others have it set.
_FOLD = np.uint64(0x202020)
_THREE_BYTES = np.uint64(0xFFFFFF)
_BEGINNINGS = tuple(
    np.uint64(int.from_bytes(begin, "little")) for begin in (b"!--", b"scr", b"sty", b"/sc", b"/st")
)
_COMMENT = 0  # among the kinds of what is removed; elements count from 1
_NOTHING = 255
_COMMENT_OPENING = len(b"<!--")
_ENDS_NAME: Flags = np.array([bytes([b]) in b"\t\n\f\r />" for b in range(256)])

_EMPTY_COMMENT = (b">", b"->")
_COMMENT_END = re.compile(rb"--!?>")


@dataclass(frozen=True, slots=True)
class Source:
    """A page without what was removed from it.

    Attributes:
        original: the page as given, UTF-8.
        kept: the half-open byte ranges of `original` that are left, in order, none empty.
        html: what is left.
    """

    original: bytes
    kept: tuple[tuple[int, int], ...]
    html: bytes

    def without(self, start: int, stop: int) -> Source:
        """The source without bytes [start, stop) of `html` too."""
        kept = []
        position = 0
        for first, last in self.kept:
            cut_from = first + min(max(start - position, 0), last - first)
            cut_to = first + min(max(stop - position, 0), last - first)
            kept += [(first, cut_from), (cut_to, last)]
            position += last - first
        return _source(self.original, kept)

    def original_offsets(self, offsets: Offsets) -> Offsets:
        """Where bytes of `html` stand in `original`.

        Args:
            offsets: int64 (m,), each in [0, len(html)).

        Returns:
            int64 (m,).
        """
        firsts = np.array([first for first, _ in self.kept], np.int64)
        lengths = np.array([last - first for first, last in self.kept], np.int64)
        begins = np.cumsum(lengths) - lengths
        piece = begins.searchsorted(offsets, "right") - 1
        return offsets + (firsts - begins)[piece]


def _source(original: bytes, ranges: list[tuple[int, int]]) -> Source:
    kept = [(first, last) for first, last in ranges if first < last]
    page = memoryview(original)
    return Source(original, tuple(kept), b"".join([page[first:last] for first, last in kept]))


def remove_invisible(html: bytes, removal: Removal = HTML) -> Source:
    """Removes comments, scripts and styles from a page.

    A comment ends at `-->` or `--!>`; `<!-->` and `<!--->` are empty comments (HTML5, 13.2.5.43). An element
    ends with its end tag (`</script ...>`). Where no end tag follows any more, a self-closed tag
    (`<script .../>`, XHTML) goes alone; any other takes the rest of the page with it.

    Args:
        html: UTF-8.
        removal: what to remove.

    Returns:
        The page without them.
    """
    return _source(html, _kept_ranges(html, removal.elements, removal.to_end, TagScanner(html)))


@compiled
def _kept_ranges(
    html: bytes, elements: tuple[_Element, ...], to_end: bool, scanner: TagScanner
) -> list[tuple[int, int]]:
    """The ranges of a page that are left, empty ones among them."""
    at, behind = _candidates(html)
    kinds = np.full(at.size, _NOTHING, np.uint8)
    kinds[(behind & _THREE_BYTES) == _BEGINNINGS[0]] = _COMMENT
    end_tags = []
    for kind, element in enumerate(elements, 1):
        kinds[element.start.among(behind)] = kind
        end_tags.append(at[element.end.among(behind)].tolist())
    opening = kinds != _NOTHING

    kept = []
    position = 0
    comments_close = True
    for start, kind in zip(at[opening].tolist(), kinds[opening].tolist(), strict=True):
        if start < position:
            continue
        if kind == _COMMENT:
            stop = _comment_stop(html, start + _COMMENT_OPENING) if comments_close else -1
            comments_close = stop >= 0
        else:
            ends = end_tags[kind - 1]
            index = bisect_left(ends, start)
            if index < len(ends):
                stop = html.find(b">", ends[index]) + 1 or len(html)
            else:
                stop = _self_closed_stop(html, start, scanner) if to_end else -1
        if stop >= 0 or to_end:
            kept.append((position, start))
            position = stop if stop >= 0 else len(html)
    kept.append((position, len(html)))
    return kept


def _candidates(html: bytes) -> tuple[Offsets, Words]:
    """Where the `<` stand that may open what is removed, few of the many; the eight bytes behind each."""
    at = (np.frombuffer(html, np.uint8) == np.uint8(ord("<"))).nonzero()[0]
    behind = windows(html)[at + 1]
    following = (behind | _FOLD) & _THREE_BYTES
    marks = following == _BEGINNINGS[0]
    for begin in _BEGINNINGS[1:]:
        marks |= following == begin
    return at[marks], behind[marks]


def _comment_stop(html: bytes, inner: int) -> int:
    """The byte after a comment whose text begins at `inner`; -1 if it does not end."""
    if html.startswith(_EMPTY_COMMENT, inner):
        return html.index(b">", inner) + 1
    end = _COMMENT_END.search(html, inner)
    return end.end() if end else -1


def _self_closed_stop(html: bytes, start: int, scanner: TagScanner) -> int:
    """The byte after the tag at `start` if it ends in `/>`, else -1."""
    stop = scanner.stop(start)
    return stop if html[stop - 2 : stop] == b"/>" else -1
