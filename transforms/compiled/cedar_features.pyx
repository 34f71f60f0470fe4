"""Twins of `transforms.extractors.cedar_features`.

Whole numbers become floats in one step, as numpy writes them; quotients are doubles before. Sums of whole
numbers are the same in any order.
"""

import numpy as np

from libc.stdint cimport int64_t, uint64_t

from transforms.compiled.cedar_columns cimport (
    Numbers, Run, below, distance, extend, find_firsts, least, most, over, part, same_size, side,
)

from transforms.compiled.cedar_text cimport render

cdef enum:  # kinds of bytes, as in `cedar_text`
    LETTER = 1
    UPPER = 2
    DIGIT = 3
    STOP = 6
    COMMA = 7
    COLON = 8
    RULE = 9
    AT = 10
    KINDS = 12

cdef enum:
    LONG = 150
    STEPS = 16
    MEASURES = 8
    PASSAGE = 4  # characters from which a text that stands in the title is taken for a part of it

cdef uint64_t FACTOR = 0x9E3779B97F4A7C15


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


def _container(
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


def _repetition(
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


def _sections(
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


def _whole(
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


cdef inline bint _is_of_word(unsigned char byte) noexcept nogil:
    return c"a" <= byte <= c"z" or c"0" <= byte <= c"9"


cdef double _share(bytes text, set words):
    """The share of the words of a text, ASCII in small letters, that are among others."""
    cdef const unsigned char[::1] data = text
    cdef Py_ssize_t size = data.shape[0], at = 0, begin, count = 0, common = 0
    while at < size:
        begin = at
        while at < size and _is_of_word(data[at]):
            at += 1
        if at > begin:
            count += 1
            common += text[begin:at] in words
        else:
            at += 1
    return <double>common / <double>count if count > 1 else 0


def _alike(
    const unsigned char[::1] coded not None,
    Numbers starts not None,
    Numbers stops not None,
    str title not None,
    words,
    likeness,
):
    """The likeness to the title of the text in each range: float64, as many."""
    cdef Py_ssize_t count = starts.shape[0], i, at, size, longest = 0
    cdef bint is_ascii
    cdef unsigned char byte
    cdef bytes folded = title.encode(), text
    cdef set known = {word.encode() for word in words}
    same_size(count, stops.shape[0])
    for i in range(count):
        if not 0 <= starts[i] <= stops[i] <= coded.shape[0]:
            raise IndexError("a range outside of the text")
        longest = most(longest, stops[i] - starts[i])
    found = np.empty(count)
    cdef double[::1] result = found
    room = np.empty(longest, np.uint8)
    cdef unsigned char[::1] out = room
    for i in range(count):
        size = render(coded, starts[i], stops[i], out, 0)
        is_ascii = True
        for at in range(size):
            byte = out[at]
            is_ascii &= byte < 0x80
            if c"A" <= byte <= c"Z":
                out[at] = byte | 0x20
        text = room[:size].tobytes()
        if not is_ascii:
            result[i] = likeness(text.decode().lower(), title, words)
        elif size >= PASSAGE and text in folded:
            result[i] = 1
        else:
            result[i] = _share(text, known)
    return found
