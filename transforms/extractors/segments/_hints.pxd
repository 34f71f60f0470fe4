from libc.stdint cimport uint32_t, uint64_t

from transforms.extractors.html._attributes cimport AttributeScanner


cdef struct Hints:
    # What the attributes of a start tag say.
    uint32_t groups  # bit g is set where a word of group g of `names.GROUPS` is said
    uint64_t signature  # of its `class`; 0 if it has none
    bint hides
    bint has_target


cdef void read_hints(AttributeScanner scanner, uint64_t element, bint is_block, Hints *hints) noexcept nogil
