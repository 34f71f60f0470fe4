from libc.stdint cimport int64_t

from cedar.transforms.extractors.segments._blocks cimport Blocks
from cedar.transforms.extractors.segments._page cimport SegmentedPage


cdef class PageParts:
    cdef SegmentedPage page
    cdef int64_t[::1] fields, pictures, items, outer_items
    cdef int64_t[::1] like_counts, like_blocks, like_words, like_sizes, like_contents
    cdef int _count_tags(self) except -1
    cdef int _sum_up_like_elements(self) except -1
    cdef int _find_items(self) except -1
    cdef int64_t _fields_in(self, Py_ssize_t element) noexcept
    cdef int64_t _pictures_in(self, Py_ssize_t element) noexcept
    cdef Py_ssize_t fill_fields(self, float[:, ::1] rows) except -1
    cdef Py_ssize_t fill_pictures(self, float[:, ::1] rows) except -1
    cdef Py_ssize_t fill_items(self, const int64_t[::1] items, float[:, ::1] rows) except -1
    cdef Py_ssize_t fill_cells(self, float[:, ::1] rows) except -1


cdef Py_ssize_t fill_signs(Blocks blocks, float[:, ::1] rows) except -1
