from libc.stdint cimport int64_t

from transforms.extractors.cedar._elements cimport Elements
from transforms.extractors.cedar._page cimport SegmentedPage
from transforms.extractors.markdown._buffer cimport PrefixedLines, Records
from transforms.extractors.markdown._containers cimport Containers
from transforms.extractors.markdown._frames cimport FrameMaker, Frames
from transforms.extractors.markdown._inline cimport Inline


cdef class LeafWriter:
    cdef SegmentedPage page
    cdef Elements elements
    cdef Containers containers
    cdef FrameMaker frame_maker
    cdef Inline inline
    cdef PrefixedLines out
    cdef bint repeats, is_open, is_looking, has_written
    cdef Py_ssize_t cut
    cdef int kind, written_kind
    cdef Py_ssize_t element
    cdef Frames frames, written_frames
    cdef Records items
    cdef int64_t[::1] numbers
    cdef unsigned char[::1] marks, widths
    cdef str written(self, const int64_t[::1] items, Py_ssize_t cut)
    cdef Py_ssize_t frames_around(self, const int64_t[::1] items) except -1
    cdef int _read(self, const int64_t[::1] items) except -1
    cdef Py_ssize_t _take(self, Py_ssize_t item, Py_ssize_t before) except? -2
    cdef Py_ssize_t _around(self, Py_ssize_t item) except -1
    cdef bint _is_term_or_meaning(self, Py_ssize_t element) noexcept
    cdef bint _is_in_gutter(self, Py_ssize_t element) except -1
    cdef Py_ssize_t _line_breaks(self, Py_ssize_t before, Py_ssize_t block) except -2
    cdef int _begin(self, int kind, Py_ssize_t element, const Frames *frames) except -1
    cdef int _add(self, Py_ssize_t item) except -1
    cdef int _finish(self) except -1
    cdef int _look(self) except -1
    cdef int _write(self) except -1
    cdef int _write_heading(self) except -1
    cdef int _write_paragraphs(self, bint may_have_box) except -1
    cdef list _fence(self)
    cdef list _items(self)
    cdef list _table(self)
    cdef int _begin_lines(self) except -1
    cdef int _part(self, Py_ssize_t begun) except -1
    cdef bint _starts_with_one(self, int64_t element, int64_t item) except -1
    cdef int64_t _first_number(self, int64_t element, int64_t item) except -1
    cdef int64_t _given(self, Py_ssize_t element, bytes name) except -2
    cdef int _put_marker(self, Py_ssize_t depth, bint is_next) except -1
