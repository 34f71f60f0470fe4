"""The lines of a page, for other compiled modules."""

cimport cython
from libc.stdint cimport int64_t
from transforms.extractors.html._text cimport Text

# Columns of the rows of `Lines`.
cdef enum:
    START
    STOP
    CHARACTERS
    TAGS
    COLUMNS


@cython.final
cdef class Lines:
    """The lines of a page: `count` rows in order, of which some may be what one line was broken into.

    rows: int64 (4, n or more): where each line starts and stops in the text, its characters and its tags.
    """

    cdef readonly Text text
    cdef readonly bint keep_blank
    cdef readonly tuple broken
    cdef readonly object parts
    cdef int64_t[:, ::1] rows
    cdef Py_ssize_t count
    cdef object table

    cdef int append(
        self, Py_ssize_t start, Py_ssize_t stop, Py_ssize_t characters, Py_ssize_t tags
    ) except -1
