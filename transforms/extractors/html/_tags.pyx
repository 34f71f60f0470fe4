"""Tags of a page, their names, and where they end.

A tag ends at the first `>` outside of quoted values, or before a script or a style that begins outside of them; any
other `<` inside of a tag is part of it. A quote counts only after `=` (blanks may stand between). It closes within
`QUOTE_LIMIT` bytes. In a value that holds the beginning of a comment, a script or a style it may close after more, but
only before a blank, `/` or `>`: else the next quote opens another value, and this one was forgotten. Where a quote does
not close, or no `>` follows outside of quotes, the tag ends at its first `>` after all, or before its first script or
style.
"""

import numpy as np

from libc.stdint cimport int64_t, uint64_t

from cedar.transforms.extractors.html._bytes cimport find, is_html_blank, word
from cedar.transforms.extractors.html._elements cimport BLOCK_LEVEL, traits

from cedar.transforms.extractors.html._elements import key

cdef enum:
    LIMIT = 4096

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
        """Which tag is the first from `start` on that starts, or ends, an element; -1 if none does."""
        cdef uint64_t wanted = key(name)
        cdef Py_ssize_t i
        for i in range(max(start, 0), self.count):
            if self.name[i] == wanted and (self.kind[i] & END) == end:
                return i
        return -1


def are_block_level(const uint64_t[:] keys not None):
    """Mark the keys of names, uint64 (t,), that are of `br` or a block-level element. bool (t,)."""
    cdef Py_ssize_t i
    made = np.empty(keys.shape[0], np.uint8)
    cdef unsigned char[::1] marks = made
    for i in range(keys.shape[0]):
        marks[i] = traits(keys[i]) & BLOCK_LEVEL
    return made.view(np.bool_)


cdef class TagScanner:
    """Finds where tags end by the exact rule.

    Openings of values that led to no `>` are marked: a second visit need not continue, which keeps it
    linear.
    """

    cdef Py_ssize_t stop(self, Py_ssize_t start) except -2:
        """The byte after the tag whose `<` is at `start`, and after which a `>` is."""
        cdef Py_ssize_t at = delimiter(self.html, start + 1)
        while at >= 0 and not ends_tag(self.html[at]) and not (self.some_hopeless and self.hopeless[at]):
            at = after_value(self.html, at)
        if at < 0 or not ends_tag(self.html[at]):
            if not self.some_hopeless:
                self.hopeless, self.some_hopeless = np.zeros(self.html.shape[0], np.uint8), True
            at = delimiter(self.html, start + 1)
            while at >= 0 and not ends_tag(self.html[at]) and not self.hopeless[at]:
                self.hopeless[at] = True
                at = after_value(self.html, at)
            at = start + 1
            while self.html[at] != c">" and not begins_code(self.html, at):
                at += 1
        return at + (self.html[at] == c">")


cdef TagScanner scanner_of(const unsigned char[::1] html):
    """Return the scanner of a page."""
    cdef TagScanner scanner = TagScanner.__new__(TagScanner)
    scanner.html = html
    return scanner


cdef inline bint ends_tag(unsigned char byte) noexcept nogil:
    """Whether what `delimiter` found is an end, not a quote."""
    return byte == c">" or byte == c"<"


cdef inline bint begins_code(const unsigned char[::1] html, Py_ssize_t at) noexcept nogil:
    """Whether a script or a style begins at a byte."""
    return html[at] == c"<" and part_of(word(html, at + 1)) > COMMENT


cdef Py_ssize_t after_value(const unsigned char[::1] html, Py_ssize_t opening) noexcept nogil:
    """The `delimiter` after the value that the quote at `opening` opens; -1 if it does not close, too."""
    cdef Py_ssize_t size = html.shape[0], first = opening + 1, last = min(size, first + LIMIT), closing
    closing = find(html, html[opening], first, last)
    if closing < 0 and holds_part(html, first, last):
        closing = find(html, html[opening], last, size)
    if closing < 0 or closing + 1 < size and not ends_name(html[closing + 1]) and holds_part(html, first, closing):
        return -1
    return delimiter(html, closing + 1)


cdef bint holds_part(const unsigned char[::1] html, Py_ssize_t start, Py_ssize_t stop) noexcept nogil:
    """Whether a part that is removed from a page begins in [start, stop)."""
    cdef Py_ssize_t at = find(html, c"<", start, stop)
    while at >= 0 and not part_of(word(html, at + 1)):
        at = find(html, c"<", at + 1, stop)
    return at >= 0


cdef Py_ssize_t delimiter(const unsigned char[::1] html, Py_ssize_t position) noexcept nogil:
    """Where a tag ends, at a `>` or before a `<`, or where the next quote after `=` and blanks is; -1 if nowhere."""
    cdef Py_ssize_t size = html.shape[0]
    while position < size:
        if html[position] == c">" or begins_code(html, position):
            return position
        position += 1
        if html[position - 1] == c"=":
            while position < size and is_html_blank(html[position]):
                position += 1
            if position < size and (html[position] == c'"' or html[position] == c"'"):
                return position
    return -1
