"""The nodes of libxml2, read through the C interface that lxml offers (`lxml.includes.etreepublic`)."""

from lxml.includes.etreepublic cimport _Element, import_lxml__etree
from lxml.includes.tree cimport XML_CDATA_SECTION_NODE, XML_ELEMENT_NODE, XML_TEXT_NODE, xmlAttr, xmlNode

from cedar.transforms.extractors.tree._tree cimport TreeBuilder

cdef extern from "libxml/xmlversion.h":
    int LIBXML_VERSION

import_lxml__etree()

COMPILED_VERSION = (LIBXML_VERSION // 10000, LIBXML_VERSION // 100 % 100, LIBXML_VERSION % 100)


def tree_of_nodes(_Element root not None, Py_ssize_t max_depth, bint keep_hidden):
    """Make the tree of the visible nodes of an `lxml.etree._Element`, by one walk over them; see `TreeBuilder`."""
    cdef const xmlNode *top = root._c_node
    cdef const xmlNode *node = top
    cdef TreeBuilder builder = TreeBuilder(max_depth, keep_hidden)
    while True:
        if node.type == XML_ELEMENT_NODE:
            _take_tag(builder, node)
            if node.children != NULL:
                node = node.children
                continue
        elif _is_text(node) and node.content != NULL:
            builder.add_text(node.content)
        while node != top and node.next == NULL:
            node = node.parent
            builder.end_element()
        if node == top:
            return builder.finish()
        node = node.next


cdef int _take_tag(TreeBuilder builder, const xmlNode *node) except -1:
    cdef const xmlAttr *attribute = <const xmlAttr *>node.properties
    cdef const xmlNode *value
    cdef bint is_empty = node.children == NULL
    if not builder.begin_element(node.name, is_empty):
        return 0
    while attribute != NULL:
        builder.begin_attribute(attribute.name)
        value = attribute.children
        while value != NULL:
            if _is_text(value) and value.content != NULL:
                builder.add_value(value.content)
            value = value.next
        builder.end_attribute()
        attribute = attribute.next
    return builder.finish_tag(is_empty)


cdef inline bint _is_text(const xmlNode *node) noexcept nogil:
    return node.type == XML_TEXT_NODE or node.type == XML_CDATA_SECTION_NODE
