# How a page's elements are to be laid out; `_styles.pyi` says what each array holds.

cdef enum Display:
    NONE, INLINE, INLINE_BLOCK, BLOCK


cdef class Styles:
    cdef readonly object sizes, weights, backgrounds, displays, visibles, links
    cdef unsigned char[::1] role, display, visible, link, floats, has_alt, span
    cdef float[::1] size, width, height, margin, indent
    cdef short[::1] weight
    cdef int[::1] background
