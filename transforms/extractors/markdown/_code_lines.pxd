from libc.stdint cimport int64_t

from cedar.transforms.extractors.segments._page cimport SegmentedPage

cdef struct Run:
    # Lines below each other, so far: of how many `code` elements they are, and how many of them have numbers.
    Py_ssize_t lines, elements, numbers
    Py_ssize_t row  # the element of the last line: a table's row, or the innermost one
    int64_t around  # the element around that
    Py_ssize_t tag  # the first `code`
    int64_t number, last_number  # that stands before the next line, and before the last one; -1: none does


cdef class CodeLines:
    cdef SegmentedPage page
    cdef readonly dict tags
    cdef readonly set numbers
    cdef list found, found_numbers
    cdef int _find(self, const unsigned char[::1] stays) except -1
    cdef bint _may_number(self, const Run *run, int64_t number, int64_t around) noexcept
    cdef bint _may_follow(self, const Run *run, Py_ssize_t row, int64_t around) noexcept
    cdef bint _turn(self, Py_ssize_t tag, Py_ssize_t *depth, Py_ssize_t *opened) except -1
    cdef bint _is_code(self, Py_ssize_t block, Py_ssize_t depth) except -1
    cdef int64_t _number(self, Py_ssize_t block, bint may_be_bare) except -2
    cdef int _begin(self, Run *run) except -1
    cdef int _end(self, Run *run) except -1
