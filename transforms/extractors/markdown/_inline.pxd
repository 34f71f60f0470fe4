from libc.stdint cimport int64_t

from transforms.extractors.markdown._buffer cimport PrefixedLines
from transforms.extractors.markdown._escaping cimport Line
from transforms.extractors.markdown._marks cimport Marks
from transforms.extractors.markdown._reading cimport BlockReader


cdef class Inline:
    cdef BlockReader reader
    cdef PrefixedLines out
    cdef Marks marks
    cdef object delimiters
    cdef list signs
    cdef list between
    cdef bint has_formulas, has_records, leaves_out
    cdef list paragraphs
    cdef str whole
    cdef bint read(self, const int64_t[::1] items, Py_ssize_t count, int kind) except -1
    cdef int write(self) except -1
    cdef str cell(self, list items)
    cdef bint _has_tex(self) except -1
    cdef bint _take(self, list records, int kind) except -1
    cdef int _write_paragraphs(self) except -1
    cdef Line _context(self, const unsigned char[::1] text, Py_ssize_t start, Py_ssize_t stop) except *
    cdef int _write_line(self, Py_ssize_t number, Line context) except -1
    cdef bint _is_code(self, Py_ssize_t number) except -1
