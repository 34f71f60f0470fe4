"""Removal of what is not text: comments, scripts and styles, and the way back to the page as given.

One pass from the left; whichever opens first wins, so a comment opener inside of a script is script text (as
HTML5 reads it) and a script inside of a comment is comment. Nothing is put in the place of what is removed:
text before and after it becomes one line. What is unclosed goes on to the end of the input.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from transforms.extractors.characters import Offsets, windows
from transforms.extractors.tags import TagScanner


@dataclass(frozen=True, slots=True)
class Removal:
    """What is removed.

    Attributes:
        pattern: matches where a comment begins, and start and end tags, up to their names, of elements that
            go; group 1 is the slash of an end tag, group 2 the name.
        fold: whether the case of names is of no account.
        to_end: whether what is unclosed goes on to the end of the input; else it stays.
    """

    pattern: re.Pattern[bytes]
    fold: bool
    to_end: bool


HTML = Removal(
    re.compile(rb"<(?:!--|(/?)(script|style)(?=[\t\n\f\r />]))", re.IGNORECASE), fold=True, to_end=True
)
"""Comments, scripts and styles, names in any case."""

AUTHOR_CODE = Removal(
    re.compile(rb"<(?:!--|(/?)(script|SCRIPT|style)(?=[\t\n\f\r />]))"), fold=False, to_end=False
)
"""What the author's program of CETR removes, if it is closed: scripts in one case, styles in lower case."""

# How what the patterns match begins, behind the `<`. Bit 5 folds the case of letters; the others have it set.
_FOLD = np.uint64(0x202020)
_THREE_BYTES = np.uint64(0xFFFFFF)
_BEGINNINGS = tuple(
    np.uint64(int.from_bytes(begin, "little")) for begin in (b"!--", b"scr", b"sty", b"/sc", b"/st")
)

_EMPTY_COMMENT = re.compile(rb"-?>")
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
    kept = tuple((first, last) for first, last in ranges if first < last)
    return Source(original, kept, b"".join([original[first:last] for first, last in kept]))


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
    candidates = _candidates(html)
    scanner = TagScanner(html)
    last_ends: dict[bytes, int] = {}
    kept = []
    position = 0
    element = None  # the name of the element that is being removed
    comments_close = True
    for start in candidates:
        match = removal.pattern.match(html, start) if start >= position else None
        if match is None:
            continue
        name = _name(match, removal)
        if element is not None or match[1]:
            if match[1] and name == element:
                position = html.find(b">", match.end()) + 1 or len(html)
                element = None
            continue
        stop = start  # of an element: to be found among the candidates
        if name is None:
            stop = _comment_stop(html, match.end()) if comments_close else -1
            comments_close = stop >= 0
        else:
            if name not in last_ends:
                last_ends[name] = _last_end(html, candidates, name, removal)
            if start < last_ends[name]:
                element = name
            else:
                stop = _self_closed_stop(html, start, scanner) if removal.to_end else -1
        if stop >= 0 or removal.to_end:
            kept.append((position, start))
            position = stop if stop >= 0 else len(html)
    kept.append((position, len(html)))
    return _source(html, kept)


def _candidates(html: bytes) -> list[int]:
    """Where the `<` stand that the patterns may match: few of the many on a page."""
    at = (np.frombuffer(html, np.uint8) == np.uint8(ord("<"))).nonzero()[0]
    following = (windows(html)[at + 1] | _FOLD) & _THREE_BYTES
    marks = np.zeros(at.size, bool)
    for begin in _BEGINNINGS:
        marks |= following == begin
    candidates: list[int] = at[marks].tolist()
    return candidates


def _name(match: re.Match[bytes], removal: Removal) -> bytes | None:
    """The name of the element that `match` opens or closes; None for a comment."""
    name: bytes | None = match[2]
    return name.lower() if name and removal.fold else name


def _last_end(html: bytes, candidates: list[int], name: bytes, removal: Removal) -> int:
    """Where the last end tag of `name` begins; -1 if there is none."""
    for at in reversed(candidates):
        match = removal.pattern.match(html, at)
        if match and match[1] and _name(match, removal) == name:
            return at
    return -1


def _comment_stop(html: bytes, inner: int) -> int:
    """The byte after a comment whose text begins at `inner`; -1 if it does not end."""
    end = _EMPTY_COMMENT.match(html, inner) or _COMMENT_END.search(html, inner)
    return end.end() if end else -1


def _self_closed_stop(html: bytes, start: int, scanner: TagScanner) -> int:
    """The byte after the tag at `start` if it ends in `/>`, else -1."""
    stop = scanner.stop(start)
    return stop if html[stop - 2 : stop] == b"/>" else -1
