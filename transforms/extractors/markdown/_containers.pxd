from libc.stdint cimport int64_t

from cedar.transforms.extractors.html._growing cimport IntArena
from cedar.transforms.extractors.segments._page cimport SegmentedPage

cdef enum:  # kinds of containers
    IS_NONE = 0
    IS_LIST = 1
    IS_ITEM = 2
    IS_QUOTE = 3
    IS_CODE = 4
    IS_TABLE = 5
    IS_CELL = 6
    IS_CAPTION = 7
    IS_TITLE = 8

cdef enum:
    MAX_CONTAINERS = 48  # one in another


cdef class Containers:
    cdef SegmentedPage page
    cdef const unsigned char[::1] html
    cdef unsigned char[::1] kinds
    cdef IntArena room
    cdef int64_t[::1] inner, around, sums, next_kept
    cdef dict tables, codes, extra, titles, parts
    cdef set flat, headlines, numbered, left_out
    cdef bint has_tables
    cdef Py_ssize_t _kept(self, Py_ssize_t element) except -1
    cdef tuple _look(self)
    cdef int _leave_out_counters(self, set bylines) except -1
    cdef int _find_deck(self) except -1
    cdef bint _has_other_tops(self) except -1
    cdef int deeper
    cdef int _find_subheadings(self, set named, set perhaps) except -1
    cdef bint _stands_free(self, Py_ssize_t element) except -1
    cdef bint _is_bold(self, Py_ssize_t block) except -1
    cdef int _find_numbered(self) except -1
    cdef int64_t _number(self, Py_ssize_t block, unsigned char *sign) except -2
    cdef int _nest(self) except -1
    cdef bint _shows(self, Py_ssize_t element, Py_ssize_t around, const unsigned char[::1] depths) except -1
    cdef dict _find_tables(self)
    cdef bint _is_data(self, Py_ssize_t table, list rows, bint says_so, bint is_headed, list captions) except -1
    cdef Py_ssize_t _headline(self, list cells) except -1
    cdef int _find_controls(self, list rows) except -1
    cdef int level(self, Py_ssize_t element) except -1
    cdef bint _spans(self, Py_ssize_t cell) except -1
    cdef list grid(self, Py_ssize_t table)
