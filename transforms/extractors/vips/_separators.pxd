# Separators between the blocks of a round; see `_separators.pyx`.

from libc.stdint cimport int32_t

from transforms.extractors.vips._visual cimport VisualTree

cdef enum Axis:
    VERTICAL, HORIZONTAL  # separators that lie along x have blocks above and below: they are horizontal

cdef struct Piece:
    int32_t node
    short doc
    bint is_final
    int32_t background
    int32_t[4] box  # left, top, right, bottom
    int32_t first_text, last_text  # leaves; -1 without text

cdef struct Gap:
    int32_t start, end, weight
    int32_t place  # of the first block after it, in the order of blocks

cdef struct SortKey:
    int32_t start, end, piece

cdef struct Rule:
    float top, bottom


cdef class Separators:
    cdef VisualTree visual
    cdef Piece *pieces
    cdef Py_ssize_t count, room
    cdef int32_t *order  # of the pieces, as parts have them
    cdef SortKey *keys
    cdef Gap *gaps
    cdef int32_t *colours
    cdef Rule *rules  # lines of the round, by their tops
    cdef Py_ssize_t rule_count, rule_room
    cdef Axis axis  # of the cut that was found last
    cdef Py_ssize_t cuts  # how many gaps it has: the first of `gaps`

    cdef int clear(self) except -1
    cdef Piece *add(self) except NULL
    cdef int add_rule(self, Py_ssize_t node) except -1
    cdef int prepare(self) except -1
    cdef int32_t cut(self, Py_ssize_t first, Py_ssize_t last) except -2
    cdef void sort(self, Py_ssize_t first, Py_ssize_t last, Axis axis) noexcept
    cdef Py_ssize_t find(self, Py_ssize_t first, Py_ssize_t last, Axis axis, Gap *gaps) noexcept
    cdef void weigh(self, Gap *gap, Py_ssize_t first, Py_ssize_t last, Axis axis) noexcept
    cdef bint has_rule(self, const Gap *gap) noexcept
    cdef int of_fonts(self, const Gap *gap, Py_ssize_t first, Py_ssize_t last) noexcept
    cdef bint is_between_colours(self, const Gap *gap, Py_ssize_t first, Py_ssize_t last) noexcept
