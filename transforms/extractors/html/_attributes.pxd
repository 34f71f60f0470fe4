"""The attributes of tags, for other compiled modules.

    cdef AttributeScanner scanner = AttributeScanner(html)
    scanner.open(tags.start[tag], tags.stop[tag])
    while scanner.advance():
        ...  # scanner.name, and html[scanner.start : scanner.stop]
"""

cimport cython
from libc.stdint cimport uint64_t


@cython.final
cdef class AttributeScanner:
    """Reads the attributes of the tags of a page, one after another.

    name_start, name_stop: the bytes of the name as it is written.
    name: its first eight bytes, lower case, as one little-endian number: `size` tells longer names apart.
    start, stop: the bytes of its value without quotes, references not decoded; both alike where it has none.
    """

    cdef bytes page
    cdef const unsigned char[::1] html
    cdef Py_ssize_t at, last
    cdef Py_ssize_t name_start, name_stop, start, stop
    cdef uint64_t name

    cdef void open(self, Py_ssize_t start, Py_ssize_t stop) noexcept nogil
    cdef bint advance(self) noexcept nogil
    cdef dict read(self)

    cdef inline Py_ssize_t size(self) noexcept nogil:
        """Bytes of the name."""
        return self.name_stop - self.name_start
