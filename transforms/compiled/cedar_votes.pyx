"""Twin of `transforms.extractors.cedar_votes`."""

import numpy as np

from libc.stdint cimport int64_t, uint64_t

from transforms.compiled.cedar_choice cimport likelihood, rank
from transforms.compiled.cedar_columns cimport (
    Numbers, Run, below, distance, extend, find_firsts, least, most, over, part, same_size, side,
)

cdef enum:
    SURE = 800  # thousandths from which a block is sure
    SIBLINGS = 5
    COLUMNS = 40

cdef uint64_t FACTOR = 0x9E3779B97F4A7C15


def _voted(
    float[:, ::1] room not None,
    Numbers scores not None,
    Numbers units not None,
    Numbers first not None,
    Numbers last not None,
    Numbers parents not None,
    Numbers nearest not None,
    const int64_t[:, ::1] around not None,
    Numbers siblings not None,
    Numbers headings not None,
    const uint64_t[::1] signatures not None,
    Numbers steps not None,
):
    """What the first scores of a page's blocks say about each."""
    cdef Py_ssize_t count = scores.shape[0], elements = parents.shape[0], level, block
    for size in (room.shape[1], units.shape[0], nearest.shape[0], around.shape[1], headings.shape[0]):
        same_size(count, size)
    for size in (first.shape[0], last.shape[0], siblings.shape[0], signatures.shape[0]):
        same_size(elements, size)
    same_size(COLUMNS, room.shape[0])
    same_size(4, around.shape[0])
    below(first, count + 1)
    below(last, count + 1)
    below(parents, elements)
    below(nearest, elements)
    below(siblings, elements)
    for level in range(4):
        below(around[level], elements)
    if not count:
        raise IndexError("a page of no blocks")
    all_likely, all_words, order = np.empty((3, count), np.int64)
    all_mass, all_total = np.empty((2, count + 1), np.int64)
    cdef int64_t[::1] likely = all_likely, words = all_words, mass = all_mass, total = all_total
    mass[0] = total[0] = 0
    for block in range(count):
        likely[block] = likelihood(steps, scores[block])
        words[block] = max(units[block], <int64_t>1)
        mass[block + 1] = mass[block] + likely[block] * words[block]
        total[block + 1] = total[block] + words[block]
    rank(scores, order)
    _choose(room[:10], likely, words, order, mass[count], total[count])
    _look_around(room[10:17], likely, words, mass, total)
    _look_at_elements(room[17:25], first, last, around, mass, total)
    _look_at_siblings(room[25:30], first, last, parents, nearest, siblings, mass, total)
    _look_at_kin(room[30:32], parents, nearest, signatures, likely, words)
    _look_at_runs(room[32:40], headings, likely, words, mass, total)


cdef int _choose(
    float[:, ::1] room, Numbers likely, Numbers words, Numbers order, int64_t all_mass, int64_t all_words
) except -1:
    """The set that would be chosen now, and where the block stands to it."""
    cdef Py_ssize_t count = order.shape[0], i, block, row
    cdef int64_t whole = max(all_mass, <int64_t>1), hits = 0, so_far = 0, sure = 0, sure_words = 0, lowest
    cdef double expected, best = -1
    cdef float same[6]
    lowest = 0
    for i in range(count):
        block = order[i]
        hits += likely[block] * words[block]
        so_far += words[block]
        expected = <double>(2 * hits) / <double>(1000 * so_far + whole)
        if expected > best:
            best = expected
            lowest = likely[block]
        room[1, block] = <float>(<double>hits / <double>whole)
        room[2, block] = <float>expected
        if likely[block] > SURE:
            sure += likely[block] * words[block]
            sure_words += words[block]
    same[0], same[1] = <float>best, <float>lowest
    same[2], same[3] = <float>(<double>sure / <double>whole), <float>sure_words
    same[4], same[5] = <float>(whole // 1000), <float>(<double>whole / <double>all_words)
    for block in range(count):
        room[0, block] = <float>likely[block]
        room[3, block] = <float>(likely[block] - lowest)
    for row in range(6):
        for block in range(count):
            room[4 + row, block] = same[row]
    return 0


cdef int _look_around(
    float[:, ::1] room, Numbers likely, Numbers words, Numbers mass, Numbers total
) except -1:
    """The blocks before and behind, one by one and in windows."""
    cdef Py_ssize_t count = likely.shape[0], block, row, step, first, last
    cdef Py_ssize_t[4] offsets = [-2, -1, 1, 2]
    cdef Py_ssize_t[3] reaches = [2, 5, 12]
    for row in range(4):
        step = offsets[row]
        for block in range(count):
            room[row, block] = <float>likely[block + step] if 0 <= block + step < count else 0
    for row in range(3):
        step = reaches[row]
        for block in range(count):
            first, last = most(block - step, 0), least(block + step + 1, count)
            room[4 + row, block] = part(
                mass[last] - mass[first] - likely[block] * words[block],
                total[last] - total[first] - words[block],
            )
    return 0


cdef int _look_at_elements(
    float[:, ::1] room, Numbers first, Numbers last, const int64_t[:, ::1] around, Numbers mass, Numbers total
) except -1:
    """The elements around the block."""
    cdef Py_ssize_t count = around.shape[1], block, level, element
    cdef int64_t inside, whole = max(mass[count], <int64_t>1)
    for level in range(4):
        for block in range(count):
            element = around[level, block]
            inside = mass[last[element]] - mass[first[element]]
            room[2 * level, block] = part(inside, total[last[element]] - total[first[element]])
            room[2 * level + 1, block] = part(inside, whole)
    return 0


cdef int _look_at_siblings(
    float[:, ::1] room,
    Numbers first,
    Numbers last,
    Numbers parents,
    Numbers nearest,
    Numbers siblings,
    Numbers mass,
    Numbers total,
) except -1:
    """The siblings of one kind of the elements around the block."""
    cdef Py_ssize_t count = nearest.shape[0], elements = parents.shape[0], block, level, element
    cdef double[::1] masses = np.zeros(elements), words = np.zeros(elements)
    for element in range(elements):
        masses[siblings[element]] += mass[last[element]] - mass[first[element]]
        words[siblings[element]] += total[last[element]] - total[first[element]]
    for block in range(count):
        element = nearest[block]
        for level in range(SIBLINGS):
            room[level, block] = over(masses[siblings[element]], words[siblings[element]])
            element = parents[element]
    return 0


cdef int _look_at_kin(
    float[:, ::1] room,
    Numbers parents,
    Numbers nearest,
    const uint64_t[::1] signatures,
    Numbers likely,
    Numbers words,
) except -1:
    """The blocks in elements of the same name and class."""
    cdef Py_ssize_t count = nearest.shape[0], block, element, kin
    cdef int64_t own
    cdef uint64_t[::1] keys = np.empty(count, np.uint64)
    cdef int64_t[::1] found = np.empty(count, np.int64)
    cdef double[::1] masses = np.zeros(count), totals = np.zeros(count)
    for block in range(count):
        element = nearest[block]
        keys[block] = signatures[element] * FACTOR + signatures[parents[element]]
    find_firsts(keys, found)
    for block in range(count):
        masses[found[block]] += likely[block] * words[block]
        totals[found[block]] += words[block]
    for block in range(count):
        kin = found[block]
        own = likely[block] * words[block]
        room[0, block] = <float>(masses[kin] / totals[kin])
        room[1, block] = over(masses[kin] - own, totals[kin] - words[block])
    return 0


cdef int _look_at_runs(
    float[:, ::1] room, Numbers headings, Numbers likely, Numbers words, Numbers mass, Numbers total
) except -1:
    """Sure blocks before and behind, the likeliest run of blocks, and the rest of the section."""
    cdef Py_ssize_t count = likely.shape[0], block, begin = 0, end, since = count
    cdef int64_t all_sure = 0, sure = 0
    cdef float section
    cdef Run run
    run.sum = run.low = run.best = run.low_at = run.start = run.stop = 0
    for block in range(count):
        extend(&run, (likely[block] - 500) * words[block], block)
        if likely[block] > SURE:
            all_sure += words[block]
    for block in range(count):
        room[0, block] = part(sure, all_sure)
        since = least(since + 1, count)
        if likely[block] > SURE:
            sure += words[block]
            since = 0
        room[1, block] = part(all_sure - sure, all_sure)
        room[2, block] = <float>since
        room[4, block] = side(block, run.start, run.stop)
        room[5, block] = distance(block, run.start, run.stop)
    since = count
    for block in range(count - 1, -1, -1):
        since = 0 if likely[block] > SURE else least(since + 1, count)
        room[3, block] = <float>since
    while begin < count:
        end = begin + 1
        while end < count and headings[end] <= 0:
            end += 1
        section = part(mass[end] - mass[begin], total[end] - total[begin])
        for block in range(begin, end):
            room[6, block] = section
            room[7, block] = part(mass[end] - mass[block + 1], total[end] - total[block + 1])
        begin = end
    return 0
