"""What was chosen for its most part is made whole: tables of data, `pre`, lists; headings above what stays.

Each block is scored for itself, and a cell of one word or a line of code is hard to tell from a label beside the
text. That the table around it stays says more. So an element stays whole if half of its words were chosen or more; a
table or a `pre` also if the text right before and after it was, and the element that holds all three is near. A table
is one of data if it has rows and columns and cells of one block; amid the text also of two. Lists are those whose items
are one block each; their links do not come back. A heading stays above a section of its own that does, unless it is a
link.
"""

import numpy as np

from libc.stdint cimport int64_t

from transforms.extractors.cedar._blocks cimport Blocks
from transforms.extractors.cedar._elements cimport Elements
from transforms.extractors.cedar._page cimport SegmentedPage

from transforms.extractors.cedar.model import UNIT
from transforms.extractors.cedar.names import CODE

cdef enum:
    ROWS = 2  # of a table of data at least, with as many cells each, on the mean
    CROWDED = 2  # blocks a cell, on the mean, up to which a table amid the text is one of data
    NEAR = 4  # elements from a table or `pre` to the one that holds the text before and after
    BELOW = 2  # elements from the text below a heading to the one that holds both
    SECTION = 100  # tenths of words chosen below a heading, at least

cdef int64_t TABLE = CODE["table"], ROW = CODE["tr"], CELL = CODE["td"], HEADER = CODE["th"], PRE = CODE["pre"]
cdef int64_t UNORDERED = CODE["ul"], ORDERED = CODE["ol"], ITEM = CODE["li"]
cdef int64_t UNLIKELY = -2 * UNIT  # headings of this score are not looked at


def complete(SegmentedPage page not None, const int64_t[::1] scores not None, chosen not None):
    """The choice made whole: bool (n,).

    Args:
        page: a page of n blocks.
        scores: int64 (n,), log-odds in ten-thousandths.
        chosen: bool (n,), the blocks that were chosen.
    """
    if scores.shape[0] != page.blocks.count or chosen.shape != (page.blocks.count,):
        raise ValueError("scores or a choice of another page")
    kept = chosen.copy()
    cdef unsigned char[::1] stays = kept.view(np.uint8)
    _complete_elements(page, stays)
    _complete_headings(page, scores, stays)
    return kept


cdef int _complete_elements(SegmentedPage page, unsigned char[::1] stays) except -1:
    """Keeps tables of data, `pre` and lists whole."""
    cdef Blocks blocks = page.blocks
    cdef Elements elements = page.elements
    cdef const int64_t[::1] codes = elements.codes, first = elements.first, last = elements.last
    cdef const int64_t[::1] words = blocks.word_tenths, linked = blocks.linked, chars = blocks.chars
    cdef Py_ssize_t count = blocks.count, element, block
    cdef int64_t code, mass, whole, size, depth = 0, lists = 0
    cdef int64_t[:, ::1] counts = _count_parts(elements)
    cdef const int64_t[::1] rows = counts[0], cells = counts[1], items = counts[2]
    cdef int64_t[:, ::1] numbers = np.zeros((4, count + 1), np.int64)
    # Words, and those chosen, of the blocks before each; where elements that stay begin, less those that end.
    cdef int64_t[::1] all_words = numbers[0], chosen = numbers[1], turns = numbers[2], list_turns = numbers[3]
    for block in range(count):
        mass = max(words[block], <int64_t>1)
        all_words[block + 1] = all_words[block] + mass
        chosen[block + 1] = chosen[block] + (mass if stays[block] else 0)
    for element in range(1, elements.count):
        code = codes[element]
        if first[element] == last[element] or code not in (TABLE, PRE, UNORDERED, ORDERED):
            continue
        whole = all_words[last[element]] - all_words[first[element]]
        mass = chosen[last[element]] - chosen[first[element]]
        if mass == whole:
            continue
        if code == UNORDERED or code == ORDERED:
            if 2 * mass >= whole and last[element] - first[element] <= items[element]:
                list_turns[first[element]] += 1
                list_turns[last[element]] -= 1
        elif code == PRE or (rows[element] >= ROWS and cells[element] >= ROWS * rows[element]):
            size = last[element] - first[element]
            if (2 * mass >= whole and (code == PRE or size <= cells[element])) or (
                (code == PRE or size <= CROWDED * cells[element]) and _is_amid(elements, element, stays)
            ):
                turns[first[element]] += 1
                turns[last[element]] -= 1
    for block in range(count):
        depth += turns[block]
        lists += list_turns[block]
        if depth or (lists and 2 * linked[block] <= chars[block]):
            stays[block] = True
    return 0


cdef int64_t[:, ::1] _count_parts(Elements elements):
    """What has text in each element: rows and cells of tables that hold no other (rows: else -1), and items inside."""
    cdef const int64_t[::1] codes = elements.codes, parents = elements.parents
    cdef const int64_t[::1] first = elements.first, last = elements.last
    cdef Py_ssize_t count = elements.count, element
    cdef int64_t[:, ::1] counts = np.zeros((4, count), np.int64)
    cdef int64_t[::1] rows = counts[0], cells = counts[1], items = counts[2]
    cdef int64_t[::1] tables = counts[3]  # the table each element stands in
    for element in range(1, count):
        tables[element] = parents[element] if codes[parents[element]] == TABLE else tables[parents[element]]
        if first[element] == last[element]:
            continue
        if codes[element] == ROW and rows[tables[element]] >= 0:
            rows[tables[element]] += 1
        elif codes[element] == CELL or codes[element] == HEADER:
            cells[tables[element]] += 1
        elif codes[element] == TABLE:
            rows[tables[element]] = -1
    # Elements come after those they stand in.
    for element in range(count - 1, 0, -1):
        if codes[element] == ITEM and first[element] < last[element]:
            items[element] += 1
        items[parents[element]] += items[element]
    return counts


cdef bint _is_amid(Elements elements, Py_ssize_t element, const unsigned char[::1] chosen) noexcept:
    """Whether what stands right before and after an element was chosen, in an element near around it."""
    cdef int64_t first = elements.first[element], last = elements.last[element], around = element
    cdef Py_ssize_t step
    if first == 0 or last == chosen.shape[0] or not chosen[first - 1] or not chosen[last]:
        return False
    for step in range(NEAR):
        around = elements.parents[around]
        if elements.first[around] < first and elements.last[around] > last:
            return True
    return False


cdef int _complete_headings(SegmentedPage page, const int64_t[::1] scores, unsigned char[::1] stays) except -1:
    """Keeps headings below the first level above sections that stay."""
    cdef Blocks blocks = page.blocks
    cdef Elements elements = page.elements
    cdef const int64_t[::1] headings = elements.headings, parents = elements.parents
    cdef Py_ssize_t count = blocks.count, block, below
    cdef int64_t holder, around, step, mass, whole, kept
    for block in range(count - 1):
        if headings[block] < 2 or stays[block] or not stays[block + 1] or headings[block + 1]:
            continue
        if scores[block] <= UNLIKELY or 2 * blocks.linked[block] > blocks.chars[block]:
            continue
        holder = parents[elements.outer[elements.nearest[block]]]
        around = elements.nearest[block + 1]
        for step in range(BELOW):
            if around != holder:
                around = parents[around]
        if around != holder:
            continue
        whole = kept = 0
        for below in range(block + 1, min(<int64_t>count, elements.last[holder])):
            if headings[below]:
                break
            mass = max(blocks.word_tenths[below], <int64_t>1)
            whole += mass
            if stays[below]:
                kept += mass
        if kept >= SECTION and 2 * kept >= whole:
            stays[block] = True
    return 0
