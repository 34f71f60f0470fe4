"""The blocks of a page: rules divide its nodes, round by round, and separators make a tree of what is left.

A pool is split at its heaviest separators, and each part, whose separators are detected again, again: the same
as merging blocks from the lightest separators up, with less to remember. A block of the pool that is not final
is the root of a round of its own.
"""

import numpy as np

from libc.math cimport rint
from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport free
from libc.string cimport memcpy

from transforms.extractors.html._bytes cimport count_below
from transforms.extractors.html._growing cimport Records, roomy
from transforms.extractors.vips._separators cimport HORIZONTAL, Piece, Separators
from transforms.extractors.vips._visual cimport (
    CELL_NODE, INLINE_NODE, LEAF_NODE, OTHER_NODE, PARAGRAPH_NODE, ROW_NODE, RULE_NODE, TABLE_NODE, TEXT_NODE,
    VisualNode, VisualTree, area_of,
)

cdef enum:
    _FINEST = 10  # degree of coherence
    _BLOCK_OF_SIZE = 8  # degree of a small block that a rule leaves whole
    _LEAST_HELD = 6  # degree of a block that has a background of its own
    _FARTHEST = 1_000_000_000  # px: differences of such places are whole numbers of 32 bits
    _MOST_ROUNDS = 30
    _MOST_LEVELS = 64  # of separators within each other, in one round
    _NUMBERS = 7  # of a separator

cdef double[3] _SIZES = [0.02, 0.1, 0.3]  # shares of the page, each of which takes one off a block's degree

cdef int[9] _RULES  # which are tried, a bit each, by kind of node
_RULES[<int>INLINE_NODE] = sum(1 << rule for rule in (2, 3, 4, 5, 6, 7, 9, 10, 12))
_RULES[<int>PARAGRAPH_NODE] = _RULES[<int>INLINE_NODE]
_RULES[<int>TABLE_NODE] = sum(1 << rule for rule in (2, 3, 8, 10, 13))
_RULES[<int>ROW_NODE] = sum(1 << rule for rule in (2, 3, 7, 8, 10, 13))
_RULES[<int>CELL_NODE] = sum(1 << rule for rule in (2, 3, 4, 9, 10, 11, 13))
_RULES[<int>OTHER_NODE] = sum(1 << rule for rule in (2, 3, 4, 6, 7, 9, 10, 12))

cdef struct Block:
    int32_t parent, node, degree, weight
    int32_t[4] box
    bint has_children

cdef struct Work:
    int32_t block, round

cdef struct Part:
    int32_t first, last, owner, level


cdef class BlockTree:
    """The m blocks of a page, parents before their children, and children in their order.

    Attributes:
        parents: int32 (m,); -1 for the first, which is the page.
        degrees: int32 (m,), degrees of coherence, 1 to 10: none is below its parent's.
        nodes: int32 (m,), the visual node that a block is; -1 for one that separators make of several.
        weights: int32 (m,), of the separators at which a block is split; -1 where it is not.
        boxes: int32 (m, 4), left, top, right, bottom.
        of_leaves: int32 (l,), the innermost block of each leaf of the visual tree.
        decisions: int32 (r, 2), the nodes that a rule decided about, and the rule, in order.
        separators: int32 (s, 7): of each separator at which a block was split the block, the axis (1: it is
            horizontal), where it starts and ends across, where it starts and ends along, and its weight.
    """

    cdef readonly object parents, degrees, nodes, weights, boxes, of_leaves, decisions, separators
    cdef const int32_t[::1] parent_of, degree_of
    cdef unsigned char[::1] has_children

    def segments(self, int permitted_degree):
        """Find the segment that each block is, or is in, at a PDoC of 1 to 10; -1 above segments. int64 (m,).

        A block is a segment if its degree reaches that or it has no children, and none above it is one.
        """
        cdef Py_ssize_t block, parent
        cdef int64_t[::1] found = np.empty(self.parent_of.shape[0], np.int64)
        for block in range(found.shape[0]):
            parent = self.parent_of[block]
            if parent >= 0 and found[parent] >= 0:
                found[block] = found[parent]
            elif self.degree_of[block] >= permitted_degree or not self.has_children[block]:
                found[block] = block
            else:
                found[block] = -1
        return np.asarray(found)


cdef class _Division:
    """The rules. Their numbers are those of the table of 13 that other implementations agree on; which of them are
    tried depends on the kind of a node:

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
    cdef Separators pool
    cdef double threshold
    cdef int32_t[::1] stack  # nodes that are to be divided
    cdef unsigned char[::1] divided  # of the nodes
    cdef unsigned char[::1] held  # of the nodes: the degree of one that rule 8 made a block in this round, else 0
    cdef Records decisions  # nodes and rules

    def __cinit__(self, VisualTree visual not None, double threshold):
        cdef Py_ssize_t size = visual.size
        self.visual, self.threshold = visual, threshold
        self.pool, self.decisions = Separators(), Records(2)
        self.pool.visual = visual
        self.stack = np.empty(size, np.int32)
        self.divided, self.held = np.zeros(size, np.uint8), np.zeros(size, np.uint8)

    cdef int divide(self, int32_t root) except -1:
        """Fill the pool: go down from a node as far as the rules divide."""
        cdef Py_ssize_t waiting = 1, first, i
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
                first, child = waiting, place + 1
                while child < node.end:
                    self.stack[waiting] = child
                    waiting += 1
                    child = self.visual.nodes[child].end
                for i in range((waiting - first) // 2):
                    self.stack[first + i], self.stack[waiting - 1 - i] = (
                        self.stack[waiting - 1 - i], self.stack[first + i]
                    )
        return 0

    cdef bint decide(self, int32_t place, int32_t root) except -1:
        """Apply the first rule that does; return whether the node is divided, else it is in the pool."""
        cdef const VisualNode *node = self.visual.nodes + place
        cdef int tried = _RULES[<int>node.kind], rule
        cdef Py_ssize_t at
        cdef double small = self.threshold * area_of(self.visual.nodes + root)
        for rule in range(2, 14):
            if tried >> rule & 1 and self.applies(rule, place, root, small):
                break
        at = self.decisions.add()
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
        cdef const VisualNode *child
        if rule == 2:
            child = self.only_child(place)
            return child != NULL and child.kind != TEXT_NODE
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
        """The one child of a node that is not a line; NULL if it has several."""
        cdef const VisualNode *node = self.visual.nodes + place
        cdef int32_t child = place + 1
        if node.children != 1:
            return NULL
        while self.visual.nodes[child].kind == RULE_NODE:
            child = self.visual.nodes[child].end
        return self.visual.nodes + child

    cdef bint has_one_font(self, const VisualNode *node) noexcept:
        cdef const VisualNode *first = self.visual.nodes + self.visual.leaf_nodes[node.leaf]
        cdef const VisualNode *leaf
        cdef Py_ssize_t i
        for i in range(node.leaf + 1, node.leaf_end):
            leaf = self.visual.nodes + self.visual.leaf_nodes[i]
            if rint(10.0 * leaf.font) != rint(10.0 * first.font) or leaf.weight != first.weight:
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
        cdef int32_t i = place + 1
        while i < node.end:
            child = self.visual.nodes + i
            if child.background != node.background and child.kind != RULE_NODE:
                self.held[i] = max(<int>_LEAST_HELD, self.degree_of_size(child))
            i = child.end

    cdef int add_piece(self, int32_t place, int degree, bint is_final) except -1:
        cdef const VisualNode *node = self.visual.nodes + place
        cdef Piece *piece = self.pool.add()
        cdef bint coloured = (
            node.parent >= 0 and node.background != self.visual.nodes[node.parent].background
        )
        piece.node, piece.doc, piece.is_final, piece.background = place, degree, is_final, node.background
        self.set_box(piece.box, place, coloured)
        piece.first_text, piece.last_text = -1, -1
        return self.find_texts(piece, node)

    cdef int find_texts(self, Piece *piece, const VisualNode *node) except -1:
        """Set the first and the last text of a block."""
        cdef int32_t i
        for i in range(node.leaf, node.leaf_end):
            if self.visual.nodes[self.visual.leaf_nodes[i]].kind == TEXT_NODE:
                piece.first_text = i
                break
        for i in range(node.leaf_end - 1, node.leaf - 1, -1):
            if self.visual.nodes[self.visual.leaf_nodes[i]].kind == TEXT_NODE:
                piece.last_text = i
                break
        return 0

    cdef void set_box(self, int32_t *box, int32_t place, bint is_own) noexcept:
        """Set what one sees of a node: its own box where that has a colour, else that of its leaves."""
        cdef const VisualNode *node = self.visual.nodes + place
        if is_own:
            box[0], box[1] = _pixel(node.x), _pixel(node.y)
            box[2], box[3] = _pixel(node.x + node.width), _pixel(node.y + node.height)
        else:
            box[0], box[1] = _pixel(node.left), _pixel(node.top)
            box[2], box[3] = _pixel(node.right), _pixel(node.bottom)


cdef class _Run:
    cdef VisualTree visual
    cdef _Division division
    cdef Separators separators  # the pool of the division
    cdef Block *blocks
    cdef Py_ssize_t count, room
    cdef Work *work
    cdef Py_ssize_t waiting, work_room
    cdef Part *parts
    cdef Py_ssize_t part_count, part_room
    cdef Records rules, splits  # the nodes that are lines; separators

    def __cinit__(self, VisualTree visual, double threshold):
        cdef Py_ssize_t node
        self.visual, self.division = visual, _Division(visual, threshold)
        self.separators, self.splits, self.rules = self.division.pool, Records(_NUMBERS), Records(1)
        for node in range(visual.size):
            if visual.nodes[node].kind == RULE_NODE:
                self.rules.put(node)

    def __dealloc__(self):
        free(self.blocks)
        free(self.work)
        free(self.parts)

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
        """Divide a block that one node is, and make its children of what is left."""
        cdef Block *block = self.blocks + place
        cdef Separators separators = self.separators
        cdef int32_t root = block.node
        cdef const int64_t[::1] rules
        cdef Py_ssize_t line
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
        # The lines below a node count in the weights of separators.
        rules = self.rules.numbers[: self.rules.count]
        for line in range(count_below(rules, root), count_below(rules, self.visual.nodes[root].end)):
            separators.add_rule(rules[line])
        separators.prepare()
        return self.structure(place, number)

    # Structure.

    cdef int structure(self, int32_t place, int32_t number) except -1:
        """Make a tree below a block of the pool: split at the heaviest separators, part by part."""
        cdef Part part
        cdef int32_t weight, owner, degree
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
                degree = max(1, _FINEST - (weight + 1) // 2)
                owner = self.add_block(owner, -1, max(self.blocks[owner].degree, degree))
                self.around(&part, self.blocks[owner].box)
            self.blocks[owner].weight = weight
            self.split(owner, &part)
        return 0

    cdef int attach_all(self, const Part *part, int32_t number) except -1:
        """Make each block of a part a child of its owner."""
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
        """Keep the separators that were found last, and leave the parts between them to be looked at."""
        cdef Separators separators = self.separators
        cdef Py_ssize_t i, at
        cdef int64_t[::1] split
        cdef int32_t last = part.last
        cdef int32_t[4] box
        cdef int along = 0 if separators.axis == HORIZONTAL else 1
        self.around(part, box)
        for i in range(separators.cuts):
            at = self.splits.add()
            split = self.splits.numbers[at : at + _NUMBERS]
            split[0], split[1], split[2] = owner, separators.axis, separators.gaps[i].start
            split[3], split[4], split[5] = separators.gaps[i].end, box[along], box[along + 2]
            split[6] = separators.gaps[i].weight
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

    # What grows.

    cdef int32_t add_block(self, int32_t parent, int32_t node, int32_t degree) except -1:
        cdef Block *block
        self.blocks = <Block *>roomy(self.blocks, &self.room, self.count, sizeof(Block))
        block = self.blocks + self.count
        block.parent, block.node, block.degree, block.weight = parent, node, degree, -1
        block.has_children = False
        if parent >= 0:
            self.blocks[parent].has_children = True
        self.count += 1
        return self.count - 1

    cdef int push_work(self, int32_t block, int32_t round) except -1:
        self.work = <Work *>roomy(self.work, &self.work_room, self.waiting, sizeof(Work))
        self.work[self.waiting] = Work(block, round)
        self.waiting += 1
        return 0

    cdef int push_part(self, int32_t first, int32_t last, int32_t owner, int32_t level) except -1:
        self.parts = <Part *>roomy(self.parts, &self.part_room, self.part_count, sizeof(Part))
        self.parts[self.part_count] = Part(first, last, owner, level)
        self.part_count += 1
        return 0

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
        tree.parent_of, tree.degree_of = tree.parents, tree.degrees
        tree.decisions = self.division.decisions.rows().astype(np.int32)
        tree.separators = self.splits.rows().astype(np.int32)
        return tree


cdef inline int32_t _pixel(double place) noexcept nogil:
    return <int32_t>rint(min(max(place, -<double>_FARTHEST), <double>_FARTHEST))


def segmented(VisualTree visual not None, double threshold):
    """Cut a page into blocks; below the relative size `threshold` rules 9 and 10 keep a node whole."""
    cdef _Run run = _Run(visual, threshold)
    if visual.size:
        run.run()
    return run.result()
