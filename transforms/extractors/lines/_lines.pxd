"""The lines of a page, for other compiled modules."""

cimport cython
from libc.stdint cimport int64_t

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
