"""The visual tree: the nodes of a page that are seen.

A leaf is a text that is not blank, or a replaced element. It is valid if it can be seen and has a box on the
page; an element is if one of its children is, `hr` left out. All else is left out, so rule 1 has nothing to
cut. An element whose own box is empty, because what it holds floats, has the box of its leaves.
"""

import numpy as np

from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport calloc, free

from transforms.extractors.tree.limits import TreeLimitError

from transforms.extractors.tree._tree cimport Tree
from transforms.extractors.vips._names cimport CELL, LINK, PARAGRAPH, ROW, RULE, TABLE, is_replaced, name_of

cdef enum:
    _MOST_NODES = 500_000
    _WHITE = 0xFFFFFF
    _INLINE = 1  # of `Boxes.displays`
    _BLOCK = 3

MOST_NODES = _MOST_NODES


cdef class VisualTree:
    def __cinit__(self, Tree tree not None, boxes not None):
        cdef _Making making = _Making()
        making.take(tree, boxes)
        self.page_area = max(1.0, boxes.width * boxes.height)
        if not tree.size or not making.mark_valid():
            return
        self.nodes = <VisualNode *>calloc(making.count, sizeof(VisualNode))
        self.leaf_nodes = <int32_t *>calloc(making.count, sizeof(int32_t))
        if self.nodes == NULL or self.leaf_nodes == NULL:
            raise MemoryError(f"no room for {making.count} nodes")
        making.fill(self)
        _gather(self)

    def __dealloc__(self):
        free(self.nodes)
        free(self.leaf_nodes)

    @property
    def leaf_tags(self):
        cdef Py_ssize_t i
        tags_array = np.empty(self.leaves, np.int64)
        cdef int64_t[::1] tags = tags_array
        for i in range(self.leaves):
            tags[i] = self.nodes[self.leaf_nodes[i]].tag
        return tags_array

    @property
    def leaf_links(self):
        cdef Py_ssize_t i
        links_array = np.empty(self.leaves, np.uint8)
        cdef unsigned char[::1] links = links_array
        for i in range(self.leaves):
            links[i] = self.nodes[self.leaf_nodes[i]].is_link
        return links_array.view(np.bool_)

    @property
    def leaf_boxes(self):
        cdef Py_ssize_t i
        cdef const VisualNode *node
        boxes_array = np.empty((self.leaves, 4), np.float32)
        cdef float[:, ::1] boxes = boxes_array
        for i in range(self.leaves):
            node = self.nodes + self.leaf_nodes[i]
            boxes[i, 0], boxes[i, 1], boxes[i, 2], boxes[i, 3] = node.left, node.top, node.right, node.bottom
        return boxes_array

    def element(self, Py_ssize_t node):
        if not 0 <= node < self.size:
            raise IndexError(f"no node {node} in a visual tree of {self.size}")
        return self.nodes[node].element if self.nodes[node].tag < 0 else -1


cdef class _Making:
    cdef Tree tree
    cdef const float[:, ::1] element_box, text_box
    cdef const float[::1] font
    cdef const short[::1] weight
    cdef const int[::1] own_background
    cdef const unsigned char[::1] display, visible
    cdef unsigned char[::1] valid, role, link
    cdef int[::1] background  # that is seen
    cdef Py_ssize_t count  # of nodes, at most

    cdef int take(self, Tree tree, boxes) except -1:
        cdef Py_ssize_t element, parent
        cdef const unsigned char[::1] visible = boxes.visibles.view(np.uint8)
        self.tree, self.visible = tree, visible
        self.element_box, self.text_box = boxes.elements, boxes.texts
        self.font, self.weight, self.display = boxes.sizes, boxes.weights, boxes.displays
        self.own_background = boxes.backgrounds
        sizes = {len(each) for each in (boxes.elements, boxes.sizes, boxes.weights, boxes.displays)}
        if {*sizes, len(boxes.backgrounds), len(visible)} != {tree.size} or len(boxes.texts) != tree.tags:
            raise ValueError("not as many boxes as there are elements and tags")
        self.valid, self.role = np.zeros(tree.size, np.uint8), np.empty(tree.size, np.uint8)
        self.link, self.background = np.empty(tree.size, np.uint8), np.empty(tree.size, np.int32)
        for element in range(tree.size):
            parent = tree.parent_of[element]
            self.role[element] = name_of(tree.key_of[element]).role
            self.link[element] = self.role[element] == LINK or parent >= 0 and self.link[parent]
            self.background[element] = self.own_background[element]
            if self.own_background[element] < 0:
                self.background[element] = self.background[parent] if parent >= 0 else _WHITE
        return 0

    cdef bint is_valid_text(self, Py_ssize_t tag) noexcept:
        return (
            self.tree.chars_of[tag] > 0
            and self.visible[self.tree.inside_of[tag]]
            and _is_on_page(&self.text_box[tag, 0])
        )

    cdef bint mark_valid(self) except -1:
        """Marks the elements that are valid, and counts nodes; returns whether the body is."""
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
                self.valid[element] = self.visible[element] and _is_on_page(&self.element_box[element, 0])
            self.count += self.valid[element]
            if self.valid[element] and self.role[element] != RULE and element > tree.body:
                self.valid[tree.parent_of[element]] = True
        if self.count > _MOST_NODES:
            raise TreeLimitError(f"{self.count} visual nodes")
        return self.valid[tree.body]

    cdef bint is_leaf(self, Py_ssize_t element) noexcept:
        cdef unsigned char role = self.role[element]
        return (is_replaced(role) or role == RULE) and element != self.tree.body

    cdef int fill(self, VisualTree visual) except -1:
        """Puts the valid nodes in, in document order."""
        cdef Tree tree = self.tree
        cdef Py_ssize_t tag = tree.open_of[tree.body], last = tree.close_of[tree.body], element = tree.body
        cdef int32_t current = -1  # the innermost open node
        while tag <= last:
            if element < tree.size and tree.open_of[element] == tag:
                if not self.valid[element] or self.is_leaf(element):
                    if self.valid[element]:
                        self.add_element(visual, element, current)
                    tag = tree.close_of[element]
                    element = tree.end_of[element]
                else:
                    current = self.add_element(visual, element, current)
                    # What is valid holds something: it has a tag that closes it.
                    element += 1
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
        node.kind, node.is_block = self.kind_of(element), self.display[element] == _BLOCK
        _set_box(node, &self.element_box[element, 0])
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
        node.font, node.weight = self.font[node.element], self.weight[node.element]
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
        return INLINE_NODE if self.display[element] == _INLINE else OTHER_NODE


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

