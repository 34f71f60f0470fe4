"""Twins of `transforms.extractors.characters`."""

import numpy as np

from transforms.compiled.scanning cimport is_ascii_blank, wide_blank

cdef enum:
    SPACE = 0x20
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


def blanks_as_spaces(const unsigned char[::1] data not None):
    """A copy in which every byte of a Unicode blank is a space."""
    cdef Py_ssize_t size = data.shape[0], i, k
    cdef unsigned char all_bits = 0
    spaced_made = np.empty(size, np.uint8)
    cdef unsigned char[::1] spaced = spaced_made
    for i in range(size):
        all_bits |= data[i]
        spaced[i] = SPACE if is_ascii_blank(data[i]) else data[i]
    if all_bits >= 0x80:
        for i in range(size):
            if data[i] >= 0xC2:
                for k in range(i, i + wide_blank(data, i)):
                    spaced[k] = SPACE
    return spaced_made
