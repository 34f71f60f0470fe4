"""The lines of a page, for other compiled modules."""

cimport cython
from libc.stdint cimport int64_t

from transforms.extractors.html._bytes cimport is_ascii_blank, wide_blank
from transforms.extractors.html._growing cimport Records
from transforms.extractors.html._text cimport Text

cdef enum:  # columns of `Lines`
    START, STOP, CHARACTERS, TAGS, COLUMNS


@cython.final
cdef class Lines:
    cdef readonly Text text
    cdef readonly bint keep_blank
    cdef readonly tuple broken
    cdef readonly object table, text_starts, text_stops, characters, tags, parts
    cdef int64_t[:, ::1] rows


cdef inline int put_row(
    Records rows, Py_ssize_t start, Py_ssize_t stop, Py_ssize_t characters, Py_ssize_t tags
) except -1:
    cdef Py_ssize_t at = rows.add()
    rows.numbers[at + START], rows.numbers[at + STOP] = start, stop
    rows.numbers[at + CHARACTERS], rows.numbers[at + TAGS] = characters, tags
    return 0


cdef inline Py_ssize_t after_blanks(
    const unsigned char[::1] html, Py_ssize_t start, Py_ssize_t stop
) noexcept nogil:
    """The first byte of [start, stop) that is of no blank; `stop` if absent."""
    cdef Py_ssize_t blank = 1
    while blank and start < stop:
        blank = is_ascii_blank(html[start]) if html[start] < 0x80 else wide_blank(html, start)
        start += blank
    return start
