"""What each block is: columns about itself, its neighbours, its place, and the elements around it.

The columns are as in `columns`, in its order. Whole numbers become floats in one step; quotients are doubles
before.
"""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.string cimport memset

from cedar.transforms.extractors.html._bytes cimport HAS_AVX2, lowest_bit
from cedar.transforms.extractors.html._growing cimport IntArena
from cedar.transforms.extractors.segments._arithmetic cimport (
    Run, distance, extend, find_firsts, least, most, no_run, over, part, side,
)
from cedar.transforms.extractors.segments._blocks cimport AT, COLON, COMMA, DIGIT, RULE, STOP, UNSPACED, UPPER, Blocks
from cedar.transforms.extractors.segments._elements cimport ANCESTORS, Elements
from cedar.transforms.extractors.segments._markup cimport LINE_BREAK, Markup
from cedar.transforms.extractors.segments._page cimport SegmentedPage

from cedar.transforms.extractors.cedar._parts cimport PageParts, fill_signs

from cedar.transforms.extractors.cedar import columns as names_of_columns
from cedar.transforms.extractors.segments import names as vocabulary

cdef extern from *:
    """
    typedef float Floats __attribute__((vector_size(16)));
    typedef double Doubles __attribute__((vector_size(32)));
    #define SUM_UP(NAME) static void NAME( \
        const float *values, const double *weights, Py_ssize_t count, double *weighted, double *plain \
    ) { \
        Doubles lanes[4] = {{0}}; /* weighted ones, then plain ones */ \
        Py_ssize_t i = 0; \
        for (; i + 8 <= count; i += 8) \
            for (int half = 0; half < 2; half++) { \
                Floats four; \
                Doubles weight; \
                memcpy(&four, values + i + 4 * half, sizeof four); \
                memcpy(&weight, weights + i + 4 * half, sizeof weight); \
                const Doubles wide = __builtin_convertvector(four, Doubles); \
                lanes[half] += wide * weight; \
                lanes[2 + half] += wide; \
            } \
        for (int k = 0; i + k < count; k++) { \
            lanes[k / 4][k % 4] += (double)values[i + k] * weights[i + k]; \
            lanes[2 + k / 4][k % 4] += (double)values[i + k]; \
        } \
        double both[16]; \
        memcpy(both, lanes, sizeof both); \
        *weighted = ((both[0] + both[1]) + (both[2] + both[3])) + ((both[4] + both[5]) + (both[6] + both[7])); \
        *plain = ((both[8] + both[9]) + (both[10] + both[11])) + ((both[12] + both[13]) + (both[14] + both[15])); \
    }
    SUM_UP(sum_up_plain)
    #ifdef AVX2
    AVX2 SUM_UP(sum_up_wide)
    #else
    #define sum_up_wide sum_up_plain
    #endif
    """
    # The sums of values, weighted and as they are: eight sums each, which are added up two and two.
    void sum_up_plain(
        const float *values, const double *weights, Py_ssize_t count, double *weighted, double *plain
    ) noexcept nogil
    void sum_up_wide(
        const float *values, const double *weights, Py_ssize_t count, double *weighted, double *plain
    ) noexcept nogil

cdef enum:
    MEASURES = 8  # of an element
    MAX_LEVELS = 16  # how far around the densest container its surroundings are told apart
    NO_HEADLINE = -9999  # stands for a number without headline
    MIN_SENTENCE_WORDS = 80  # tenths of words of a block of sentences, at least
    MIN_TEXT_WORDS = 2000  # tenths of words from which a block may be a text by itself

cdef int64_t ARTICLE = vocabulary.CODE["article"]

cdef Py_ssize_t GROUPS = len(vocabulary.GROUPS)
cdef Py_ssize_t ROWS = len(names_of_columns.BLOCK_COLUMNS)


def _masks(kinds):
    """For each code of elements, the page's last, a bit for each kind that has it: uint32."""
    masks = np.zeros(len(vocabulary.CODE) + 1, np.uint32)
    for bit, names in enumerate(kinds.values()):
        for name in names.split():
            masks[vocabulary.CODE[name]] |= np.uint32(1 << bit)
    return masks


cdef const uint32_t[::1] PLACED_IN = _masks(names_of_columns.PLACED_IN)
cdef const uint32_t[::1] MEANINGS = _masks(names_of_columns.MEANINGS)
cdef Py_ssize_t PLACES = len(names_of_columns.PLACED_IN)
cdef Py_ssize_t MEANT = len(names_of_columns.MEANINGS)


def measure(SegmentedPage page not None):
    """Measure the blocks of a page, at least one.

    Returns:
        float32 (columns, n): `BLOCK_COLUMNS`, and after them room for the others of `ALL_COLUMNS`.
    """
    values = np.empty((len(names_of_columns.ALL_COLUMNS), page.blocks.count), np.float32)
    cdef float[:, ::1] room = values
    cdef PageParts parts = PageParts(page)
    cdef Py_ssize_t at = 0
    at += _fill_own(page.blocks, room)
    at += _fill_tag(page, room[at:])
    at += _fill_neighbours(page.blocks, room[at:])
    at += _fill_position(page, room[at:])
    at += _fill_densities(page, room[at:])
    at += _fill_container(page, room[at:])
    at += _fill_names(page, room[at:])
    at += _fill_repetition(page, room[at:])
    at += _fill_sections(page, room[at:])
    at += _fill_lead(page, room[at:])
    at += _fill_whole(page, room[at:])
    at += parts.fill_fields(room[at:])
    at += parts.fill_pictures(room[at:])
    at += parts.fill_items(parts.items, room[at:])
    at += parts.fill_items(parts.outer_items, room[at:])
    at += parts.fill_cells(room[at:])
    at += fill_signs(page.blocks, room[at:])
    if at != ROWS:
        raise AssertionError(f"{at} columns were filled, and {ROWS} have a name")
    return values


def find_prose(SegmentedPage page not None):
    """Find the blocks of prose that hold half of a page's unlinked words, or more: int64, at most two.

    Prose has 200 words or more, hardly a link, the end of a sentence to 60 words, and few signs: no code, no data.
    """
    cdef Blocks blocks = page.blocks
    cdef Py_ssize_t block
    cdef int64_t tenths, signs, whole = blocks.plain_sums[blocks.count]
    cdef bint has_sentences
    cdef list found = []
    for block in range(blocks.count):
        tenths = blocks.word_tenths[block]
        if tenths < MIN_TEXT_WORDS or 2 * blocks.plain[block] < whole:
            continue
        if 10 * blocks.linked[block] > blocks.chars[block]:
            continue
        signs = blocks.kinds[block, COLON] + blocks.kinds[block, RULE] + blocks.kinds[block, AT]
        has_sentences = 600 * blocks.kinds[block, STOP] >= tenths
        has_sentences |= 2 * blocks.kinds[block, UNSPACED] >= blocks.chars[block]  # scripts that need no stops
        if has_sentences and 50 * signs <= tenths:
            found.append(block)
    return np.array(found, np.int64)


def words_in_sentences(SegmentedPage page not None, const unsigned char[::1] kept not None):
    """Count the unlinked words in blocks that read as sentences: of the page, and of the kept blocks; in tenths.

    Such blocks have eight words or more, most of them outside of links, and the end of a sentence, or are of a script
    that needs none. `kept` is bool (n,).
    """
    cdef Blocks blocks = page.blocks
    cdef Py_ssize_t block
    cdef int64_t of_page = 0, of_kept = 0
    if kept.shape[0] != blocks.count:
        raise ValueError("flags of another page")
    for block in range(blocks.count):
        if blocks.word_tenths[block] < MIN_SENTENCE_WORDS or 2 * blocks.plain[block] <= blocks.word_tenths[block]:
            continue
        if blocks.kinds[block, STOP] or 2 * blocks.kinds[block, UNSPACED] > blocks.chars[block]:
            of_page += blocks.plain[block]
            of_kept += blocks.plain[block] if kept[block] else 0
    return of_page, of_kept


cdef Py_ssize_t _fill_own(Blocks blocks, float[:, ::1] room) except -1:
    """Fill `columns.OWN`."""
    cdef const int64_t[:, ::1] kinds = blocks.kinds
    cdef Py_ssize_t i
    cdef int64_t tenths, chars, tags
    for i in range(blocks.count):
        tenths, chars, tags = blocks.word_tenths[i], blocks.chars[i], blocks.last_gaps[i] - blocks.first_gaps[i]
        room[0, i] = <float>tenths
        room[1, i] = <float>blocks.plain[i]
        room[2, i] = part(blocks.linked[i], chars)
        room[3, i] = <float>kinds[i, STOP]
        room[4, i] = part(kinds[i, STOP], tenths)
        room[5, i] = <float>kinds[i, COMMA]
        room[6, i] = part(kinds[i, COMMA], tenths)
        room[7, i] = part(kinds[i, COLON], tenths)
        room[8, i] = part(kinds[i, RULE], tenths)
        room[9, i] = part(kinds[i, AT], tenths)
        room[10, i] = part(kinds[i, DIGIT], chars)
        room[11, i] = part(kinds[i, UPPER], chars)
        room[12, i] = part(chars, tenths)
        room[13, i] = blocks.last_kinds[i] == STOP
        room[14, i] = blocks.last_kinds[i] == COLON
        room[15, i] = <float>tags
        room[16, i] = part(chars, tags)
    return 17


cdef Py_ssize_t _fill_tag(SegmentedPage page, float[:, ::1] room) except -1:
    """Fill `columns.TAG`."""
    cdef Blocks blocks = page.blocks
    cdef Elements elements = page.elements
    cdef Markup markup = page.markup
    cdef Py_ssize_t block, row
    cdef int64_t code, first, last, end = 0
    cdef uint32_t mask
    for block in range(blocks.count):
        first, last = blocks.first_gaps[block], blocks.last_gaps[block]
        room[0, block] = <float>elements.headings[block]
        code = elements.codes[elements.nearest[block]]
        mask = PLACED_IN[code] if code >= 0 else 0
        for row in range(PLACES):
            room[row + 1, block] = mask >> row & 1
        room[PLACES + 1, block] = first > 0 and markup.roles[first - 1] == LINE_BREAK
        room[PLACES + 2, block] = last < markup.tags.count and markup.roles[last] == LINE_BREAK
        room[PLACES + 3, block] = <float>(first - end)
        end = last
    return PLACES + 4


cdef Py_ssize_t _fill_neighbours(Blocks blocks, float[:, ::1] room) except -1:
    """Fill `columns.NEIGHBOURS`."""
    cdef const int64_t[::1] tenths = blocks.word_sums, plain = blocks.plain_sums, stops = blocks.stop_sums
    cdef const int64_t[::1] long = blocks.long_sums
    cdef Py_ssize_t count = blocks.count, i, row, other, step, first, last, since = count
    cdef int64_t words
    cdef Py_ssize_t[3] reaches = [2, 5, 12]
    for i in range(count):
        row = 0
        for step in range(-2, 3):
            if not step:
                continue
            other = i + step
            if 0 <= other < count:
                room[row, i] = <float>blocks.word_tenths[other]
                room[row + 1, i] = part(blocks.linked[other], blocks.chars[other])
            else:
                room[row, i], room[row + 1, i] = 0, 1
            row += 2
            if step == 1 or step == -1:
                room[row, i] = <float>blocks.kinds[other, STOP] if 0 <= other < count else 0
                row += 1
        for step in range(3):
            first, last = most(i - reaches[step], 0), least(i + reaches[step] + 1, count)
            words = tenths[last] - tenths[first]
            room[row, i] = <float>(plain[last] - plain[first])
            room[row + 1, i] = part(words - (plain[last] - plain[first]), words)
            room[row + 2, i] = part(stops[last] - stops[first], words)
            row += 3
        first, last = most(i - 3, 0), least(i + 4, count)
        room[19, i] = part(
            blocks.char_sums[last] - blocks.char_sums[first], blocks.last_gaps[last - 1] - blocks.first_gaps[first]
        )
        room[20, i] = <float>(plain[i] - plain[most(i - 5, 0)])
        room[21, i] = <float>(plain[least(i + 6, count)] - plain[i + 1])
        since = 0 if long[i + 1] > long[i] else least(since + 1, count)
        room[22, i] = <float>since
    since = count
    for i in range(count - 1, -1, -1):
        since = 0 if long[i + 1] > long[i] else least(since + 1, count)
        room[23, i] = <float>since
    return 24


cdef Py_ssize_t _fill_position(SegmentedPage page, float[:, ::1] room) except -1:
    """Fill `columns.POSITION`."""
    cdef Blocks blocks = page.blocks
    cdef const int64_t[::1] headings = page.elements.headings
    cdef const int64_t[::1] tenths = blocks.word_sums, plain = blocks.plain_sums, long = blocks.long_sums
    cdef Py_ssize_t count = blocks.count, i, level = 0, tops = 0, first = 0
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
        room[2, i] = part(tenths[i], tenths[count])
        room[3, i] = part(plain[i], plain[count])
        room[4, i] = part(long[i], long[count])
        room[5, i] = <float>(i - first if tops else -999)
        room[6, i] = <float>tops
    return 7


cdef Py_ssize_t _fill_densities(SegmentedPage page, float[:, ::1] room) except -1:
    """Fill `columns.DENSITIES`."""
    cdef Blocks blocks = page.blocks
    cdef Elements elements = page.elements
    cdef const int64_t[::1] tenths = blocks.word_sums, plain = blocks.plain_sums, starts = page.markup.starts_before
    cdef const int64_t[:, ::1] around = elements.around
    cdef Py_ssize_t count = blocks.count, element, block, level, measure, first, last
    cdef int64_t tags, words, unlinked
    cdef float[:, ::1] measures = np.empty((elements.count, <Py_ssize_t>MEASURES), np.float32)
    for element in range(elements.count):
        first, last = elements.first[element], elements.last[element]
        words, unlinked = tenths[last] - tenths[first], plain[last] - plain[first]
        tags = starts[elements.closes[element]] - starts[elements.opens[element] + 1]
        measures[element, 0] = <float>(last - first)
        measures[element, 1] = <float>unlinked
        measures[element, 2] = part(words, tenths[count])
        measures[element, 3] = part(words - unlinked, words)
        measures[element, 4] = part(words, tags + 1)
        measures[element, 5] = part(words, last - first)
        measures[element, 6] = part(blocks.stop_sums[last] - blocks.stop_sums[first], words)
        measures[element, 7] = part(blocks.long_sums[last] - blocks.long_sums[first], unlinked)
    for level in range(ANCESTORS):
        for block in range(count):
            element = around[level, block]
            for measure in range(MEASURES):
                room[level * MEASURES + measure, block] = measures[element, measure]
    return ANCESTORS * MEASURES


cdef Py_ssize_t _fill_names(SegmentedPage page, float[:, ::1] room) except -1:
    """Fill `columns.NAMES_AROUND`: how many elements of each name and each group of words hold a block.

    What is said of elements that hold nearly all of the page says nothing of a part of it.
    """
    cdef Blocks blocks = page.blocks
    cdef Elements elements = page.elements
    cdef const int64_t[::1] tenths = blocks.word_sums, codes = elements.codes
    cdef const int64_t[::1] first = elements.first, last = elements.last
    cdef const int64_t[::1] groups = elements.groups
    cdef const unsigned char[::1] hidden = elements.hidden
    cdef Py_ssize_t count = blocks.count, row, element, block, near_row = MEANT + GROUPS + 1
    cdef int64_t max_words = 9 * max(tenths[count], <int64_t>1), depth
    cdef uint64_t mask, met = 0  # a bit a row
    cdef int32_t[:, ::1] changes = np.zeros((near_row, count + 1), np.int32)
    for element in range(1, elements.count):
        if first[element] == last[element]:
            continue
        mask = MEANINGS[codes[element]]
        if groups[element] or hidden[element]:
            if 10 * (tenths[last[element]] - tenths[first[element]]) < max_words:
                mask |= (<uint64_t>groups[element] | <uint64_t>(hidden[element] != 0) << GROUPS) << MEANT
        met |= mask
        while mask:
            row = lowest_bit(mask)
            changes[row, first[element]] += 1
            changes[row, last[element]] -= 1
            mask &= mask - 1
    # Most names are on no element of a page.
    memset(&room[0, 0], 0, (near_row + GROUPS) * count * sizeof(float))
    while met:
        row = lowest_bit(met)
        depth = 0
        for block in range(count):
            depth += changes[row, block]
            room[row, block] = <float>depth
        met &= met - 1
    for block in range(count):
        element = elements.nearest[block]
        mask = groups[elements.parents[element]]
        while mask:
            room[near_row + lowest_bit(mask), block] += 1
            mask &= mask - 1
        mask = groups[element]
        while mask:
            room[near_row + lowest_bit(mask), block] += 2
            mask &= mask - 1
    return near_row + GROUPS


cdef Py_ssize_t _fill_container(SegmentedPage page, float[:, ::1] room) except -1:
    """Fill `columns.CONTAINER`.

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
    cdef Py_ssize_t way[MAX_LEVELS]
    cdef IntArena numbers = page.markup.room
    cdef int64_t[::1] own = numbers.zeros(elements.count), children = numbers.zeros(elements.count)
    cdef int64_t[::1] grandchildren = numbers.zeros(elements.count)
    cdef double[::1] weight = np.empty(elements.count)
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
        room[5, block], room[6, block] = MAX_LEVELS, 0
        room[7, block], room[8, block] = best_plain, best_share
        room[9, block] = side(block, run.start, run.stop)
        room[10, block] = distance(block, run.start, run.stop)
    way[0] = elements.outer[best]
    while steps < MAX_LEVELS and way[steps - 1]:
        way[steps] = elements.outer[parents[way[steps - 1]]]
        steps += 1
    for step in range(steps - 1, -1, -1):
        element = way[step]
        growth = part(unlinked, plain_sums[last[element]] - plain_sums[first[element]])
        for block in range(first[element], last[element]):
            room[5, block], room[6, block] = step, growth
    return 11


cdef Py_ssize_t _fill_repetition(SegmentedPage page, float[:, ::1] room) except -1:
    """Fill `columns.REPETITION`."""
    cdef Blocks blocks = page.blocks
    cdef Elements elements = page.elements
    cdef const int64_t[::1] parents = elements.parents, first_alike = elements.first_alike
    cdef const int64_t[::1] first = elements.first, last = elements.last, word_sums = blocks.word_sums
    cdef Py_ssize_t count = blocks.count, element, block, level, current
    cdef int64_t depth = 0
    cdef IntArena numbers = page.markup.room
    cdef int64_t[::1] alike = numbers.zeros(elements.count), words = numbers.zeros(elements.count)
    cdef int64_t[::1] change = numbers.zeros(count + 1), same = numbers.take(count), times = numbers.zeros(count)
    find_firsts(blocks.texts, same, numbers)
    for element in range(elements.count):
        alike[first_alike[element]] += 1
        words[first_alike[element]] += word_sums[last[element]] - word_sums[first[element]]
    for element in range(elements.count):
        if alike[first_alike[element]] >= 3:
            change[first[element]] += 1
            change[last[element]] -= 1
    for block in range(count):
        times[same[block]] += 1
    for block in range(count):
        current = elements.nearest[block]
        room[0, block] = <float>alike[first_alike[current]]
        for level in range(4):
            current = parents[current]
            element = first_alike[current]
            room[1 + 2 * level, block] = <float>alike[element]
            room[2 + 2 * level, block] = part(words[element], alike[element])
        depth += change[block]
        room[9, block] = <float>depth
        room[10, block] = <float>times[same[block]]
        room[11, block] = same[block] != block
    return 12


cdef Py_ssize_t _fill_sections(SegmentedPage page, float[:, ::1] room) except -1:
    """Fill `columns.SECTIONS`."""
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
    room[6, :] = page.title_match.likeness
    return 7


cdef Py_ssize_t _fill_lead(SegmentedPage page, float[:, ::1] room) except -1:
    """Fill `columns.LEAD`: where the blocks stand to the headline, `NO_HEADLINE` without one."""
    cdef Blocks blocks = page.blocks
    cdef Elements elements = page.elements
    cdef const int64_t[::1] words = blocks.word_sums, plain = blocks.plain_sums
    cdef const int64_t[::1] first = elements.first, last = elements.last
    cdef Py_ssize_t count = blocks.count, head = page.title_match.block, block, section = 0, low, high
    cdef int64_t element, level
    room[0, :] = page.title_match.block_likeness
    if head < 0:
        room[1:6, :] = NO_HEADLINE
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


cdef Py_ssize_t _fill_whole(SegmentedPage page, float[:, ::1] room) except -1:
    """Fill `columns.PAGE`."""
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


def means(const float[:, ::1] values not None, const int64_t[::1] word_tenths not None, asked=None):
    """Means of k columns over words, each block's one tenth or more, and after them over blocks: float32 (2 k, 1).

    They are added in an order of their own, so that they are the same on every machine: every eighth block, one
    after the other; then these eight sums, two and two. `asked`, uint8 (k,): the columns that are wanted; others have
    means of 0.
    """
    cdef Py_ssize_t count = word_tenths.shape[0], columns = values.shape[0], column, i
    cdef double words = 0, weighted, plain
    cdef double[::1] weights = np.empty(count)
    cdef const unsigned char[::1] wanted = asked
    if values.shape[1] != count or wanted is not None and wanted.shape[0] != columns:
        raise ValueError("columns and words of different blocks, or other columns than are asked for")
    found = np.zeros((2 * columns, 1), np.float32)
    cdef float[:, ::1] result = found
    for i in range(count):
        weights[i] = <double>max(word_tenths[i], <int64_t>1)
        words += weights[i]
    for column in range(columns):
        if wanted is not None and not wanted[column]:
            continue
        if HAS_AVX2:
            sum_up_wide(&values[column, 0], &weights[0], count, &weighted, &plain)
        else:
            sum_up_plain(&values[column, 0], &weights[0], count, &weighted, &plain)
        result[column, 0], result[columns + column, 0] = <float>(weighted / words), <float>(plain / <double>count)
    return found
