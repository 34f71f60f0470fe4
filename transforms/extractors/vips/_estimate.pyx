"""Where a page's elements and texts stand, estimated: blocks stack, words flow, cells and floats share a row.

One walk over the tags. Each block that is open has a frame, in which its content flows; columns of tables are
counted and measured in a walk before.
"""

import numpy as np

from libc.math cimport ceil, fmod
from libc.stdint cimport int32_t
from libc.stdlib cimport free

from cedar.transforms.extractors.html._growing cimport grown, ensure_capacity
from cedar.transforms.extractors.tree._tree cimport Tree
from cedar.transforms.extractors.vips._styles cimport (
    BLOCK, BREAK, CELL, FORM, IMAGE, INLINE, INLINE_BLOCK, NONE, ROW, RULE, SECTION, TABLE, Styles, is_replaced,
)

cdef enum:
    _BODY_MARGIN = 8  # px
    _MIN_CONTENT = 20  # px, of a block, a column, or a replaced element
    _MIN_INDENTED = 120  # px of a block that indents its contents
    _RULE_HEIGHT = 2  # px
    _MAX_COLUMNS = 1000
    _MAX_WANTED = 600  # px
    _REPLACED = 20  # px

cdef enum Seat:
    NOWHERE, GROUP, ROW_OF_TABLE, CELL_OF_ROW

cdef double _LINE_HEIGHT = 1.2  # em
cdef double _SPACE_WIDTH = 0.25  # em

cdef enum Place:
    _ELSEWHERE, _IN_TABLE, _IN_ROW


cdef class _Tables:
    """The rows, cells and columns of a page's tables.

    A form between a table and its rows, or a row and its cells, is passed through: libxml2 leaves it there, and
    what HTML5 makes of such pages has an empty one.
    """

    cdef unsigned char[::1] seat  # of each element
    cdef int32_t[::1] column  # the first of a cell; how many a table has
    cdef int32_t[::1] next_cell  # of the same table, also in its other rows; of a table the first; -1
    cdef double[::1] wanted  # the widest line of each element

    def __cinit__(self, Tree tree not None, Styles styles not None, const float[::1] widths not None):
        self.seat, self.column = np.zeros(tree.size, np.uint8), np.zeros(tree.size, np.int32)
        self.next_cell, self.wanted = np.full(tree.size, -1, np.int32), np.zeros(tree.size)
        if not _seat_all(self, tree, styles):
            return  # no table
        _widen(self, tree, styles, widths)

    cdef Py_ssize_t span_of(self, Styles styles, Py_ssize_t cell, Py_ssize_t columns) noexcept:
        """How many columns a cell spans."""
        return min(<Py_ssize_t>styles.span[cell], columns - self.column[cell])


cdef bint _seat_all(_Tables tables, Tree tree, Styles styles) except -1:
    """Find rows and cells, and the columns of these; return whether there is a table."""
    cdef unsigned char[::1] place = np.zeros(tree.size, np.uint8)
    cdef int32_t[::1] owner = np.full(tree.size, -1, np.int32)  # the table, or in a row the row
    cdef int32_t[::1] last = np.empty(tree.size, np.int32)  # cell of a table, or the table itself; of a row its table
    cdef Py_ssize_t element, parent, table
    cdef unsigned char role, around
    cdef bint found = False
    for element in range(tree.body, tree.end_of[tree.body]):
        parent, role = tree.parent_of[element], styles.role[element]
        around = place[parent] if element > tree.body else <unsigned char>_ELSEWHERE
        if role == TABLE and styles.seen[element].display == BLOCK:
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
            parent = owner[parent]  # the row, whose `column` is its next cell's
            table = last[parent]
            tables.seat[element] = CELL_OF_ROW
            tables.column[element] = min(tables.column[parent], <int>_MAX_COLUMNS - 1)
            tables.column[parent] = min(tables.column[element] + styles.span[element], <int>_MAX_COLUMNS)
            tables.column[table] = max(tables.column[table], tables.column[parent])
            tables.next_cell[last[table]] = element
            last[table] = element
    return found


cdef int _widen(_Tables tables, Tree tree, Styles styles, const float[::1] widths) except -1:
    """Find how wide each element would be without a line's end, as long as that is wanted of a column."""
    cdef double[::1] best = tables.wanted, line = np.zeros(tree.size)
    cdef Py_ssize_t tag = tree.open_of[tree.body], stop = tree.close_of[tree.body], element, around
    while tag <= stop:
        element = tree.of_tag[tag]
        if styles.seen[element].display == NONE or is_replaced(styles.role[element]) and element != tree.body:
            best[element] = max(<double>styles.width[element], 0.0)
            if best[element] == 0.0:
                best[element] = _REPLACED
            tag = tree.close_of[element]
        if tree.close_of[element] == tag and element != tree.body:
            around = tree.parent_of[element]
            best[element] = min(max(best[element], line[element]), <double>_MAX_WANTED)
            if styles.seen[element].display == BLOCK or styles.role[element] == BREAK:
                best[around] = max(best[around], max(line[around], best[element]))
                line[around] = 0.0
            elif styles.seen[element].display != NONE:
                line[around] += best[element]
        if tag < stop and tree.chars_of[tag] > 0:
            around = tree.inside_of[tag]
            line[around] += widths[tag] * styles.seen[around].size
        tag += 1
    return 0


cdef struct Frame:
    Py_ssize_t element
    double x, y, outer  # where the block begins, and its width
    double left, width  # of its contents
    double at, line, height  # where the next word stands; the height of its line
    double margin  # below the last block
    double row, row_at, row_height  # blocks side by side: where they begin, the next one, the highest
    bint has_row, floats
    Py_ssize_t columns, first_column, first_cell


cdef class _Layout:
    cdef Tree tree
    cdef Styles styles
    cdef _Tables tables
    cdef const float[::1] widths
    cdef float[:, ::1] text_box
    cdef double room  # the width of the page, less its margins
    cdef Frame *frames
    cdef Py_ssize_t depth, frame_room
    cdef double *columns  # of the tables that are open
    cdef Py_ssize_t column_count, column_room

    def __dealloc__(self):
        free(self.frames)
        free(self.columns)

    cdef int run(self) except -1:
        cdef Tree tree = self.tree
        cdef Py_ssize_t tag = tree.open_of[tree.body], last = tree.close_of[tree.body], element
        while tag <= last:
            element = tree.of_tag[tag]
            if self.is_leaf(element):
                if element != tree.body:
                    self.place_leaf(element)
                tag = tree.close_of[element]
            else:
                if tree.open_of[element] == tag:
                    self.open(element)
                if tree.close_of[element] == tag:
                    self.close(element)
            if tag < last and tree.chars_of[tag] > 0:
                self.place_text(tag, tree.inside_of[tag])
            tag += 1
        return 0

    cdef bint is_leaf(self, Py_ssize_t element) noexcept:
        """Whether nothing in an element is laid out."""
        cdef unsigned char role = self.styles.role[element]
        return self.styles.seen[element].display == NONE or role == RULE or role == BREAK or is_replaced(role)

    # Blocks.

    cdef Frame *push(self, Py_ssize_t element, double x, double y, double width) except NULL:
        cdef Frame *frame
        cdef double indent = self.styles.indent[element] if width > _MIN_INDENTED else 0.0
        self.frames = <Frame *>ensure_capacity(self.frames, &self.frame_room, self.depth, sizeof(Frame))
        frame = self.frames + self.depth
        self.depth += 1
        frame.element, frame.x, frame.y, frame.outer = element, x, y, width
        frame.left, frame.width = x + indent, max(<double>_MIN_CONTENT, width - indent)
        frame.at, frame.line, frame.height, frame.margin = frame.left, y, 0.0, 0.0
        frame.has_row, frame.floats = False, False
        frame.columns, frame.first_column, frame.first_cell = 0, self.column_count, -1
        return frame

    cdef int open(self, Py_ssize_t element) except -1:
        cdef Frame *frame
        cdef unsigned char seat = self.tables.seat[element], display = self.styles.seen[element].display
        cdef double width
        if not self.depth:
            self.push(element, _BODY_MARGIN, _BODY_MARGIN, self.width_of(element, self.room))
            return 0
        frame = self.frames + self.depth - 1
        if seat == GROUP:
            _end_line(frame)
            self.styles.seen[element].box[0], self.styles.seen[element].box[1] = frame.left, frame.line
        elif seat == ROW_OF_TABLE:
            self.open_row(element, frame)
        elif seat == CELL_OF_ROW:
            if frame.first_cell < 0:
                frame.first_cell = element
            width = self.columns_width(frame, element)
            self.push(element, frame.row_at, frame.y, width)
        elif display == BLOCK:
            self.open_block(element, frame)
        return 0

    cdef double width_of(self, Py_ssize_t element, double around) noexcept:
        """The width of a block in one of that width."""
        cdef double own = self.styles.width[element]
        own = -own * around if own < 0.0 else own
        return min(own, around) if own > 0.0 else around

    cdef int open_block(self, Py_ssize_t element, Frame *frame) except -1:
        cdef double width = self.width_of(element, frame.width), x, y
        cdef bint floats = self.styles.floats[element] and self.styles.width[element] != 0.0
        _end_line(frame)
        if floats:
            if not frame.has_row or frame.row_at + width > frame.left + frame.width + 1.0:
                frame.row = frame.row + frame.row_height if frame.has_row else frame.line
                frame.row_at, frame.row_height, frame.has_row = frame.left, 0.0, True
            x, y = frame.row_at, frame.row
        else:
            self.begin_block(element, frame)
            x, y = frame.left, frame.line
        frame = self.push(element, x, y, width)
        frame.floats = floats
        if self.styles.role[element] == TABLE:
            self.measure_columns(element, frame)
        return 0

    cdef void begin_block(self, Py_ssize_t element, Frame *frame) noexcept:
        """Go to the place of a block below the contents before it; of two margins the wider one counts."""
        cdef double margin = self.styles.margin[element]
        _end_row(frame)
        frame.line += max(frame.margin, margin)
        frame.margin = margin

    cdef int close(self, Py_ssize_t element) except -1:
        cdef Frame *frame = self.frames + self.depth - 1
        cdef Frame *around
        cdef double height, fixed
        cdef unsigned char seat = self.tables.seat[element]
        if frame.element != element:
            self.close_within(element, frame)
            return 0
        _end_line(frame)
        if seat == ROW_OF_TABLE:
            self.close_row(frame)
            return 0
        _end_row(frame)
        height = frame.line - frame.y
        if self.depth == 1:
            height += frame.margin
        fixed = self.styles.height[element]
        self.set_box(element, frame.x, frame.y, frame.outer, max(height, fixed))
        height = max(height, fixed)
        self.column_count = frame.first_column
        self.depth -= 1
        if not self.depth:
            return 0
        around = self.frames + self.depth - 1
        if seat == CELL_OF_ROW or frame.floats:
            around.row_height = max(around.row_height, height)
            around.row_at += frame.outer
        else:
            around.line += height
        return 0

    cdef void close_within(self, Py_ssize_t element, Frame *frame) noexcept:
        """End an element without a frame: an inline one, or a group of rows."""
        cdef Py_ssize_t parent = self.tree.parent_of[element]
        if self.tables.seat[element] == GROUP:
            if frame.columns and self.tables.next_cell[frame.element] >= 0:
                _end_line(frame)
                self.styles.seen[element].box[2] = frame.outer
                self.styles.seen[element].box[3] = frame.line - self.styles.seen[element].box[1]
            return
        # Until here the box of an inline element was its corners.
        self.join(parent, self.styles.seen[element].box)
        self.styles.seen[element].box[2] -= self.styles.seen[element].box[0]
        self.styles.seen[element].box[3] -= self.styles.seen[element].box[1]

    cdef void set_box(self, Py_ssize_t element, double x, double y, double width, double height) noexcept:
        self.styles.seen[element].box[0], self.styles.seen[element].box[1] = x, y
        self.styles.seen[element].box[2], self.styles.seen[element].box[3] = width, height

    # Tables.

    cdef int measure_columns(self, Py_ssize_t table, Frame *frame) except -1:
        """Give the columns of a table their widths: those given, and to the others a share of the rest."""
        cdef Py_ssize_t count = self.tables.column[table], first = self.column_count, i, cell, own_column
        cdef double *used
        cdef double *wanted
        cdef double free_width = frame.outer, total = 0.0, sum_used = 0.0, fixed, scale
        cdef Py_ssize_t unset = 0
        if not count:
            return 0
        if first + 2 * count > self.column_room:
            self.column_room = 2 * (first + 2 * count)
            self.columns = <double *>grown(self.columns, self.column_room * sizeof(double))
        used, wanted = self.columns + first, self.columns + first + count
        for i in range(count):
            used[i], wanted[i] = 0.0, _MIN_CONTENT
        cell = self.tables.next_cell[table]
        while cell >= 0:
            own_column = self.tables.column[cell]
            if self.tables.span_of(self.styles, cell, count) == 1:
                fixed = self.styles.width[cell]
                used[own_column] = max(used[own_column], -fixed * frame.outer if fixed < 0.0 else fixed)
                wanted[own_column] = max(wanted[own_column], self.tables.wanted[cell])
            cell = self.tables.next_cell[cell]
        for i in range(count):
            if used[i] > 0.0:
                free_width -= used[i]
                used[i] = max(<double>_MIN_CONTENT, used[i])
            else:
                total += wanted[i]
                unset += 1
        for i in range(count):
            if used[i] == 0.0:
                used[i] = max(<double>_MIN_CONTENT, free_width * wanted[i] / total)
            sum_used += used[i]
        if sum_used > frame.outer or unset or self.styles.width[table] != 0.0:
            scale = frame.outer / sum_used
            for i in range(count):
                used[i] *= scale
            sum_used = frame.outer
        frame.columns, frame.first_column, frame.outer = count, first, sum_used
        self.column_count = first + count
        return 0

    cdef double columns_width(self, Frame *row, Py_ssize_t cell) noexcept:
        """The width of a cell: of all columns that it spans."""
        cdef Py_ssize_t first = self.tables.column[cell], i
        cdef double width = 0.0
        for i in range(first, first + self.tables.span_of(self.styles, cell, row.columns)):
            width += self.columns[row.first_column + i]
        return width

    cdef int open_row(self, Py_ssize_t row, Frame *frame) except -1:
        cdef Py_ssize_t columns = frame.columns, first = frame.first_column
        _end_line(frame)
        self.begin_block(row, frame)
        frame = self.push(row, frame.x, frame.line, frame.outer)
        frame.columns, frame.first_column = columns, first
        frame.row_at, frame.row_height = frame.x, 0.0
        return 0

    cdef void close_row(self, Frame *frame) noexcept:
        """Give all cells of a row its height."""
        cdef Py_ssize_t cell = frame.first_cell
        cdef Py_ssize_t stop = self.tree.end_of[frame.element]
        cdef double height = max(frame.row_height, frame.line - frame.y)
        while 0 <= cell < stop:
            self.styles.seen[cell].box[3] = height
            cell = self.tables.next_cell[cell]
        self.set_box(frame.element, frame.x, frame.y, frame.outer, height)
        self.depth -= 1
        self.frames[self.depth - 1].line += height

    # Lines.

    cdef void place_leaf(self, Py_ssize_t element) noexcept:
        cdef Frame *frame = self.frames + self.depth - 1
        cdef unsigned char role = self.styles.role[element]
        cdef double high = _LINE_HEIGHT * self.styles.seen[element].size, width, height
        if self.styles.seen[element].display == NONE:
            return
        if role == RULE:
            _end_line(frame)
            self.begin_block(element, frame)
            self.set_box(element, frame.left, frame.line, frame.width, _RULE_HEIGHT)
            frame.line += _RULE_HEIGHT
            return
        if self.styles.seen[element].display == BLOCK:
            _end_line(frame)
        _begin_line(frame)
        if role == BREAK:
            frame.height = max(frame.height, high)
            _end_line(frame)
            return
        width = self.styles.width[element]
        width = -width * frame.width if width < 0.0 else width
        if width == 0.0 and (role != IMAGE or self.styles.has_alt[element]):
            width = _MIN_CONTENT
        height = max(<double>self.styles.height[element], 0.0)
        if height == 0.0 and width > 0.0:
            height = _MIN_CONTENT
        if frame.at + width > frame.left + frame.width and frame.at > frame.left:
            _end_line(frame)
        self.set_box(element, frame.at, frame.line, width, height)
        self.join_box(self.tree.parent_of[element], self.styles.seen[element].box)
        frame.at += width
        frame.height = max(frame.height, height)
        if self.styles.seen[element].display == BLOCK:
            _end_line(frame)

    cdef void place_text(self, Py_ssize_t tag, Py_ssize_t element) noexcept:
        cdef Frame *frame = self.frames + self.depth - 1
        cdef double size = self.styles.seen[element].size, width = self.widths[tag] * size, high = _LINE_HEIGHT * size
        cdef double room, lines
        cdef float *box = &self.text_box[tag, 0]
        _begin_line(frame)
        frame.height = max(frame.height, high)
        room = frame.left + frame.width - frame.at
        if width <= room:
            box[0], box[1], box[2], box[3] = frame.at, frame.line, width, high
            frame.at += width + _SPACE_WIDTH * size
        else:
            width -= max(0.0, room)
            lines = 1.0 + ceil(width / frame.width)
            box[0], box[1], box[2], box[3] = frame.left, frame.line, frame.width, lines * high
            frame.at = frame.left + fmod(width, frame.width)
            frame.line += (lines - 1.0) * high
        self.join_box(element, box)

    cdef void join_box(self, Py_ssize_t element, const float *box) noexcept:
        """Has an inline element reach around a box."""
        cdef float[4] corners
        corners[0], corners[1], corners[2], corners[3] = box[0], box[1], box[0] + box[2], box[1] + box[3]
        self.join(element, corners)

    cdef void join(self, Py_ssize_t element, const float *corners) noexcept:
        cdef float *own = self.styles.seen[element].box
        if self.styles.seen[element].display != INLINE and self.styles.seen[element].display != INLINE_BLOCK:
            return
        if self.tables.seat[element] != NOWHERE or corners[2] <= corners[0] or corners[3] <= corners[1]:
            return
        if own[2] <= own[0]:
            own[0], own[1], own[2], own[3] = corners[0], corners[1], corners[2], corners[3]
            return
        own[0], own[1] = min(own[0], corners[0]), min(own[1], corners[1])
        own[2], own[3] = max(own[2], corners[2]), max(own[3], corners[3])


cdef inline void _end_line(Frame *frame) noexcept:
    frame.at, frame.line, frame.height = frame.left, frame.line + frame.height, 0.0


cdef inline void _end_row(Frame *frame) noexcept:
    """Go below what stands side by side."""
    if frame.has_row:
        frame.line = max(frame.line, frame.row + frame.row_height)
        frame.has_row = False


cdef inline void _begin_line(Frame *frame) noexcept:
    """Go to where the first word after a block stands."""
    if frame.margin > 0.0:
        frame.line += frame.margin
        frame.margin = 0.0
    _end_row(frame)


def laid_out(Tree tree not None, Styles styles not None, widths not None, double page_width):
    """Lay a page of t tags out, its elements in `styles`; it is `page_width` pixels wide, texts `widths` em.

    `widths` are float32 (t,).
    Returns the boxes of the texts, float32 (t, 4): x, y, width, height; all 0 for what has none; and the page's height.
    """
    cdef _Layout layout = _Layout()
    texts = np.zeros((tree.tags, 4), np.float32)
    if not tree.size:
        return texts, 0.0
    layout.tree, layout.styles, layout.widths, layout.text_box = tree, styles, widths, texts
    layout.tables = _Tables(tree, styles, widths)
    layout.room = page_width - 2.0 * _BODY_MARGIN
    styles.seen[tree.body].display = BLOCK
    layout.run()
    return texts, styles.seen[tree.body].box[1] + styles.seen[tree.body].box[3] + _BODY_MARGIN
