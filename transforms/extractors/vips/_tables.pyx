"""The rows, cells and columns of a page's tables.

A form between a table and its rows, or a row and its cells, is passed through: libxml2 leaves it there, and
what HTML5 makes of such pages has an empty one.
"""

import numpy as np

from libc.stdint cimport int32_t

from transforms.extractors.tree._tree cimport Tree
from transforms.extractors.vips._names cimport BREAK, CELL, FORM, ROW, SECTION, TABLE, is_replaced
from transforms.extractors.vips._styles cimport BLOCK, NONE, Styles

cdef enum:
    _MOST_COLUMNS = 1000
    _MOST_WANTED = 600  # px
    _REPLACED = 20  # px

cdef enum Place:
    _ELSEWHERE, _IN_TABLE, _IN_ROW


cdef class Tables:
    def __cinit__(self, Tree tree not None, Styles styles not None, const float[::1] widths not None):
        self.seat, self.column = np.zeros(tree.size, np.uint8), np.zeros(tree.size, np.int32)
        self.next_cell, self.wanted = np.full(tree.size, -1, np.int32), np.zeros(tree.size)
        if not _seat_all(self, tree, styles):
            return  # no table
        _widen(self, tree, styles, widths)

    cdef Py_ssize_t span_of(self, Styles styles, Py_ssize_t cell, Py_ssize_t columns) noexcept:
        """How many columns a cell spans."""
        return min(<Py_ssize_t>styles.span[cell], columns - self.column[cell])


cdef bint _seat_all(Tables tables, Tree tree, Styles styles) except -1:
    """Finds rows and cells, and the columns of these; returns whether there is a table."""
    places = np.zeros(tree.size, np.uint8)
    owners, lasts = np.full(tree.size, -1, np.int32), np.empty(tree.size, np.int32)
    cdef unsigned char[::1] place = places
    cdef int32_t[::1] owner = owners  # the table, or in a row the row
    cdef int32_t[::1] last = lasts  # cell of a table, or the table itself; of a row its table
    cdef Py_ssize_t element, parent, table
    cdef unsigned char role, around
    cdef bint found = False
    for element in range(tree.body, tree.end_of[tree.body]):
        parent, role = tree.parent_of[element], styles.role[element]
        around = place[parent] if element > tree.body else <unsigned char>_ELSEWHERE
        if role == TABLE and styles.display[element] == BLOCK:
            place[element], owner[element], last[element] = _IN_TABLE, element, element
            found = True
        elif around == _IN_TABLE and (role == SECTION or role == FORM):
            place[element], owner[element], tables.seat[element] = _IN_TABLE, owner[parent], GROUP
        elif around == _IN_TABLE and role == ROW:
            place[element], owner[element], tables.seat[element] = _IN_ROW, element, ROW_OF_TABLE
            last[element] = owner[parent]
        elif around == _IN_ROW and role == FORM:
            place[element], owner[element], tables.seat[element] = _IN_ROW, owner[parent], GROUP
        elif around == _IN_ROW and role == CELL:
            parent = owner[parent]  # the row, whose `column` is that of its next cell
            table = last[parent]
            tables.seat[element] = CELL_OF_ROW
            tables.column[element] = min(tables.column[parent], <int>_MOST_COLUMNS - 1)
            tables.column[parent] = min(tables.column[element] + styles.span[element], <int>_MOST_COLUMNS)
            tables.column[table] = max(tables.column[table], tables.column[parent])
            tables.next_cell[last[table]] = element
            last[table] = element
    return found


cdef int _widen(Tables tables, Tree tree, Styles styles, const float[::1] widths) except -1:
    """Finds how wide each element would be without a line's end, as long as that is wanted of a column."""
    cdef double[::1] best = tables.wanted, line = np.zeros(tree.size)
    cdef Py_ssize_t tag = tree.open_of[tree.body], stop = tree.close_of[tree.body]
    cdef Py_ssize_t element = tree.body, current = tree.body, closed
    while tag <= stop:
        closed = -1
        if element < tree.size and tree.open_of[element] == tag:
            current = tree.parent_of[element]
            if styles.display[element] == NONE or is_replaced(styles.role[element]) and element != tree.body:
                best[element] = max(<double>styles.width[element], 0.0)
                if best[element] == 0.0:
                    best[element] = _REPLACED
                closed, tag = element, tree.close_of[element]
                element = tree.end_of[element]
            else:
                if tree.close_of[element] == tag:
                    closed = element
                else:
                    current = element
                element += 1
        else:
            closed, current = current, tree.parent_of[current]
        if closed >= 0 and closed != tree.body:
            best[closed] = min(max(best[closed], line[closed]), <double>_MOST_WANTED)
            if styles.display[closed] == BLOCK or styles.role[closed] == BREAK:
                best[current] = max(best[current], max(line[current], best[closed]))
                line[current] = 0.0
            elif styles.display[closed] != NONE:
                line[current] += best[closed]
        if tag < stop and tree.chars_of[tag] > 0:
            line[current] += widths[tag] * styles.size[current]
        tag += 1
    return 0
