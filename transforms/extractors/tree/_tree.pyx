"""The tree of a page: its elements, their names and attributes, and the text between their tags."""

import numpy as np

from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memcmp, strlen

from transforms.extractors.html._tags import key


cdef class Tree:
    """A page's n elements in document order, and their t tags.

    An element that holds something has a start tag and an end tag; one that is empty has one tag. Text
    belongs to the tag it follows: after a start tag it is the element's text, after an end tag its tail. An
    element's subtree, itself included, is the range [i, ends[i]) of elements; the text in it follows the tags
    [opens[i], closes[i]).

    The text of a tag has two forms. In `text` it stands as the page has it, references decoded. Shrunk, as
    `_text` works on it, each run of blanks is one space, and control characters are gone.

    Attributes:
        size: number of elements, n.
        tags: number of tags, t.
        body: the first `body`, else the root.
        keys: uint64 (n,), the elements' names as `html._tags.key` has them.
        block_level: bool (n,), whether an element parts words and lines; `br` does.
        parents: int64 (n,), -1 for the root.
        ends: int64 (n,), the element after the last of its subtree.
        opens: int64 (n,), the tag that opens each element.
        closes: int64 (n,), the tag that closes it: `opens` again for an empty element.
        inside: int64 (t,), the element in which the text after each tag stands; -1 outside of the root.
        chars: int64 (t,), code points of the shrunk text after each tag, spaces at its ends not counted.
        blocks: int64 (t,), ascending: the block to which it belongs. A block is what stands between two tags
            of block-level elements.
        text: the text of all tags as the page has it, UTF-8.
        texts: int64 (t + 1,), where in `text` that of each tag begins; `text` ends with the last.
        markup: names and attributes of the elements, UTF-8: of each the name, then the name and the value of
            each attribute, every one of these followed by a NUL.
    """

    @property
    def in_body(self):
        """Marks the body and its descendants. bool (n,)."""
        marks = np.zeros(self.size, bool)
        if self.size:
            marks[self.body : self.end_of[self.body]] = True
        return marks

    @property
    def body_tags(self):
        """The tags that open and close the body; (0, 0) in an empty tree."""
        if not self.size:
            return 0, 0
        return self.open_of[self.body], self.close_of[self.body]

    @property
    def body_text(self):
        """Marks the tags after which the text is the body's. bool (t,)."""
        first, last = self.body_tags
        marks = np.zeros(self.tags, bool)
        marks[first:last] = True
        return marks

    @property
    def depths(self):
        """How many ancestors each element has. int64 (n,)."""
        cdef Py_ssize_t element
        cdef int64_t[::1] depths = np.empty(self.size, np.int64)
        for element in range(self.size):
            depths[element] = depths[self.parent_of[element]] + 1 if self.parent_of[element] >= 0 else 0
        return np.asarray(depths)

    def name(self, Py_ssize_t element):
        """The name of an element."""
        return self._words(element)[0]

    def attributes(self, Py_ssize_t element):
        """The attributes of an element, in their order."""
        words = self._words(element)
        return dict(zip(words[1::2], words[2::2], strict=True))

    cdef const unsigned char[::1] _of_elements(self, flags):
        """Flags of the elements."""
        cdef const unsigned char[::1] marked = flags.view(np.uint8)
        if marked.shape[0] != self.size:
            raise ValueError(f"{marked.shape[0]} flags for {self.size} elements")
        return marked

    cdef list _words(self, Py_ssize_t element):
        """The name of an element, and the names and values of its attributes."""
        if not 0 <= element < self.size:
            raise IndexError(f"no element {element} in a tree of {self.size}")
        record = self.markup[self.markup_of[element] : self.markup_of[element + 1] - 1]
        return record.decode().split("\0")

    def named(self, *names):
        """Marks the elements with one of these names. bool (n,)."""
        return np.isin(self.keys, np.array([key(name) for name in names], np.uint64))

    def with_attribute(self, elements not None, str name not None):
        """Marks those of the elements marked, bool (n,), that have an attribute. bool (n,)."""
        cdef const unsigned char[::1] marked = self._of_elements(elements)
        cdef const unsigned char *record = self.markup
        cdef bytes written = b" " + name.encode() + b"="
        cdef const unsigned char *wanted = written
        cdef Py_ssize_t element, at, stop, value, length = len(written)
        cdef unsigned char[::1] found = np.zeros(self.size, np.uint8)
        for element in range(self.size):
            if not marked[element]:
                continue
            at, stop = _after_word(record, self.markup_of[element]), self.markup_of[element + 1]
            while at < stop:
                value = _after_word(record, at)
                if value - at == length - 1 and memcmp(record + at, wanted + 1, length - 2) == 0:
                    found[element] = True
                at = _after_word(record, value)
                # Quotes out of step: the value before has swallowed the beginning of the attribute.
                if at - 1 - value >= length and memcmp(record + at - 1 - length, wanted, length) == 0:
                    found[element] = True
        return np.asarray(found).view(np.bool_)

    def covered(self, elements not None):
        """Marks the elements that are marked, bool (n,), and their descendants. bool (n,)."""
        return np.arange(self.size) < np.maximum.accumulate(np.where(elements, self.ends, 0))

    def element_sums(self, values not None):
        """Sums over each subtree, its root included, of one value an element. int64 (n,)."""
        sums = np.zeros(self.size + 1, np.int64)
        np.cumsum(values, out=sums[1:])
        return sums[self.ends] - sums[: self.size]

    def text_sums(self, values not None):
        """Sums over the text in each subtree of one value a tag: that of the text after it. int64 (n,)."""
        sums = np.zeros(self.tags + 1, np.int64)
        np.cumsum(values, out=sums[1:])
        return sums[self.closes] - sums[self.opens]

    def child_sums(self, values not None):
        """Sums over the children of each element of one value an element, in their order. float64 (n,)."""
        return np.bincount(self.parents % (self.size + 1), values, self.size + 1)[: self.size]

    def direct_sums(self, values not None):
        """Sums over the texts directly in each element of one value a tag, in their order. float64 (n,)."""
        return np.bincount(self.inside % (self.size + 1), values, self.size + 1)[: self.size]


cdef inline Py_ssize_t _after_word(const unsigned char *record, Py_ssize_t at) noexcept nogil:
    """Where the next word of a record begins; a NUL ends each."""
    return at + <Py_ssize_t>strlen(<const char *>record + at) + 1
