"""Text of a byte a character, into UTF-8."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdint cimport uint64_t
from libc.string cimport memcpy

from cedar.transforms.extractors.html._bytes cimport encode

cdef enum:
    BYTES = 256
    WORD = 8

cdef extern from *:
    """
    #define HIGH 0x8080808080808080ULL
    """
    const uint64_t HIGH


cdef inline bint _is_ascii(const unsigned char[::1] body, Py_ssize_t start) noexcept nogil:
    """Whether the `WORD` bytes from `start` on, all within `body`, are ASCII."""
    cdef uint64_t word
    memcpy(&word, &body[start], WORD)
    return word & HIGH == 0


def to_utf8(const unsigned char[::1] body not None, str table not None):
    """Decode text of a byte a character by a table; also says how many U+FFFD are in it.

    `table` has the character of each of the 256 bytes, none beyond U+FFFF, and no surrogates; else a ValueError.
    """
    cdef unsigned char coded[BYTES][3]
    cdef unsigned char sizes[BYTES]
    cdef bint is_replacement[BYTES]
    cdef Py_ssize_t length = body.shape[0], size = 0, replaced = 0, at, out
    cdef unsigned int code
    cdef bint plain = True  # whether ASCII stands for itself
    cdef int i
    if len(table) != BYTES:
        raise ValueError(f"a table of {len(table)} characters")
    for i in range(BYTES):
        code = ord(table[i])
        is_replacement[i] = code == 0xFFFD
        if i < 0x80 and code != <unsigned int>i:
            plain = False
        if code > 0xFFFF or 0xD800 <= code < 0xE000:
            raise ValueError("a surrogate, or a character beyond U+FFFF, in the table")
        sizes[i] = <unsigned char>encode(code, coded[i])

    # Counted first: the text written below is exactly this long.
    with nogil:
        at = 0
        while at < length:
            if plain and at + WORD <= length and _is_ascii(body, at):
                size += WORD
                at += WORD
                continue
            size += sizes[body[at]]
            replaced += is_replacement[body[at]]
            at += 1
    cdef bytes utf8 = PyBytes_FromStringAndSize(NULL, size)
    cdef unsigned char* written = <unsigned char*>PyBytes_AS_STRING(utf8)
    with nogil:
        at = out = 0
        while at < length:
            if plain and at + WORD <= length and _is_ascii(body, at):
                memcpy(written + out, &body[at], WORD)
                out += WORD
                at += WORD
                continue
            for i in range(sizes[body[at]]):
                written[out + i] = coded[body[at]][i]
            out += sizes[body[at]]
            at += 1
    return utf8, replaced
