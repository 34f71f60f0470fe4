"""Twins of `transforms.extractors.cedar_surroundings`.

Quotients are doubles before they become floats, as numpy writes them. Sums of whole numbers are the same in
any order.
"""

import numpy as np

from libc.stdint cimport int64_t, uint64_t

from transforms.compiled.cedar_columns cimport (
    Numbers, Run, below, distance, extend, find_firsts, over, part, same_size, side,
)
from transforms.compiled.cedar_text cimport KINDS, LETTER

cdef enum:
    STEPS = 16

cdef uint64_t FACTOR = 0x9E3779B97F4A7C15


def container(
    float[:, ::1] room not None,
    Numbers first not None,
    Numbers last not None,
    Numbers parents not None,
    Numbers outer not None,
    const int64_t[:, ::1] around not None,
    Numbers nearest not None,
    Numbers units not None,
    Numbers plain not None,
    Numbers unit_sums not None,
    Numbers plain_sums not None,
):
    """Where the block stands to the densest container, and to the best run of blocks."""
    cdef Py_ssize_t count = nearest.shape[0], elements = parents.shape[0], element, block, step, steps = 1
    cdef Py_ssize_t best = 0, start, stop
    cdef int64_t inside, linked
    cdef float growth, best_plain, best_share
    cdef Run run
    cdef Py_ssize_t way[STEPS]
    for size in (room.shape[1], around.shape[1], units.shape[0], plain.shape[0], unit_sums.shape[0] - 1,
                 plain_sums.shape[0] - 1):
        same_size(count, size)
    for size in (first.shape[0], last.shape[0], outer.shape[0]):
        same_size(elements, size)
    same_size(11, room.shape[0])
    if not elements or around.shape[0] < 2:
        raise IndexError("no elements around blocks")
    below(parents, elements)
    below(outer, elements)
    below(nearest, elements)
    below(around[0], elements)
    below(around[1], elements)
    below(first, count + 1)
    below(last, count + 1)
    all_own, all_weight = np.zeros(elements), np.empty(elements)
    cdef double[::1] own = all_own, weight = all_weight
    cdef double[::1] children = np.zeros(elements), grandchildren = np.zeros(elements)
    with nogil:
        for block in range(count):
            own[nearest[block]] += plain[block]
        for element in range(elements):
            children[parents[element]] += own[element]
        children[0] -= own[0]
        for element in range(elements):
            grandchildren[parents[element]] += children[element]
        grandchildren[0] -= children[0]
        for element in range(elements):
            inside = unit_sums[last[element]] - unit_sums[first[element]]
            linked = plain_sums[last[element]] - plain_sums[first[element]]
            weight[element] = (own[element] + children[element] + 0.5 * grandchildren[element]) * (
                <double>linked / <double>max(inside, <int64_t>1)
            )
            if weight[element] > weight[best]:
                best = element
        start, stop = first[best], last[best]
        inside = plain_sums[stop] - plain_sums[start]
        best_plain, best_share = <float>inside, part(inside, plain_sums[count])
        run.sum = run.low = run.best = run.low_at = run.start = run.stop = 0
        for block in range(count):
            extend(&run, plain[block] - (units[block] - plain[block]) - 20, block)
        for block in range(count):
            room[0, block] = over(weight[around[0, block]], weight[best])
            room[1, block] = over(weight[around[1, block]], weight[best])
            room[2, block] = <float>own[nearest[block]]
            room[3, block] = side(block, start, stop)
            room[4, block] = distance(block, start, stop)
            room[5, block], room[6, block] = STEPS, 0
            room[7, block], room[8, block] = best_plain, best_share
            room[9, block] = side(block, run.start, run.stop)
            room[10, block] = distance(block, run.start, run.stop)
        way[0] = outer[best]
        while steps < STEPS and way[steps - 1]:
            way[steps] = outer[parents[way[steps - 1]]]
            steps += 1
        for step in range(steps - 1, -1, -1):
            element = way[step]
            growth = part(inside, plain_sums[last[element]] - plain_sums[first[element]])
            for block in range(first[element], last[element]):
                room[5, block], room[6, block] = step, growth


def repetition(
    float[:, ::1] room not None,
    Numbers first not None,
    Numbers last not None,
    Numbers parents not None,
    Numbers siblings not None,
    Numbers nearest not None,
    const int64_t[:, ::1] kinds not None,
    Numbers units not None,
    Numbers chars not None,
    const uint64_t[::1] heads not None,
    const uint64_t[::1] tails not None,
    Numbers unit_sums not None,
):
    """Siblings of one kind around the block, and blocks of one text."""
    cdef Py_ssize_t count = nearest.shape[0], elements = parents.shape[0], element, block, level, current
    cdef int64_t sum = 0
    for size in (room.shape[1], kinds.shape[0], units.shape[0], chars.shape[0], heads.shape[0],
                 tails.shape[0], unit_sums.shape[0] - 1):
        same_size(count, size)
    for size in (first.shape[0], last.shape[0], siblings.shape[0]):
        same_size(elements, size)
    same_size(KINDS, kinds.shape[1])
    same_size(12, room.shape[0])
    below(parents, elements)
    below(siblings, elements)
    below(nearest, elements)
    below(first, count + 1)
    below(last, count + 1)
    cdef int64_t[::1] alike = np.zeros(elements, np.int64), change = np.zeros(count + 1, np.int64)
    cdef double[::1] words = np.zeros(elements)
    cdef uint64_t[::1] texts = np.empty(count, np.uint64)
    cdef int64_t[::1] same = np.empty(count, np.int64), times = np.zeros(count, np.int64)
    for block in range(count):
        texts[block] = (
            (<uint64_t>units[block] << 40 | <uint64_t>chars[block] << 20 | <uint64_t>kinds[block, LETTER])
            * FACTOR ^ heads[block] ^ tails[block] * 3
        )
    find_firsts(texts, same)
    with nogil:
        for element in range(elements):
            alike[siblings[element]] += 1
            words[siblings[element]] += unit_sums[last[element]] - unit_sums[first[element]]
        for element in range(elements):
            if alike[siblings[element]] >= 3:
                change[first[element]] += 1
                change[last[element]] -= 1
        for block in range(count):
            times[same[block]] += 1
        for block in range(count):
            current = nearest[block]
            room[0, block] = <float>alike[siblings[current]]
            for level in range(4):
                current = parents[current]
                element = siblings[current]
                room[1 + 2 * level, block] = <float>alike[element]
                room[2 + 2 * level, block] = <float>(words[element] / <double>alike[element])
            sum += change[block]
            room[9, block] = <float>sum
            room[10, block] = <float>times[same[block]]
            room[11, block] = same[block] != block


def sections(
    float[:, ::1] room not None, Numbers unit_sums not None, Numbers plain_sums not None,
    Numbers headings not None,
):
    """The text between one heading and the next."""
    cdef Py_ssize_t count = headings.shape[0], begin = 0, end, block, section = 0
    cdef int64_t units, plain, level
    for size in (room.shape[1], unit_sums.shape[0] - 1, plain_sums.shape[0] - 1):
        same_size(count, size)
    same_size(6, room.shape[0])
    with nogil:
        while begin < count:
            section += headings[begin] > 0
            end = begin + 1
            while end < count and headings[end] <= 0:
                end += 1
            units = unit_sums[end] - unit_sums[begin]
            plain = plain_sums[end] - plain_sums[begin]
            level = headings[begin]
            for block in range(begin, end):
                room[0, block] = <float>plain
                room[1, block] = part(units - plain, units)
                room[2, block] = <float>(end - begin)
                room[3, block] = <float>(block - begin)
                room[4, block] = <float>level
                room[5, block] = <float>section
            begin = end


def whole(
    float[:, ::1] room not None,
    Numbers units not None,
    Numbers plains not None,
    Numbers long not None,
    Numbers codes not None,
    int64_t article,
    tuple schemas not None,
):
    """The page as a whole."""
    cdef Py_ssize_t count = room.shape[1], i, row, longs = 0, articles = 0, rows = room.shape[0]
    cdef int64_t all_units, all_plain
    cdef float[::1] numbers = np.empty(rows, np.float32)
    for size in (units.shape[0], plains.shape[0], long.shape[0]):
        same_size(count + 1, size)
    same_size(7 + len(schemas), rows)
    all_units, all_plain = units[count], plains[count]
    for i in range(count):
        longs += long[i + 1] != long[i]
    for i in range(codes.shape[0]):
        articles += codes[i] == article
    numbers[0] = <float>all_units
    numbers[1] = part(all_units - all_plain, all_units)
    numbers[2] = part(long[count], all_plain)
    numbers[3] = <float>longs
    numbers[4] = <float>count
    numbers[5] = part(all_units, count)
    numbers[6] = <float>articles
    for row in range(len(schemas)):
        numbers[7 + row] = bool(schemas[row])
    for row in range(rows):
        for i in range(count):
            room[row, i] = numbers[row]
