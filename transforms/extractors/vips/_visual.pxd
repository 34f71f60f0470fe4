# The visual tree: the nodes of a page that are seen; see `_visual.pyx`.

from libc.stdint cimport int32_t

cdef enum Kind:
    TEXT_NODE, LEAF_NODE, RULE_NODE, INLINE_NODE, TABLE_NODE, ROW_NODE, CELL_NODE, PARAGRAPH_NODE, OTHER_NODE

cdef struct VisualNode:
    int32_t element, tag  # tag: the text after it; -1 for an element
    int32_t parent, previous, last_child, end, leaf, leaf_end  # previous: sibling, or -1
    float x, y, width, height
    float left, top, right, bottom  # of the leaves in it
    float font
    int32_t background  # seen below it
    short weight
    unsigned char kind
    bint is_link, is_block  # is_block: its display does not begin with inline
    # Of an element's children, lines (`hr`) left out.
    int32_t children
    double area, largest_area  # all of them added up, and the largest one's
    bint all_text, some_text, some_break, some_rule, some_colour


cdef class VisualTree:
    cdef readonly Py_ssize_t size, leaves
    cdef readonly double page_area
    cdef VisualNode *nodes
    cdef int32_t *leaf_nodes
    cdef readonly object leaf_tags, leaf_links, leaf_boxes
    cdef int set_leaves(self) except -1


cdef inline double area_of(const VisualNode *node) noexcept nogil:
    return <double>node.width * node.height


cdef inline bint is_text_or_virtual(const VisualNode *node) noexcept nogil:
    """Whether a node is text, or an inline element of nothing but such nodes: a virtual text node."""
    return node.kind == TEXT_NODE or node.kind == INLINE_NODE and node.all_text and not node.some_rule
