# Lines that came before: see `_lines_seen.pyx`.


cdef struct Line:
    # A line of a text; `size` 0: none.
    const unsigned char* start
    Py_ssize_t size


cdef class LinesSeen:
    cdef:
        Line* _lines
        Py_ssize_t _slots, _count

    cdef bint add(self, const unsigned char* start, Py_ssize_t size) except -1
    cdef int _grow(self) except -1
