"""Twins of `transforms.extractors.dom_parser`.

The nodes of libxml2 are read through the C interface that lxml offers (`lxml.includes.etreepublic`).
"""

import numpy as np

from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memcpy, strchr, strlen
from lxml.includes.etreepublic cimport _Element, import_lxml__etree
from lxml.includes.tree cimport XML_ELEMENT_NODE, XML_TEXT_NODE, xmlAttr, xmlNode
from transforms.compiled.dom cimport is_hidden, is_unseen
from transforms.compiled.markup cimport key_of, name_key

import_lxml__etree()

cdef uint64_t _BODY = key_of(b"body")
cdef enum:
    _FIRST_SIZE = 1 << 16  # bytes for which there is room at first
    _PIECE = 1 << 12  # bytes
    _LONGEST_REFERENCE = 6  # bytes
    _NO_XML = 2


# The bytes that are written as references, in text and in attributes' values, and those that XML has not, which
# libxml2's versions write in different ways.
cdef unsigned char[256] _IN_TEXT
cdef unsigned char[256] _IN_VALUE
for _byte in range(256):
    _IN_TEXT[_byte] = _NO_XML if _byte < 0x20 and _byte not in b"\t\n\r" else _byte in b"&<>\r"
    _IN_VALUE[_byte] = _IN_TEXT[_byte] or _byte in b"\"\n\t"


cdef class _Writer:
    """XML as libxml2 writes it, into an array that grows."""

    cdef unsigned char[::1] data
    cdef Py_ssize_t size

    def __cinit__(self):
        self.data = np.empty(_FIRST_SIZE, np.uint8)
        self.size = 0

    cdef inline int reserve(self, Py_ssize_t more) except -1:
        """Makes room for so many bytes."""
        cdef unsigned char[::1] grown
        if more > self.data.shape[0] - self.size:
            grown = np.empty(2 * (self.size + more), np.uint8)
            if self.size:
                memcpy(&grown[0], &self.data[0], self.size)  # the new array is the larger one
            self.data = grown
        return 0

    cdef inline int byte(self, unsigned char one) except -1:
        self.reserve(1)
        self.data[self.size] = one
        self.size += 1
        return 0

    cdef int name(self, const unsigned char *text) except -1:
        """Writes a string that ends with a NUL as it stands."""
        cdef Py_ssize_t length = <Py_ssize_t>strlen(<const char *>text)
        if length:
            self.reserve(length)
            memcpy(&self.data[self.size], text, length)
            self.size += length
        return 0

    cdef bint text(self, const unsigned char *text, const unsigned char *special) except -1:
        """Writes a string that ends with a NUL, with references for the bytes that are marked in `special`.

        Returns:
            Whether it had none that XML has not.
        """
        cdef Py_ssize_t left = <Py_ssize_t>strlen(<const char *>text), length, at, i
        cdef unsigned char *to
        cdef const char *reference
        while left:
            # A piece at a time, and room for it if all of it were written as references: at most so many bytes
            # are written from `to` on.
            length = min(left, _PIECE)
            self.reserve(length * _LONGEST_REFERENCE)
            to = &self.data[self.size]
            at = 0
            for i in range(length):
                if not special[text[i]]:
                    to[at] = text[i]
                    at += 1
                elif special[text[i]] == _NO_XML:
                    return False
                else:
                    reference = _reference(text[i])
                    while reference[0]:
                        to[at] = <unsigned char>reference[0]
                        at += 1
                        reference += 1
            self.size += at
            text += length
            left -= length
        return True

    cdef bint start_tag(self, const xmlNode *node, bint empty) except -1:
        """Writes the tag that opens an element, or is all of it; whether there was nothing odd about it."""
        cdef const xmlAttr *attribute = <const xmlAttr *>node.properties
        cdef const xmlNode *value
        if node.ns != NULL or node.nsDef != NULL or strchr(<const char *>node.name, c'<') != NULL:
            return False
        self.byte(c'<')
        self.name(node.name)
        while attribute != NULL:
            # `<!` in a name looks like a section.
            if attribute.ns != NULL or strchr(<const char *>attribute.name, c'<') != NULL:
                return False
            self.byte(c' ')
            self.name(attribute.name)
            self.byte(c'=')
            self.byte(c'"')
            value = attribute.children
            while value != NULL:
                if not _is_text(value):
                    return False
                if value.content != NULL and not self.text(value.content, _IN_VALUE):
                    return False
                value = value.next
            self.byte(c'"')
            attribute = attribute.next
        if empty:
            self.byte(c'/')
        self.byte(c'>')
        return True

    cdef bint is_seen(self, Py_ssize_t start, uint64_t key, bint keep_hidden) noexcept:
        """Whether the last tag, written from `start` on, is of an element that is seen."""
        return not is_unseen(self.data, start + 1, key) and (
            keep_hidden or not is_hidden(self.data, start, self.size, key)
        )

    cdef uint64_t key(self, Py_ssize_t start) noexcept:
        """The key of the name in the tag written from `start` on."""
        return name_key(self.data, start + 1)

    cdef int end_tag(self, const xmlNode *node) except -1:
        self.byte(c'<')
        self.byte(c'/')
        self.name(node.name)
        self.byte(c'>')
        return 0


cdef inline const char *_reference(unsigned char byte) noexcept nogil:
    """How such a byte is written."""
    if byte == c'&':
        return b"&amp;"
    if byte == c'<':
        return b"&lt;"
    if byte == c'>':
        return b"&gt;"
    if byte == c'\r':
        return b"&#13;"
    if byte == c'"':
        return b"&quot;"
    return b"&#10;" if byte == c'\n' else b"&#9;"


cdef inline bint _is_text(const xmlNode *node) noexcept nogil:
    """Whether a node is text, and named so; what is written as it stands is called `textnoenc`."""
    cdef const unsigned char *name = node.name
    return (
        node.type == XML_TEXT_NODE
        and name != NULL
        and name[0] == c't' and name[1] == c'e' and name[2] == c'x' and name[3] == c't' and name[4] == 0
    )


cdef Py_ssize_t _count_elements(const xmlNode *root) noexcept nogil:
    """How many elements a tree has; -1 where nodes are neither elements nor text."""
    cdef const xmlNode *node = root
    cdef Py_ssize_t count = 0
    while True:
        if node.type == XML_ELEMENT_NODE:
            count += 1
            if node.children != NULL:
                node = node.children
                continue
        elif not _is_text(node):
            return -1
        while node != root and node.next == NULL:
            node = node.parent
        if node == root:
            return count
        node = node.next


def _element_arrays(_Element root not None, Py_ssize_t max_depth, bint keep_hidden):
    """The fields of a `Tree`: one walk over the nodes; None where some are odd."""
    cdef const xmlNode *top = root._c_node
    cdef const xmlNode *node = top
    cdef Py_ssize_t most = _count_elements(top)
    if most < 0:
        return None
    starts_array = np.empty(2 * most, np.int64)
    stops_array = np.empty(2 * most, np.int64)
    keys_array = np.empty(2 * most, np.uint64)
    is_end_array = np.empty(2 * most, np.uint8)
    inside_array = np.empty(2 * most, np.int64)
    opens_array = np.empty(most, np.int64)
    closes_array = np.empty(most, np.int64)
    parents_array = np.empty(most, np.int64)
    ends_array = np.empty(most, np.int64)
    cdef int64_t[::1] starts = starts_array, stops = stops_array, inside = inside_array
    cdef int64_t[::1] opens = opens_array, closes = closes_array, parents = parents_array, ends = ends_array
    cdef uint64_t[::1] keys = keys_array
    cdef unsigned char[::1] is_end = is_end_array
    cdef int64_t[::1] stack = np.full(max_depth + 1, -1, np.int64)
    cdef Py_ssize_t level = 0, deepest = 0  # open elements; stack[level] is the innermost
    cdef Py_ssize_t tag = 0, element = 0, body = -1, start
    cdef const xmlNode *going = NULL  # the outermost element around that goes
    cdef _Writer out = _Writer()
    cdef uint64_t key
    cdef int64_t closed
    cdef bint empty
    while True:
        if node.type == XML_ELEMENT_NODE:
            empty = node.children == NULL
            if not empty:
                level += 1
                deepest = max(deepest, level)
            if going == NULL and level <= max_depth:
                start = out.size
                if not out.start_tag(node, empty):
                    return None
                key = out.key(start)
                if not out.is_seen(start, key, keep_hidden):
                    going = node
                    out.size = start
                else:
                    if key == _BODY and body < 0:
                        body = element
                    opens[element] = closes[element] = tag
                    ends[element] = element + 1
                    parents[element] = stack[level] if empty else stack[level - 1]
                    if not empty:
                        stack[level] = element
                    element += 1
                    starts[tag], stops[tag] = start, out.size
                    keys[tag] = key
                    is_end[tag] = False
                    inside[tag] = stack[level]
                    tag += 1
            if not empty:
                node = node.children
                continue
            if going == node:
                going = NULL
        elif going == NULL and level <= max_depth and node.content != NULL:
            if not out.text(node.content, _IN_TEXT):
                return None
        while node != top and node.next == NULL:
            node = node.parent
            level -= 1
            if going == NULL and level < max_depth:
                closed = stack[level + 1]
                closes[closed] = tag
                ends[closed] = element
                start = out.size
                out.end_tag(node)
                starts[tag], stops[tag] = start, out.size
                keys[tag] = keys[opens[closed]]
                is_end[tag] = True
                inside[tag] = stack[level]
                tag += 1
            elif going == node:
                going = NULL
        if node == top:
            break
        node = node.next
    if deepest > max_depth:
        # Not at import: this module is loaded while those that use it are.
        from transforms.extractors.tree.dom_limits import TooDeepError

        raise TooDeepError(f"{deepest} open elements")
    return (
        bytes(out.data[: out.size]),
        starts_array[:tag],
        stops_array[:tag],
        keys_array[:tag],
        is_end_array[:tag].view(np.bool_),
        inside_array[:tag],
        opens_array[:element],
        closes_array[:element],
        parents_array[:element],
        ends_array[:element],
        max(body, 0),
    )


def _holds_sections(const unsigned char[::1] xml not None):
    """Whether there is a CDATA section."""
    cdef Py_ssize_t i
    cdef unsigned char found = 0
    for i in range(1, xml.shape[0]):
        found |= (xml[i] == c'!') & (xml[i - 1] == c'<')
    return found != 0
