# cython: wraparound=True, boundscheck=True
"""What attributes make of an element: a note that is set apart, a heading, the body of a post."""

from libc.stdint cimport int64_t, uint32_t

from transforms.extractors.cedar._elements cimport Elements
from transforms.extractors.cedar._page cimport SegmentedPage
from transforms.extractors.html._tags cimport Tags
from transforms.extractors.markdown._preformatted cimport speaks

from transforms.extractors.cedar.names import CODE
from transforms.extractors.html._attributes import attributes

cdef enum:
    MOST_OF_A_HEADING = 3  # blocks
    DEFAULT_LEVEL = 2  # WAI-ARIA 1.2, `heading`

cdef int64_t DIVISION = CODE["div"], ASIDE = CODE["aside"], SECTION = CODE["section"], PARAGRAPH = CODE["p"]
cdef int64_t QUOTE = CODE["blockquote"]
_NOTES = frozenset((b"callout", b"admonition", b"theme-admonition", b"markdown-alert"))
_POSTS = frozenset((b"postcontent", b"messagetext", b"post-content", b"post_body", b"postbody"))
cdef uint32_t[4] WORDS
WORDS[0], WORDS[1], WORDS[2], WORDS[3] = [
    int.from_bytes(word, "big") for word in (b"call", b"admo", b"aler", b"eadi")  # the last of `heading`
]


class Roles:
    """What attributes make of elements."""

    __slots__ = ("notes", "posts", "titles")

    def __init__(self):
        self.notes, self.posts, self.titles = set(), set(), {}


def roles(SegmentedPage page not None, const int64_t[::1] sums not None):
    """Finds the elements that are something else than their names say."""
    cdef Elements elements = page.elements
    cdef Tags tags = page.markup.tags
    cdef const unsigned char[::1] html = page.markup.html
    cdef Py_ssize_t element, tag, kept
    cdef int64_t code
    found = Roles()
    for element in range(1, elements.count):
        code = elements.codes[element]
        if code != DIVISION and code != ASIDE and code != SECTION and code != PARAGRAPH and code != QUOTE:
            continue
        kept = sums[elements.last[element]] - sums[elements.first[element]]
        tag = elements.opens[element]
        if not kept or code != QUOTE and not speaks(html, tags.start[tag], tags.stop[tag], WORDS):
            continue
        given = attributes(page.markup.html, tags.start[tag], tags.stop[tag])
        names = given.get(b"class", b"").lower().split()
        if code == QUOTE:
            if not _POSTS.isdisjoint(names):
                found.posts.add(element)
        elif code != PARAGRAPH and not _NOTES.isdisjoint(names):
            found.notes.add(element)
        elif given.get(b"role", b"").strip().lower() == b"heading" and kept <= MOST_OF_A_HEADING:
            level = given.get(b"aria-level", b"").strip()
            found.titles[element] = min(max(int(level[:9]), 1), 6) if level.isdigit() else DEFAULT_LEVEL
    return found
