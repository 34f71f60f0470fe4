"""The tree of a page: its elements, their names and attributes, and the text between their tags."""

import numpy as np

from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memcmp, strlen

from transforms.extractors.html._tags import key


cdef class Tree:
    @property
    def in_body(self):
        marks = np.zeros(self.size, bool)
        if self.size:
            marks[self.body : self.end_of[self.body]] = True
        return marks

    @property
    def body_tags(self):
        if not self.size:
            return 0, 0
        return self.open_of[self.body], self.close_of[self.body]

    @property
    def body_text(self):
        first, last = self.body_tags
        marks = np.zeros(self.tags, bool)
        marks[first:last] = True
        return marks

    @property
    def depths(self):
        cdef Py_ssize_t element
        depths_array = np.empty(self.size, np.int64)
        cdef int64_t[::1] depths = depths_array
        for element in range(self.size):
            depths[element] = depths[self.parent_of[element]] + 1 if self.parent_of[element] >= 0 else 0
        return depths_array

    def name(self, Py_ssize_t element):
        return self._words(element)[0]

    def attributes(self, Py_ssize_t element):
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
        cdef Py_ssize_t element
        cdef uint64_t one
        marks_array = np.zeros(self.size, np.uint8)
        cdef unsigned char[::1] marks = marks_array
        for name in names:
            one = key(name)
            for element in range(self.size):
                marks[element] |= self.key_of[element] == one
        return marks_array.view(np.bool_)

    def with_attribute(self, elements not None, str name not None):
        cdef const unsigned char[::1] marked = self._of_elements(elements)
        cdef const unsigned char *record = self.markup
        cdef bytes written = b" " + name.encode() + b"="
        cdef const unsigned char *wanted = written
        cdef Py_ssize_t element, at, stop, value, length = len(written)
        found_array = np.zeros(self.size, np.uint8)
        cdef unsigned char[::1] found = found_array
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
        return found_array.view(np.bool_)

    def covered(self, elements not None):
        cdef const unsigned char[::1] marked = self._of_elements(elements)
        cdef Py_ssize_t element, reached = 0
        marks_array = np.empty(self.size, np.uint8)
        cdef unsigned char[::1] marks = marks_array
        for element in range(self.size):
            if marked[element]:
                reached = max(reached, self.end_of[element])
            marks[element] = element < reached
        return marks_array.view(np.bool_)

    def element_sums(self, values not None):
        sums = np.zeros(self.size + 1, np.int64)
        np.cumsum(values, out=sums[1:])
        return sums[self.ends] - sums[: self.size]

    def text_sums(self, values not None):
        cdef const int64_t[::1] value = np.asarray(values, np.int64)
        if value.shape[0] != self.tags:
            raise ValueError(f"{value.shape[0]} values for {self.tags} tags")
        cdef Py_ssize_t tag, element
        found_array = np.empty(self.size, np.int64)
        cdef int64_t[::1] sums = np.empty(self.tags + 1, np.int64), found = found_array
        sums[0] = 0
        for tag in range(self.tags):
            sums[tag + 1] = sums[tag] + value[tag]
        for element in range(self.size):
            found[element] = sums[self.close_of[element]] - sums[self.open_of[element]]
        return found_array


cdef inline Py_ssize_t _after_word(const unsigned char *record, Py_ssize_t at) noexcept nogil:
    """Where the next word of a record begins; a NUL ends each."""
    return at + <Py_ssize_t>strlen(<const char *>record + at) + 1
