"""The set of blocks of the greatest expected F1, and the order of scores."""

import numpy as np

from libc.stdint cimport INT64_MAX, int64_t, uint64_t

from transforms.extractors.html._growing cimport Room

from transforms.extractors.cedar.model import UNIT

cdef enum:
    DIGIT = 8  # bits by which scores are sorted at a time
    LEVEL = 25  # thousandths from one likelihood at which a page may be cut to the next
    LEVELS = 39


def _steps():
    """The least score of each likelihood from one thousandth to all, and after them what no score is: int64 (1023,)."""
    sure = 30 * UNIT  # log-odds beyond which nothing is in doubt
    thousandths = np.arange(1, 1001)
    low, high = np.full(1000, -sure), np.full(1000, sure)
    while (low < high).any():
        middle = (low + high) // 2
        reached = np.rint(1000 / (1 + np.exp(middle / -UNIT))) >= thousandths
        low, high = np.where(reached, low, middle + 1), np.where(reached, middle, high)
    return np.append(low, np.full(23, np.iinfo(np.int64).max))


STEPS = _steps()


def likelihoods(const int64_t[::1] scores not None):
    """The probabilities of scores, in whole thousandths: int64, as many."""
    cdef Py_ssize_t i
    found = np.empty(scores.shape[0], np.int64)
    cdef int64_t[::1] result = found
    for i in range(scores.shape[0]):
        result[i] = likelihood(scores[i])
    return found


def choose(const int64_t[::1] scores not None, const int64_t[::1] word_tenths not None, int64_t shared):
    """The blocks that stay, the score of the least likely of them, and the F1 to expect, as it comes.

    Also the probability of the likeliest in thousandths, and the tenths of words of all of them. Arguments are as
    for `choice.choose`.
    """
    cdef Py_ssize_t count = scores.shape[0], block, level, best = 0
    cdef int64_t total = 0, likely = 0, least = 0, last = 0, hits, kept_words, tenths = 0
    cdef double expected, greatest = -1
    cdef int64_t words[LEVELS]
    cdef int64_t mass[LEVELS]
    if not count or word_tenths.shape[0] != count:
        raise ValueError("scores and words of different blocks, or of none")
    cdef int64_t[::1] likelihoods = np.empty(count, np.int64)
    for level in range(LEVELS):
        words[level] = mass[level] = 0
    for block in range(count):
        likelihoods[block] = likelihood(scores[block])
        likely = max(likely, likelihoods[block])
        hits = likelihoods[block] * max(word_tenths[block], <int64_t>1)
        total += hits
        level = <Py_ssize_t>(likelihoods[block] // LEVEL) - 1
        if level >= 0:
            level = min(level, <Py_ssize_t>LEVELS - 1)
            words[level] += max(word_tenths[block], <int64_t>1)
            mass[level] += hits
    # From here on of all blocks that are as likely as a level, or likelier.
    for level in range(LEVELS - 2, -1, -1):
        words[level] += words[level + 1]
        mass[level] += mass[level + 1]
    if words[0]:
        for level in range(LEVELS):
            if words[level] and (not level or words[level] != words[level - 1]):  # a set is judged once
                expected = _expected(words, mass, level, total, shared)
                if expected > greatest:
                    greatest = expected
                    best = level
        least = LEVEL * (best + 1)
    else:
        least = likely
    kept = np.zeros(count, bool)
    cdef unsigned char[::1] stays = kept.view(np.uint8)
    hits = kept_words = 0
    last = INT64_MAX
    for block in range(count):
        if likelihoods[block] >= least:
            stays[block] = True
            last = min(last, scores[block])
            tenths += word_tenths[block]
            hits += likelihoods[block] * max(word_tenths[block], <int64_t>1)
            kept_words += max(word_tenths[block], <int64_t>1)
    if greatest < 0:
        greatest = <double>(2 * hits) / <double>(1000 * kept_words + max(total, <int64_t>1))
    return kept, last, greatest, likely, tenths


cdef double _expected(
    const int64_t *words, const int64_t *mass, Py_ssize_t level, int64_t total, int64_t shared
) noexcept nogil:
    """The F1 to expect of the blocks of a level: of doubts of their own, and of one doubt, as much as is shared."""
    cdef double apart = <double>(2 * mass[level]) / <double>(1000 * words[level] + total), together = 0, agreed = 0
    cdef Py_ssize_t other
    for other in range(LEVELS):
        if not other or words[other] != words[other - 1]:
            agreed = <double>min(words[level], words[other]) / <double>(words[level] + words[other])
        together += agreed
    together *= 2.0 * LEVEL / 1000
    return ((1000 - shared) * apart + shared * together) / 1000


cdef int64_t[::1] rank(const int64_t[::1] scores, Room room):
    """The blocks in the order of falling scores, equal ones in the order of the page, by a radix sort: int64 (n,)."""
    cdef Py_ssize_t count = scores.shape[0], i, digit, sum, here
    cdef int64_t greatest, lowest
    cdef uint64_t span
    cdef int shift = 0
    cdef Py_ssize_t begins[1 << DIGIT]
    cdef int64_t[::1] order = room.take(count), other = room.take(count)
    if not count:
        return order
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
        order, other = other, order
        shift += DIGIT
    return order
