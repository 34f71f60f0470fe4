"""The blocks of a page: rules divide its nodes, round by round, and separators make a tree of what is left.

A pool is split at its heaviest separators, and each part, whose separators are detected again, again: the same
as merging blocks from the lightest separators up, with less to remember. A block of the pool that is not final
is the root of a round of its own.
"""

import numpy as np

from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy

from transforms.extractors.vips._division cimport FINEST, Division
from transforms.extractors.html._growing cimport Records, grown
from transforms.extractors.vips._separators cimport HORIZONTAL, Piece, Separators
from transforms.extractors.vips._visual cimport RULE_NODE, VisualNode, VisualTree

cdef enum:
    _MOST_ROUNDS = 30
    _MOST_LEVELS = 64  # of separators within each other, in one round
    _NUMBERS = 7  # of a separator

cdef struct Block:
    int32_t parent, node, degree, weight
    int32_t[4] box
    bint has_children

cdef struct Work:
    int32_t block, round

cdef struct Part:
    int32_t first, last, owner, level


cdef class BlockTree:
    cdef readonly object parents, degrees, nodes, weights, boxes, of_leaves, decisions, separators
    cdef const int32_t[::1] parent_of, degree_of
    cdef unsigned char[::1] has_children

    def segments(self, int permitted_degree):
        cdef Py_ssize_t block, parent
        found_array = np.empty(self.parent_of.shape[0], np.int64)
        cdef int64_t[::1] found = found_array
        for block in range(found.shape[0]):
            parent = self.parent_of[block]
            if parent >= 0 and found[parent] >= 0:
                found[block] = found[parent]
            elif self.degree_of[block] >= permitted_degree or not self.has_children[block]:
                found[block] = block
            else:
                found[block] = -1
        return found_array


cdef class _Run:
    cdef VisualTree visual
    cdef Division division
    cdef Separators separators  # the pool of the division
    cdef Block *blocks
    cdef Py_ssize_t count, room
    cdef Work *work
    cdef Py_ssize_t waiting, work_room
    cdef Part *parts
    cdef Py_ssize_t part_count, part_room
    cdef int32_t *rules  # the nodes that are lines
    cdef Py_ssize_t rule_count
    cdef Records splits

    def __cinit__(self, VisualTree visual, double threshold):
        cdef Py_ssize_t node
        self.visual, self.division = visual, Division(visual, threshold)
        self.separators, self.splits = self.division.pool, Records(1)
        self.rules = <int32_t *>calloc(visual.size, sizeof(int32_t))
        if self.rules == NULL:
            raise MemoryError(f"no room for {visual.size} nodes")
        for node in range(visual.size):
            if visual.nodes[node].kind == RULE_NODE:
                self.rules[self.rule_count] = node
                self.rule_count += 1

    def __dealloc__(self):
        free(self.blocks)
        free(self.work)
        free(self.parts)
        free(self.rules)

    # Rounds.

    cdef int run(self) except -1:
        cdef Work work
        self.add_block(-1, 0, 1)
        self.division.set_box(self.blocks.box, 0, False)
        self.push_work(0, 0)
        while self.waiting:
            self.waiting -= 1
            work = self.work[self.waiting]
            if work.round <= _MOST_ROUNDS:
                self.round(work.block, work.round)
        return 0

    cdef int round(self, int32_t place, int32_t number) except -1:
        """Divides a block that one node is, and makes its children of what is left."""
        cdef Block *block = self.blocks + place
        cdef Separators separators = self.separators
        cdef int32_t root = block.node
        cdef Piece *piece
        separators.clear()
        self.division.divide(root)
        if not separators.count:
            return 0
        piece = separators.pieces
        if separators.count == 1:  # the same with less around it
            if piece.node != root:
                block.node, block.degree = piece.node, max(block.degree, <int32_t>piece.doc)
                if not piece.is_final:
                    self.push_work(place, number + 1)
            return 0
        self.add_rules(root)
        self.structure(place, number)
        return 0

    cdef int add_rules(self, int32_t root) except -1:
        """Has the lines below a node count in the weights of separators."""
        cdef Py_ssize_t low = 0, high = self.rule_count, middle
        while low < high:
            middle = (low + high) // 2
            if self.rules[middle] < root:
                low = middle + 1
            else:
                high = middle
        while low < self.rule_count and self.rules[low] < self.visual.nodes[root].end:
            self.separators.add_rule(self.rules[low])
            low += 1
        return self.separators.prepare()

    # Structure.

    cdef int structure(self, int32_t place, int32_t number) except -1:
        """Makes a tree below a block of the pool: split at the heaviest separators, part by part."""
        cdef Part part
        cdef int32_t weight, owner
        cdef Separators separators = self.separators
        self.push_part(0, separators.count, place, 0)
        while self.part_count:
            self.part_count -= 1
            part = self.parts[self.part_count]
            weight = -1
            if part.last - part.first > 1 and part.level < _MOST_LEVELS:
                weight = separators.cut(part.first, part.last)
            if weight < 0:
                self.attach_all(&part, number)
                continue
            owner = part.owner
            if part.level:
                owner = self.add_block(owner, -1, max(self.blocks[owner].degree, _degree_of_weight(weight)))
                self.join_boxes(owner, &part)
            self.blocks[owner].weight = weight
            self.split(owner, &part)
        return 0

    cdef int attach_all(self, const Part *part, int32_t number) except -1:
        """Makes each block of a part a child of its owner."""
        cdef const Piece *piece
        cdef int32_t child, i
        for i in range(part.first, part.last):
            piece = self.separators.pieces + self.separators.order[i]
            child = self.add_block(
                part.owner, piece.node, max(self.blocks[part.owner].degree, <int32_t>piece.doc)
            )
            memcpy(self.blocks[child].box, piece.box, sizeof(piece.box))
            if not piece.is_final:
                self.push_work(child, number + 1)
        return 0

    cdef int split(self, int32_t owner, const Part *part) except -1:
        """Keeps the separators that were found last, and leaves the parts between them to be looked at."""
        cdef Separators separators = self.separators
        cdef Py_ssize_t i
        cdef int32_t last = part.last
        cdef int32_t[4] box
        cdef int along = 0 if separators.axis == HORIZONTAL else 1
        self.around(part, box)
        for i in range(separators.cuts):
            self.splits.put(owner)
            self.splits.put(separators.axis)
            self.splits.put(separators.gaps[i].start)
            self.splits.put(separators.gaps[i].end)
            self.splits.put(box[along])
            self.splits.put(box[along + 2])
            self.splits.put(separators.gaps[i].weight)
        # The first part on top of the stack: children come in their order.
        for i in range(separators.cuts - 1, -1, -1):
            self.push_part(separators.gaps[i].place, last, owner, part.level + 1)
            last = separators.gaps[i].place
        self.push_part(part.first, last, owner, part.level + 1)
        return 0

    cdef void around(self, const Part *part, int32_t *box) noexcept:
        """The box around the blocks of a part."""
        cdef const Piece *piece
        cdef int32_t i
        cdef int side
        for i in range(part.first, part.last):
            piece = self.separators.pieces + self.separators.order[i]
            for side in range(4):
                if i == part.first:
                    box[side] = piece.box[side]
                elif side < 2:
                    box[side] = min(box[side], piece.box[side])
                else:
                    box[side] = max(box[side], piece.box[side])

    cdef void join_boxes(self, int32_t place, const Part *part) noexcept:
        self.around(part, self.blocks[place].box)

    # What grows.

    cdef int32_t add_block(self, int32_t parent, int32_t node, int32_t degree) except -1:
        cdef Block *block
        if self.count == self.room:
            self.room = max(64, 2 * self.room)
            self.blocks = <Block *>grown(self.blocks, self.room * sizeof(Block))
        block = self.blocks + self.count
        block.parent, block.node, block.degree, block.weight = parent, node, degree, -1
        block.has_children = False
        if parent >= 0:
            self.blocks[parent].has_children = True
        self.count += 1
        return self.count - 1

    cdef int push_work(self, int32_t block, int32_t round) except -1:
        if self.waiting == self.work_room:
            self.work_room = max(64, 2 * self.work_room)
            self.work = <Work *>grown(self.work, self.work_room * sizeof(Work))
        self.work[self.waiting] = Work(block, round)
        self.waiting += 1
        return 0

    cdef int push_part(self, int32_t first, int32_t last, int32_t owner, int32_t level) except -1:
        if self.part_count == self.part_room:
            self.part_room = max(64, 2 * self.part_room)
            self.parts = <Part *>grown(self.parts, self.part_room * sizeof(Part))
        self.parts[self.part_count] = Part(first, last, owner, level)
        self.part_count += 1
        return 0

    cdef BlockTree result(self):
        """The blocks as arrays."""
        cdef BlockTree tree = BlockTree.__new__(BlockTree)
        cdef Py_ssize_t i, leaf
        cdef const Block *block
        cdef const VisualNode *node
        numbers, boxes = np.empty((4, self.count), np.int32), np.empty((self.count, 4), np.int32)
        of_leaves, has_children = np.full(self.visual.leaves, -1, np.int32), np.empty(self.count, np.uint8)
        cdef int32_t[:, ::1] number = numbers, box = boxes
        cdef int32_t[::1] of_leaf = of_leaves
        tree.has_children = has_children
        for i in range(self.count):
            block = self.blocks + i
            number[0, i], number[1, i], number[2, i] = block.parent, block.degree, block.node
            number[3, i] = block.weight
            box[i, 0], box[i, 1], box[i, 2], box[i, 3] = block.box[0], block.box[1], block.box[2], block.box[3]
            tree.has_children[i] = block.has_children
            if not block.has_children:
                node = self.visual.nodes + block.node
                for leaf in range(node.leaf, node.leaf_end):
                    of_leaf[leaf] = i
        tree.parents, tree.degrees, tree.nodes, tree.weights = numbers
        tree.boxes, tree.of_leaves = boxes, of_leaves
        tree.parent_of, tree.degree_of = tree.parents, tree.degrees
        tree.decisions = _rows(self.division.decisions, 2)
        tree.separators = _rows(self.splits, _NUMBERS)
        return tree


cdef inline int32_t _degree_of_weight(int32_t weight) noexcept nogil:
    return max(1, FINEST - (weight + 1) // 2)


cdef _rows(Records records, Py_ssize_t width):
    """Numbers as rows of this many."""
    return np.array(records.numbers[: records.count], np.int32).reshape(-1, width)


def segmented(VisualTree visual not None, double threshold):
    cdef _Run run = _Run(visual, threshold)
    if visual.size:
        run.run()
    return run.result()
