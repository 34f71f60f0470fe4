"""What is done to a page before parsing, so that libxml2 neither cuts it short nor takes quadratic time.

libxml2 gives up at 2,048 open elements, and goes through a tag's attributes whenever it adds one. What is
left to the time limit: it compares an end tag that closes nothing with all elements that are open. On a page
of 4 MB of little else that takes some 2 seconds, and 4 where it is `</p>`.
"""

import re
from collections.abc import Iterator

from cedar.transforms.extractors.html._source import remove_invisible
from cedar.transforms.extractors.tree._limits import flattened, long_stretches

MAX_TAGS = 5 << 18
"""Tags of a page; for one with more, the stand-in extracts, and the column `fallback` says so."""

MAX_ATTRIBUTES = 1000
"""Attributes of a tag; the others are left out."""

MAX_DEPTH = 2048
"""Nested elements; of a deeper page only the outer `FLAT_DEPTH` keep their tags; all text stays."""

FLAT_DEPTH = 512
"""Open elements that `flatten` leaves, at most."""

# A start tag as HTML5 reads it (13.2.5.8 and 13.2.5.32 to 13.2.5.40). Group 1 ends after its last attribute
# that stays, group 2 after its last.
_ATTRIBUTE = (
    rb"[\t\n\f\r /]*+[^\t\n\f\r />][^\t\n\f\r />=]*+"
    rb"(?:[\t\n\f\r ]*+=[\t\n\f\r ]*+(?:\"[^\"]*+(?:\"|\Z)|'[^']*+(?:'|\Z)|[^\t\n\f\r >]*+))?+"
)
_START_TAG = b"<[A-Za-z][^\t\n\f\r />]*+((?:%b){0,%d}+)((?:%b)*+)"

_TAG_OPENS = re.compile(b"<[A-Za-z]")
_WORD = 8  # bytes
_ROOM = 4  # elements that the parser puts in by itself: html, body, p


class TreeLimitError(ValueError):
    """The page cannot be parsed whole; a line method still can read it."""


class TooDeepError(TreeLimitError):
    """The tree is deeper than it may be."""


def check_size(html: bytes, max_tags: int) -> None:
    """Raise TreeLimitError if a page has more `<` than `max_tags`."""
    if len(html) > max_tags and (count := html.count(b"<")) > max_tags:
        raise TreeLimitError(f"{count} tags")


def cap_attributes(html: bytes, limit: int) -> bytes:
    """Take the attributes of each tag beyond the first `limit`, which is at least 8.

    A page is looked at more closely when a tag has so many in a stretch without `<` or one without `>`. A tag
    with both in its values, again and again, is not found, and left to the time limit. Where something goes,
    comments, scripts and styles go, too; else `html` itself is returned.
    """
    tags = re.compile(_START_TAG % (_ATTRIBUTE, limit, _ATTRIBUTE))
    if not any(map(_capped, _long_tags(html, tags, limit))):
        return html
    visible = remove_invisible(html).html  # what looks like a tag in a script is none
    pieces = []
    position = 0
    for tag in filter(_capped, tags.finditer(visible)):
        pieces.append(visible[position : tag.end(1)])
        position = tag.end(2)
    if not pieces:
        return html
    pieces.append(visible[position:])
    return b"".join(pieces)


def _capped(tag: re.Match[bytes]) -> bool:
    return tag.end(1) < tag.end(2)


def _long_tags(html: bytes, tags: re.Pattern[bytes], limit: int) -> Iterator[re.Match[bytes]]:
    """Yield the first start tag of each long stretch without `<` or without `>`, as far as it goes there."""
    for bracket in (b"<", b">"):
        for start, stop in long_stretches(html, bracket[0], limit // _WORD * _WORD):
            opening = _TAG_OPENS.search(html, start, stop)
            if opening and (tag := tags.match(html, opening.start(), stop)):
                yield tag


def flatten(html: bytes, max_depth: int) -> bytes:
    """Take the tags of elements that are nested deeper than `FLAT_DEPTH`, or `max_depth`; their text stays.

    A `br` stands in for the tag of a block-level element, so that what it parts stays apart. Depth is never
    taken for less than the parser's: of the elements that stay, an end tag closes the innermost one or none.
    Comments, scripts and styles go.
    """
    levels = min(FLAT_DEPTH, max_depth - _ROOM)
    source = remove_invisible(html)
    return flattened(source.html, source.tags, levels)
