"""Twins of `transforms.extractors.cedar_names`."""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.string cimport memchr

from transforms.compiled.cedar_columns cimport Numbers, below, same_size


def _tag(
    float[:, ::1] room not None,
    Numbers headings not None,
    Numbers codes not None,
    Numbers nearest not None,
    const uint64_t[::1] keys not None,
    Numbers first_gaps not None,
    Numbers last_gaps not None,
    table,
    uint64_t br,
):
    """The element a block stands in, and what parts it from others."""
    cdef const unsigned char[:, ::1] names = table.view(np.uint8)
    cdef Py_ssize_t count = nearest.shape[0], rows = names.shape[0], width = names.shape[1], block, row
    cdef int64_t code, behind = 0
    for size in (room.shape[1], headings.shape[0], first_gaps.shape[0], last_gaps.shape[0]):
        same_size(count, size)
    same_size(rows + 4, room.shape[0])
    below(nearest, codes.shape[0])
    below(first_gaps, keys.shape[0] + 1)
    below(last_gaps, keys.shape[0] + 1)
    for block in range(codes.shape[0]):
        if not -1 <= codes[block] < width - 1:
            raise IndexError("an element of no name")
    with nogil:
        for block in range(count):
            room[0, block] = <float>headings[block]
            code = codes[nearest[block]]
            if code < 0:
                code = width - 1
            for row in range(rows):
                room[row + 1, block] = names[row, code]
            room[rows + 1, block] = first_gaps[block] > 0 and keys[first_gaps[block] - 1] == br
            room[rows + 2, block] = last_gaps[block] < keys.shape[0] and keys[last_gaps[block]] == br
            room[rows + 3, block] = <float>(first_gaps[block] - behind)
            behind = last_gaps[block]


cdef inline void _cover(
    int32_t[:, ::1] changes, Py_ssize_t row, int64_t first, int64_t last
) noexcept nogil:
    changes[row, first] += 1
    changes[row, last] -= 1


def _said(
    float[:, ::1] room not None,
    groups,
    hidden,
    Numbers first not None,
    Numbers last not None,
    Numbers codes not None,
    Numbers parents not None,
    Numbers nearest not None,
    Numbers sums not None,
    meanings,
):
    """How many elements of each meaning, and of each group of words, hold a block; those nearest to it."""
    cdef const unsigned char[:, ::1] words = groups.view(np.uint8), names = meanings.view(np.uint8)
    cdef const unsigned char[::1] unseen = hidden.view(np.uint8)
    cdef Py_ssize_t count = nearest.shape[0], elements = codes.shape[0], width = names.shape[1]
    cdef Py_ssize_t meant = names.shape[0], said = words.shape[0], row, element, block
    cdef int64_t code, sum, most = 9 * max(sums[sums.shape[0] - 1], <int64_t>1) if sums.shape[0] else 0
    cdef const void *found
    for size in (words.shape[1], unseen.shape[0], first.shape[0], last.shape[0], parents.shape[0]):
        same_size(elements, size)
    same_size(count, room.shape[1])
    same_size(count + 1, sums.shape[0])
    same_size(meant + 2 * said + 1, room.shape[0])
    below(nearest, elements)
    below(parents, elements)
    below(first, count + 1)
    below(last, count + 1)
    cdef int32_t[:, ::1] changes = np.zeros((meant + said + 1, count + 1), np.int32)
    # An element that holds nearly all of the page says nothing of a part of it.
    cdef unsigned char[::1] is_part = np.empty(elements, np.uint8)
    cdef unsigned char[::1] means = np.zeros(width, np.uint8)
    for row in range(meant):
        for code in range(width):
            means[code] |= names[row, code]
    for element in range(elements):
        if not -1 <= codes[element] < width - 1:
            raise IndexError("an element of no name")
    with nogil:
        for element in range(elements):
            is_part[element] = 10 * (sums[last[element]] - sums[first[element]]) < most
            code = codes[element] if codes[element] >= 0 else width - 1
            if means[code]:
                for row in range(meant):
                    if names[row, code]:
                        _cover(changes, row, first[element], last[element])
            if unseen[element] and is_part[element]:
                _cover(changes, meant + said, first[element], last[element])
        for row in range(said):
            element = 0
            while element < elements:
                found = memchr(&words[row, element], 1, elements - element)  # within the row
                if found == NULL:
                    break
                element = <const unsigned char *>found - &words[row, 0]
                if is_part[element]:
                    _cover(changes, meant + row, first[element], last[element])
                element += 1
        for row in range(meant + said + 1):
            sum = 0
            for block in range(count):
                sum += changes[row, block]
                room[row, block] = <float>sum
        for block in range(count):
            element = nearest[block]
            for row in range(said):
                room[meant + said + 1 + row, block] = 2 * words[row, element] + words[row, parents[element]]
