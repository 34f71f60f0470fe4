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
    LEAST_TELLING = 16  # bytes of a tag that has an attribute to ask for
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

cdef uint32_t[4] ROLE_WORDS
ROLE_WORDS[0], ROLE_WORDS[1], ROLE_WORDS[2], ROLE_WORDS[3] = [
    int.from_bytes(word, "big") for word in (b"call", b"admo", b"aler", b"role")
]


cdef bint _tells(const unsigned char[::1] html, Py_ssize_t start, Py_ssize_t stop) noexcept nogil:
    """Whether a tag speaks of a note, or of the role of a heading, and not only of a heading."""
    return speaks(html, start, stop, WORDS) and speaks(html, start, stop, ROLE_WORDS)


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
        if not kept or tags.stop[tag] - tags.start[tag] < LEAST_TELLING:
            continue
        if code != QUOTE and not _tells(html, tags.start[tag], tags.stop[tag]):
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
