from libc.stdint cimport int64_t

from cedar.transforms.extractors.html._growing cimport ByteBuffer, Records
from cedar.transforms.extractors.segments._blocks cimport Blocks
from cedar.transforms.extractors.segments._page cimport SegmentedPage

cdef bint speaks(const unsigned char[::1] html, Py_ssize_t start, Py_ssize_t stop, const char *words) noexcept nogil
cdef str code(SegmentedPage page, list blocks)
cdef bint is_numbering(str code) except -1
cdef str language_of(SegmentedPage page, Py_ssize_t element)


cdef enum:
    # Styles.
    EM = 1
    STRONG = 2
    STRUCK = 4
    CODE = 8
    # What blocks are read as.
    PARAGRAPH = 0
    HEADING = 1
    CELL = 2
    HEADER = 3

cdef bint reaches_over(Blocks blocks, Py_ssize_t block, Py_ssize_t first, Py_ssize_t last) noexcept


cdef class BlockReader:
    cdef SegmentedPage page
    cdef dict placed
    cdef str box
    cdef ByteBuffer text
    cdef Records runs, lines
    cdef list formulas
    cdef Py_ssize_t last_gap, link, link_opened, link_noted
    cdef int[4] depth
    cdef Py_ssize_t[4] opened
    cdef int kind
    cdef bint reads_links
    cdef int begin(self, int kind, bint reads_links) except -1
    cdef int read(self, Py_ssize_t block) except -1
    cdef int add_formula(self, formula) except -1
    cdef int join(self) except -1
    cdef list records(self)
    cdef int load(self, line) except -1
    cdef Py_ssize_t _begin_line(self) except -1
    cdef int _end_line(self, Py_ssize_t begin, Py_ssize_t first_run) except -1
    cdef Py_ssize_t _part_lines(self, Py_ssize_t block, Py_ssize_t begin, Py_ssize_t first_run) except -1
    cdef int _put_formula(self, formula) except -1
    cdef int _turn(self, Py_ssize_t tag) except -1
    cdef int _note(self, Py_ssize_t at) except -1
    cdef int _close(self, Py_ssize_t at) except -1
    cdef int _add_run(self, Py_ssize_t start, Py_ssize_t stop, int64_t mark) except -1
    cdef dict attributes(self, Py_ssize_t tag)
