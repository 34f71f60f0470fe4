from libc.stdint cimport int64_t

from transforms.extractors.markdown._containers cimport Containers

cdef enum:
    MOST_FRAMES = 16  # as many levels as are written


cdef struct Frames:
    # Those around a leaf, the outermost first: a quote, or a list and an item of it; a quote has 0 for an item.
    Py_ssize_t count
    int64_t[MOST_FRAMES] elements
    int64_t[MOST_FRAMES] items

cdef bint same(const Frames *one, const Frames *other) noexcept nogil
cdef Py_ssize_t shared(const Frames *one, const Frames *other) noexcept nogil


cdef class FrameMaker:
    cdef Containers containers
    cdef int64_t[::1] items
    cdef Py_ssize_t last_asked
    cdef Frames made
    cdef Frames *of(self, Py_ssize_t container) except NULL
    cdef int _add(self, int64_t element, int64_t item) except -1
    cdef int64_t _item(self, Py_ssize_t within, Py_ssize_t item) except -1
