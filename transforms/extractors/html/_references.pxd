"""Character references, for other compiled modules."""

from libc.stdint cimport uint32_t

cdef enum:
    NOTHING = 0x110000  # no character: what references stand for that html.unescape drops


cdef struct Decoded:
    # The character or the two that a reference stands for; `NOTHING` for those that are not there.
    uint32_t first
    uint32_t second


cdef Py_ssize_t decode(
    const unsigned char* text, Py_ssize_t start, Py_ssize_t stop, Decoded* decoded
) noexcept nogil

cdef Py_ssize_t written_stop(const unsigned char* text, Py_ssize_t start, Py_ssize_t stop) noexcept nogil
