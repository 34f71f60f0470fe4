"""Text of a byte a character, into UTF-8."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdint cimport uint64_t
from libc.string cimport memcpy

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
    """Decode text of a byte a character by a table, and encode it as UTF-8.

    Args:
        body: the bytes.
        table: the character of each of the 256 bytes, none beyond U+FFFF, and no surrogates.

    Returns:
        The text as UTF-8, and how many U+FFFD are in it.

    Raises:
        ValueError: the table is of another form.
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
        if code < 0x80:
            sizes[i] = 1
            coded[i][0] = <unsigned char>code
        elif code < 0x800:
            sizes[i] = 2
            coded[i][0] = <unsigned char>(0xC0 | (code >> 6))
            coded[i][1] = <unsigned char>(0x80 | (code & 0x3F))
        elif code < 0x10000 and not 0xD800 <= code < 0xE000:
            sizes[i] = 3
            coded[i][0] = <unsigned char>(0xE0 | (code >> 12))
            coded[i][1] = <unsigned char>(0x80 | ((code >> 6) & 0x3F))
            coded[i][2] = <unsigned char>(0x80 | (code & 0x3F))
        else:
            raise ValueError("a surrogate, or a character beyond U+FFFF, in the table")

    # Counted first: what is written below is exactly this long.
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
