"""Twin of `transforms.extractors.cedar_layout`."""

import numpy as np

from libc.stdint cimport int64_t, uint64_t

from transforms.compiled.cedar_columns cimport Numbers, below, find_firsts, same_size

cdef enum:
    ANCESTORS = 4

cdef uint64_t FACTOR = 0x9E3779B97F4A7C15


def _laid_out(
    Numbers codes not None,
    Numbers parents not None,
    Numbers first not None,
    Numbers last not None,
    Numbers nearest not None,
    const uint64_t[::1] signatures not None,
    Numbers levels not None,
):
    """Levels of headings, outermost elements of one extent, elements around blocks, and siblings."""
    cdef Py_ssize_t count = codes.shape[0], blocks = nearest.shape[0], element, block, level
    cdef int64_t parent, current
    for size in (parents.shape[0], first.shape[0], last.shape[0], signatures.shape[0]):
        same_size(count, size)
    below(parents, count)
    below(nearest, count)
    all_headings = np.empty(blocks, np.int64)
    all_outer, all_siblings = np.empty((2, count), np.int64)
    all_around = np.empty((<Py_ssize_t>ANCESTORS, blocks), np.int64)
    cdef int64_t[::1] headings = all_headings, outer = all_outer
    cdef int64_t[:, ::1] around = all_around
    cdef uint64_t[::1] keys = np.empty(count, np.uint64)
    for element in range(count):
        if parents[element] > element or not -1 <= codes[element] < levels.shape[0] - 1:
            raise IndexError("an element before the one around it, or of no name")
        parent = parents[element]
        outer[element] = element
        if first[parent] == first[element] and last[parent] == last[element]:
            outer[element] = outer[parent] if parent < element else parent
        keys[element] = signatures[element] * FACTOR + <uint64_t>parent
    find_firsts(keys, all_siblings)
    for block in range(blocks):
        current = codes[nearest[block]]
        headings[block] = levels[current if current >= 0 else levels.shape[0] - 1]
        current = outer[nearest[block]]
        if last[current] - first[current] <= 1:
            current = outer[parents[current]]
        around[0, block] = current
        for level in range(1, ANCESTORS):
            current = outer[parents[current]]
            around[level, block] = current
    return all_headings, all_outer, all_around, all_siblings
