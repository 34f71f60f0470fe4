"""Twins of `transforms.extractors.tag_names`."""

import numpy as np

from libc.stdint cimport int64_t, uint64_t

from transforms.compiled.scanning cimport below, eight, word, zero_bytes

cdef enum:
    SLASH = 0x2F
    GREATER = 0x3E



def _names(const unsigned char[::1] html not None, const int64_t[:] starts not None):
    """The keys of tags, and which are end tags."""
    cdef Py_ssize_t size = html.shape[0], count = starts.shape[0], i, behind, end
    keys_made, ends_made = np.empty(count, np.uint64), np.empty(count, np.uint8)
    cdef uint64_t[::1] keys = keys_made
    cdef unsigned char[::1] ends = ends_made
    for i in range(count):
        behind = starts[i] + 1
        if not 0 < behind <= size:
            raise IndexError("a tag outside of the page")
        end = 0
        if behind < size:
            end = html[behind] == SLASH
        ends[i] = end
        keys[i] = key(word(html, behind + end))
    return keys_made, ends_made.view(bool)


def _first_start(const uint64_t[::1] keys not None, ends, uint64_t name):
    """Which tag is the first start tag of a key; -1 if there is none."""
    cdef const unsigned char[::1] is_end = ends.view(np.uint8)
    cdef Py_ssize_t i
    if is_end.shape[0] != keys.shape[0]:
        raise ValueError("arrays of different sizes")
    for i in range(keys.shape[0]):
        if keys[i] == name and not is_end[i]:
            return i
    return -1


def _hashed_in(
    const uint64_t[:] keys not None,
    const uint64_t[::1] table not None,
    uint64_t multiplier,
    uint64_t shift,
):
    """Which keys are in a table that holds each in its slot; it has a slot for every hash."""
    cdef Py_ssize_t i
    found_made = np.empty(keys.shape[0], np.uint8)
    cdef unsigned char[::1] found = found_made
    if <uint64_t> table.shape[0] <= <uint64_t> -1 >> shift:
        raise IndexError("the table has too few slots")
    for i in range(keys.shape[0]):
        found[i] = table[<Py_ssize_t> (keys[i] * multiplier >> shift)] == keys[i]
    return found_made.view(bool)


cdef inline uint64_t key(uint64_t letters) noexcept nogil:
    """The name that eight bytes begin with, in lower case."""
    cdef uint64_t marks = (
        below(letters, 0x21) | zero_bytes(letters ^ eight(SLASH)) | zero_bytes(letters ^ eight(GREATER))
    )
    cdef uint64_t lowest = marks & (~marks + 1)
    return (letters | eight(0x20)) & ((lowest >> 7) - 1)
