# What the layout and the rules know of an element by its name.

from libc.stdint cimport uint64_t

cdef enum Role:
    OTHER, TABLE, SECTION, ROW, CELL, PARAGRAPH, RULE, BREAK, LINK, FORM, REPLACED, IMAGE, INPUT, FONT

cdef struct Name:
    uint64_t key
    unsigned char role
    bint is_block
    float times  # of the font size around it
    short weight  # of its font, 0 for that around it
    float margin  # em above and below
    float indent  # px

cdef const Name *name_of(uint64_t key) noexcept nogil


cdef inline bint is_replaced(unsigned char role) noexcept nogil:
    """Whether an element is a leaf, whatever stands in it."""
    return role == REPLACED or role == IMAGE or role == INPUT
