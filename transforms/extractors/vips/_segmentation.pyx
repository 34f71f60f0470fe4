"""The blocks of a page: rules divide its nodes, round by round, and separators make a tree of the rest.

A pool is split at its heaviest separators, and each part, whose separators are detected again, again: the same
as merging blocks from the lightest separators up, with less to remember. A block of the pool that is not final
is the root of a round of its own.

The separators of an axis are the gaps of the union of the blocks' projections: what is left of one separator
over all of the pool when each block has split it, shortened it or removed it. Blocks that touch, or overlap by
a pixel, have one of width 0. Their weights (VIPS, sections 4.2 and 4.3):

    weight   1 up to 8 px, 2 up to 15, then 4 and 2 more for each 10 px, 12 at most
             +2 where an `hr` lies in it; +2 where the backgrounds on its sides differ
             horizontal ones: +2 where the fonts above and below differ, +2 more where the one above is smaller,
             -2 where they are alike and the blocks are text; never below 0
"""

from bisect import bisect_left

import numpy as np

from libc.math cimport rint
from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport free, qsort
from libc.string cimport memcpy

from cedar.transforms.extractors.html._growing cimport Records, grown, ensure_capacity
from cedar.transforms.extractors.vips._visual cimport (
    CELL_NODE, INLINE_NODE, LEAF_NODE, OTHER_NODE, PARAGRAPH_NODE, ROW_NODE, RULE_NODE, TABLE_NODE, TEXT_NODE,
    VisualNode, VisualTree, area_of,
)

cdef enum:
    _FINEST = 10  # degree of coherence
    _BLOCK_OF_SIZE = 8  # degree of a small block that a rule leaves whole
    _MIN_HELD = 6  # degree of a block that has a background of its own
    _FARTHEST = 1_000_000_000  # px: differences of such places are whole numbers of 32 bits
    _MAX_ROUNDS = 30
    _MAX_LEVELS = 64  # of separators within each other, in one round
    # Of separators, in pixels.
    _NARROW = 8
    _WIDER = 15
    _MAX_PART_OF_WIDTH = 12
    _TOUCH = 1
    _SEVERAL = -2  # colours

cdef double[3] _SIZES = [0.02, 0.1, 0.3]  # shares of the page; each takes one off a block's degree

cdef int[9] _RULES  # which are tried, a bit each, by kind of node
_RULES[<int>INLINE_NODE] = sum(1 << rule for rule in (2, 3, 4, 5, 6, 7, 9, 10, 12))
_RULES[<int>PARAGRAPH_NODE] = _RULES[<int>INLINE_NODE]
_RULES[<int>TABLE_NODE] = sum(1 << rule for rule in (2, 3, 8, 10, 13))
_RULES[<int>ROW_NODE] = sum(1 << rule for rule in (2, 3, 7, 8, 10, 13))
_RULES[<int>CELL_NODE] = sum(1 << rule for rule in (2, 3, 4, 9, 10, 11, 13))
_RULES[<int>OTHER_NODE] = sum(1 << rule for rule in (2, 3, 4, 6, 7, 9, 10, 12))

cdef enum Axis:
    VERTICAL, HORIZONTAL  # separators that lie along x have blocks above and below: they are horizontal

cdef struct Piece:  # a block of the pool
    int32_t node, background
    short doc
    bint is_final
    int32_t[4] box  # left, top, right, bottom
    int32_t first_text, last_text  # leaves; -1 without text

cdef struct Gap:
    int32_t start, end, weight
    int32_t place  # of the first block after it, in the order of blocks

cdef struct SortKey:
    int32_t start, end, piece

cdef struct Block:  # as `BlockTree` has them
    int32_t parent, node, degree, weight
    int32_t[4] box
    bint has_children


cdef class BlockTree:
    """The m blocks of a page, parents before their children, and children in their order.

    Attributes:
        parents: int32 (m,); -1 for the first, which is the page.
        degrees: int32 (m,), degrees of coherence, 1 to 10: none is below its parent's.
        nodes: int32 (m,), the visual node that a block is; -1 for one that separators make of several.
        weights: int32 (m,), of the separators at which a block is split; -1 where it is not.
        boxes: int32 (m, 4), left, top, right, bottom.
        of_leaves: int32 (l,), the innermost block of each leaf of the visual tree.
        decisions: int64 (d, 2), the nodes that a rule decided about, each with the rule, in order.
        separators: int64 (s, 7), of each separator at which a block was split the block, the axis (1: it is
            horizontal), where it starts and ends across, where it starts and ends along, and its weight.
    """

    cdef readonly object parents, degrees, nodes, weights, boxes, of_leaves, decisions, separators
    cdef unsigned char[::1] has_children

    def segments(self, int permitted_degree):
        """Find the segment that each block is, or is in, at a PDoC of 1 to 10; -1 above segments. int64 (m,).

        A block is a segment if its degree reaches that or it has no children, and none above it is one.
        """
        cdef Py_ssize_t block, parent
        cdef const int32_t[::1] parents = self.parents, degrees = self.degrees
        cdef int64_t[::1] found = np.empty(parents.shape[0], np.int64)
        for block in range(found.shape[0]):
            parent = parents[block]
            if parent >= 0 and found[parent] >= 0:
                found[block] = found[parent]
            elif degrees[block] >= permitted_degree or not self.has_children[block]:
                found[block] = block
            else:
                found[block] = -1
        return np.asarray(found)


cdef class _Pool:
    """The blocks of a round, in an order, and the separators between those that stand next to each other in it."""

    cdef VisualTree visual
    cdef Piece *pieces
    cdef SortKey *keys  # of the pieces, as parts have them
    cdef Gap *gaps  # of both axes, one after the other
    cdef Py_ssize_t count, room
    cdef list rules  # where the lines of the round begin and end, in order
    cdef Axis axis  # of the cut that was found last
    cdef Py_ssize_t cuts  # how many gaps it has: the first of `gaps`

    def __dealloc__(self):
        free(self.pieces)
        free(self.keys)
        free(self.gaps)

    cdef Piece *add(self) except NULL:
        """A block more."""
        cdef Py_ssize_t room = self.room
        self.pieces = <Piece *>ensure_capacity(self.pieces, &self.room, self.count, sizeof(Piece))
        if self.room != room:
            self.keys = <SortKey *>grown(self.keys, self.room * sizeof(SortKey))
            self.gaps = <Gap *>grown(self.gaps, 2 * self.room * sizeof(Gap))
        self.keys[self.count].piece = self.count
        self.count += 1
        return self.pieces + self.count - 1

    cdef int32_t cut(self, Py_ssize_t first, Py_ssize_t last) except -2:
        """Find the heaviest separators of the blocks [first, last) of the order, and their weight, -1 if nothing does.

        The blocks are put in the order of the axis, the horizontal one on a tie; the first `cuts` of `gaps` are they.
        """
        cdef Py_ssize_t found, across, i
        cdef int32_t heaviest, heaviest_across
        cdef Gap *gaps = self.gaps
        found, heaviest = self.find(first, last, HORIZONTAL, gaps)
        across, heaviest_across = self.find(first, last, VERTICAL, gaps + found)
        self.axis = VERTICAL
        if heaviest_across > heaviest:
            gaps, found, heaviest = gaps + found, across, heaviest_across
        elif heaviest >= 0:
            self.axis = HORIZONTAL
            self.sort(first, last, HORIZONTAL)
        else:
            for i in range(first, last):
                self.keys[i].start = self.keys[i].end = 0
            qsort(self.keys + first, last - first, sizeof(SortKey), _by_place)  # as the page has them
        self.cuts = 0
        for i in range(found):
            if gaps[i].weight == heaviest:
                self.gaps[self.cuts] = gaps[i]
                self.cuts += 1
        return heaviest

    cdef void sort(self, Py_ssize_t first, Py_ssize_t last, Axis axis) noexcept:
        """Order blocks by where they begin on an axis, then where they end, then as the page has them."""
        cdef Py_ssize_t i, low = 1 if axis == HORIZONTAL else 0
        cdef const Piece *piece
        for i in range(first, last):
            piece = self.pieces + self.keys[i].piece
            self.keys[i].start, self.keys[i].end = piece.box[low], piece.box[low + 2]
        qsort(self.keys + first, last - first, sizeof(SortKey), _by_place)

    cdef (Py_ssize_t, int32_t) find(self, Py_ssize_t first, Py_ssize_t last, Axis axis, Gap *gaps) except *:
        """Find and weigh the separators of an axis; how many, and the largest weight, -1 without any."""
        cdef Py_ssize_t i, stop, found = 0
        cdef int32_t end, heaviest = -1
        self.sort(first, last, axis)
        end = self.keys[first].end
        for i in range(first + 1, last):
            if self.keys[i].start >= end - _TOUCH:
                gaps[found] = Gap(end, max(end, self.keys[i].start), 0, i)
                found += 1
            end = max(end, self.keys[i].end)
        for i in range(found):
            stop = gaps[i + 1].place if i + 1 < found else last
            gaps[i].weight = self.weight_of(gaps + i, gaps[i - 1].place if i else first, stop, axis)
            heaviest = max(heaviest, gaps[i].weight)
        return found, heaviest

    cdef int32_t weight_of(self, const Gap *gap, Py_ssize_t first, Py_ssize_t last, Axis axis) except -1:
        """Weigh a separator: [first, place) are the blocks since the one before it, [place, last) up to the next."""
        cdef int32_t width = gap.end - gap.start, weight
        weight = 1 if width <= _NARROW else 2 if width <= _WIDER else 4 + 2 * ((width - 16) // 10)
        weight = min(weight, <int32_t>_MAX_PART_OF_WIDTH)
        if axis == HORIZONTAL:
            weight += 2 * self.has_rule(gap) + self.of_fonts(gap, first, last)
        weight += 2 * self.is_between_colours(gap, first, last)
        return max(weight, 0)

    cdef inline bint is_next_to(self, const Gap *gap, Py_ssize_t place) noexcept:
        """Whether a block ends where a separator starts, or starts where it ends, give or take a pixel."""
        if place < gap.place:
            return self.keys[place].end >= gap.start - _TOUCH
        return self.keys[place].start <= self.keys[gap.place].start + _TOUCH

    cdef bint has_rule(self, const Gap *gap) except -1:
        """Whether an `hr` lies in a horizontal separator."""
        cdef Py_ssize_t at
        if self.rules:
            for at in range(bisect_left(self.rules, (<float>(gap.start - _TOUCH),)), len(self.rules)):
                if self.rules[at][0] > <float>(gap.end + _TOUCH):
                    break
                if self.rules[at][1] <= <float>(gap.end + _TOUCH):
                    return True
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
            if self.is_next_to(gap, i):
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

    cdef bint is_between_colours(self, const Gap *gap, Py_ssize_t first, Py_ssize_t last) except -1:
        """Whether the sets of backgrounds on the sides of a separator differ."""
        cdef int32_t before = self.colour(gap, first, gap.place), after = self.colour(gap, gap.place, last)
        if before == after == _SEVERAL:
            return self.colours(gap, first, gap.place) != self.colours(gap, gap.place, last)
        return before != after

    cdef int32_t colour(self, const Gap *gap, Py_ssize_t first, Py_ssize_t last) noexcept:
        """The background of all blocks [first, last) next to a separator; -1 of none, `_SEVERAL` of several."""
        cdef int32_t own, found = -1
        cdef Py_ssize_t i
        for i in range(first, last):
            own = self.pieces[self.keys[i].piece].background
            if own != found and self.is_next_to(gap, i):
                if found >= 0:
                    return _SEVERAL
                found = own
        return found

    cdef set colours(self, const Gap *gap, Py_ssize_t first, Py_ssize_t last):
        near = [i for i in range(first, last) if self.is_next_to(gap, i)]
        return {self.pieces[self.keys[<Py_ssize_t>i].piece].background for i in near}


cdef inline int _tenths(float size) noexcept nogil:
    """A font size, to a tenth of a pixel."""
    return <int>(10.0 * size + 0.5)


cdef int _by_place(const void *a, const void *b) noexcept nogil:
    cdef const SortKey *left = <const SortKey *>a
    cdef const SortKey *right = <const SortKey *>b
    return left.start - right.start or left.end - right.end or left.piece - right.piece


cdef class _Division:
    """The rules, by the numbers of the table of 13 that others agree on; a node's kind says which of them are tried:

         2  its only child is not text                              divide
         3  it is the root of the round, and not all text          divide
         4  all children are text or virtual text                  a block: DoC 10, or 9 where fonts differ
         5  a child breaks the line                                divide
         6  a child is `hr`                                        divide
         7  the children have more area than the node              divide
         8  the background of a child differs                      divide; such children are blocks of the round
         9  a child is text, and the node is small                 a block
        10  its largest child is small                             a block
        11  the sibling before it was not divided                  a block
        12  always                                                 divide
        13  always                                                 a block
    """

    cdef VisualTree visual
    cdef _Pool pool
    cdef double threshold
    cdef int32_t[::1] stack  # nodes that are to be divided
    cdef unsigned char[::1] divided  # of the nodes
    cdef unsigned char[::1] held  # of the nodes: the degree of one that rule 8 made a block in this round, else 0
    cdef Records decisions  # nodes and rules

    def __cinit__(self, VisualTree visual not None, double threshold):
        self.visual, self.threshold = visual, threshold
        self.pool, self.decisions = _Pool(), Records(2)
        self.pool.visual = visual
        self.stack = np.empty(visual.size, np.int32)
        self.divided, self.held = np.zeros((2, visual.size), np.uint8)

    cdef int divide(self, int32_t root) except -1:
        """Fill the pool: go down from a node as far as the rules divide."""
        cdef Py_ssize_t waiting = 1
        cdef int32_t place, child
        cdef const VisualNode *node
        self.stack[0] = root
        while waiting:
            waiting -= 1
            place = self.stack[waiting]
            node = self.visual.nodes + place
            if node.kind == TEXT_NODE or node.kind == LEAF_NODE:
                self.add_piece(place, _FINEST, True)
            elif node.kind == RULE_NODE:
                continue
            elif self.held[place]:
                self.add_piece(place, self.held[place], False)
                self.held[place] = 0
            elif self.decide(place, root):
                self.divided[place] = True
                child = node.last_child  # the first one on top: they come in their order
                while child >= 0:
                    self.stack[waiting] = child
                    waiting += 1
                    child = self.visual.nodes[child].previous
        return 0

    cdef bint decide(self, int32_t place, int32_t root) except -1:
        """Apply the first rule that does; return whether the node is divided, else it is in the pool."""
        cdef const VisualNode *node = self.visual.nodes + place
        cdef int tried = _RULES[<int>node.kind], rule
        cdef Py_ssize_t at = self.decisions.add()
        cdef double small = self.threshold * area_of(self.visual.nodes + root)
        for rule in range(2, 14):
            if tried >> rule & 1 and self.applies(rule, place, root, small):
                break
        self.decisions.numbers[at], self.decisions.numbers[at + 1] = place, rule
        if rule == 4:
            self.add_piece(place, _FINEST if self.has_one_font(node) else _FINEST - 1, True)
            return False
        if rule == 9 or rule == 10 or rule == 11 or rule == 13:
            self.add_piece(place, self.degree_of_size(node), False)
            return False
        if rule == 8:
            self.hold(place)
        return True

    cdef bint applies(self, int rule, int32_t place, int32_t root, double small) noexcept:
        cdef const VisualNode *node = self.visual.nodes + place
        if rule == 2:
            return node.children == 1 and self.only_child(place).kind != TEXT_NODE
        if rule == 3:
            return place == root and not node.all_text
        if rule == 4:
            return node.all_text
        if rule == 5:
            return node.some_break
        if rule == 6:
            return node.some_rule
        if rule == 7:
            return node.area > area_of(node)
        if rule == 8:
            return node.some_colour
        if rule == 9:
            return node.some_text and area_of(node) < small
        if rule == 10:
            return node.largest_area < small
        if rule == 11:
            return node.previous >= 0 and not self.divided[node.previous] and (
                self.visual.nodes[node.previous].kind != RULE_NODE
            )
        return True

    cdef const VisualNode *only_child(self, int32_t place) noexcept:
        """The one child of a node that is not a line."""
        cdef int32_t child = place + 1
        while self.visual.nodes[child].kind == RULE_NODE:
            child = self.visual.nodes[child].end
        return self.visual.nodes + child

    cdef bint has_one_font(self, const VisualNode *node) noexcept:
        cdef const VisualNode *first = self.visual.nodes + self.visual.leaf_nodes[node.leaf]
        cdef const VisualNode *leaf
        cdef Py_ssize_t i
        for i in range(node.leaf + 1, node.leaf_end):
            leaf = self.visual.nodes + self.visual.leaf_nodes[i]
            if _tenths(leaf.font) != _tenths(first.font) or leaf.weight != first.weight:
                return False
        return True

    cdef int degree_of_size(self, const VisualNode *node) noexcept:
        cdef double share = area_of(node) / self.visual.page_area
        cdef int degree = _BLOCK_OF_SIZE, i
        for i in range(3):
            degree -= share >= _SIZES[i]
        return degree

    cdef void hold(self, int32_t place) noexcept:
        """Mark children whose background differs as blocks of this round."""
        cdef const VisualNode *node = self.visual.nodes + place
        cdef const VisualNode *child
        cdef int32_t i = node.last_child
        while i >= 0:
            child = self.visual.nodes + i
            if child.background != node.background and child.kind != RULE_NODE:
                self.held[i] = max(<int>_MIN_HELD, self.degree_of_size(child))
            i = child.previous

    cdef int add_piece(self, int32_t place, int degree, bint is_final) except -1:
        cdef const VisualNode *node = self.visual.nodes + place
        cdef Piece *piece = self.pool.add()
        cdef int32_t i
        cdef bint coloured = node.parent >= 0 and node.background != self.visual.nodes[node.parent].background
        piece.node, piece.doc, piece.is_final, piece.background = place, degree, is_final, node.background
        self.set_box(piece.box, place, coloured)
        piece.first_text, piece.last_text = -1, -1
        for i in range(node.leaf, node.leaf_end):
            if self.visual.nodes[self.visual.leaf_nodes[i]].kind == TEXT_NODE:
                piece.last_text = i
                if piece.first_text < 0:
                    piece.first_text = i
        return 0

    cdef void set_box(self, int32_t *box, int32_t place, bint is_own) noexcept:
        """Set what one sees of a node: its own box if that has a colour, else its leaves' box."""
        cdef const VisualNode *node = self.visual.nodes + place
        box[0], box[1] = _pixel(node.x if is_own else node.left), _pixel(node.y if is_own else node.top)
        box[2] = _pixel(node.x + node.width if is_own else node.right)
        box[3] = _pixel(node.y + node.height if is_own else node.bottom)


cdef class _Run:
    cdef VisualTree visual
    cdef _Division division
    cdef _Pool pool  # of the division
    cdef Block *blocks
    cdef Py_ssize_t count, room
    cdef list waiting  # blocks that are roots of rounds, and the numbers of these
    cdef list rules, extents  # the nodes that are lines, and where each begins and ends
    cdef Records splits  # separators, as `BlockTree` has them

    def __cinit__(self, VisualTree visual, double threshold):
        self.visual, self.division = visual, _Division(visual, threshold)
        self.pool, self.splits = self.division.pool, Records(7)
        self.rules = [node for node in range(visual.size) if visual.nodes[<Py_ssize_t>node].kind == RULE_NODE]
        self.extents = [(visual.nodes[<int32_t>rule].top, visual.nodes[<int32_t>rule].bottom) for rule in self.rules]

    def __dealloc__(self):
        free(self.blocks)

    cdef int run(self) except -1:
        self.add_block(-1, 0, 1)
        self.division.set_box(self.blocks.box, 0, False)
        self.waiting = [(0, 0)]
        while self.waiting:
            place, number = self.waiting.pop()
            if number <= _MAX_ROUNDS:
                self.round(place, number)
        return 0

    cdef int round(self, int32_t place, int32_t number) except -1:
        """Divide a block that one node is, and make its children of the pool."""
        cdef Block *block = self.blocks + place
        cdef _Pool pool = self.pool
        cdef int32_t root = block.node
        cdef Piece *piece
        pool.count = 0
        self.division.divide(root)
        if not pool.count:
            return 0
        piece = pool.pieces
        if pool.count == 1:  # the same with less around it
            if piece.node != root:
                block.node, block.degree = piece.node, max(block.degree, <int32_t>piece.doc)
                if not piece.is_final:
                    self.waiting.append((place, number + 1))
            return 0
        # The lines below a node count in the weights of separators.
        first, stop = bisect_left(self.rules, root), bisect_left(self.rules, self.visual.nodes[root].end)
        pool.rules = sorted(self.extents[first:stop])
        return self.structure(place, number)

    cdef int structure(self, int32_t place, int32_t number) except -1:
        """Make a tree below a block of the pool: split at the heaviest separators, part by part."""
        cdef Py_ssize_t first, last, level
        cdef int32_t weight, owner
        cdef list parts = [(0, self.pool.count, place, 0)]  # blocks [first, last), what they are in, and how deep
        while parts:
            first, last, owner, level = parts.pop()
            weight = -1
            if last - first > 1 and level < _MAX_LEVELS:
                weight = self.pool.cut(first, last)
            if weight < 0:
                self.attach_all(first, last, owner, number)
                continue
            if level:
                owner = self.add_block(owner, -1, max(self.blocks[owner].degree, 1, _FINEST - (weight + 1) // 2))
                self.around(first, last, self.blocks[owner].box)
            self.blocks[owner].weight = weight
            parts += self.split(first, last, owner, level + 1)
        return 0

    cdef int attach_all(self, Py_ssize_t first, Py_ssize_t last, int32_t owner, int32_t number) except -1:
        """Make each block of a part a child of its owner."""
        cdef const Piece *piece
        cdef Py_ssize_t i
        cdef int32_t child
        for i in range(first, last):
            piece = self.pool.pieces + self.pool.keys[i].piece
            child = self.add_block(owner, piece.node, max(self.blocks[owner].degree, <int32_t>piece.doc))
            memcpy(self.blocks[child].box, piece.box, sizeof(piece.box))
            if not piece.is_final:
                self.waiting.append((child, number + 1))
        return 0

    cdef list split(self, Py_ssize_t first, Py_ssize_t last, int32_t owner, Py_ssize_t level):
        """Keep the separators that were found last; return the parts between them, the first one at the end."""
        cdef _Pool pool = self.pool
        cdef Py_ssize_t i
        cdef int32_t[4] box
        cdef int64_t *numbers
        cdef int along = 0 if pool.axis == HORIZONTAL else 1
        cdef list parts = []
        self.around(first, last, box)
        for i in range(pool.cuts):
            numbers = &self.splits.numbers[self.splits.add()]
            numbers[0], numbers[1], numbers[2], numbers[3] = owner, pool.axis, pool.gaps[i].start, pool.gaps[i].end
            numbers[4], numbers[5], numbers[6] = box[along], box[along + 2], pool.gaps[i].weight
        for i in range(pool.cuts - 1, -1, -1):
            parts.append((pool.gaps[i].place, last, owner, level))
            last = pool.gaps[i].place
        parts.append((first, last, owner, level))
        return parts

    cdef void around(self, Py_ssize_t first, Py_ssize_t last, int32_t *box) noexcept:
        """The box around the blocks of a part."""
        cdef const int32_t *own
        cdef Py_ssize_t i
        cdef int side
        memcpy(box, self.pool.pieces[self.pool.keys[first].piece].box, sizeof(int32_t[4]))
        for i in range(first + 1, last):
            own = self.pool.pieces[self.pool.keys[i].piece].box
            for side in range(2):
                box[side], box[side + 2] = min(box[side], own[side]), max(box[side + 2], own[side + 2])

    cdef int32_t add_block(self, int32_t parent, int32_t node, int32_t degree) except -1:
        cdef Block *block
        self.blocks = <Block *>ensure_capacity(self.blocks, &self.room, self.count, sizeof(Block))
        block = self.blocks + self.count
        block.parent, block.node, block.degree, block.weight = parent, node, degree, -1
        block.has_children = False
        if parent >= 0:
            self.blocks[parent].has_children = True
        self.count += 1
        return self.count - 1

    cdef BlockTree result(self):
        """The blocks as arrays."""
        cdef BlockTree tree = BlockTree.__new__(BlockTree)
        cdef Py_ssize_t i, leaf
        cdef const VisualNode *node
        cdef int32_t[::1] of_leaf = np.full(self.visual.leaves, -1, np.int32)
        memory = (<const char *>self.blocks)[: self.count * sizeof(Block)]
        # A block is nothing but numbers of 32 bits, in the order of `Block`.
        table = np.frombuffer(memory, np.int32).reshape(self.count, sizeof(Block) // sizeof(int32_t))
        tree.parents, tree.nodes, tree.degrees, tree.weights = np.ascontiguousarray(table[:, :4].T)
        tree.boxes, tree.has_children = table[:, 4:8].copy(), table[:, 8].astype(np.uint8)
        for i in range(self.count):
            if not self.blocks[i].has_children:
                node = self.visual.nodes + self.blocks[i].node
                for leaf in range(node.leaf, node.leaf_end):
                    of_leaf[leaf] = i
        tree.of_leaves = np.asarray(of_leaf)
        tree.decisions, tree.separators = self.division.decisions.rows(), self.splits.rows()
        return tree


cdef inline int32_t _pixel(double place) noexcept nogil:
    return <int32_t>rint(min(max(place, -<double>_FARTHEST), <double>_FARTHEST))


def segmented(VisualTree visual not None, double threshold):
    """Cut a page into blocks; below the relative size `threshold` rules 9 and 10 keep a node whole."""
    cdef _Run run = _Run(visual, threshold)
    if visual.size:
        run.run()
    return run.result()
