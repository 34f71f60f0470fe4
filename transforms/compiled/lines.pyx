"""Twin of `transforms.extractors.lines`."""

import cython
import numpy as np

from libc.stdint cimport int64_t

from transforms.compiled.scanning cimport eight, is_ascii_blank, wide_blank, word

cdef enum:
    SPACE = 0x20


@cython.final
cdef class Rows:
    """The arrays of `Lines` while they are filled, in order."""

    cdef object arrays
    cdef int64_t[::1] starts, stops, characters, tags
    cdef const int64_t[::1] continuations
    cdef Py_ssize_t count, inner

    def __cinit__(self, Py_ssize_t most, const int64_t[::1] continuations):
        self.arrays = [np.empty(most, np.int64) for _ in range(4)]
        self.starts, self.stops, self.characters, self.tags = self.arrays
        self.continuations = continuations

    cdef inline int add(
        self, Py_ssize_t start, Py_ssize_t stop, Py_ssize_t tags, Py_ssize_t inside
    ) except -1:
        """Adds a line with `tags` tags and `inside` placeholders in its text."""
        cdef Py_ssize_t inner = self.inner_before(start)
        if self.count == self.starts.shape[0]:
            raise ValueError("more lines than line ends")
        self.starts[self.count] = start
        self.stops[self.count] = stop
        self.tags[self.count] = tags
        self.characters[self.count] = 0
        if start < stop:
            self.characters[self.count] = stop - start - inside - (self.inner_before(stop) - inner)
        self.count += 1
        return 0

    cdef inline Py_ssize_t inner_before(self, Py_ssize_t position) noexcept:
        """Continuation bytes before a position, none of which is less than the last."""
        while self.inner < self.continuations.shape[0] and self.continuations[self.inner] < position:
            self.inner += 1
        return self.inner

    cdef tuple made(self):
        return tuple([array[: self.count] for array in self.arrays])


def _read_lines(
    const unsigned char[::1] html not None,
    const int64_t[::1] tag_starts not None,
    const int64_t[::1] tag_stops not None,
    const unsigned char[::1] coded not None,
    const int64_t[::1] placeholders not None,
    const int64_t[::1] continuations not None,
    const int64_t[::1] line_ends not None,
    const int64_t[::1] crossed not None,
    bint keep_blank,
):
    """Starts, stops, characters and tags of the lines, in one go through line ends and tags."""
    cdef Py_ssize_t tags = placeholders.shape[0], lines = line_ends.shape[0], size = coded.shape[0]
    cdef Py_ssize_t line, begin = 0, end, start, stop, last_stop = 0, tag = 0, tags_before
    cdef Py_ssize_t crossing = 0, of_tag, begun, _
    cdef Rows rows = Rows(lines + crossed.shape[0], continuations)
    if not tags == tag_starts.shape[0] == tag_stops.shape[0]:
        raise ValueError("arrays of different sizes")
    for line in range(lines):
        end = line_ends[line]
        if not begin <= end < size:
            raise ValueError("line ends without order")
        tags_before = tag
        while tag < tags and placeholders[tag] < end:
            tag += 1
        # Blanks go, save for those that are placeholders.
        start = after_spaces(coded, begin, placeholders[tags_before] if tags_before < tag else end)
        stop = before_spaces(coded, placeholders[tag - 1] + 1 if tags_before < tag else start, end)
        begin = end
        if start == stop:
            if keep_blank:
                rows.add(last_stop, last_stop, 0, 0)
            continue
        last_stop = stop
        while crossing < crossed.shape[0] and crossed[crossing] < tag:
            of_tag = crossed[crossing]
            while crossing < crossed.shape[0] and crossed[crossing] == of_tag:
                crossing += 1
            if of_tag < tags_before:
                raise ValueError("tags without order")
            begun = begun_lines(html[tag_starts[of_tag] : tag_stops[of_tag]], keep_blank)
            if begun:
                # Behind the tag's placeholder, which takes the place of the line end, a line begins.
                rows.add(start, placeholders[of_tag], of_tag + 1 - tags_before, of_tag - tags_before)
                start, tags_before = placeholders[of_tag] + 1, of_tag + 1
                for _ in range(begun - 1):
                    rows.add(start, start - 1, 0, 0)
        rows.add(start, stop, tag - tags_before, tag - tags_before)
    return rows.made()


cdef inline Py_ssize_t after_spaces(
    const unsigned char[::1] coded, Py_ssize_t start, Py_ssize_t stop
) noexcept nogil:
    """The first byte of [start, stop) that is no space; `stop` if all are."""
    while start + 8 <= stop and word(coded, start) == eight(SPACE):
        start += 8
    while start < stop and coded[start] == SPACE:
        start += 1
    return start


cdef inline Py_ssize_t before_spaces(
    const unsigned char[::1] coded, Py_ssize_t start, Py_ssize_t stop
) noexcept nogil:
    """The byte after the last one of [start, stop) that is no space; `start` if all are."""
    while start < stop and coded[stop - 1] == SPACE:
        stop -= 1
    return stop


cdef Py_ssize_t begun_lines(const unsigned char[::1] tag, bint keep_blank) noexcept:
    """How many lines begin inside of a tag."""
    cdef Py_ssize_t size = tag.shape[0], i = 0, blank, begun = 0
    cdef bint inside = False, counts = False
    while i < size:
        blank = 1
        if tag[i] == c"\n" or tag[i] == c"\r":
            begun += inside and counts
            # A CR LF is one line end; a line begins only with what is behind it.
            blank = 2 if tag[i] == c"\r" and i + 1 < size and tag[i + 1] == c"\n" else 1
            inside, counts = i + blank < size, keep_blank
        elif not counts:
            blank = is_ascii_blank(tag[i]) if tag[i] < 0x80 else wide_blank(tag, i)
            counts = not blank
        i += max(blank, 1)
    return begun + (inside and counts)
