from libc.stdint cimport int64_t

from cedar.transforms.extractors.html._growing cimport IntArena
from cedar.transforms.extractors.segments._blocks cimport Blocks
from cedar.transforms.extractors.segments._markup cimport Markup

cdef enum:
    ANCESTORS = 4  # elements around a block that are measured, wrappers not counted


cdef class Elements:
    cdef readonly Py_ssize_t count
    cdef readonly unsigned char[::1] hidden
    cdef readonly int64_t[::1] codes, parents, opens, closes, first, last, outer, first_alike, nearest, headings
    cdef readonly int64_t[::1] groups, signatures
    cdef readonly int64_t[:, ::1] around
    cdef Py_ssize_t _open(self, Markup markup, int64_t[::1] turns, int64_t[::1] inside) except -1
    cdef int _take_hints(self, Markup markup) except -1
    cdef int _place(self, Markup markup, Blocks blocks, const int64_t[::1] turns, const int64_t[::1] inside) except -1
    cdef int _lay_out(self, IntArena room) except -1
    cdef int _ignore_ids_of_headings(self, Markup markup, Blocks blocks) except -1
    cdef int _repeats_heading(self, Py_ssize_t element, Markup markup, Blocks blocks) except -1
    cdef int64_t[::1] _remarks_inside(self, IntArena room)
