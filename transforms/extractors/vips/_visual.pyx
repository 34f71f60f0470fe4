"""The visual tree: the nodes of a page that are seen; and how much text there is in them.

A leaf is a text that is not blank, or a replaced element. It is valid if it can be seen and has a box on the
page; an element is if one of its children is, `hr` left out. All else is left out, so rule 1 has nothing to
cut. An element whose own box is empty, because what it holds floats, has the box of its leaves.
"""

import numpy as np

from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport calloc, free

from cedar.transforms.extractors.tree.limits import TreeLimitError

from cedar.transforms.extractors.html._bytes cimport SPACE
from cedar.transforms.extractors.tree._tree cimport Tree
from cedar.transforms.extractors.vips._styles cimport (
    BLOCK, CELL, INLINE, LINK, PARAGRAPH, ROW, RULE, TABLE, Seen, is_replaced, name_of,
)

cdef enum:
    _MAX_NODES = 500_000
    _WHITE = 0xFFFFFF

MAX_NODES = _MAX_NODES
"""Visual nodes of a page; a page with more goes to the stand-in."""


cdef class VisualTree:
    """The valid nodes of a page in document order; l of them are leaves: texts, and replaced elements.

    Attributes:
        size: number of nodes.
        leaves: number of leaves, l.
        page_area: square pixels.
        leaf_tags: int64 (l,), the tag that each text leaf follows, -1 for other leaves.
        leaf_links: bool (l,), the leaves in links.
        leaf_boxes: float32 (l, 4), left, top, right and bottom of the leaves.
    """

    def __cinit__(self, Tree tree not None, boxes not None):
        cdef _Making making = _Making()
        making.take(tree, boxes)
        self.page_area = max(1.0, boxes.width * boxes.height)
        if tree.size and making.mark_valid():
            self.nodes = <VisualNode *>calloc(making.count, sizeof(VisualNode))
            self.leaf_nodes = <int32_t *>calloc(making.count, sizeof(int32_t))
            if self.nodes == NULL or self.leaf_nodes == NULL:
                raise MemoryError(f"no room for {making.count} nodes")
            making.fill(self)
            _gather(self)
        self.set_leaves()

    def __dealloc__(self):
        free(self.nodes)
        free(self.leaf_nodes)

    cdef int set_leaves(self) except -1:
        cdef Py_ssize_t i
        cdef const VisualNode *node
        cdef int64_t[::1] tags = np.empty(self.leaves, np.int64)
        cdef unsigned char[::1] links = np.empty(self.leaves, np.uint8)
        cdef float[:, ::1] boxes = np.empty((self.leaves, 4), np.float32)
        for i in range(self.leaves):
            node = self.nodes + self.leaf_nodes[i]
            tags[i], links[i] = node.tag, node.is_link
            boxes[i, 0], boxes[i, 1], boxes[i, 2], boxes[i, 3] = node.left, node.top, node.right, node.bottom
        self.leaf_tags, self.leaf_links, self.leaf_boxes = np.asarray(tags), np.asarray(links, bool), np.asarray(boxes)
        return 0

    def element(self, Py_ssize_t node):
        """The element of a node; -1 for a text."""
        if not 0 <= node < self.size:
            raise IndexError(f"no node {node} in a visual tree of {self.size}")
        return self.nodes[node].element if self.nodes[node].tag < 0 else -1


cdef class _Making:
    cdef Tree tree
    cdef const Seen[::1] seen
    cdef const float[:, ::1] text_box
    cdef unsigned char[::1] valid, role, link
    cdef int[::1] background  # that is seen
    cdef Py_ssize_t count  # of nodes, at most

    cdef int take(self, Tree tree, boxes) except -1:
        cdef Py_ssize_t element, parent
        self.tree, self.seen, self.text_box = tree, boxes.elements, boxes.texts
        if len(boxes.elements) != tree.size or len(boxes.texts) != tree.tags:
            raise ValueError("not as many boxes as there are elements and tags")
        self.valid, self.role = np.zeros(tree.size, np.uint8), np.empty(tree.size, np.uint8)
        self.link, self.background = np.empty(tree.size, np.uint8), np.empty(tree.size, np.int32)
        for element in range(tree.size):
            parent = tree.parent_of[element]
            self.role[element] = name_of(tree.key_of[element]).role
            self.link[element] = self.role[element] == LINK or parent >= 0 and self.link[parent]
            self.background[element] = self.seen[element].background
            if self.background[element] < 0:
                self.background[element] = self.background[parent] if parent >= 0 else _WHITE
        return 0

    cdef bint is_valid_text(self, Py_ssize_t tag) noexcept:
        return (
            self.tree.chars_of[tag] > 0
            and self.seen[self.tree.inside_of[tag]].visible
            and _is_on_page(&self.text_box[tag, 0])
        )

    cdef bint mark_valid(self) except -1:
        """Mark the elements that are valid, and counts nodes; return whether the body is."""
        cdef Tree tree = self.tree
        cdef Py_ssize_t tag, element
        cdef bint is_leaf
        for tag in range(tree.open_of[tree.body], tree.close_of[tree.body]):
            if self.is_valid_text(tag):
                self.valid[tree.inside_of[tag]] = True
                self.count += 1
        for element in range(tree.end_of[tree.body] - 1, tree.body - 1, -1):
            is_leaf = self.is_leaf(element)
            if is_leaf:
                self.valid[element] = self.seen[element].visible and _is_on_page(self.seen[element].box)
            self.count += self.valid[element]
            if self.valid[element] and self.role[element] != RULE and element > tree.body:
                self.valid[tree.parent_of[element]] = True
        if self.count > _MAX_NODES:
            raise TreeLimitError(f"{self.count} visual nodes")
        return self.valid[tree.body]

    cdef bint is_leaf(self, Py_ssize_t element) noexcept:
        cdef unsigned char role = self.role[element]
        return (is_replaced(role) or role == RULE) and element != self.tree.body

    cdef int fill(self, VisualTree visual) except -1:
        """Put the valid nodes in, in document order."""
        cdef Tree tree = self.tree
        cdef Py_ssize_t tag = tree.open_of[tree.body], last = tree.close_of[tree.body], element
        cdef int32_t current = -1  # the innermost open node
        while tag <= last:
            element = tree.of_tag[tag]
            if not self.valid[element] or self.is_leaf(element):
                if self.valid[element]:
                    self.add_element(visual, element, current)
                tag = tree.close_of[element]
            elif tree.open_of[element] == tag:
                current = self.add_element(visual, element, current)  # it holds something: another tag closes it
            else:
                visual.nodes[current].end = visual.size
                visual.nodes[current].leaf_end = visual.leaves
                current = visual.nodes[current].parent
            if tag < last and current >= 0 and self.is_valid_text(tag):
                self.add_text(visual, tag, current)
            tag += 1
        return 0

    cdef int32_t add_element(self, VisualTree visual, Py_ssize_t element, int32_t parent) noexcept:
        cdef VisualNode *node = visual.nodes + visual.size
        node.element, node.tag, node.background = element, -1, self.background[element]
        node.kind, node.is_block = self.kind_of(element), self.seen[element].display == BLOCK
        _set_box(node, self.seen[element].box)
        return self.add(visual, node, parent)

    cdef void add_text(self, VisualTree visual, Py_ssize_t tag, int32_t parent) noexcept:
        cdef VisualNode *node = visual.nodes + visual.size
        cdef Py_ssize_t element = self.tree.inside_of[tag]
        node.element, node.tag, node.background = element, tag, visual.nodes[parent].background
        node.kind = TEXT_NODE
        _set_box(node, &self.text_box[tag, 0])
        self.add(visual, node, parent)

    cdef int32_t add(self, VisualTree visual, VisualNode *node, int32_t parent) noexcept:
        node.parent, node.end, node.leaf = parent, visual.size + 1, visual.leaves
        node.previous, node.last_child = -1, -1
        if parent >= 0:
            node.previous, visual.nodes[parent].last_child = visual.nodes[parent].last_child, visual.size
        node.font, node.weight = self.seen[node.element].size, self.seen[node.element].weight
        node.is_link = self.link[node.element]
        if node.kind == TEXT_NODE or node.kind == LEAF_NODE:
            visual.leaf_nodes[visual.leaves] = visual.size
            visual.leaves += 1
        node.leaf_end = visual.leaves
        visual.size += 1
        return visual.size - 1

    cdef unsigned char kind_of(self, Py_ssize_t element) noexcept:
        cdef unsigned char role = self.role[element]
        if self.is_leaf(element):
            return RULE_NODE if role == RULE else LEAF_NODE
        if role == TABLE:
            return TABLE_NODE
        if role == ROW:
            return ROW_NODE
        if role == PARAGRAPH:
            return PARAGRAPH_NODE
        if role == CELL:
            return CELL_NODE
        return INLINE_NODE if self.seen[element].display == INLINE else OTHER_NODE


cdef inline bint _is_on_page(const float *box) noexcept nogil:
    return box[2] > 0 and box[3] > 0 and box[0] + box[2] > 0 and box[1] + box[3] > 0


cdef inline void _set_box(VisualNode *node, const float *box) noexcept nogil:
    node.x, node.y, node.width, node.height = box[0], box[1], box[2], box[3]
    node.left, node.top = box[0], box[1]
    node.right, node.bottom = box[0] + box[2], box[1] + box[3]


cdef void _gather(VisualTree visual) noexcept:
    """Has each element know of its children, from the last to the first."""
    cdef Py_ssize_t place
    cdef VisualNode *node
    for place in range(visual.size):
        node = visual.nodes + place
        node.all_text = True
        if not (node.kind == TEXT_NODE or node.kind == LEAF_NODE or node.kind == RULE_NODE):
            node.left = node.top = 1e30
            node.right = node.bottom = -1e30
    for place in range(visual.size - 1, -1, -1):
        node = visual.nodes + place
        if node.children and (node.width <= 0 or node.height <= 0):
            node.x, node.y = node.left, node.top
            node.width, node.height = node.right - node.left, node.bottom - node.top
        if node.parent >= 0:
            _tell_parent(visual.nodes + node.parent, node)


cdef void _tell_parent(VisualNode *parent, const VisualNode *node) noexcept nogil:
    cdef double area = area_of(node)
    if node.kind == RULE_NODE:
        parent.some_rule = True
        return
    parent.children += 1
    parent.area += area
    parent.largest_area = max(parent.largest_area, area)
    if is_text_or_virtual(node):
        parent.some_text = True
    else:
        parent.all_text = False
        parent.some_break |= node.is_block
    parent.some_colour |= node.background != parent.background
    parent.left, parent.top = min(parent.left, node.left), min(parent.top, node.top)
    parent.right, parent.bottom = max(parent.right, node.right), max(parent.bottom, node.bottom)


def text_extents(Tree tree not None):
    """Measure the texts after a tree's t tags, runs of blanks as one.

    Widths in em, float32 (t,): one em for a character from U+2E80 on, half of one for others; and words, int64 (t,):
    runs between blanks; Han and kana are a word each.
    """
    cdef const unsigned char[::1] text = tree.shrunk
    cdef Py_ssize_t tag, at, stop
    cdef int64_t wide, words
    cdef unsigned char byte, following
    cdef bint in_word
    cdef float[::1] widths = np.empty(tree.tags, np.float32)
    cdef int64_t[::1] counts = np.empty(tree.tags, np.int64)
    for tag in range(tree.tags):
        at, stop = tree.shrunk_of[tag] + 1, tree.shrunk_of[tag + 1]
        wide = words = 0
        in_word = False
        while at < stop:
            byte = text[at]
            following = text[at + 1] if at + 1 < stop else 0
            if byte == SPACE:
                in_word = False
            elif byte < 0xE2 or byte == 0xE2 and following < 0xBA:  # below U+2E80
                if (byte & 0xC0) != 0x80:
                    words += not in_word
                    in_word = True
            else:
                wide += 1
                if _is_word_alone(byte, following):
                    words += 1
                    in_word = False
                else:
                    words += not in_word
                    in_word = True
                at += 2 if byte < 0xF0 else 3
            at += 1
        widths[tag] = 0.5 * (tree.chars_of[tag] + wide)
        counts[tag] = words
    return np.asarray(widths), np.asarray(counts)


cdef inline bint _is_word_alone(unsigned char byte, unsigned char following) noexcept nogil:
    """Whether a character with these first bytes is Han or kana: U+3040 to U+9FFF and F900 to FAFF."""
    if byte == 0xE3:
        return following >= 0x81
    return 0xE4 <= byte <= 0xE9 or byte == 0xEF and 0xA4 <= following <= 0xAB or byte == 0xF0 and following >= 0xA0
