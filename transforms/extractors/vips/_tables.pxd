# The rows, cells and columns of a page's tables.

from libc.stdint cimport int32_t

from transforms.extractors.vips._styles cimport Styles

cdef enum Seat:
    NOWHERE, GROUP, ROW_OF_TABLE, CELL_OF_ROW


cdef class Tables:
    cdef unsigned char[::1] seat  # of each element
    cdef int32_t[::1] column  # the first of a cell; how many a table has
    cdef int32_t[::1] next_cell  # of the same table, also in its other rows; of a table the first; -1
    cdef double[::1] wanted  # the widest line of each element

    cdef Py_ssize_t span_of(self, Styles styles, Py_ssize_t cell, Py_ssize_t columns) noexcept
