"""Twin of `transforms.extractors.cedar_choice`."""

import numpy as np

from libc.stdint cimport int64_t, uint64_t

from transforms.compiled.cedar_columns cimport same_size

cdef enum:
    DIGIT = 8  # bits by which scores are sorted at a time


cdef int rank(const int64_t[::1] scores, int64_t[::1] order) except -1:
    """Blocks in the order of falling scores, equal ones in the order of the page: a radix sort."""
    cdef Py_ssize_t count = scores.shape[0], i, digit, sum, here
    cdef int64_t greatest, least
    cdef uint64_t span
    cdef int shift = 0
    cdef Py_ssize_t begins[1 << DIGIT]
    same_size(count, order.shape[0])
    if not count:
        return 0
    cdef int64_t[::1] other = np.empty(count, np.int64)
    greatest = least = scores[0]
    for i in range(count):
        order[i] = i
        greatest = max(greatest, scores[i])
        least = min(least, scores[i])
    span = <uint64_t>greatest - <uint64_t>least
    with nogil:
        while shift < 64 and span >> shift:
            for digit in range(1 << DIGIT):
                begins[digit] = 0
            for i in range(count):
                begins[(<uint64_t>greatest - <uint64_t>scores[i] >> shift) & (1 << DIGIT) - 1] += 1
            sum = 0
            for digit in range(1 << DIGIT):
                here = begins[digit]
                begins[digit] = sum
                sum += here
            for i in range(count):
                digit = (<uint64_t>greatest - <uint64_t>scores[order[i]] >> shift) & (1 << DIGIT) - 1
                other[begins[digit]] = order[i]
                begins[digit] += 1
            for i in range(count):
                order[i] = other[i]
            shift += DIGIT
    return 0


def _chosen(
    const int64_t[::1] scores not None, const int64_t[::1] units not None, bint likely,
    const int64_t[::1] steps not None,
):
    """The blocks that stay, the score of the least likely of them, and the F1 to expect."""
    cdef Py_ssize_t count = scores.shape[0], i, block, best = 0, chosen = 0
    cdef int64_t word, hits = 0, words = 0, total = 0
    cdef double expected, greatest = -1
    same_size(count, units.shape[0])
    if not count:
        raise IndexError("a page of no blocks")
    ranked = np.empty(count, np.int64)
    cdef int64_t[::1] order = ranked, masses = np.empty(count, np.int64)
    rank(scores, order)
    for i in range(count):
        masses[i] = likelihood(steps, scores[i]) * max(units[i], <int64_t>1)
        total += masses[i]
        chosen += scores[i] > 0
    total = max(total, <int64_t>1)
    all_kept = np.zeros(count, bool)
    cdef unsigned char[::1] kept = all_kept.view(np.uint8)
    best = chosen if likely and chosen else 0
    cdef Py_ssize_t wanted = best
    cdef double found = 0
    for i in range(count):
        block = order[i]
        hits += masses[block]
        words += max(units[block], <int64_t>1)
        expected = <double>(2 * hits) / <double>(1000 * words + total)
        if wanted:
            if i + 1 == wanted:
                found = expected
        elif expected > greatest:
            greatest = found = expected
            best = i + 1
    for i in range(best):
        kept[order[i]] = True
    return all_kept, scores[order[best - 1]], found
