"""What makes a tree of elements and texts that come in document order."""

import numpy as np

from libc.stdint cimport int64_t, uint64_t
from libc.string cimport strlen

from transforms.extractors.html._tags import are_block_level, key
from transforms.extractors.tree.limits import TooDeepError

from transforms.extractors.html._bytes cimport SPACE, wide_blank
from transforms.extractors.html._elements cimport UNSEEN, traits
from transforms.extractors.html._growing cimport ByteBuffer
from transforms.extractors.html._styles cimport hides
from transforms.extractors.tree._limits cimport has_control_bytes
from transforms.extractors.tree._tree cimport Tree

cdef uint64_t _BODY = key("body")

cdef enum:
    _FIRST_ROOM = 1 << 14  # bytes
    _REPLACEMENT = 3  # bytes of U+FFFD


cdef class TreeBuilder:
    """Takes the elements and texts of a page in document order, and leaves out what is not seen.

    That is what no browser shows as text (see `tree`), and what markup hides, unless it is kept; but for `html` and
    `body`, which pages show again by script. At most `max_depth` elements with content may be open at once.
    """

    def __cinit__(self, Py_ssize_t elements, Py_ssize_t max_depth, bint keep_hidden):
        if elements < 0 or max_depth < 1:
            raise ValueError(f"not a size of a tree: {elements} elements, {max_depth} of them open")
        self.max_depth, self.keep_hidden = max_depth, keep_hidden
        self.markup, self.text = ByteBuffer(_FIRST_ROOM), ByteBuffer(_FIRST_ROOM)
        self.keys = np.empty(elements, np.uint64)
        self.parents, self.ends = np.empty(elements, np.int64), np.empty(elements, np.int64)
        self.opens, self.closes = np.empty(elements, np.int64), np.empty(elements, np.int64)
        self.markups = np.empty(elements + 1, np.int64)
        self.inside, self.texts = np.empty(2 * elements, np.int64), np.empty(2 * elements + 1, np.int64)
        self.key_of, self.parent_of, self.end_of = self.keys, self.parents, self.ends
        self.open_of, self.close_of, self.markup_of = self.opens, self.closes, self.markups
        self.inside_of, self.text_of = self.inside, self.texts
        self.open_elements = np.full(max_depth + 1, -1, np.int64)
        self.body = -1

    def open(self, bytes name not None, list attributes not None, bint is_empty):
        """Take an element; unless it is empty, it is open until `close`. Bytes are UTF-8 without NUL."""
        cdef bytes attribute, value
        # What is not an attribute is refused before the element begins.
        given = [(<bytes?>attribute, <bytes?>value) for attribute, value in attributes]
        if self.begin_element(name, is_empty):
            for attribute, value in given:
                self.begin_attribute(attribute)
                self.add_value(value)
                self.end_attribute()
            self.finish_tag(is_empty)

    def add(self, bytes text not None):
        """Take text of the innermost open element."""
        self.add_text(text)

    def close(self):
        """Close the innermost open element."""
        if not self.level:
            raise ValueError("no element is open")
        self.end_element()

    cdef bint begin_element(self, const unsigned char *name, bint is_empty) except -1:
        cdef Py_ssize_t start = self.markup.size
        cdef uint64_t key
        if not is_empty:
            self.level += 1
            self.deepest = max(self.deepest, self.level)
        if self.unseen or self.level > self.max_depth:
            return False
        if self.elements >= self.key_of.shape[0]:
            self.level -= not is_empty
            raise IndexError(f"more elements than {self.elements}")
        self.markup.put_bytes(name, strlen(<const char *>name))
        self.markup.put_byte(0)
        key = _key(&self.markup.bytes[0] + start)
        self.key_of[self.elements] = key
        self.markup_of[self.elements] = start
        # What no browser shows as text; a key has eight bytes of a name.
        self.hides = self.markup.size - start - 1 <= 8 and traits(key) & UNSEEN != 0
        return True

    cdef int begin_attribute(self, const unsigned char *name) except -1:
        self.attribute = self.markup.size
        self.markup.put_bytes(name, strlen(<const char *>name))
        self.markup.put_byte(0)
        self.value = self.markup.size
        return 0

    cdef int add_value(self, const unsigned char *value) except -1:
        return self.markup.put_bytes(value, strlen(<const char *>value))

    cdef int end_attribute(self) except -1:
        cdef const unsigned char *data
        self.markup.put_byte(0)
        if not self.hides and not self.keep_hidden:
            data = &self.markup.bytes[0]
            self.hides = hides(
                self.key_of[self.elements], _key(data + self.attribute), self.value - self.attribute - 1,
                data + self.value, self.markup.size - self.value - 1,
            )
        return 0

    cdef int finish_tag(self, bint is_empty) except -1:
        cdef Py_ssize_t element = self.elements
        if self.hides:
            self.markup.size = self.markup_of[element]
            if not is_empty:
                self.unseen = self.level
            return 0
        if self.body < 0 and self.key_of[element] == _BODY:
            self.body = element
        self.open_of[element] = self.close_of[element] = self.tags
        self.end_of[element] = element + 1
        if is_empty:
            self.parent_of[element] = self.open_elements[self.level]
        else:
            self.parent_of[element] = self.open_elements[self.level - 1]
            self.open_elements[self.level] = element
        self.elements += 1
        self._add_tag()
        return 0

    cdef inline void _add_tag(self) noexcept:
        self.inside_of[self.tags] = self.open_elements[self.level]
        self.text_of[self.tags] = self.text.size
        self.tags += 1

    cdef int add_text(self, const unsigned char *text) except -1:
        if not self.unseen and self.level <= self.max_depth:
            self.text.put_bytes(text, strlen(<const char *>text))
        return 0

    cdef void end_element(self) noexcept:
        cdef int64_t closed
        self.level -= 1
        if self.unseen:
            if self.unseen > self.level:
                self.unseen = 0
        elif self.level < self.max_depth:
            closed = self.open_elements[self.level + 1]
            self.close_of[closed] = self.tags
            self.end_of[closed] = self.elements
            self._add_tag()

    def finish(self):
        """Make the tree; raise TooDeepError where more than `max_depth` elements were open, whether seen or not."""
        cdef Tree tree = Tree.__new__(Tree)
        if self.deepest > self.max_depth:
            raise TooDeepError(f"{self.deepest} open elements")
        self.markup_of[self.elements] = self.markup.size
        self.text_of[self.tags] = self.text.size
        tree.size, tree.tags, tree.body = self.elements, self.tags, max(self.body, 0)
        tree.keys, tree.parents = self.keys[: tree.size], self.parents[: tree.size]
        tree.ends, tree.opens, tree.closes = (
            self.ends[: tree.size], self.opens[: tree.size], self.closes[: tree.size]
        )
        tree.inside, tree.texts = self.inside[: tree.tags], self.texts[: tree.tags + 1]
        tree.markup, tree.text = self.markup.content(), self.text.content()
        tree.block_level = are_block_level(tree.keys)
        tree.key_of, tree.parent_of, tree.end_of = tree.keys, tree.parents, tree.ends
        tree.open_of, tree.close_of, tree.inside_of = tree.opens, tree.closes, tree.inside
        tree.text_of, tree.markup_of = tree.texts, self.markups
        _shrink(tree)
        return tree


cdef inline uint64_t _key(const unsigned char *name) noexcept nogil:
    """The key of a name that ends with a NUL: see `html._tags`."""
    cdef uint64_t key = 0
    cdef int i = 0
    while i < 8 and name[i] > SPACE and name[i] != c'/' and name[i] != c'>':
        key |= <uint64_t>(name[i] | 0x20) << (8 * i)
        i += 1
    return key


cdef int _shrink(Tree tree) except -1:
    """Set what a tree has of its text shrunk: runs of blanks to a space, control characters to nothing.

    Those below the space, which HTML has not, were references: they become U+FFFD.
    """
    cdef Py_ssize_t tags = tree.tags, tag, at, stop, out = 0, first, length, inner, element
    cdef const unsigned char[::1] text = tree.text
    # In front of the text of each tag stands a byte that is not a blank.
    shrunk_array = np.empty(tags + (_REPLACEMENT if has_control_bytes(text) else 1) * text.shape[0], np.uint8)
    marks_array, chars_array = np.empty(tags + 1, np.int64), np.empty(tags, np.int64)
    blocks_array = np.zeros(tags, np.int64)
    before_array, after_array = np.empty(tags, np.uint8), np.empty(tags, np.uint8)
    cdef unsigned char[::1] shrunk = shrunk_array, before = before_array, after = after_array
    cdef int64_t[::1] marks = marks_array, chars = chars_array, blocks = blocks_array
    cdef const unsigned char[::1] parts = tree.block_level.view(np.uint8)
    cdef unsigned char byte
    cdef int64_t block = 0
    for element in range(tree.size):
        blocks[tree.open_of[element]] = blocks[tree.close_of[element]] = parts[element]
    for tag in range(tags):
        marks[tag] = out
        block += blocks[tag]
        blocks[tag] = block
        shrunk[out] = 0
        out += 1
        first = out
        inner = 0
        at, stop = tree.text_of[tag], tree.text_of[tag + 1]
        while at < stop:
            byte = text[at]
            at += 1
            # Most bytes are letters, and single spaces between them: without a branch for each.
            if (byte < 0x7F) & ((byte > SPACE) | ((byte == SPACE) & (shrunk[out - 1] != SPACE))):
                shrunk[out] = byte
                out += 1
                continue
            if byte <= SPACE:
                if byte == SPACE or byte == c'\t' or byte == c'\n' or byte == c'\r':
                    out = _with_space(shrunk, out)
                    continue
                shrunk[out], shrunk[out + 1], shrunk[out + 2] = 0xEF, 0xBF, 0xBD
                out += 3
                inner += 2
                continue
            if byte == 0x7F:
                continue
            length = wide_blank(text, at - 1)
            if length:
                at += length - 1
                out = _with_space(shrunk, out)
                continue
            if byte == 0xC2 and text[at] < 0xA0:  # U+0080 to U+009F
                at += 1
                continue
            inner += (byte & 0xC0) == 0x80
            shrunk[out] = byte
            out += 1
        length = out - first
        before[tag] = length > 0 and shrunk[first] == SPACE
        after[tag] = length > 1 and shrunk[out - 1] == SPACE
        chars[tag] = length - inner - before[tag] - after[tag]
    marks[tags] = out
    tree.chars, tree.blocks = chars_array, blocks_array
    tree.chars_of, tree.block_of = chars, blocks
    tree.space_before, tree.space_after = before, after
    tree.shrunk, tree.shrunk_of = shrunk[:out], marks
    return 0


cdef inline Py_ssize_t _with_space(unsigned char[::1] shrunk, Py_ssize_t out) noexcept nogil:
    """Write a space, unless it follows one; the byte after it."""
    if shrunk[out - 1] == SPACE:
        return out
    shrunk[out] = SPACE
    return out + 1
