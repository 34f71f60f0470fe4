"""A page as `cedar` reads it: its tags, its blocks and its elements, handed on as one object.

Everything that is known of a page is reached from here, also what no step of `cedar` needs:

- A writer of another format walks over the blocks that stay. For block b, the tags [0, first_gaps[b]) stand before
  it and the tags [first_gaps[b], last_gaps[b]) in it; `nearest[b]` and then `parents` lead through the elements
  around it, out to the page; `source_ranges` gives its bytes in the page as it was given, tags and all.
- What a page says of itself in `meta`, `link` and `time` is in `markup.tags`: bytes [start, stop) of `markup.html`. Scripts
  and comments are not there: they are the ranges of `source.original` between those of `source.kept`, so that a
  script of JSON-LD is one that begins with a `<script` tag of this type.
"""

import numpy as np

from libc.string cimport memchr, memcmp

from transforms.extractors.segments._blocks cimport Blocks
from transforms.extractors.segments._elements cimport Elements
from transforms.extractors.segments._headline cimport Headline
from transforms.extractors.segments._markup cimport Markup

from transforms.extractors.segments.names import SCHEMAS
from transforms.extractors.html import characters
from transforms.extractors.html._source import remove_invisible
from transforms.extractors.html.title import head

cdef enum:
    MENTIONS = 64  # of each mark
    MENTION = 60  # bytes of a mention

cdef const char *MARKS[3]
MARKS[0], MARKS[1], MARKS[2] = b'@type"', b"itemtype=", b'og:type"'
cdef Py_ssize_t LENGTHS[3]
LENGTHS[0], LENGTHS[1], LENGTHS[2] = 6, 9, 8


cdef class SegmentedPage:
    """A page of t tags, n blocks and e elements.

    A whole page has all its tags and blocks, however many, and no headline and schemas.

    Attributes:
        source: the page as given, and what of it is left without comments, scripts and styles.
        markup: its tags, and what the gaps between them are.
        blocks: its blocks.
        elements: its elements.
        headline: its headline.
        schemas: whether the page says of itself that it is of each type of `names.SCHEMAS`.
    """

    def __init__(self, bytes html not None, bint whole=False):
        """Reads a page of valid UTF-8."""
        self.source = remove_invisible(html)
        self.markup = Markup(self.source.html, whole)
        self.blocks = Blocks(self.markup, whole)
        self.elements = Elements(self.markup, self.blocks)
        if not whole:
            self.headline = Headline(self.markup, self.blocks, self.elements)
            self.schemas = schemas(html)

    def shown(self):
        """The elements that are on the page: outside of its head and of what its markup hides. bool (e,)."""
        cdef Elements elements = self.elements
        cdef const unsigned char[::1] hidden = elements.hidden
        cdef Py_ssize_t element, start, stop, at
        found = np.ones(elements.count, bool)
        cdef unsigned char[::1] shown = found.view(np.uint8)
        start, stop = head(self.markup.tags) or (0, 0)
        for element in range(1, elements.count):
            at = self.markup.tags.start[elements.opens[element]]
            shown[element] = shown[elements.parents[element]] and not hidden[element] and not start <= at < stop
        return found

    def source_ranges(self):
        """Where the blocks' source begins and ends in the page as given: int64 (n,) each, in code points."""
        after = np.concatenate(([0], self.markup.tags.stops))
        before = np.append(self.markup.tags.starts, len(self.markup.html))
        begins = self.source.original_offsets(after[np.asarray(self.blocks.first_gaps)])
        ends = self.source.original_offsets(np.maximum(before[np.asarray(self.blocks.last_gaps)] - 1, 0)) + 1
        inner = characters.continuation(np.frombuffer(self.source.original, np.uint8)).nonzero()[0]
        return begins - inner.searchsorted(begins), ends - inner.searchsorted(ends)


def schemas(bytes html not None):
    """What a page says it is, in the order of `names.SCHEMAS`: in JSON-LD, microdata or Open Graph."""
    mentions = b"\n".join([_mention(html, at) for at in _mentions(html)])
    return tuple([any([word in mentions for word in words]) for words in SCHEMAS.values()])


cdef bytes _mention(bytes html, Py_ssize_t at):
    return html[at : at + MENTION].lower().partition(b">")[0].partition(b",")[0]


cdef list _mentions(const unsigned char[::1] html):
    """Where marks of types stand, each of them `MENTIONS` times at most, ascending."""
    cdef Py_ssize_t at = 0, size = html.shape[0], mark, length
    cdef const unsigned char *found
    cdef Py_ssize_t counts[3]
    cdef list places = []
    counts[0] = counts[1] = counts[2] = 0
    while at < size:
        # All marks end with `ype` and one byte more. From an index within bounds, up to the end.
        found = <const unsigned char *>memchr(&html[at], c"y", size - at)
        if found == NULL:
            break
        at = found - &html[0] + 1
        if at + 2 >= size or html[at] != c"p" or html[at + 1] != c"e":
            continue
        for mark in range(3):
            length = LENGTHS[mark]
            if at + 3 >= length and memcmp(&html[at + 3 - length], MARKS[mark], length) == 0:
                if counts[mark] < MENTIONS:
                    counts[mark] += 1
                    places.append(at + 3 - length)
    return places
