"""Twin of `transforms.extractors.text_bytes`."""

import cython
import numpy as np

from libc.stdint cimport int64_t, uint64_t

from transforms.compiled.scanning cimport (
    doubled,
    eight,
    find_or_size,
    is_ascii_blank,
    put_word,
    wide_blank,
    word,
)

cdef enum:
    SPACE = 0x20
    LINK = 0x61  # the key of the name `a`


@cython.final
cdef class Growing:
    """Offsets, as many as come."""

    cdef object array
    cdef int64_t[::1] values
    cdef Py_ssize_t count

    def __cinit__(self, Py_ssize_t room):
        self.array = self.values = np.empty(room, np.int64)

    cdef inline int append(self, int64_t value) except -1:
        if self.count == self.values.shape[0]:
            self.array = self.values = doubled(self.array)
        self.values[self.count] = value
        self.count += 1
        return 0

    cdef object made(self):
        return self.array[: self.count]


def _text_bytes(
    const unsigned char[::1] html not None,
    tag_starts,
    tag_ends,
    const uint64_t[::1] keys not None,
    ends,
    blocks,
):
    """The fields of `TextBytes`: run by run of text, each with the tag behind it."""
    cdef Py_ssize_t size = html.shape[0], tags = tag_starts.shape[0], tag, begin, stop
    cdef const int64_t[::1] starts = tag_starts
    cdef const unsigned char[::1] is_end = ends.view(np.uint8), is_block = blocks.view(np.uint8)
    if not tags == keys.shape[0] == is_end.shape[0] == is_block.shape[0]:
        raise ValueError("arrays of different sizes")
    stops_made, removed_made, placeholders_made = _places(size, starts, tag_ends)
    cdef const int64_t[::1] stops = stops_made, removed = removed_made
    coded_made = np.empty(size - removed[tags] + 1, np.uint8)
    cdef unsigned char[::1] coded = coded_made
    cdef Growing continuations = Growing(size // 64 + 64)
    cdef Py_ssize_t link_chars = 0
    cdef bint linked = False

    for tag in range(tags + 1):
        begin, stop = stops[tag], starts[tag] if tag < tags else size
        if code(html, coded, begin, stop, removed[tag]):
            code_wide(html, coded, begin, stop, removed[tag], continuations)
        if linked:
            link_chars += solid_characters(coded, begin - removed[tag], stop - removed[tag])
        if tag < tags:
            coded[stop - removed[tag]] = is_block[tag] * SPACE
            if keys[tag] == LINK:
                linked = not is_end[tag]
    coded[coded.shape[0] - 1] = SPACE
    line_ends, line_ends_in_tags = _line_ends(html, starts, stops, removed)
    return (
        coded_made,
        continuations.made(),
        link_chars,
        stops_made,
        removed_made,
        tag_starts,
        placeholders_made,
        line_ends,
        line_ends_in_tags,
    )


def _places(Py_ssize_t size, const int64_t[::1] starts not None, const int64_t[::1] stops not None):
    """`tag_stops`, `removed` and `placeholders` of tags that are within the page, and apart."""
    cdef Py_ssize_t tags = starts.shape[0], tag
    stops_made, removed_made = np.empty(tags + 1, np.int64), np.empty(tags + 1, np.int64)
    placeholders_made = np.empty(tags, np.int64)
    cdef int64_t[::1] after = stops_made, removed = removed_made, placeholders = placeholders_made
    if stops.shape[0] != tags:
        raise ValueError("arrays of different sizes")
    after[0] = removed[0] = 0
    for tag in range(tags):
        if not after[tag] <= starts[tag] < stops[tag] <= size:
            raise ValueError("tags that overlap")
        after[tag + 1] = stops[tag]
        placeholders[tag] = starts[tag] - removed[tag]
        removed[tag + 1] = removed[tag] + stops[tag] - starts[tag] - 1
    return stops_made, removed_made, placeholders_made


cdef inline bint code(
    const unsigned char[::1] html,
    unsigned char[::1] coded,
    Py_ssize_t begin,
    Py_ssize_t stop,
    Py_ssize_t less,
) noexcept nogil:
    """Copies bytes [begin, stop), blanks as spaces; false only if all are ASCII.

    Up to seven bytes behind them in `coded` are overwritten.
    """
    cdef unsigned char byte
    cdef uint64_t letters, all_bits = 0
    while begin < stop and begin + 8 <= html.shape[0] and begin - less + 8 <= coded.shape[0]:
        letters = word(html, begin)
        all_bits |= letters
        put_word(coded, begin - less, ascii_blanks_as_spaces(letters))
        begin += 8
    while begin < stop:
        byte = html[begin]
        all_bits |= byte
        coded[begin - less] = SPACE if is_ascii_blank(byte) else byte
        begin += 1
    return (all_bits & eight(0x80)) != 0


cdef inline uint64_t ascii_blanks_as_spaces(uint64_t letters) noexcept nogil:
    """Eight bytes in which those of the blanks of ASCII are spaces."""
    cdef uint64_t low = letters & eight(0x7F)
    # The high bit of each byte: whether it is at least as great as the number.
    cdef uint64_t blank = (
        at_least(low, 0x09) & ~at_least(low, 0x0E) | at_least(low, 0x1C) & ~at_least(low, 0x20)
    )
    cdef uint64_t mask = ((blank & ~letters & eight(0x80)) >> 7) * 0xFF
    return letters & ~mask | mask & eight(SPACE)


cdef inline uint64_t at_least(uint64_t low, unsigned char bound) noexcept nogil:
    return low + eight(0x80 - bound)


cdef int code_wide(
    const unsigned char[::1] html,
    unsigned char[::1] coded,
    Py_ssize_t begin,
    Py_ssize_t stop,
    Py_ssize_t less,
    Growing continuations,
) except -1:
    """Makes spaces of blanks beyond ASCII, and keeps where code points go on."""
    cdef Py_ssize_t i, k
    for i in range(begin, stop):
        if html[i] < 0x80:
            continue
        if html[i] < 0xC0:
            continuations.append(i - less)
        else:
            for k in range(i, min(stop, i + wide_blank(html, i))):
                coded[k - less] = SPACE
    return 0


cdef inline Py_ssize_t solid_characters(
    const unsigned char[::1] coded, Py_ssize_t begin, Py_ssize_t stop
) noexcept nogil:
    """Code points in [begin, stop) that are no blanks."""
    cdef Py_ssize_t found = 0, i
    for i in range(begin, stop):
        found += coded[i] > SPACE and (coded[i] & 0xC0) != 0x80
    return found


cdef tuple _line_ends(
    const unsigned char[::1] html,
    const int64_t[::1] starts,
    const int64_t[::1] stops,
    const int64_t[::1] removed,
):
    """`line_ends` and `line_ends_in_tags`."""
    cdef Py_ssize_t size = html.shape[0], tags = starts.shape[0], tag = 0
    cdef Py_ssize_t feed = find_or_size(html, c"\n", 0), back = find_or_size(html, c"\r", 0), at
    cdef Growing outside = Growing(size // 64 + 16), inside = Growing(64)
    while (at := min(feed, back)) < size:
        while tag < tags and starts[tag] < at:
            tag += 1
        # `tag` of the tags start before this line end.
        if at >= stops[tag]:
            outside.append(at - removed[tag])
        else:
            inside.append(tag - 1)
        if at == back:
            back = find_or_size(html, c"\r", at + 1)
            if feed == at + 1:
                feed = find_or_size(html, c"\n", feed + 1)
        else:
            feed = find_or_size(html, c"\n", at + 1)
    if size and html[size - 1] != c"\n" and html[size - 1] != c"\r":
        outside.append(size - removed[tags])
    return outside.made(), inside.made()
