"""Twins of `transforms.extractors.characters`."""


def count(const unsigned char[::1] text not None):
    """Number of code points in UTF-8."""
    cdef Py_ssize_t size = text.shape[0], i
    cdef Py_ssize_t inner = 0
    for i in range(size):
        inner += (text[i] & 0xC0) == 0x80
    return size - inner
