"""What surrounds a block: the densest container, what repeats, its section, the headline, the whole page."""

import numpy as np

from libc.stdint cimport int64_t

from transforms.extractors.segments._arithmetic cimport (
    Run, distance, extend, find_firsts, most, no_run, over, part, side,
)
from transforms.extractors.segments._blocks cimport Blocks
from transforms.extractors.segments._elements cimport ANCESTORS, Elements
from transforms.extractors.segments._page cimport SegmentedPage

from transforms.extractors.segments.names import CODE

cdef enum:
    STEPS = 16  # how far around the densest container its surroundings are told apart
    FAR = -9999  # stands for a number without headline

cdef int64_t ARTICLE = CODE["article"]


cdef Py_ssize_t fill_container(SegmentedPage page, float[:, ::1] room) except -1:
    """Fills `columns.CONTAINER`.

    A container's weight is the unlinked text directly inside of it and of its children, and half of that in its
    grandchildren, times one minus its link density: kin of CETD's DensitySum and of Readability's score.
    """
    cdef Blocks blocks = page.blocks
    cdef Elements elements = page.elements
    cdef const int64_t[::1] parents = elements.parents, nearest = elements.nearest, plain = blocks.plain
    cdef const int64_t[::1] first = elements.first, last = elements.last
    cdef const int64_t[::1] word_sums = blocks.word_sums, plain_sums = blocks.plain_sums
    cdef const int64_t[:, ::1] around = elements.around
    cdef Py_ssize_t count = blocks.count, element, block, step, steps = 1, best = 0, start, stop
    cdef int64_t words, unlinked
    cdef float growth, best_plain, best_share
    cdef Run run = no_run()
    cdef Py_ssize_t way[STEPS]
    cdef double[:, ::1] weights = np.zeros((4, elements.count))
    cdef double[::1] own = weights[0], children = weights[1], grandchildren = weights[2], weight = weights[3]
    for block in range(count):
        own[nearest[block]] += plain[block]
    for element in range(elements.count):
        children[parents[element]] += own[element]
    children[0] -= own[0]
    for element in range(elements.count):
        grandchildren[parents[element]] += children[element]
    grandchildren[0] -= children[0]
    for element in range(elements.count):
        words = word_sums[last[element]] - word_sums[first[element]]
        unlinked = plain_sums[last[element]] - plain_sums[first[element]]
        weight[element] = (own[element] + children[element] + 0.5 * grandchildren[element]) * (
            <double>unlinked / <double>max(words, <int64_t>1)
        )
        if weight[element] > weight[best]:
            best = element
    start, stop = first[best], last[best]
    unlinked = plain_sums[stop] - plain_sums[start]
    best_plain, best_share = <float>unlinked, part(unlinked, plain_sums[count])
    for block in range(count):
        extend(&run, plain[block] - (blocks.word_tenths[block] - plain[block]) - 20, block)
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
    way[0] = elements.outer[best]
    while steps < STEPS and way[steps - 1]:
        way[steps] = elements.outer[parents[way[steps - 1]]]
        steps += 1
    for step in range(steps - 1, -1, -1):
        element = way[step]
        growth = part(unlinked, plain_sums[last[element]] - plain_sums[first[element]])
        for block in range(first[element], last[element]):
            room[5, block], room[6, block] = step, growth
    return 11


cdef Py_ssize_t fill_repetition(SegmentedPage page, float[:, ::1] room) except -1:
    """Fills `columns.REPETITION`."""
    cdef Blocks blocks = page.blocks
    cdef Elements elements = page.elements
    cdef const int64_t[::1] parents = elements.parents, siblings = elements.siblings
    cdef const int64_t[::1] first = elements.first, last = elements.last, word_sums = blocks.word_sums
    cdef Py_ssize_t count = blocks.count, element, block, level, current
    cdef int64_t depth = 0
    cdef int64_t[::1] alike = np.zeros(elements.count, np.int64)
    cdef int64_t[:, ::1] numbers = np.zeros((3, count + 1), np.int64)
    cdef int64_t[::1] change = numbers[0], same = numbers[1, :count], times = numbers[2]
    cdef double[::1] words = np.zeros(elements.count)
    find_firsts(blocks.texts, same)
    for element in range(elements.count):
        alike[siblings[element]] += 1
        words[siblings[element]] += word_sums[last[element]] - word_sums[first[element]]
    for element in range(elements.count):
        if alike[siblings[element]] >= 3:
            change[first[element]] += 1
            change[last[element]] -= 1
    for block in range(count):
        times[same[block]] += 1
    for block in range(count):
        current = elements.nearest[block]
        room[0, block] = <float>alike[siblings[current]]
        for level in range(4):
            current = parents[current]
            element = siblings[current]
            room[1 + 2 * level, block] = <float>alike[element]
            room[2 + 2 * level, block] = <float>(words[element] / <double>alike[element])
        depth += change[block]
        room[9, block] = <float>depth
        room[10, block] = <float>times[same[block]]
        room[11, block] = same[block] != block
    return 12


cdef Py_ssize_t fill_sections(SegmentedPage page, float[:, ::1] room) except -1:
    """Fills `columns.SECTIONS`."""
    cdef Blocks blocks = page.blocks
    cdef const int64_t[::1] headings = page.elements.headings
    cdef const int64_t[::1] word_sums = blocks.word_sums, plain_sums = blocks.plain_sums
    cdef Py_ssize_t count = blocks.count, begin = 0, end, block, section = 0
    cdef int64_t words, plain
    while begin < count:
        section += headings[begin] > 0
        end = begin + 1
        while end < count and headings[end] <= 0:
            end += 1
        words, plain = word_sums[end] - word_sums[begin], plain_sums[end] - plain_sums[begin]
        for block in range(begin, end):
            room[0, block] = <float>plain
            room[1, block] = part(words - plain, words)
            room[2, block] = <float>(end - begin)
            room[3, block] = <float>(block - begin)
            room[4, block] = <float>headings[begin]
            room[5, block] = <float>section
        begin = end
    room[6, :] = page.headline.likeness
    return 7


cdef Py_ssize_t fill_lead(SegmentedPage page, float[:, ::1] room) except -1:
    """Fills `columns.LEAD`: where the blocks stand to the headline, `FAR` if absent."""
    cdef Blocks blocks = page.blocks
    cdef Elements elements = page.elements
    cdef const int64_t[::1] words = blocks.word_sums, plain = blocks.plain_sums
    cdef const int64_t[::1] first = elements.first, last = elements.last
    cdef Py_ssize_t count = blocks.count, head = page.headline.block, block, section = 0, low, high
    cdef int64_t element, level
    room[0, :] = page.headline.found
    if head < 0:
        room[1:6, :] = FAR
        room[6, :] = ANCESTORS + 1
        return 7
    for block in range(count):
        low, high = min(block, head), max(block, head)
        room[1, block] = <float>(block - head)
        room[2, block] = <float>(words[block] - words[head])
        room[3, block] = part(plain[block] - plain[head], plain[count])
        room[4, block] = part(
            words[high] - words[low] - (plain[high] - plain[low]), words[high] - words[low]
        )
        section += elements.headings[block] > 0
        room[5, block] = <float>section
        level = 0
        while level < ANCESTORS:
            element = elements.around[level, block]
            if first[element] <= head < last[element]:
                break
            level += 1
        room[6, block] = <float>level
    section = <Py_ssize_t>room[5, head]
    for block in range(count):
        room[5, block] -= section
    return 7


cdef Py_ssize_t fill_whole(SegmentedPage page, float[:, ::1] room) except -1:
    """Fills `columns.PAGE`."""
    cdef Blocks blocks = page.blocks
    cdef Elements elements = page.elements
    cdef const int64_t[::1] long = blocks.long_sums
    cdef Py_ssize_t count = blocks.count, i, row, longs = 0, articles = 0
    cdef int64_t words = blocks.word_sums[count], plain = blocks.plain_sums[count]
    for i in range(count):
        longs += long[i + 1] != long[i]
    for i in range(elements.count):
        articles += elements.codes[i] == ARTICLE
    room[0, :] = <float>words
    room[1, :] = part(words - plain, words)
    room[2, :] = part(long[count], plain)
    room[3, :] = <float>longs
    room[4, :] = <float>count
    room[5, :] = part(words, count)
    room[6, :] = <float>articles
    for row in range(len(page.schemas)):
        room[7 + row, :] = <float>bool(page.schemas[row])
    return 7 + len(page.schemas)
