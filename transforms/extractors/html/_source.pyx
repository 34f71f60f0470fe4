"""Removal of what is not text: comments, scripts and styles, and the way back to the page as given.

One pass from the left; whichever opens first wins, so a comment opener inside of a script is script text (as
HTML5 reads it) and a script inside of a comment is comment. In values of attributes, titles and text areas neither
opens: what would reach beyond these stays. Nothing is put in the place of what is removed: text before and after it
becomes one line. What is unclosed continues to the end of the input; so does a tag, with which many a page that
was cut ends.
"""

import numpy as np

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memcpy
from transforms.extractors.html._bytes cimport Sixteen, equal, find, is_html_blank, lowest_bit, sixteen, word
from transforms.extractors.html._growing cimport Records
from transforms.extractors.html._tags cimport TagScanner, scanner_of

cdef extern from *:
    """
    static inline uint64_t which_may_go(const unsigned char *at) {
        uint64_t marks = 0;
        for (int i = 0; i < 64; i += 16) {
            Sixteen here = sixteen(at + i, 16), next = sixteen(at + i + 1, 16);
            marks |= MARKS((here == '<') & ((next == '!') | ((next | 0x20) == 's'))) << i;
        }
        return marks;
    }
    """
    # Which of 64 bytes are `<` before `!` or `s`, a bit each.
    uint64_t which_may_go(const unsigned char* at) nogil

cdef enum:
    BLOCK = 64
    ELEMENTS = 3
    LONGEST_TAG = 400
    HELD = 2  # elements whose text has no tags
    LOOKS = 8  # tags before a script or a comment that may be around it
    LONGEST_LOOK = 4096


cdef struct Name:
    # A name of at most seven bytes, as what stands after a `<`, eight bytes in one little-endian number.
    uint64_t letters
    uint64_t fold  # the bits that are set before comparing: bit 5 of each letter where case does not count
    uint64_t mask  # the name's bits
    int size  # their number: where the byte begins that ends the name


cdef struct Removal:
    # The names of the elements that go, in start tags and in end tags.
    Name[ELEMENTS] starts
    Name[ELEMENTS] ends
    int count
    bint to_end  # whether what is unclosed continues to the end of the input; else it stays


cdef Name name_of(str written, bint fold):
    cdef Name made
    case = bytes(0x20 * (fold and letter.isalpha()) for letter in written)
    made.letters, made.fold = (int.from_bytes(part, "little") for part in (written.encode(), case))
    made.size = 8 * len(written)
    made.mask = (<uint64_t> 1 << made.size) - 1
    return made


cdef Removal removal_of(tuple elements, bint fold, bint to_end):
    cdef Removal made
    cdef int i
    made.count, made.to_end = len(elements), to_end
    for i in range(made.count):
        made.starts[i] = name_of(elements[i], fold)
        made.ends[i] = name_of("/" + elements[i], fold)
    return made


cdef Removal HTML = removal_of(("script", "style"), True, True)
# Elements whose text has no tags, by as much of their names as no other has: `title`, `textarea`.
cdef Removal TEXTS = removal_of(("title", "textar"), True, True)
# The author's program removes scripts in one case and styles in lower case, if they are closed.
cdef Removal AUTHOR_CODE = removal_of(("script", "SCRIPT", "style"), False, False)


cdef class Source:
    """A page without what was removed from it.

    Attributes:
        original: the page as given, UTF-8.
        html: what is left.
        noted: the scripts of JSON-LD and of TeX that were removed: the bytes [start, stop) of each in
            `original`, and where it stood in `html`.
        kept: the half-open byte ranges of `original` that are left, in order, none empty.
    """

    cdef readonly bytes original, html
    cdef readonly list noted
    cdef Records ranges

    def __cinit__(self, bytes original not None):
        self.original, self.noted, self.ranges = original, [], Records(2)

    @property
    def kept(self):
        return tuple(map(tuple, self.ranges.rows().tolist()))

    cdef int keep(self, Py_ssize_t start, Py_ssize_t stop) except -1:
        """Add a range, unless it is empty."""
        cdef Py_ssize_t at
        if start < stop:
            at = self.ranges.add()
            self.ranges.numbers[at], self.ranges.numbers[at + 1] = start, stop
        return 0

    cdef int join(self) except -1:
        """Make `html` of the ranges."""
        cdef const int64_t[::1] edges = self.ranges.numbers
        cdef Py_ssize_t i, size = 0, stop = 2 * self.ranges.count
        cdef char* to
        if stop == 2 and edges[1] - edges[0] == len(self.original):
            self.html = self.original
            return 0
        for i in range(0, stop, 2):
            size += edges[i + 1] - edges[i]
        self.html = PyBytes_FromStringAndSize(NULL, size)
        to = PyBytes_AS_STRING(self.html)
        for i in range(0, stop, 2):
            # Within both: ranges of the page, whose sizes add up to `size`.
            size = edges[i + 1] - edges[i]
            memcpy(to, PyBytes_AS_STRING(self.original) + edges[i], size)
            to += size
        return 0

    def without(self, Py_ssize_t start, Py_ssize_t stop):
        """The source without bytes [start, stop) of `html` too."""
        cdef Source less = Source(self.original)
        cdef Py_ssize_t i, first, last, size, position = 0
        for i in range(0, 2 * self.ranges.count, 2):
            first, last = self.ranges.numbers[i], self.ranges.numbers[i + 1]
            size = last - first
            less.keep(first, first + min(max(start - position, 0), size))
            less.keep(first + min(max(stop - position, 0), size), last)
            position += size
        less.join()
        return less

    def original_offsets(self, offsets not None):
        """Where bytes of `html`, int64 (m,), each in [0, len(html)), stand in `original`; int64 (m,)."""
        firsts, lasts = self.ranges.rows().T
        if self.ranges.count == 1:
            return offsets + firsts[0]
        lengths = lasts - firsts
        begins = np.cumsum(lengths) - lengths
        piece = begins.searchsorted(offsets, "right") - 1
        return offsets + (firsts - begins)[piece]


def remove_invisible(bytes html not None, *, bint as_author=False):
    """Remove comments, scripts and styles from a page.

    A comment ends at `-->` or `--!>`; `<!-->` and `<!--->` are empty comments (HTML5, 13.2.5.43). An element
    ends with its end tag (`</script ...>`). Where no end tag follows any more, a self-closed tag
    (`<script .../>`, XHTML) goes alone; any other takes the rest of the page with it.
    """
    cdef Source source = Source(html)
    remove(html, AUTHOR_CODE if as_author else HTML, source)
    source.join()
    return source


cdef int remove(const unsigned char[::1] html, Removal removal, Source source) except -1:
    """Find the ranges of a page that are left."""
    cdef Py_ssize_t size = html.shape[0], position = 0, start = -1, stop
    cdef bint[ELEMENTS] closes
    cdef bint[HELD] text_closes
    cdef int kind
    cdef bint comments_close = True
    cdef uint64_t behind
    cdef Py_ssize_t kept_bytes = 0, inside, begun
    cdef TagScanner scanner = None
    for kind in range(ELEMENTS):
        closes[kind] = True
    for kind in range(HELD):
        text_closes[kind] = True
    if removal.to_end:
        scanner = scanner_of(html)
        size = last_tag(html, scanner)
    while True:
        start = candidate(html, max(position, start + 1))
        if start < 0 or start >= size:
            break
        behind = word(html, start + 1)
        if (behind & 0xFFFFFF) == 0x2D2D21:  # !--
            stop = comment_stop(html, start + 4) if comments_close else -1
            comments_close = stop >= 0
        else:
            kind = 0
            while kind < removal.count and not is_named(behind, removal.starts[kind]):
                kind += 1
            if kind == removal.count:
                continue
            stop = element_stop(html, start, removal.ends[kind]) if closes[kind] else -1
            if stop < 0:
                closes[kind] = False
                if removal.to_end:
                    stop = scanner.stop(start)
                    if stop < 0 or html[stop - 2] != c"/":
                        stop = -1
        if removal.to_end:
            begun = start + 4 if behind & 0xFF == c"!" else find(html, c">", start, html.shape[0]) + 1
            inside = text_around(html, position, start, begun, scanner, text_closes)
            if inside >= 0 and not 0 <= stop <= inside:
                start = inside - 1
                continue
        if stop >= 0 or removal.to_end:
            source.keep(position, start)
            kept_bytes += start - position
            position = stop if stop >= 0 else size
            if removal.to_end and behind & 0xFF != c"!" and has_data(html, start, position):
                source.noted.append((start, position, kept_bytes))
    return source.keep(position, size)


cdef Py_ssize_t last_tag(const unsigned char[::1] html, TagScanner scanner) except -1:
    """Where a tag begins that the end of the page cuts; the page's size if none is cut."""
    cdef Py_ssize_t at = html.shape[0] - 1
    while at >= 0 and html[at] != c"<":
        at -= 1
    if at < 0 or at + 1 == html.shape[0] or not opens_element(html[at + 1]) or scanner.stop(at) >= 0:
        return html.shape[0]
    return at


cdef Py_ssize_t text_around(
    const unsigned char[::1] html, Py_ssize_t first, Py_ssize_t start, Py_ssize_t after, TagScanner scanner, bint *closes
) except -2:
    """The end of the tag, the title or the text area in which the `<` at `start` stands; -1 if it is in none.

    `first`: where the page continues after what was removed last. `after`: where what begins at `start` has begun; a tag
    that ends before has a quote that does not close. `closes`: whether each of `TEXTS` may still end.
    """
    cdef Py_ssize_t at = start - 1, least = max(first, start - LONGEST_LOOK), stop
    cdef bint is_behind = False  # a `>`
    cdef int kind, looks = 0
    cdef uint64_t name
    while at >= least and is_html_blank(html[at]):
        at -= 1
    if at >= least and html[at] == c">":
        looks = LOOKS - 1  # as a rule, behind a tag
    while looks < LOOKS:
        while at >= least and html[at] != c"<":
            is_behind |= html[at] == c">"
            at -= 1
        if at < least:
            return -1
        name = word(html, at + 1)
        for kind in range(HELD):
            if begins_with(name, TEXTS.ends[kind]):
                return -1
            if begins_with(name, TEXTS.starts[kind]):
                stop = find(html, c"<", start, html.shape[0]) if closes[kind] else -1
                while stop >= 0 and not begins_with(word(html, stop + 1), TEXTS.ends[kind]):
                    stop = find(html, c"<", stop + 1, html.shape[0])
                closes[kind] = stop >= 0
                return stop
        if not is_behind and opens_element(html[at + 1]):
            stop = scanner.stop(at)
            return stop if stop > after else -1
        at -= 1
        looks += 1
    return -1


cdef inline bint opens_element(unsigned char byte) noexcept nogil:
    """Whether a byte after `<` makes it open the start tag or the end tag of an element."""
    return <unsigned char> ((byte | 0x20) - c"a") < 26 or byte == c"/"


cdef bint has_data(const unsigned char[::1] html, Py_ssize_t start, Py_ssize_t stop) noexcept nogil:
    """Whether the tag that begins at `start` speaks of a script of TeX or of JSON-LD."""
    cdef Py_ssize_t block, at, last = min(stop - 5, start + LONGEST_TAG)
    cdef Sixteen bytes
    cdef uint64_t marks
    for block in range(start + 7, last, 16):
        bytes = sixteen(&html[block], html.shape[0] - block)  # within bounds
        marks = equal(bytes, c"/") | equal(bytes, c"+") | equal(bytes, c">")
        while marks:
            at = block + lowest_bit(marks)
            marks &= marks - 1
            if html[at] == c">" or at >= last:
                return False
            # math/tex, ld+json: bytes 5 on and 3 on of either.
            if html[at] == c"/" and html[at + 1] | 0x20 == c"t" and html[at + 2] | 0x20 == c"e" and html[at - 1] | 0x20 == c"h":
                return True
            if html[at] == c"+" and html[at + 1] | 0x20 == c"j" and html[at - 1] | 0x20 == c"d":
                return True
    return False


cdef inline Py_ssize_t candidate(const unsigned char[::1] html, Py_ssize_t start) noexcept nogil:
    """A `<` from `start` on, not after the next one before `!`, `sc` or `st`; -1 if absent.

    All that is removed begins so (letters in any case), and few of the tags that stay.
    """
    cdef Py_ssize_t size = html.shape[0], at
    cdef uint64_t marks
    while start + BLOCK + 1 < size:
        marks = which_may_go(&html[start])  # within bounds, with the byte after them
        while marks:
            at = start + lowest_bit(marks)
            if html[at + 1] == c"!" or html[at + 2] | 0x20 == c"c" or html[at + 2] | 0x20 == c"t":
                return at
            marks &= marks - 1
        start += BLOCK
    return find(html, c"<", start, size)


cdef inline bint begins_with(uint64_t behind, Name name) noexcept nogil:
    """Whether the first of eight bytes are a name."""
    return ((behind | name.fold) & name.mask) == name.letters


cdef inline bint is_named(uint64_t behind, Name name) noexcept nogil:
    """Whether eight bytes are a name, and a byte that ends names."""
    cdef unsigned char end = <unsigned char> (behind >> name.size)
    if not begins_with(behind, name):
        return False
    return is_html_blank(end) or end == c"/" or end == c">"


cdef Py_ssize_t comment_stop(const unsigned char[::1] html, Py_ssize_t inner) noexcept nogil:
    """The byte after a comment whose text begins at `inner`; -1 if it does not end."""
    cdef Py_ssize_t size = html.shape[0], at = find(html, c">", inner, size)
    while at >= 0:
        if at == inner or at == inner + 1 and html[inner] == c"-":
            return at + 1
        if at >= inner + 2 and html[at - 1] == c"-" and html[at - 2] == c"-":
            return at + 1
        if at >= inner + 3 and html[at - 1] == c"!" and html[at - 2] == c"-" and html[at - 3] == c"-":
            return at + 1
        at = find(html, c">", at + 1, size)
    return -1


cdef Py_ssize_t element_stop(const unsigned char[::1] html, Py_ssize_t start, Name end) noexcept nogil:
    """The byte after the first end tag after `start`; the size if it has no `>`; -1 if absent."""
    cdef Py_ssize_t size = html.shape[0], at = find(html, c"<", start + 1, size), stop
    while at >= 0:
        if is_named(word(html, at + 1), end):
            stop = find(html, c">", at, size)
            return size if stop < 0 else stop + 1
        at = find(html, c"<", at + 1, size)
    return -1
