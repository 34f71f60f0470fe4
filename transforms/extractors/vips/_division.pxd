# Rules that divide the nodes of a page; see `_division.pyx`.

from libc.stdint cimport int32_t

from transforms.extractors.html._growing cimport Records
from transforms.extractors.vips._separators cimport Piece, Separators
from transforms.extractors.vips._visual cimport VisualNode, VisualTree

cdef enum:
    FINEST = 10  # degree of coherence


cdef class Division:
    cdef VisualTree visual
    cdef Separators pool
    cdef double threshold
    cdef int32_t *stack  # nodes that are to be divided
    cdef unsigned char *divided  # of the nodes
    cdef unsigned char *held  # of the nodes: the degree of one that rule 8 made a block in this round, else 0
    cdef Records decisions  # nodes and rules

    cdef int divide(self, int32_t root) except -1
    cdef bint decide(self, int32_t place, int32_t root) except -1
    cdef bint applies(self, int rule, int32_t place, int32_t root, double small) noexcept
    cdef const VisualNode *only_child(self, int32_t place) noexcept
    cdef bint is_sibling_whole(self, int32_t place) noexcept
    cdef bint has_one_font(self, const VisualNode *node) noexcept
    cdef int degree_of_size(self, const VisualNode *node) noexcept
    cdef void hold(self, int32_t place) noexcept
    cdef int add_piece(self, int32_t place, int degree, bint is_final) except -1
    cdef int find_texts(self, Piece *piece, const VisualNode *node) except -1
    cdef void set_box(self, int32_t *box, int32_t place, bint is_own) noexcept
