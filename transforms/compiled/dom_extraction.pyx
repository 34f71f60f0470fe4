"""Twins of `transforms.extractors.dom_extraction`."""

import numpy as np

from libc.stdint cimport int64_t


def _words(const unsigned char[::1] joined not None):
    """How many words lines hold."""
    cdef Py_ssize_t i, count = 0
    for i in range(joined.shape[0]):
        count += (joined[i] == c' ') | (joined[i] == c'\n')
    return count + (joined.shape[0] > 0)


def _lines(
    const int64_t[::1] blocks not None,
    const int64_t[::1] chars not None,
    Py_ssize_t first,
    Py_ssize_t last,
    kept_text not None,
):
    """In how many blocks some text is kept, and in how many some is not."""
    cdef const unsigned char[::1] kept = kept_text.view(np.uint8)
    cdef Py_ssize_t tag, content = 0, other = 0
    cdef int64_t last_content = -1, last_other = -1
    for tag in range(first, last):
        if chars[tag] <= 0:
            continue
        if kept[tag]:
            content += blocks[tag] != last_content
            last_content = blocks[tag]
        else:
            other += blocks[tag] != last_other
            last_other = blocks[tag]
    return content, other
