# How a page's elements are to be laid out, by their names and styles.

from libc.stdint cimport uint64_t

cdef enum Display:
    NONE, INLINE, INLINE_BLOCK, BLOCK

cdef enum Role:
    OTHER, TABLE, SECTION, ROW, CELL, PARAGRAPH, RULE, BREAK, LINK, FORM, REPLACED, IMAGE, INPUT, FONT

cdef struct Name:
    unsigned char role
    bint is_block
    float times  # of the font size around it
    short weight  # of its font, 0 for that around it
    float margin  # em above and below
    float indent  # px

cdef struct Seen:  # the looks of an element, as `SEEN` has them
    float[4] box
    float size
    int background
    short weight
    unsigned char display, visible

cdef const Name *name_of(uint64_t key) noexcept nogil


cdef inline bint is_replaced(unsigned char role) noexcept nogil:
    """Whether an element is a leaf, whatever stands in it."""
    return role == REPLACED or role == IMAGE or role == INPUT


cdef class Styles:
    cdef readonly object elements
    cdef Seen[::1] seen  # these
    cdef unsigned char[::1] role, floats, has_alt, span
    cdef float[::1] width, height, margin, indent
