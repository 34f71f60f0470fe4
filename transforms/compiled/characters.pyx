"""Twin of `transforms.extractors.characters`."""

cdef enum:
    BLOCK = 192  # counts of so many bytes are bytes


def count(const unsigned char[::1] text not None):
    """Number of code points in UTF-8."""
    cdef Py_ssize_t size = text.shape[0], start = 0, i, points = 0
    cdef unsigned char block
    while start < size:
        block = 0
        for i in range(start, min(start + BLOCK, size)):
            block += <signed char> text[i] >= -0x40
        points += block
        start += BLOCK
    return points
