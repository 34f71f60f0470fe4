"""Rules that divide the nodes of a page until what is left looks whole: the pool of a round.

The numbers of the rules are those of the table of 13 that other implementations agree on; which of them are
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

from libc.math cimport rint
from libc.stdint cimport int32_t
from libc.stdlib cimport calloc, free

from transforms.extractors.html._growing cimport Records
from transforms.extractors.vips._separators cimport Piece, Separators
from transforms.extractors.vips._visual cimport (
    CELL_NODE,
    INLINE_NODE,
    LEAF_NODE,
    OTHER_NODE,
    PARAGRAPH_NODE,
    ROW_NODE,
    RULE_NODE,
    TABLE_NODE,
    TEXT_NODE,
    VisualNode,
    VisualTree,
    area_of,
)

cdef enum:
    _BLOCK_OF_SIZE = 8  # degree of a small block that a rule leaves whole
    _LEAST_HELD = 6  # degree of a block that has a background of its own
    _FARTHEST = 1_000_000_000  # px: differences of such places are whole numbers of 32 bits

cdef double[3] _SIZES = [0.02, 0.1, 0.3]  # shares of the page, each of which takes one off a block's degree

cdef int[9] _RULES  # which are tried, a bit each, by kind of node
_RULES[<int>INLINE_NODE] = sum(1 << rule for rule in (2, 3, 4, 5, 6, 7, 9, 10, 12))
_RULES[<int>PARAGRAPH_NODE] = _RULES[<int>INLINE_NODE]
_RULES[<int>TABLE_NODE] = sum(1 << rule for rule in (2, 3, 8, 10, 13))
_RULES[<int>ROW_NODE] = sum(1 << rule for rule in (2, 3, 7, 8, 10, 13))
_RULES[<int>CELL_NODE] = sum(1 << rule for rule in (2, 3, 4, 9, 10, 11, 13))
_RULES[<int>OTHER_NODE] = sum(1 << rule for rule in (2, 3, 4, 6, 7, 9, 10, 12))


cdef class Division:
    def __cinit__(self, VisualTree visual not None, double threshold):
        cdef Py_ssize_t size = visual.size
        self.visual, self.threshold = visual, threshold
        self.pool, self.decisions = Separators(), Records(1)
        self.pool.visual = visual
        self.stack = <int32_t *>calloc(size, sizeof(int32_t))
        self.divided = <unsigned char *>calloc(size, 1)
        self.held = <unsigned char *>calloc(size, 1)
        if self.stack == NULL or self.divided == NULL or self.held == NULL:
            raise MemoryError(f"no room for {size} nodes")

    def __dealloc__(self):
        free(self.stack)
        free(self.divided)
        free(self.held)

    cdef int divide(self, int32_t root) except -1:
        """Fills the pool: goes down from a node as far as the rules divide."""
        cdef Py_ssize_t waiting = 1, first, i
        cdef int32_t place, child
        cdef const VisualNode *node
        self.stack[0] = root
        while waiting:
            waiting -= 1
            place = self.stack[waiting]
            node = self.visual.nodes + place
            if node.kind == TEXT_NODE or node.kind == LEAF_NODE:
                self.add_piece(place, FINEST, True)
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
        """Applies the first rule that does; returns whether the node is divided, else it is in the pool."""
        cdef const VisualNode *node = self.visual.nodes + place
        cdef int tried = _RULES[<int>node.kind], rule
        cdef double small = self.threshold * area_of(self.visual.nodes + root)
        for rule in range(2, 14):
            if tried >> rule & 1 and self.applies(rule, place, root, small):
                break
        self.decisions.put(place)
        self.decisions.put(rule)
        if rule == 4:
            self.add_piece(place, FINEST if self.has_one_font(node) else FINEST - 1, True)
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
            return self.is_sibling_whole(place)
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

    cdef bint is_sibling_whole(self, int32_t place) noexcept:
        """Whether there is a sibling before a node, no line, that was not divided."""
        cdef int32_t sibling = self.visual.nodes[place].previous
        return sibling >= 0 and not self.divided[sibling] and self.visual.nodes[sibling].kind != RULE_NODE

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
        """Has the children that differ from a node in background be blocks of this round."""
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
        """Sets the first and the last text of a block."""
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
        """Sets what one sees of a node: its own box where that has a colour, else that of its leaves."""
        cdef const VisualNode *node = self.visual.nodes + place
        if is_own:
            box[0], box[1] = _pixel(node.x), _pixel(node.y)
            box[2], box[3] = _pixel(node.x + node.width), _pixel(node.y + node.height)
        else:
            box[0], box[1] = _pixel(node.left), _pixel(node.top)
            box[2], box[3] = _pixel(node.right), _pixel(node.bottom)


cdef inline int32_t _pixel(double place) noexcept nogil:
    return <int32_t>rint(min(max(place, -<double>_FARTHEST), <double>_FARTHEST))
