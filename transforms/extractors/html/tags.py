"""Tags: the lexemes `<` + (letter | `/` | `!` | `?`) ... `>` of a page.

A tag ends at the first `>` outside of quoted values. A quote counts only after `=` (blanks may stand
between); where one does not close within `QUOTE_LIMIT` bytes, or where no `>` follows outside of quotes,
the tag ends at its first `>` after all. A `<` inside of a tag is part of it. What has no `>` up to the end of
the input is text, and so is a `<` before any other character. Start tags, end tags, declarations and
processing instructions each count as one tag (CETR, Algorithm 1: `tags(D_i)`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from transforms.compiled import compiled
from transforms.extractors.html.characters import SPACE, Bytes, Flags, Offsets

QUOTE_LIMIT = 4096
"""Bytes within which a quoted value must close to count as one."""

_LT, _GT, _EQUALS = np.uint8(ord("<")), np.uint8(ord(">")), np.uint8(ord("="))
_BRACKET_BITS = np.uint8(0xFD)  # those in which `<` and `>` agree
_DOUBLE, _SINGLE = np.uint8(ord('"')), np.uint8(ord("'"))
_OPENS: Flags = np.array([bytes([b]).isalpha() or b in b"/!?" for b in range(256)])
_DELIMITER = re.compile(rb">|=[\t\n\f\r ]*[\"']")
_REST_OF_TAG = re.compile(rb"(?:[^=>]++|=[\t\n\f\r ]*+(?:\"[^\"]*+\"|'[^']*+'|(?![\"'])))*+>")
"""What follows the `<` of a tag whose values all close. It has no limit: for `QUOTE_LIMIT` bytes at most."""


@dataclass(frozen=True, slots=True)
class Tags:
    """The tags of a page in order; none overlaps another.

    Attributes:
        starts: int64 (t,), byte of each tag's `<`.
        stops: int64 (t,), byte after its `>`.
    """

    starts: Offsets
    stops: Offsets


class TagScanner:
    """Finds where a tag ends by the exact rule, for those tags that `lex` cannot prove simple."""

    __slots__ = ("_hopeless", "_html")

    def __init__(self, html: bytes) -> None:
        self._html = html
        # Values whose opening led to no `>`: whoever comes there again need not go on. Keeps it linear.
        self._hopeless: set[int] = set()

    def stop(self, start: int) -> int:
        """The byte after the `>` of the tag whose `<` is at `start`; -1 if no `>` follows at all."""
        html = self._html
        # As a rule tags are short and well formed.
        if rest := _REST_OF_TAG.match(html, start + 1, start + QUOTE_LIMIT):
            return rest.end()
        seen = []
        position = start + 1
        while (found := _DELIMITER.search(html, position)) and found.start() not in self._hopeless:
            if html[found.start()] == _GT:
                return found.end()
            seen.append(found.start())
            opening = found.end()
            closing = html.find(html[opening - 1], opening, opening + QUOTE_LIMIT)
            if closing < 0:
                break
            position = closing + 1
        self._hopeless.update(seen)
        return html.find(b">", start) + 1 or -1


def lex(html: bytes) -> Tags:
    """Finds all tags of a page.

    Args:
        html: UTF-8 (or any superset of ASCII).

    Returns:
        Its tags.
    """
    return Tags(*_lex(html))


@compiled
def _lex(html: bytes) -> tuple[Offsets, Offsets]:
    """The starts and the stops of all tags.

    Brackets and quotes are found once. A `>` is doubtful only inside of a quoted value, and then the quote
    that opens the value (behind `=`, blanks may stand between) is followed by a bracket sooner than by a
    quote of its kind. Tags with such a quote, a few on a page, go through `TagScanner`; of all others the
    first `>` is the end.
    """
    data = np.frombuffer(html, np.uint8)
    marks = (data & _BRACKET_BITS) == _LT
    marks |= data == _DOUBLE
    single = (data == _SINGLE).nonzero()[0]
    if _may_open_value(data, single).any():
        marks[single] = True
    at = marks.nonzero()[0]
    byte = data[at]
    is_bracket = byte >= _LT
    # Marks without order are taken by `compress`, which does not branch on each as indexing by marks does.
    unpaired = at[:-1].compress((byte[1:] != byte[:-1]) > is_bracket[:-1])
    unpaired = unpaired.compress(_may_open_value(data, unpaired))

    which = is_bracket.nonzero()[0]
    brackets, opening = at.take(which), byte.take(which) == _LT
    text = opening > _OPENS.take(data.take(brackets + 1, mode="clip"))
    if text.any():
        brackets, opening = brackets[~text], opening[~text]
    after_opening = np.empty_like(opening)
    after_opening[:1] = False
    after_opening[1:] = opening[:-1]
    stops = brackets.compress(after_opening > opening) + 1
    starts = brackets.compress(opening > after_opening)[: stops.size]

    owner = starts.searchsorted(unpaired) - 1
    doubtful = owner[(owner >= 0) & (unpaired < stops[owner])] if stops.size else owner[:0]
    if not doubtful.size:
        return starts, stops

    scanner = TagScanner(html)
    reached = 0
    for index in dict.fromkeys(doubtful.tolist()):
        if starts[index] >= reached:
            stops[index] = reached = scanner.stop(int(starts[index]))
    # A tag that grew swallows those inside of it; both end at a `>`, so none is cut in two.
    own = np.ones(starts.size, bool)
    own[1:] = starts[1:] >= np.maximum.accumulate(stops)[:-1]
    return starts[own], stops[own]


def _may_open_value(data: Bytes, quotes: Offsets) -> Flags:
    """Which of the quotes may stand behind `=`, and blanks; all that do are among them."""
    before = data[quotes - 1]
    marks: Flags = before == _EQUALS
    blank = (before <= SPACE).nonzero()[0]
    second = data[quotes[blank] - 2]
    marks[blank] = (second == _EQUALS) | (second <= SPACE)
    return marks
