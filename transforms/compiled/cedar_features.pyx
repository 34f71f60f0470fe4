"""Twins of `transforms.extractors.cedar_features`.

Whole numbers become floats in one step, as numpy writes them; quotients are doubles before. Sums of whole
numbers are the same in any order.
"""

import numpy as np

from libc.stdint cimport int64_t

from transforms.compiled.cedar_columns cimport Numbers, below, least, most, part, same_size
from transforms.compiled.cedar_text cimport AT, COLON, COMMA, DIGIT, KINDS, RULE, STOP, UPPER

cdef enum:
    LONG = 150
    MEASURES = 8


cdef struct Sums:
    int64_t units
    int64_t plain
    int64_t stops
    int64_t long


cdef inline Sums _between(
    Numbers units, Numbers plains, Numbers stops, Numbers long, Py_ssize_t first, Py_ssize_t last
) noexcept nogil:
    """What is in the blocks [first, last), by running sums."""
    cdef Sums found
    found.units = units[last] - units[first]
    found.plain = plains[last] - plains[first]
    found.stops = stops[last] - stops[first]
    found.long = long[last] - long[first]
    return found


cdef int _same_sums(Numbers units, Numbers plains, Numbers stops, Numbers long) except -1:
    same_size(units.shape[0], plains.shape[0])
    same_size(units.shape[0], stops.shape[0])
    same_size(units.shape[0], long.shape[0])
    if not units.shape[0]:
        raise IndexError("running sums without a first")
    return 0


def _facts(
    Numbers units not None,
    Numbers linked not None,
    Numbers chars not None,
    const int64_t[:, ::1] kinds not None,
    ends,
    alive,
):
    """Plain words; running sums of words, plain ones, stops, long ones and characters; start tags so far."""
    cdef const unsigned char[::1] is_end = ends.view(np.uint8), is_alive = alive.view(np.uint8)
    cdef Py_ssize_t count = units.shape[0], tags = is_end.shape[0], i
    same_size(count, linked.shape[0])
    same_size(count, chars.shape[0])
    same_size(count, kinds.shape[0])
    same_size(KINDS, kinds.shape[1])
    same_size(tags, is_alive.shape[0])
    sums = np.empty((5, count + 1), np.int64)
    cdef int64_t[:, ::1] running = sums
    plain_units = np.empty(count, np.int64)
    cdef int64_t[::1] plain = plain_units
    start_tags = np.empty(tags + 1, np.int64)
    cdef int64_t[::1] starts = start_tags
    with nogil:
        for i in range(5):
            running[i, 0] = 0
        for i in range(count):
            plain[i] = units[i] - units[i] * linked[i] // max(chars[i], <int64_t>1)
            running[0, i + 1] = running[0, i] + units[i]
            running[1, i + 1] = running[1, i] + plain[i]
            running[2, i + 1] = running[2, i] + kinds[i, STOP]
            running[3, i + 1] = running[3, i]
            if units[i] >= LONG and 2 * plain[i] > units[i]:
                running[3, i + 1] += plain[i]
            running[4, i + 1] = running[4, i] + chars[i]
        starts[0] = 0
        for i in range(tags):
            starts[i + 1] = starts[i]
            if is_alive[i] and not is_end[i]:
                starts[i + 1] += 1
    return (plain_units, *sums, start_tags)


def _own(
    float[:, ::1] room not None,
    const int64_t[:, ::1] kinds not None,
    Numbers units not None,
    Numbers plain not None,
    Numbers linked not None,
    Numbers chars not None,
    const unsigned char[::1] last_kinds not None,
    Numbers first_gaps not None,
    Numbers last_gaps not None,
):
    """Length, link density, punctuation and the like of the block alone."""
    cdef Py_ssize_t count = units.shape[0], i
    cdef int64_t unit, char, tags
    for size in (
        room.shape[1], kinds.shape[0], plain.shape[0], linked.shape[0], chars.shape[0], last_kinds.shape[0],
        first_gaps.shape[0], last_gaps.shape[0],
    ):
        same_size(count, size)
    same_size(KINDS, kinds.shape[1])
    same_size(17, room.shape[0])
    with nogil:
        for i in range(count):
            unit, char, tags = units[i], chars[i], last_gaps[i] - first_gaps[i]
            room[0, i] = <float>unit
            room[1, i] = <float>plain[i]
            room[2, i] = part(linked[i], char)
            room[3, i] = <float>kinds[i, STOP]
            room[4, i] = part(kinds[i, STOP], unit)
            room[5, i] = <float>kinds[i, COMMA]
            room[6, i] = part(kinds[i, COMMA], unit)
            room[7, i] = part(kinds[i, COLON], unit)
            room[8, i] = part(kinds[i, RULE], unit)
            room[9, i] = part(kinds[i, AT], unit)
            room[10, i] = part(kinds[i, DIGIT], char)
            room[11, i] = part(kinds[i, UPPER], char)
            room[12, i] = part(char, unit)
            room[13, i] = last_kinds[i] == STOP
            room[14, i] = last_kinds[i] == COLON
            room[15, i] = <float>tags
            room[16, i] = part(char, tags)


def _neighbours(
    float[:, ::1] room not None,
    const int64_t[:, ::1] kinds not None,
    Numbers units not None,
    Numbers linked not None,
    Numbers chars not None,
    tuple sums not None,
    Numbers char_sums not None,
    Numbers first_gaps not None,
    Numbers last_gaps not None,
):
    """The blocks before and behind, one by one and in windows."""
    cdef Numbers unit_sums, plain_sums, stop_sums, long_sums
    unit_sums, plain_sums, stop_sums, long_sums = sums
    cdef Py_ssize_t count = units.shape[0], i, row, other, step, first, last, since = count
    cdef Py_ssize_t[3] reaches = [2, 5, 12]
    cdef Sums around
    _same_sums(unit_sums, plain_sums, stop_sums, long_sums)
    for size in (
        room.shape[1], kinds.shape[0], linked.shape[0], chars.shape[0], unit_sums.shape[0] - 1,
        char_sums.shape[0] - 1, first_gaps.shape[0], last_gaps.shape[0],
    ):
        same_size(count, size)
    same_size(KINDS, kinds.shape[1])
    same_size(24, room.shape[0])
    with nogil:
        for i in range(count):
            row = 0
            for step in range(-2, 3):
                if not step:
                    continue
                other = i + step
                if 0 <= other < count:
                    room[row, i] = <float>units[other]
                    room[row + 1, i] = part(linked[other], chars[other])
                else:
                    room[row, i], room[row + 1, i] = 0, 1
                row += 2
                if step == 1 or step == -1:
                    room[row, i] = <float>kinds[other, STOP] if 0 <= other < count else 0
                    row += 1
            for step in range(3):
                first, last = most(i - reaches[step], 0), least(i + reaches[step] + 1, count)
                around = _between(unit_sums, plain_sums, stop_sums, long_sums, first, last)
                room[row, i] = <float>around.plain
                room[row + 1, i] = part(around.units - around.plain, around.units)
                room[row + 2, i] = part(around.stops, around.units)
                row += 3
            first, last = most(i - 3, 0), least(i + 4, count)
            room[19, i] = part(char_sums[last] - char_sums[first], last_gaps[last - 1] - first_gaps[first])
            room[20, i] = <float>(plain_sums[i] - plain_sums[most(i - 5, 0)])
            room[21, i] = <float>(plain_sums[least(i + 6, count)] - plain_sums[i + 1])
            since = 0 if long_sums[i + 1] > long_sums[i] else least(since + 1, count)
            room[22, i] = <float>since
        since = count
        for i in range(count - 1, -1, -1):
            since = 0 if long_sums[i + 1] > long_sums[i] else least(since + 1, count)
            room[23, i] = <float>since


def _position(
    float[:, ::1] room not None,
    Numbers units not None,
    Numbers plains not None,
    Numbers long not None,
    Numbers headings not None,
):
    """Where on the page the block stands, also relative to its first heading."""
    cdef Py_ssize_t count = headings.shape[0], i, level = 0, tops = 0, first = 0
    for size in (room.shape[1], units.shape[0] - 1, plains.shape[0] - 1, long.shape[0] - 1):
        same_size(count, size)
    same_size(7, room.shape[0])
    with nogil:
        while not tops and level < 2:
            level += 1
            for i in range(count):
                if headings[i] == level:
                    if not tops:
                        first = i
                    tops += 1
        for i in range(count):
            room[0, i] = <float>i
            room[1, i] = <float>(count - 1 - i)
            room[2, i] = part(units[i], units[count])
            room[3, i] = part(plains[i], plains[count])
            room[4, i] = part(long[i], long[count])
            room[5, i] = <float>(i - first if tops else -999)
            room[6, i] = <float>tops


def _densities(
    float[:, ::1] room not None,
    Numbers first not None,
    Numbers last not None,
    Numbers opens not None,
    Numbers closes not None,
    const int64_t[:, ::1] around not None,
    Numbers starts_before not None,
    tuple sums not None,
):
    """Text density, link density and weight of the elements around the block."""
    cdef Numbers units, plains, stops, long
    units, plains, stops, long = sums
    cdef Py_ssize_t count = room.shape[1], elements = first.shape[0], levels = around.shape[0]
    cdef Py_ssize_t element, block, level, measure, limit = starts_before.shape[0] - 1
    cdef int64_t tags
    cdef Sums inside
    _same_sums(units, plains, stops, long)
    same_size(count, around.shape[1])
    same_size(count, units.shape[0] - 1)
    same_size(levels * MEASURES, room.shape[0])
    for size in (last.shape[0], opens.shape[0], closes.shape[0]):
        same_size(elements, size)
    below(first, count + 1)
    below(last, count + 1)
    cdef float[:, ::1] measures = np.empty((elements, <Py_ssize_t>MEASURES), np.float32)
    for element in range(elements):
        if not -1 <= opens[element] < limit or closes[element] < 0:
            raise IndexError("an element outside of the page")
    for level in range(levels):
        below(around[level], elements)
    with nogil:
        for element in range(elements):
            inside = _between(units, plains, stops, long, first[element], last[element])
            tags = starts_before[least(closes[element], limit)] - starts_before[opens[element] + 1]
            measures[element, 0] = <float>(last[element] - first[element])
            measures[element, 1] = <float>inside.plain
            measures[element, 2] = part(inside.units, units[count])
            measures[element, 3] = part(inside.units - inside.plain, inside.units)
            measures[element, 4] = part(inside.units, tags + 1)
            measures[element, 5] = part(inside.units, last[element] - first[element])
            measures[element, 6] = part(inside.stops, inside.units)
            measures[element, 7] = part(inside.long, inside.plain)
        for level in range(levels):
            for measure in range(MEASURES):
                for block in range(count):
                    room[level * MEASURES + measure, block] = measures[around[level, block], measure]
