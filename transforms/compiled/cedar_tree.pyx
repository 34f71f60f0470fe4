"""Twins of `transforms.extractors.cedar_tree`."""

import numpy as np

from libc.stdint cimport int64_t, uint64_t

from transforms.compiled.cedar_lookup cimport checked_shift, find

cdef enum:
    CLOSES = 1
    STOPS = 2


cdef inline Py_ssize_t _open(
    const int64_t[::1] stack_codes,
    Py_ssize_t top,
    int64_t code,
    const unsigned char[::1] rules,
    int64_t row,
    Py_ssize_t search,
) noexcept nogil:
    """Depth of the innermost open element of a name, as far as an end tag looks; 0 if there is none."""
    cdef Py_ssize_t depth = top
    cdef Py_ssize_t last = max(<Py_ssize_t>0, top - search)
    while depth > last:
        if stack_codes[depth] == code:
            return depth
        if rules[row + stack_codes[depth]] & STOPS:
            return 0
        depth -= 1
    return 0


def _elements(
    const uint64_t[::1] keys not None, ends, alive, numbers, const unsigned char[::1] rules not None,
    Py_ssize_t search,
):
    """Codes, parents, opens and closes of the elements; the tags that turn, and the innermost after each."""
    cdef const unsigned char[::1] is_end = ends.view(np.uint8), is_alive = alive.view(np.uint8)
    cdef const uint64_t[::1] table_keys = numbers.keys
    cdef const int64_t[::1] table_values = numbers.values
    cdef uint64_t multiplier = numbers.multiplier
    cdef int shift = checked_shift(table_keys, table_values, numbers.shift)
    cdef Py_ssize_t size = keys.shape[0], tag, count = 0, element = 0, top = 0, depth
    cdef int64_t code, row, page = numbers.limit
    if is_end.shape[0] != size or is_alive.shape[0] != size or rules.shape[0] != page * (page + 1):
        raise IndexError("tags, or rules, of different numbers")
    # One element for each tag at most, and the page.
    all_codes, all_parents, all_opens, all_closes, all_turns, all_inside = np.empty((6, size + 1), np.int64)
    cdef int64_t[::1] codes = all_codes, parents = all_parents, opens = all_opens, closes = all_closes
    cdef int64_t[::1] turns = all_turns, inside = all_inside
    cdef int64_t[::1] stack, stack_codes
    stack, stack_codes = np.empty((2, size + 1), np.int64)
    codes[0], parents[0], opens[0], closes[0] = -1, 0, -1, size
    stack[0], stack_codes[0] = 0, page
    with nogil:
        for tag in range(size):
            code = find(table_keys, table_values, multiplier, shift, keys[tag])
            if not 0 <= code < page or not is_alive[tag]:
                continue
            row = (page + 1) * code
            if is_end[tag]:
                depth = _open(stack_codes, top, code, rules, row, search)
                if depth:
                    while top >= depth:
                        closes[stack[top]] = tag
                        top -= 1
            else:
                # The page, at the bottom, is closed by nothing.
                while top and rules[row + stack_codes[top]] & CLOSES:
                    closes[stack[top]] = tag
                    top -= 1
                element += 1
                codes[element], parents[element], opens[element] = code, stack[top], tag
                closes[element] = size
                top += 1
                stack[top], stack_codes[top] = element, code
            turns[count], inside[count] = tag, stack[top]
            count += 1
    element += 1
    return (
        all_codes[:element],
        all_parents[:element],
        all_opens[:element],
        all_closes[:element],
        all_turns[:count],
        all_inside[:count],
    )


def places(
    const int64_t[::1] first_gaps not None,
    const int64_t[::1] turns not None,
    const int64_t[::1] inside not None,
    const int64_t[::1] opens not None,
    const int64_t[::1] closes not None,
):
    """The innermost element around each block; the first block of each element, and one past its last."""
    cdef Py_ssize_t blocks = first_gaps.shape[0], block, turn = 0, element, gap, gaps = 2
    if inside.shape[0] != turns.shape[0] or opens.shape[0] != closes.shape[0]:
        raise IndexError("turns, or elements, of different numbers")
    for element in range(opens.shape[0]):
        if opens[element] < -1 or closes[element] < 0:
            raise IndexError("an element before the page")
        gaps = max(gaps, max(opens[element], closes[element]) + 2)
    around = np.empty(blocks, np.int64)
    first_blocks, last_blocks = np.empty((2, opens.shape[0]), np.int64)
    cdef int64_t[::1] nearest = around, first = first_blocks, last = last_blocks
    cdef int64_t[::1] before = np.empty(gaps + 1, np.int64)  # blocks that begin before each gap
    block = 0
    for gap in range(gaps + 1):
        while block < blocks and first_gaps[block] < gap:
            block += 1
        before[gap] = block
    for block in range(blocks):
        while turn < turns.shape[0] and turns[turn] < first_gaps[block]:
            turn += 1
        nearest[block] = inside[turn - 1] if turn else 0
    for element in range(opens.shape[0]):
        first[element] = before[opens[element] + 1]
        last[element] = before[closes[element] + 1]
    return around, first_blocks, last_blocks
