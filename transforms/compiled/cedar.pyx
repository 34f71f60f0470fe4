"""Twins of `transforms.extractors.cedar`."""

import numpy as np

from libc.stdint cimport int64_t

from transforms.compiled.cedar_columns cimport Numbers, below, same_size
from transforms.compiled.cedar_text cimport render


def _inside(marks, Numbers first not None, Numbers last not None, Numbers units not None, int64_t tenths):
    """Marks the blocks inside of marked elements: bool (n,)."""
    cdef const unsigned char[::1] marked = marks.view(np.uint8)
    cdef Py_ssize_t count = units.shape[0], elements = marked.shape[0], element, block
    cdef int64_t depth = 0, whole
    same_size(elements, first.shape[0])
    same_size(elements, last.shape[0])
    below(first, count + 1)
    below(last, count + 1)
    cdef int64_t[::1] sums = np.empty(count + 1, np.int64), change = np.zeros(count + 1, np.int64)
    found = np.empty(count, bool)
    cdef unsigned char[::1] inside = found.view(np.uint8)
    with nogil:
        sums[0] = 0
        for block in range(count):
            sums[block + 1] = sums[block] + units[block]
        whole = max(sums[count], <int64_t>1)
        for element in range(elements):
            if marked[element] and 10 * (sums[last[element]] - sums[first[element]]) < tenths * whole:
                change[first[element]] += 1
                change[last[element]] -= 1
        for block in range(count):
            depth += change[block]
            inside[block] = depth > 0
    return found


def _written(
    const unsigned char[::1] coded not None,
    Numbers starts not None,
    Numbers stops not None,
    kept,
    Numbers nearest not None,
    Numbers codes not None,
    Numbers parents not None,
    single,
    tuple cells not None,
    int64_t row,
):
    """Writes the blocks that stay, a line for each, or for the cells of a row; and counts their words."""
    cdef const unsigned char[::1] stays = kept.view(np.uint8), is_single = single.view(np.uint8)
    cdef Py_ssize_t count = starts.shape[0], block, element, at = 0, begin, behind, i, room = 0, words = 0
    cdef int64_t code, data_cell, heading_cell, line = -1, current
    cdef bint blank = True
    data_cell, heading_cell = cells
    for size in (stops.shape[0], stays.shape[0], nearest.shape[0]):
        same_size(count, size)
    same_size(codes.shape[0], parents.shape[0])
    same_size(codes.shape[0], is_single.shape[0])
    below(nearest, codes.shape[0])
    below(parents, codes.shape[0])
    for block in range(count):
        if not 0 <= starts[block] <= stops[block] <= coded.shape[0]:
            raise IndexError("a block outside of the text")
        if stays[block]:
            room += stops[block] - starts[block] + 1  # a block grows by what parts it from the one before
    buffer = np.empty(room, np.uint8)
    cdef unsigned char[::1] out = buffer
    with nogil:
        for block in range(count):
            if not stays[block]:
                continue
            begin = at + (at > 0)
            behind = render(coded, starts[block], stops[block], out, begin)
            if behind == begin:
                continue
            element = nearest[block]
            code = codes[element]
            current = -1
            if is_single[element] and (code == data_cell or code == heading_cell):
                if codes[parents[element]] == row:
                    current = parents[element]
            if at:
                out[at] = c"\t" if current >= 0 and current == line else c"\n"
            line = current
            at = behind
        for i in range(at):
            # A no-break space is left where a reference without `;` runs into letters.
            if out[i] <= 0x20 or (out[i] == 0xC2 and i + 1 < at and out[i + 1] == 0xA0):
                blank = True
            elif out[i] != 0xA0 or not i or out[i - 1] != 0xC2:
                words += blank
                blank = False
    return buffer[:at].tobytes(), words
