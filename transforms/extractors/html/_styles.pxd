"""Declarations of `style` attributes, and which attributes hide their element, for other compiled modules.

    cdef Declaration declaration
    declaration.next, declaration.end = style, style + size
    while read_declaration(&declaration):
        ...  # its name and its value
"""

from libc.stdint cimport uint64_t


cdef struct Declaration:
    # A name without what follows it, a value up to the next semicolon; neither begins with a blank.
    const unsigned char *name
    const unsigned char *value
    Py_ssize_t name_size
    Py_ssize_t value_size
    const unsigned char *next
    const unsigned char *end


cdef bint read_declaration(Declaration *declaration) noexcept nogil
cdef bint begins(const unsigned char *text, Py_ssize_t size, const char *word) noexcept nogil
cdef bint is_word(const unsigned char *text, Py_ssize_t size, const char *word) noexcept nogil
cdef bint hides(
    uint64_t element, uint64_t name, Py_ssize_t name_size, const unsigned char *value, Py_ssize_t value_size
) noexcept nogil
