"""The tags of a page, for other compiled modules."""

cimport cython
from libc.stdint cimport int64_t, uint64_t

cdef enum:
    END = 1  # an end tag
    BLOCK = 2  # `br`, or a tag of a block-level element: it parts words


@cython.final
cdef class Tags:
    cdef readonly Py_ssize_t count
    cdef int64_t[::1] start, stop  # as `starts` and `stops`
    cdef uint64_t[::1] name  # as `keys`
    cdef unsigned char[::1] kind  # `END` and `BLOCK`, added up
    cdef object bounds, keys_made, kinds_made
    cdef int see(self) except -1
    cdef int grow(self) except -1


@cython.final
cdef class TagScanner:
    cdef const unsigned char[::1] html
    cdef unsigned char[::1] hopeless
    cdef bint some_hopeless

    cdef Py_ssize_t stop(self, Py_ssize_t start) except -2


cdef TagScanner scanner_of(const unsigned char[::1] html)

cdef inline bint is_heading(uint64_t name) noexcept nogil:
    """Whether a name is one of `h1` to `h6`: the end tag of any of them ends each of them (HTML, 13.2.6.4.7)."""
    return 0x3168 <= name <= 0x3668 and name & 0xFF == c"h"
