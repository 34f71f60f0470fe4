"""Text as it reads in the output, for other compiled modules.

    cdef ByteBuffer out = ByteBuffer(room)            # and begin it with a byte that is not above the space
    out.reserve(room_for(stop - start))               # makes room for what this many bytes become
    write(out, text, start, stop, True)               # nogil; then out.bytes[: out.size]
"""

from cedar.transforms.extractors.html._bytes cimport SPACE
from cedar.transforms.extractors.html._growing cimport ByteBuffer

cdef enum:
    # What is made of the blanks of preformatted text.
    HARD_LINE = 0x01
    HARD_SPACE = 0x02
    HARD_TAB = 0x03


cdef inline Py_ssize_t room_for(Py_ssize_t length) noexcept nogil:
    """Bytes that this many of a text may become, at most, with a line feed on either side.

    References shrink, but for two of HTML's: `&nLt;`, of five bytes, stands for six.
    """
    return length + length // 4 + 8


cdef void write(
    ByteBuffer out, const unsigned char* text, Py_ssize_t there, Py_ssize_t length, bint trimmed, bint in_code = *
) noexcept nogil
cdef Py_ssize_t append(
    unsigned char* to, Py_ssize_t size, const unsigned char* text, Py_ssize_t there, Py_ssize_t length,
    bint trimmed, bint in_code
) noexcept nogil
cdef void write_preformatted(
    ByteBuffer out, const unsigned char* text, Py_ssize_t there, Py_ssize_t length
) noexcept nogil
