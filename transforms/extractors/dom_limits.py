"""What is done to a page before parsing, so that libxml2 neither cuts it short nor takes quadratic time.

libxml2 gives up at 2,048 open elements, and goes through a tag's attributes whenever it adds one. Browsers
have limits, too: Blink and WebKit keep 512 levels, and put what is deeper beside.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import numpy as np

from transforms.extractors.source import remove_invisible
from transforms.extractors.tag_names import key, tag_names
from transforms.extractors.tags import lex

MAX_TAGS = 5 << 19
"""`<` beyond which a page is not parsed: a tree of 1.3 million elements takes 400 MB."""

MAX_ATTRIBUTES = 1000
"""Attributes of one tag that are kept."""

MAX_DEPTH = 2048
"""Open elements beyond which a page is flattened; newer libxml2 give up there, older ones know no limit."""

FLAT_DEPTH = 512
"""Open elements that `flatten` leaves."""

# A start tag as HTML5 reads it (13.2.5.8 and 13.2.5.32 to 13.2.5.40). Group 1 ends behind its last attribute
# that stays, group 2 behind its last.
_ATTRIBUTE = (
    rb"[\t\n\f\r /]*+[^\t\n\f\r />][^\t\n\f\r />=]*+"
    rb"(?:[\t\n\f\r ]*+=[\t\n\f\r ]*+(?:\"[^\"]*+(?:\"|\Z)|'[^']*+(?:'|\Z)|[^\t\n\f\r >]*+))?+"
)
_START_TAG = re.compile(
    b"<[A-Za-z][^\t\n\f\r />]*+((?:%b){0,%d}+)((?:%b)*+)" % (_ATTRIBUTE, MAX_ATTRIBUTES, _ATTRIBUTE)
)

_TAG_OPENS = re.compile(b"<[A-Za-z]")
_CHUNK = MAX_ATTRIBUTES  # bytes, a multiple of 8: more attributes than that, of two bytes or more, fill one

_VOID_NAMES = "area base br col hr img input link meta param"
_VOID = frozenset(map(key, _VOID_NAMES.split()))
_FIRST_LETTER, _LAST_LETTER = ord("a"), ord("z")


class TreeLimitError(ValueError):
    """The page cannot be parsed whole; a line method still can read it."""


class TooDeepError(TreeLimitError):
    """The tree is deeper than `MAX_DEPTH`."""


def check_size(html: bytes) -> None:
    """Raises TreeLimitError if a page has more than `MAX_TAGS`."""
    count = np.count_nonzero(np.frombuffer(html, np.uint8) == np.uint8(ord("<")))
    if count > MAX_TAGS:
        raise TreeLimitError(f"{count} tags")


def cap_attributes(html: bytes) -> bytes:
    """Takes the attributes of each tag beyond the first `MAX_ATTRIBUTES`.

    A page is looked at more closely when a tag has so many in a stretch without `<` or one without `>`. A tag
    with both in its values, again and again, is not found, and left to the time limit.

    Args:
        html: the page, UTF-8.

    Returns:
        The page, without its comments, scripts and styles in that case; `html` itself if nothing goes.
    """
    if not any(map(_capped, _long_tags(html))):
        return html
    visible = remove_invisible(html).html  # what looks like a tag in a script is none
    pieces = []
    position = 0
    for tag in filter(_capped, _START_TAG.finditer(visible)):
        pieces.append(visible[position : tag.end(1)])
        position = tag.end(2)
    if not pieces:
        return html
    pieces.append(visible[position:])
    return b"".join(pieces)


def _capped(tag: re.Match[bytes]) -> bool:
    return tag.end(1) < tag.end(2)


def _long_tags(html: bytes) -> Iterator[re.Match[bytes]]:
    """The first start tag of each long stretch without `<` or without `>`, as far as it goes there."""
    for bracket in (b"<", b">"):
        for start, stop in _long_stretches(html, bracket):
            opening = _TAG_OPENS.search(html, start, stop)
            if opening and (tag := _START_TAG.match(html, opening.start(), stop)):
                yield tag


def _long_stretches(html: bytes, bracket: bytes) -> Iterator[tuple[int, int]]:
    """The stretches from a bracket up to the next one, or an end of the page, that fill a whole chunk."""
    size = len(html) // _CHUNK
    marks = np.frombuffer(html, np.uint8, size * _CHUNK) == np.uint8(bracket[0])
    filled = marks.view(np.uint64).reshape(size, _CHUNK // 8).any(axis=1)
    stop = 0
    for start in (np.flatnonzero(~filled) * _CHUNK).tolist():
        if start >= stop:
            opening = max(html.rfind(bracket, stop, start), stop)
            stop = html.find(bracket, start)
            if stop < 0:
                stop = len(html)
            yield opening, stop


def flatten(html: bytes) -> bytes:
    """Takes the tags of elements that are nested deeper than `FLAT_DEPTH`; their text stays.

    A `br` stands in for the tag of a block-level element, so that what it parts stays apart. Depth is never
    taken for less than the parser's: of the elements that stay, an end tag closes the innermost one or none.

    Args:
        html: the page, UTF-8.

    Returns:
        The page without its comments, scripts and styles.
    """
    html = remove_invisible(html).html
    tags = lex(html)
    names = tag_names(html, tags)
    stack: list[int] = []  # the open elements, by the keys of their names
    deeper: Counter[int] = Counter()  # those of them that go
    pieces = []
    position = 0
    for name, end, parts, start, stop in zip(
        names.keys.tolist(),
        names.ends.tolist(),
        names.block_level.tolist(),
        tags.starts.tolist(),
        tags.stops.tolist(),
        strict=True,
    ):
        if name in _VOID or not _FIRST_LETTER <= name & 0xFF <= _LAST_LETTER:
            continue
        if not end:
            stack.append(name)
            if len(stack) <= FLAT_DEPTH:
                continue
            deeper[name] += 1
        elif deeper[name]:
            closed = 0
            while closed != name:
                closed = stack.pop()
                deeper[closed] -= 1
        else:
            innermost = min(len(stack), FLAT_DEPTH) - 1
            if stack and stack[innermost] == name:
                del stack[innermost:]
                deeper.clear()
            continue
        pieces += [html[position:start], b"<br>" if parts else b""]
        position = stop
    pieces.append(html[position:])
    return b"".join(pieces)
