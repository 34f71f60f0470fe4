"""The tags of a page, for other compiled modules."""

cimport cython
from libc.stdint cimport int64_t, uint64_t

from cedar.transforms.extractors.html._bytes cimport eight, is_html_blank

cdef extern from *:
    """
    #define SCRIPT_NAME 0x747069726373ULL
    #define STYLE_NAME 0x656C797473ULL
    """
    const uint64_t SCRIPT_NAME, STYLE_NAME  # their letters, the first the lowest byte

cdef enum:
    END = 1  # an end tag
    BLOCK = 2  # `br`, or a tag of a block-level element: it parts words

cdef enum:  # the removed parts of a page
    COMMENT = 1
    SCRIPT = 2
    STYLE = 3


@cython.final
cdef class Tags:
    cdef readonly Py_ssize_t count
    cdef int64_t[::1] start, stop  # as `starts` and `stops`
    cdef uint64_t[::1] name  # as `keys`
    cdef unsigned char[::1] kind  # `END` and `BLOCK`, added up
    cdef object bounds, keys_made, kinds_made
    cdef int see(self) except -1
    cdef int grow(self) except -1


@cython.final
cdef class TagScanner:
    cdef const unsigned char[::1] html
    cdef unsigned char[::1] hopeless
    cdef bint some_hopeless

    cdef Py_ssize_t stop(self, Py_ssize_t start) except -2


cdef TagScanner scanner_of(const unsigned char[::1] html)

cdef inline int part_of(uint64_t behind) noexcept nogil:
    """What is removed that begins with a `<` before eight bytes; 0 if nothing is."""
    cdef uint64_t letters = behind | eight(0x20)
    if behind & 0xFFFFFF == 0x2D2D21:  # !--
        return COMMENT
    if letters & <uint64_t>0xFFFFFFFFFFFF == SCRIPT_NAME and ends_name(<unsigned char>(behind >> 48)):
        return SCRIPT
    return STYLE if letters & <uint64_t>0xFFFFFFFFFF == STYLE_NAME and ends_name(<unsigned char>(behind >> 40)) else 0


cdef inline bint ends_name(unsigned char byte) noexcept nogil:
    """Whether a byte ends the name of a tag, as HTML reads it, or an attribute."""
    return is_html_blank(byte) or byte == c"/" or byte == c">"


cdef inline bint is_heading(uint64_t name) noexcept nogil:
    """Whether a name is one of `h1` to `h6`: the end tag of any of them ends each of them (HTML, 13.2.6.4.7)."""
    return 0x3168 <= name <= 0x3668 and name & 0xFF == c"h"
