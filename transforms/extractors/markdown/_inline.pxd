from libc.stdint cimport int64_t

from cedar.transforms.extractors.html._growing cimport ByteBuffer, Records
from cedar.transforms.extractors.markdown._escaping cimport Line
from cedar.transforms.extractors.markdown._reading cimport BlockReader

cdef enum:  # kinds of marks, in the order in which they stand at one place
    CLOSES = -1
    OPENS = 0
    BEGINS_CODE = 1

cdef enum:  # the numbers of a mark
    PLACE = 0
    KIND = 1
    TURN = 2
    MARK = 3  # a style, or a link if it is none
    VALUE = 4  # of what begins its end, of the end of a link the number of its address
    WIDTH = 5


cdef enum:
    MAX_PREFIX = 256  # sixteen frames of eleven bytes at most


cdef class PrefixedLines(ByteBuffer):
    cdef unsigned char[MAX_PREFIX] prefix
    cdef Py_ssize_t prefix_size, bare_size
    cdef int next_line(self, bint is_empty) except -1
    cdef int put_lines(self, list lines) except -1


cdef class Marks:
    cdef Records found
    cdef list addresses, _unpaired
    cdef bint emphasis
    cdef object base
    cdef Records _runs, _spans
    cdef unsigned char[::1] _places
    cdef int find(self, BlockReader reader, Py_ssize_t line) except -1
    cdef int _join(self, BlockReader reader, Py_ssize_t line) except -1
    cdef int _sort_out(self, BlockReader reader, Py_ssize_t start, Py_ssize_t stop) except -1
    cdef bint _may_link(self, BlockReader reader, Py_ssize_t first, Py_ssize_t last) except -1
    cdef int _note(self, Py_ssize_t start, Py_ssize_t stop, unsigned char mark) except -1
    cdef bint _flanks(
        self, const unsigned char[::1] text, const int64_t *span, Py_ssize_t first, Py_ssize_t last
    ) except -1
    cdef int _choose(self, BlockReader reader, Py_ssize_t first, Py_ssize_t last) except -1
    cdef int _add(self, Py_ssize_t place, int kind, Py_ssize_t turn, int64_t mark, int64_t value) except -1


cdef class Inline:
    cdef BlockReader reader
    cdef PrefixedLines out
    cdef Marks marks
    cdef Records items
    cdef object delimiters
    cdef list signs
    cdef list between
    cdef bint has_formulas, has_records, is_item
    cdef list paragraphs
    cdef str whole
    cdef bint read(self, const int64_t[::1] items, Py_ssize_t count, int kind) except -1
    cdef int write(self) except -1
    cdef str cell(self, list items, bint is_header)
    cdef bint _has_tex(self) except -1
    cdef bint _take(self, list records, int kind) except -1
    cdef int _write_paragraphs(self) except -1
    cdef Line _context(self, const unsigned char[::1] text, Py_ssize_t start, Py_ssize_t stop) except *
    cdef int _write_line(self, Py_ssize_t number, Line context) except -1
    cdef bint _is_code(self, Py_ssize_t number) except -1


cdef list fenced(str code, str language)
