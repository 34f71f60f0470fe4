"""Twins of `transforms.extractors.tags`."""

import numpy as np

from libc.stdint cimport int64_t

from transforms.compiled.scanning cimport doubled, find

cdef enum:
    QUOTE_LIMIT = 4096


def _lex(const unsigned char[::1] html not None):
    """The starts and the stops of all tags: each is scanned by the exact rule."""
    cdef Py_ssize_t size = html.shape[0], count = 0, room = size // 32 + 16
    starts_made, stops_made = np.empty(room, np.int64), np.empty(room, np.int64)
    cdef int64_t[::1] starts = starts_made, stops = stops_made
    cdef unsigned char[::1] hopeless = None
    cdef bint doubtful = False
    cdef Py_ssize_t start, stop, position = 0
    while True:
        start = find(html, c"<", position, size)
        if start < 0:
            break
        position = start + 1
        if position == size or not opens(html[position]):
            continue
        stop = exact_stop(html, start, hopeless, doubtful)
        if stop < 0:
            stop = find(html, c">", start, size) + 1
            if stop == 0:
                break  # no tag ends any more
            if not doubtful:
                hopeless, doubtful = np.zeros(size, np.uint8), True
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


cdef inline Py_ssize_t exact_stop(
    const unsigned char[::1] html, Py_ssize_t start, unsigned char[::1] hopeless, bint doubtful
) noexcept nogil:
    """The byte after the `>` that ends the tag at `start`, outside of its values; -1 if there is none.

    Where `doubtful`, openings marked in `hopeless` are known to lead to none.
    """
    cdef Py_ssize_t at = delimiter(html, start + 1)
    while at >= 0 and html[at] != c">" and not (doubtful and hopeless[at]):
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


cdef inline Py_ssize_t after_value(const unsigned char[::1] html, Py_ssize_t opening) noexcept nogil:
    """The `delimiter` behind the value that the quote at `opening` opens; -1 if it does not close, too."""
    cdef Py_ssize_t closing = find(
        html, html[opening], opening + 1, min(html.shape[0], opening + 1 + QUOTE_LIMIT)
    )
    return -1 if closing < 0 else delimiter(html, closing + 1)


cdef inline Py_ssize_t delimiter(const unsigned char[::1] html, Py_ssize_t position) noexcept nogil:
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
