from libc.stdint cimport uint32_t

from transforms.extractors.cedar._blocks cimport Blocks
from transforms.extractors.cedar._page cimport SegmentedPage

cdef bint reaches_over(Blocks blocks, Py_ssize_t block, Py_ssize_t first, Py_ssize_t last) noexcept

cdef bint speaks(
    const unsigned char[::1] html, Py_ssize_t start, Py_ssize_t stop, const uint32_t *words
) noexcept nogil
cdef uint32_t[4] GUTTER_WORDS

cdef class BlockReader:
    cdef SegmentedPage page
    cdef dict placed
    cdef readonly str box
    cdef Py_ssize_t last_gap
    cdef int[4] depth
    cdef Py_ssize_t link
    cdef int _turn(self, Py_ssize_t tag) except -1
    cdef int _note(self, dict opened, list runs, Py_ssize_t at) except -1
    cdef int _look_at_box(self, Py_ssize_t tag) except -1
    cdef Py_ssize_t _end(self, Py_ssize_t tag, Py_ssize_t last) noexcept
