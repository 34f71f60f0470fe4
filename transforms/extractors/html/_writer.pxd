"""Text as it reads in the output, for other compiled modules.

To render text that stands outside of tags:

    cdef TextWriter writer = TextWriter(room, trimmed)     # and begin it with a byte that is not above the space
    writer.reserve(stop - start)                           # makes room for what this many bytes become
    writer.put(text, start, stop)                          # nogil; then writer.out[: writer.size]
"""

cimport cython

from transforms.extractors.html._bytes cimport SPACE

cdef enum:
    # What a writer makes of the blanks of preformatted text.
    HARD_LINE = 0x01
    HARD_SPACE = 0x02
    HARD_TAB = 0x03


@cython.final
cdef class TextWriter:
    """Writes text as it reads in the output.

    References become the characters that they stand for, control characters go, also those inside of
    references, and each run of blanks becomes one space.

    out: what is written; bytes from `size` on are free.
    size: number of bytes written; at least 1 when `put` is called.
    trimmed: whether a space is written only after a byte above the space; else after any that is not a space.
    preformatted: whether line feeds, spaces and tabs become `HARD_LINE`, `HARD_SPACE` and `HARD_TAB`, each
        for itself; what is to be put next may change it.
    """

    cdef unsigned char[::1] out
    cdef readonly Py_ssize_t size
    cdef bint trimmed, preformatted

    cdef int reserve(self, Py_ssize_t length) except -1
    cdef void put(self, const unsigned char[::1] text, Py_ssize_t start, Py_ssize_t stop) noexcept nogil
    cdef inline void put_byte(self, unsigned char byte) noexcept nogil:
        """Writes a byte as it is, such as a placeholder; there is room for it."""
        self.out[self.size] = byte
        self.size += 1
