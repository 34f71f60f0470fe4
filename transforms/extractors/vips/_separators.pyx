"""Separators between the blocks of a round, and their weights (VIPS, sections 4.2 and 4.3).

The separators of an axis are the gaps of the union of the blocks' projections: what is left of one separator
over all of the pool when each block has split it, shortened it or removed it. Blocks that touch, or overlap by
a pixel, have one of width 0.

    weight   1 up to 8 px, 2 up to 15, then 4 and 2 more for each 10 px, 12 at most
             +2 where an `hr` lies in it; +2 where the backgrounds on its sides differ
             horizontal ones: +2 where the fonts above and below differ, +2 more where the one above is smaller,
             -2 where they are alike and the blocks are text; never below 0
"""

from libc.stdint cimport int32_t
from libc.stdlib cimport free, qsort

from transforms.extractors.html._growing cimport grown, roomy
from transforms.extractors.vips._visual cimport VisualNode, VisualTree

cdef enum:
    _FIRST_ROOM = 64
    _NARROW = 8  # px
    _WIDER = 15  # px
    _MOST_OF_WIDTH = 12
    _TOUCH = 1  # px


cdef class Separators:
    def __dealloc__(self):
        free(self.pieces)
        free(self.order)
        free(self.keys)
        free(self.gaps)
        free(self.colours)
        free(self.rules)

    cdef int clear(self) except -1:
        """Begin a round."""
        self.count = self.rule_count = 0
        return 0

    cdef Piece *add(self) except NULL:
        """A block more."""
        if self.count == self.room:
            self.room = max(<Py_ssize_t>_FIRST_ROOM, 2 * self.room)
            self.pieces = <Piece *>grown(self.pieces, self.room * sizeof(Piece))
            self.order = <int32_t *>grown(self.order, self.room * sizeof(int32_t))
            self.keys = <SortKey *>grown(self.keys, self.room * sizeof(SortKey))
            # Of both axes, one after the other.
            self.gaps = <Gap *>grown(self.gaps, 2 * self.room * sizeof(Gap))
            self.colours = <int32_t *>grown(self.colours, self.room * sizeof(int32_t))
        self.order[self.count] = self.count
        self.count += 1
        return self.pieces + self.count - 1

    cdef int add_rule(self, Py_ssize_t node) except -1:
        """An `hr` more."""
        cdef const VisualNode *line = self.visual.nodes + node
        self.rules = <Rule *>roomy(self.rules, &self.rule_room, self.rule_count, sizeof(Rule))
        self.rules[self.rule_count] = Rule(line.y, line.y + line.height)
        self.rule_count += 1
        return 0

    cdef int prepare(self) except -1:
        """End the filling of a round."""
        if self.rule_count:
            qsort(self.rules, self.rule_count, sizeof(Rule), _by_top)
        return 0

    cdef int32_t cut(self, Py_ssize_t first, Py_ssize_t last) except -2:
        """Find the heaviest separators of the blocks [first, last) of the order, and their weight, -1 if nothing does.

        The blocks are put in the order of the axis, the horizontal one on a tie; the first `cuts` of `gaps` are they.
        """
        cdef Py_ssize_t found, across, i
        cdef int32_t heaviest, heaviest_across
        self.sort(first, last, HORIZONTAL)
        found = self.find(first, last, HORIZONTAL, self.gaps)
        heaviest = _heaviest(self.gaps, found)
        self.sort(first, last, VERTICAL)
        across = self.find(first, last, VERTICAL, self.gaps + found)
        heaviest_across = _heaviest(self.gaps + found, across)
        self.axis = VERTICAL
        if heaviest_across > heaviest:
            for i in range(across):
                self.gaps[i] = self.gaps[found + i]
            found, heaviest = across, heaviest_across
        elif heaviest >= 0:
            self.axis = HORIZONTAL
            self.sort(first, last, HORIZONTAL)
        else:
            qsort(self.order + first, last - first, sizeof(int32_t), _by_value)
        self.cuts = 0
        for i in range(found):
            if self.gaps[i].weight == heaviest:
                self.gaps[self.cuts] = self.gaps[i]
                self.cuts += 1
        return heaviest

    cdef void sort(self, Py_ssize_t first, Py_ssize_t last, Axis axis) noexcept:
        """Order blocks by where they begin on an axis, then where they end, then as the page has them."""
        cdef Py_ssize_t i, low = 1 if axis == HORIZONTAL else 0
        cdef const Piece *piece
        for i in range(first, last):
            piece = self.pieces + self.order[i]
            self.keys[i] = SortKey(piece.box[low], piece.box[low + 2], self.order[i])
        qsort(self.keys + first, last - first, sizeof(SortKey), _by_place)
        for i in range(first, last):
            self.order[i] = self.keys[i].piece

    cdef Py_ssize_t find(self, Py_ssize_t first, Py_ssize_t last, Axis axis, Gap *gaps) noexcept:
        """Find and weigh the separators of blocks that are in order; return how many."""
        cdef Py_ssize_t i, found = 0
        cdef int32_t end = self.keys[first].end
        for i in range(first + 1, last):
            if self.keys[i].start >= end - _TOUCH:
                gaps[found] = Gap(end, max(end, self.keys[i].start), 0, i)
                found += 1
            end = max(end, self.keys[i].end)
        for i in range(found):
            self.weigh(
                gaps + i,
                gaps[i - 1].place if i else first,
                gaps[i + 1].place if i + 1 < found else last,
                axis,
            )
        return found

    cdef void weigh(self, Gap *gap, Py_ssize_t first, Py_ssize_t last, Axis axis) noexcept:
        """Weigh a separator: [first, place) are the blocks since the one before it, [place, last) up to the next."""
        cdef int32_t width = gap.end - gap.start, weight, nearest = self.keys[gap.place].start
        cdef Py_ssize_t i
        weight = 1 if width <= _NARROW else 2 if width <= _WIDER else min(<int>_MOST_OF_WIDTH, 4 + 2 * ((width - 16) // 10))
        # Those next to it: what ends where it starts, and what starts where it ends, give or take a pixel.
        for i in range(first, gap.place):
            self.colours[i] = self.keys[i].end >= gap.start - _TOUCH
        for i in range(gap.place, last):
            self.colours[i] = self.keys[i].start <= nearest + _TOUCH
        if axis == HORIZONTAL:
            weight += 2 * self.has_rule(gap) + self.of_fonts(gap, first, last)
        weight += 2 * self.is_between_colours(gap, first, last)
        gap.weight = max(weight, 0)

    cdef bint has_rule(self, const Gap *gap) noexcept:
        """Whether an `hr` lies in a horizontal separator."""
        cdef Py_ssize_t low = 0, high = self.rule_count, middle
        while low < high:
            middle = (low + high) // 2
            if self.rules[middle].top < gap.start - _TOUCH:
                low = middle + 1
            else:
                high = middle
        while low < self.rule_count and self.rules[low].top <= gap.end + _TOUCH:
            if self.rules[low].bottom <= gap.end + _TOUCH:
                return True
            low += 1
        return False

    cdef int of_fonts(self, const Gap *gap, Py_ssize_t first, Py_ssize_t last) noexcept:
        """What the texts next to a horizontal separator add to its weight."""
        cdef int32_t above = -1, below = -1
        cdef bint all_text = True
        cdef const Piece *piece
        cdef const VisualNode *upper
        cdef const VisualNode *lower
        cdef Py_ssize_t i
        for i in range(first, last):
            if self.colours[i]:
                piece = self.pieces + self.keys[i].piece
                all_text &= piece.is_final and piece.first_text >= 0
                if i < gap.place and piece.last_text >= 0:
                    above = piece.last_text
                elif i >= gap.place and below < 0:
                    below = piece.first_text
        if above < 0 or below < 0:
            return 0
        upper = self.visual.nodes + self.visual.leaf_nodes[above]
        lower = self.visual.nodes + self.visual.leaf_nodes[below]
        if _tenths(upper.font) == _tenths(lower.font) and upper.weight == lower.weight:
            return -2 if all_text else 0
        return 4 if _tenths(upper.font) < _tenths(lower.font) else 2

    cdef bint is_between_colours(self, const Gap *gap, Py_ssize_t first, Py_ssize_t last) noexcept:
        """Whether the sets of backgrounds on the sides of a separator differ; `colours` is used up."""
        cdef Py_ssize_t i, before = first, after = gap.place
        for i in range(first, gap.place):
            if self.colours[i]:
                self.colours[before] = self.pieces[self.keys[i].piece].background
                before += 1
        for i in range(gap.place, last):
            if self.colours[i]:
                self.colours[after] = self.pieces[self.keys[i].piece].background
                after += 1
        before = _distinct(self.colours + first, before - first)
        after = _distinct(self.colours + gap.place, after - gap.place)
        if before != after:
            return True
        for i in range(before):
            if self.colours[first + i] != self.colours[gap.place + i]:
                return True
        return False


cdef inline int _tenths(float size) noexcept nogil:
    """A font size, to a tenth of a pixel."""
    return <int>(10.0 * size + 0.5)


cdef int32_t _heaviest(const Gap *gaps, Py_ssize_t count) noexcept nogil:
    cdef int32_t heaviest = -1
    cdef Py_ssize_t i
    for i in range(count):
        heaviest = max(heaviest, gaps[i].weight)
    return heaviest


cdef Py_ssize_t _distinct(int32_t *colours, Py_ssize_t count) noexcept nogil:
    """Sort colours, and leave one of each; return how many."""
    cdef Py_ssize_t i, kept = 0
    cdef bint is_one = True
    for i in range(1, count):
        is_one &= colours[i] == colours[0]
    if is_one:
        return min(count, 1)
    qsort(colours, count, sizeof(int32_t), _by_value)
    for i in range(count):
        if not kept or colours[i] != colours[kept - 1]:
            colours[kept] = colours[i]
            kept += 1
    return kept


cdef int _by_value(const void *a, const void *b) noexcept nogil:
    cdef int32_t left = (<const int32_t *>a)[0], right = (<const int32_t *>b)[0]
    return (left > right) - (left < right)


cdef int _by_top(const void *a, const void *b) noexcept nogil:
    cdef float left = (<const Rule *>a).top, right = (<const Rule *>b).top
    return (left > right) - (left < right)


cdef int _by_place(const void *a, const void *b) noexcept nogil:
    cdef const SortKey *left = <const SortKey *>a
    cdef const SortKey *right = <const SortKey *>b
    if left.start != right.start:
        return 1 if left.start > right.start else -1
    if left.end != right.end:
        return 1 if left.end > right.end else -1
    return (left.piece > right.piece) - (left.piece < right.piece)
