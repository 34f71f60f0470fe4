"""The text of a page outside of its tags, for other compiled modules."""

cimport cython
from libc.stdint cimport int64_t

from cedar.transforms.extractors.html._bytes cimport SPACE
from cedar.transforms.extractors.html._growing cimport Records
from cedar.transforms.extractors.html._tags cimport Tags


@cython.final
cdef class Text:
    cdef readonly Tags tags
    cdef readonly object coded, placeholders
    cdef readonly Py_ssize_t link_chars, line_ends
    cdef unsigned char[::1] byte  # as `coded`
    cdef int64_t[::1] placeholder  # as `placeholders`
    cdef bint is_wide  # whether it may hold more than ASCII
    cdef Records inner  # where the second and later bytes of blanks are, which are spaces now; None without any

    cdef Py_ssize_t code_points(self, Py_ssize_t start, Py_ssize_t stop) noexcept nogil
    cdef int check(self, Py_ssize_t start, Py_ssize_t stop) except -1
    cdef int add_inner(self, Py_ssize_t offset) except -1
    cdef Py_ssize_t tags_before(self, Py_ssize_t offset) noexcept nogil


cpdef str rendered(bytes text)
cdef str rendered_range(bytes html, Py_ssize_t start, Py_ssize_t stop)
