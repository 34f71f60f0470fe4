"""Tags: the lexemes `<` + (letter | `/` | `!` | `?`) ... `>` of a page, and their names.

A tag ends at the first `>` outside of quoted values. A quote counts only after `=` (blanks may stand
between); where one does not close within `QUOTE_LIMIT` bytes, or where no `>` follows outside of quotes,
the tag ends at its first `>` after all. A `<` inside of a tag is part of it. What has no `>` up to the end of
the input is text, and so is a `<` before any other character. Start tags, end tags, declarations and
processing instructions each count as one tag (CETR, Algorithm 1: `tags(D_i)`).
"""

import numpy as np

from libc.stdint cimport int64_t, uint64_t

from transforms.extractors.html._bytes cimport (
    SPACE, Sixteen, below_or_equal, eight, equal, find, find_or_size, is_html_blank, lowest_bit,
    sixteen, word,
)
from transforms.extractors.html._elements cimport BLOCK_LEVEL, traits

from transforms.extractors.html._elements import key

cdef enum:
    LIMIT = 4096
    KEY_BYTES = 8

QUOTE_LIMIT = LIMIT


cdef class Tags:
    """The tags of a page in order, t of them; none overlaps another.

    Attributes:
        count: their number.
        starts: int64 (t,), byte of each tag's `<`.
        stops: int64 (t,), byte after its `>`.
        keys: uint64 (t,), the key of its name; 0 for a nameless tag.
        ends: bool (t,), whether it is an end tag.
        block_level: bool (t,), whether it is `br` or a tag of a block-level element: these part words.
    """

    def __cinit__(self, Py_ssize_t room):
        self.bounds, self.keys_made = np.empty((2, room), np.int64), np.empty(room, np.uint64)
        self.kinds_made = np.empty(room, np.uint8)
        self.see()

    cdef int see(self) except -1:
        cdef int64_t[:, ::1] bounds = self.bounds
        self.start, self.stop = bounds[0], bounds[1]
        self.name, self.kind = self.keys_made, self.kinds_made
        return 0

    cdef int grow(self) except -1:
        """Double the room."""
        self.bounds = np.concatenate((self.bounds, self.bounds), axis=1)
        self.keys_made = np.concatenate((self.keys_made, self.keys_made))
        self.kinds_made = np.concatenate((self.kinds_made, self.kinds_made))
        return self.see()

    @property
    def starts(self):
        return self.bounds[0, : self.count]

    @property
    def stops(self):
        return self.bounds[1, : self.count]

    @property
    def keys(self):
        return self.keys_made[: self.count]

    @property
    def ends(self):
        return (self.kinds_made[: self.count] & END).view(np.bool_)

    @property
    def block_level(self):
        return (self.kinds_made[: self.count] >> 1).view(np.bool_)

    def first(self, str name not None, bint end=False, Py_ssize_t start=0):
        """Which tag is the first from `start` on that starts, or ends, an element; -1 if absent."""
        cdef uint64_t wanted = key(name)
        cdef Py_ssize_t i
        for i in range(max(start, 0), self.count):
            if self.name[i] == wanted and (self.kind[i] & END) == end:
                return i
        return -1


def are_block_level(const uint64_t[:] keys not None):
    """Mark, of the keys of names, uint64 (t,), those of `br` and of block-level elements. bool (t,)."""
    cdef Py_ssize_t i
    made = np.empty(keys.shape[0], np.uint8)
    cdef unsigned char[::1] marks = made
    for i in range(keys.shape[0]):
        marks[i] = traits(keys[i]) & BLOCK_LEVEL
    return made.view(np.bool_)


def lex(const unsigned char[::1] html not None):
    """Find all tags of a page, and their names.

    A `>` is doubtful only where a quote before it may open a value: few tags go through the exact rule.
    """
    cdef Py_ssize_t size = html.shape[0], room = size // 32 + 16
    cdef Tags tags = Tags(room)
    cdef TagScanner scanner = scanner_of(html)
    cdef Py_ssize_t start, stop, first, is_end, bits, position = 0, single = -1, last_single, count = 0
    cdef uint64_t name, closing, quotes, parts
    cdef Sixteen bytes
    while True:
        start = find(html, c"<", position, size)
        if start < 0:
            break
        position = start + 1
        if position == size or not opens(html[position]):
            continue
        bytes = sixteen(&html[position], size - position)  # within bounds
        closing, quotes = equal(bytes, c">"), equal(bytes, c'"') | equal(bytes, c"'")
        if closing and not quotes & (closing ^ closing - 1):
            stop = position + lowest_bit(closing) + 1  # a short tag without quotes, as most end tags are
        else:
            first = find(html, c">", position, size)
            if first < 0:
                break  # no tag ends any more
            stop = first + 1
            if single < start:
                single = find_or_size(html, c"'", start)
            last_single = -1
            while single < first:
                last_single = single
                single = find_or_size(html, c"'", single + 1)
            if may_open_value(html, last_single) or may_open_value(html, last_double(html, start, first)):
                stop = scanner.stop(start)
        if count == room:
            tags.grow()
            room *= 2
        is_end = html[position] == c"/"
        # A name ends at a blank, a control character, `/` or `>`.
        parts = (below_or_equal(bytes, SPACE) | equal(bytes, c"/") | closing) >> is_end | <uint64_t>1 << KEY_BYTES
        bits = 4 * lowest_bit(parts)  # half as many as the name has
        name = (word(html, position + is_end) | eight(0x20)) & (<uint64_t>1 << bits << bits) - 1
        tags.start[count] = start
        tags.stop[count] = position = stop
        tags.name[count] = name
        tags.kind[count] = is_end * END + (traits(name) & BLOCK_LEVEL) * BLOCK
        count += 1
    tags.count = count
    return tags


cdef class TagScanner:
    """Finds where tags end by the exact rule.

    Openings of values that led to no `>` are marked: a second visit need not continue, which keeps it
    linear.
    """

    cdef Py_ssize_t stop(self, Py_ssize_t start) except -2:
        """The byte after the `>` of the tag whose `<` is at `start`; -1 if no `>` follows at all."""
        cdef Py_ssize_t at = delimiter(self.html, start + 1)
        while at >= 0 and self.html[at] != c">" and not (self.some_hopeless and self.hopeless[at]):
            at = after_value(self.html, at)
        if at >= 0 and self.html[at] == c">":
            return at + 1
        if not self.some_hopeless:
            self.hopeless, self.some_hopeless = np.zeros(self.html.shape[0], np.uint8), True
        at = delimiter(self.html, start + 1)
        while at >= 0 and self.html[at] != c">" and not self.hopeless[at]:
            self.hopeless[at] = True
            at = after_value(self.html, at)
        at = find(self.html, c">", start, self.html.shape[0])
        return at + 1 if at >= 0 else -1


cdef TagScanner scanner_of(const unsigned char[::1] html):
    """Return the scanner of a page."""
    cdef TagScanner scanner = TagScanner.__new__(TagScanner)
    scanner.html = html
    return scanner


cdef inline bint opens(unsigned char byte) noexcept nogil:
    """Whether a byte after `<` makes it open a tag."""
    return <unsigned char> ((byte | 0x20) - c"a") < 26 or byte == c"/" or byte == c"!" or byte == c"?"


cdef inline Py_ssize_t last_double(
    const unsigned char[::1] html, Py_ssize_t start, Py_ssize_t stop
) noexcept nogil:
    """Where the last `"` of [start, stop) is; -1 if nowhere."""
    while stop > start:
        stop -= 1
        if html[stop] == c'"':
            return stop
    return -1


cdef inline bint may_open_value(const unsigned char[::1] html, Py_ssize_t quote) noexcept nogil:
    """Whether a quote may stand after `=`, and blanks; -1 = absent."""
    return quote > 0 and (html[quote - 1] == c"=" or is_html_blank(html[quote - 1]))


cdef Py_ssize_t after_value(const unsigned char[::1] html, Py_ssize_t opening) noexcept nogil:
    """The `delimiter` after the value that the quote at `opening` opens; -1 if it does not close, too."""
    cdef Py_ssize_t closing = find(
        html, html[opening], opening + 1, min(html.shape[0], opening + 1 + LIMIT)
    )
    return -1 if closing < 0 else delimiter(html, closing + 1)


cdef Py_ssize_t delimiter(const unsigned char[::1] html, Py_ssize_t position) noexcept nogil:
    """Where the next `>` is, or the next quote after `=` and blanks; -1 if absent."""
    cdef Py_ssize_t size = html.shape[0]
    while position < size:
        if html[position] == c">":
            return position
        position += 1
        if html[position - 1] == c"=":
            while position < size and is_html_blank(html[position]):
                position += 1
            if position < size and (html[position] == c'"' or html[position] == c"'"):
                return position
    return -1
