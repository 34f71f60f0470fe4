"""Which blocks to keep: the set of the greatest expected F1, where blocks share their doubt; and the order of scores.

If each is in doubt for itself, a set K of blocks of w words that are content with probability p has the expected F1 of
about 2 sum_K p w / (sum_K w + sum p w). The best set holds the likeliest blocks down to some p: half of the best F1
(Ye et al., "Optimizing F-measures", ICML 2012). So a page with few sure blocks would keep nearly all that is
doubtful.

But doubts are mostly one: a row of teasers is content, all of it, or it is not. If a single number u, even in
(0, 1), decided on all blocks, the content would be C_u, the blocks of p > u, and the expected F1 of a set the
mean over u of 2 |K and C_u| / (|K| + |C_u|), in words. Of two groups, one sure and one in doubt, it keeps the
second where that is likelier content than not.

What is expected lies between the two: how much of the doubt is shared follows from the kind of page. Sets are
cut at likelihoods of 25, 50 ... 975 thousandths.
"""

import numpy as np

from libc.stdint cimport INT64_MAX, int64_t, uint64_t

from cedar.transforms.extractors.html._growing cimport IntArena

from cedar.transforms.extractors.cedar import model

cdef int64_t UNIT = model.UNIT

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


cdef class Choice:
    """What was chosen.

    Attributes:
        kept: bool (n,), the blocks that stay; `tenths` of words in all.
        threshold: the score, in log-odds, of the least likely block that stays.
        confidence: the F1 to expect, as learned from pages of known text, in [0, 1].
        likeliest: the probability of the likeliest block, in thousandths.
    """

    cdef readonly object kept
    cdef readonly double threshold, confidence
    cdef readonly int64_t likeliest, tenths


def choose(
    const int64_t[::1] scores not None, const int64_t[::1] word_tenths not None, *, int64_t shared,
    const double[:, ::1] calibration not None
):
    """Choose blocks by n >= 1 scores, log-odds in ten-thousandths, and the tenths of their words.

    `shared` is how much of the blocks' doubt is one doubt, in thousandths; `calibration` as in `model.Table`.
    """
    cdef Choice made = Choice()
    cdef Py_ssize_t count = scores.shape[0], block, level, best = 0
    cdef int64_t total = 0, likely = 0, least = 0, last = 0, hits, kept_words, tenths = 0
    cdef double expected, greatest = -1
    cdef int64_t words[LEVELS]
    cdef int64_t mass[LEVELS]
    if not count or word_tenths.shape[0] != count:
        raise ValueError("scores and words of different blocks, or of none")
    if calibration.shape[0] < 1 or calibration.shape[1] != 2:
        raise ValueError("no calibration")
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
    made.kept, made.threshold, made.likeliest, made.tenths = kept, <double>last / UNIT, likely, tenths
    made.confidence = _between(calibration, greatest)
    return made


cdef double _between(const double[:, ::1] points, double x) noexcept nogil:
    """The height at x of lines from point to point, whose x ascend, as `numpy.interp` draws them."""
    cdef Py_ssize_t i = 0, last = points.shape[0] - 1
    while i < last and points[i + 1, 0] <= x:
        i += 1
    if i == last or x <= points[i, 0]:
        return points[i, 1]
    return (points[i + 1, 1] - points[i, 1]) / (points[i + 1, 0] - points[i, 0]) * (x - points[i, 0]) + points[i, 1]


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


cdef int64_t[::1] rank(const int64_t[::1] scores, IntArena room):
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
