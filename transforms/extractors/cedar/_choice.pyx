"""The set of blocks of the greatest expected F1, by the order of their scores."""

import numpy as np

from libc.stdint cimport int64_t, uint64_t

from transforms.extractors.cedar.model import UNIT

cdef enum:
    DIGIT = 8  # bits by which scores are sorted at a time


def _steps():
    """The least score of each likelihood from one thousandth to all: int64 (1000,)."""
    sure = 30 * UNIT  # log-odds beyond which nothing is in doubt
    thousandths = np.arange(1, 1001)
    low, high = np.full(1000, -sure), np.full(1000, sure)
    while (low < high).any():
        middle = (low + high) // 2
        reached = np.rint(1000 / (1 + np.exp(middle / -UNIT))) >= thousandths
        low, high = np.where(reached, low, middle + 1), np.where(reached, middle, high)
    return low


STEPS = _steps()


def likelihoods(const int64_t[::1] scores not None):
    """The probabilities of scores, in whole thousandths: int64, as many."""
    cdef Py_ssize_t i
    found = np.empty(scores.shape[0], np.int64)
    cdef int64_t[::1] result = found
    for i in range(scores.shape[0]):
        result[i] = likelihood(scores[i])
    return found


def choose(const int64_t[::1] scores not None, const int64_t[::1] word_tenths not None, bint likely):
    """The blocks that stay, the score of the least likely of them, and the F1 to expect, as it comes.

    Args:
        scores: int64 (n,), log-odds in ten-thousandths; n is one or more.
        word_tenths: int64 (n,), the words of the blocks.
        likely: keep the blocks that are likelier content than not, if there are any.
    """
    cdef Py_ssize_t count = scores.shape[0], i, block, best = 0, wanted = 0
    cdef int64_t hits = 0, words = 0, total = 0
    cdef double expected, greatest = -1, found = 0
    if not count or word_tenths.shape[0] != count:
        raise ValueError("scores and words of different blocks, or of none")
    cdef int64_t[:, ::1] numbers = np.empty((2, count), np.int64)
    cdef int64_t[::1] order = numbers[0], masses = numbers[1]
    rank(scores, order)
    for i in range(count):
        masses[i] = likelihood(scores[i]) * max(word_tenths[i], <int64_t>1)
        total += masses[i]
        wanted += likely and scores[i] > 0
    total = max(total, <int64_t>1)
    kept = np.zeros(count, bool)
    cdef unsigned char[::1] stays = kept.view(np.uint8)
    best = wanted
    for i in range(count):
        block = order[i]
        hits += masses[block]
        words += max(word_tenths[block], <int64_t>1)
        expected = <double>(2 * hits) / <double>(1000 * words + total)
        if wanted:
            if i + 1 == wanted:
                found = expected
        elif expected > greatest:
            greatest = found = expected
            best = i + 1
    for i in range(best):
        stays[order[i]] = True
    return kept, scores[order[best - 1]], found


cdef int rank(const int64_t[::1] scores, int64_t[::1] order) except -1:
    """Puts blocks in the order of falling scores, equal ones in the order of the page: a radix sort."""
    cdef Py_ssize_t count = scores.shape[0], i, digit, sum, here
    cdef int64_t greatest, lowest
    cdef uint64_t span
    cdef int shift = 0
    cdef Py_ssize_t begins[1 << DIGIT]
    if not count:
        return 0
    cdef int64_t[::1] other = np.empty(count, np.int64)
    greatest = lowest = scores[0]
    for i in range(count):
        order[i] = i
        greatest = max(greatest, scores[i])
        lowest = min(lowest, scores[i])
    span = <uint64_t>greatest - <uint64_t>lowest
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
        order[:] = other
        shift += DIGIT
    return 0
