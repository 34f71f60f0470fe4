"""Twins of `transforms.extractors.tags`."""

import numpy as np

from libc.stdint cimport int64_t

from transforms.compiled.scanning cimport doubled, find, find_or_size

cdef enum:
    QUOTE_LIMIT = 4096


def _lex(const unsigned char[::1] html not None):
    """The starts and the stops of all tags; those in which a `>` is doubtful, by the exact rule."""
    cdef Py_ssize_t size = html.shape[0], count = 0, room = size // 32 + 16
    starts_made, stops_made = np.empty(room, np.int64), np.empty(room, np.int64)
    cdef int64_t[::1] starts = starts_made, stops = stops_made
    cdef unsigned char[::1] hopeless = None
    cdef bint some_hopeless = False
    cdef Py_ssize_t start, stop, first, position = 0, single = -1, last_single
    while True:
        start = position if position < size and html[position] == c"<" else find(html, c"<", position, size)
        if start < 0:
            break
        position = start + 1
        if position == size or not opens(html[position]):
            continue
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
            stop = exact_stop(html, start, hopeless, some_hopeless)
            if stop < 0:
                stop = first + 1
                if not some_hopeless:
                    hopeless, some_hopeless = np.zeros(size, np.uint8), True
                mark_hopeless(html, start, hopeless)
        if count == room:
            starts_made, stops_made = doubled(starts_made), doubled(stops_made)
            starts, stops = starts_made, stops_made
            room *= 2
        starts[count] = start
        stops[count] = position = stop
        count += 1
    return starts_made[:count], stops_made[:count]


cdef inline bint opens(unsigned char byte) noexcept nogil:
    """Whether a byte behind `<` makes it open a tag."""
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
    """Whether a quote may stand behind `=`, and blanks; -1 is none."""
    return quote > 0 and (html[quote - 1] == c"=" or is_value_blank(html[quote - 1]))


cdef Py_ssize_t exact_stop(
    const unsigned char[::1] html, Py_ssize_t start, unsigned char[::1] hopeless, bint some_hopeless
) noexcept nogil:
    """The byte after the `>` that ends the tag at `start`, outside of its values; -1 if there is none.

    Where there are `some_hopeless`, openings marked in `hopeless` are known to lead to none.
    """
    cdef Py_ssize_t at = delimiter(html, start + 1)
    while at >= 0 and html[at] != c">" and not (some_hopeless and hopeless[at]):
        at = after_value(html, at)
    return at + 1 if at >= 0 and html[at] == c">" else -1


cdef void mark_hopeless(
    const unsigned char[::1] html, Py_ssize_t start, unsigned char[::1] hopeless
) noexcept nogil:
    """Marks the openings of values on a way that leads to no `>`, up to those that are marked already."""
    cdef Py_ssize_t at = delimiter(html, start + 1)
    while at >= 0 and html[at] != c">" and not hopeless[at]:
        hopeless[at] = True
        at = after_value(html, at)


cdef Py_ssize_t after_value(const unsigned char[::1] html, Py_ssize_t opening) noexcept nogil:
    """The `delimiter` behind the value that the quote at `opening` opens; -1 if it does not close, too."""
    cdef Py_ssize_t closing = find(
        html, html[opening], opening + 1, min(html.shape[0], opening + 1 + QUOTE_LIMIT)
    )
    return -1 if closing < 0 else delimiter(html, closing + 1)


cdef Py_ssize_t delimiter(const unsigned char[::1] html, Py_ssize_t position) noexcept nogil:
    """Where the next `>` is, or the next quote behind `=` and blanks; -1 if there is none."""
    cdef Py_ssize_t size = html.shape[0]
    while position < size:
        if html[position] == c">":
            return position
        position += 1
        if html[position - 1] == c"=":
            while position < size and is_value_blank(html[position]):
                position += 1
            if position < size and (html[position] == c'"' or html[position] == c"'"):
                return position
    return -1


cdef inline bint is_value_blank(unsigned char byte) noexcept nogil:
    return byte == 0x20 or byte == 0x09 or byte == 0x0A or byte == 0x0C or byte == 0x0D
