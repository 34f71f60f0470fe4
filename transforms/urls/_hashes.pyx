"""Lists of millions of lines as sorted arrays of their hashes: 8 bytes a line.

FNV-1a of 64 bits (Fowler, Noll and Vo 1991): among ten million lines, one look-up in two million million is wrong.
"""

import numpy as np

cimport cython
from libc.stdint cimport uint64_t
from libc.string cimport memchr

cdef extern from *:
    """
    #define FNV_BASIS_64 14695981039346656037u
    #define FNV_PRIME_64 1099511628211u
    """
    const uint64_t FNV_BASIS_64, FNV_PRIME_64


cdef uint64_t _hash(const unsigned char* text, Py_ssize_t size, bint folds) noexcept nogil:
    cdef uint64_t hash = FNV_BASIS_64
    cdef Py_ssize_t at
    for at in range(size):
        hash = (hash ^ (text[at] | 0x20 if folds and c"A" <= text[at] <= c"Z" else text[at])) * FNV_PRIME_64
    return hash


def line_hashes(bytes data not None, bint folds, bytes ends not None):
    """Hash the lines of a list, but blank ones and those that `#` begins, without blanks around them; sorted.

    `folds`: capitals of ASCII are taken as small letters; `ends` are bytes that go from the end of each line.
    """
    cdef bytes around = b" \t\r\n\v\f"
    cdef const unsigned char* text = data
    cdef Py_ssize_t size = len(data), start = 3 if data[:3] == b"\xef\xbb\xbf" else 0, stop, after, count = 0
    cdef const unsigned char* end
    cdef uint64_t[::1] hashes = np.empty(data.count(b"\n") + 1, np.uint64)
    while start < size:
        end = <const unsigned char*>memchr(text + start, c"\n", size - start)
        after = stop = size if end is NULL else end - text
        while start < stop and text[start] in around:
            start += 1
        while start < stop and (text[stop - 1] in around or text[stop - 1] in ends):
            stop -= 1
        if start < stop and text[start] != c"#":
            hashes[count] = _hash(text + start, stop - start, folds)
            count += 1
        start = after + 1
    found = np.asarray(hashes)[:count]
    found.sort()
    return found


@cython.boundscheck(False)
@cython.wraparound(False)
def holds(const uint64_t[::1] hashes, bytes entry not None):
    """Tell whether an entry is in a list, by the sorted hashes of its lines."""
    cdef uint64_t wanted = _hash(entry, len(entry), False)
    cdef Py_ssize_t low = 0, high = hashes.shape[0], middle
    while low < high:
        middle = (low + high) // 2
        if hashes[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low < hashes.shape[0] and hashes[low] == wanted
