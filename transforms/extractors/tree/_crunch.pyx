"""Crunch's walk over a tree, and the tree with alternative texts in it."""

import numpy as np

from libc.stdint cimport int64_t
from libc.string cimport strcmp

from cedar.transforms.extractors.html._bytes cimport SPACE
from cedar.transforms.extractors.tree._tree cimport Tree, TreeBuilder, after_word

cpdef enum:  # which filter took an element or a text
    KEPT, AD, LINK_LIST, TEXT_LINK, IMAGE_LINK, IMAGE, SWITCHED_OFF, EMPTY_TABLE

cdef enum:  # what an element is: see `crunch.marked`
    IS_AD = 1
    IS_LINK = 2
    HAS_IMAGE = 4
    IS_IMAGE = 8
    IS_OFF = 16
    IS_LIST = 32
    IS_TABLE = 64
    IS_SUBSTANCE = 128


def with_alternatives(Tree tree not None):
    """Copy a tree, with the alternative text of each image, where it is not blank, as text in it."""
    cdef const unsigned char *record = tree.markup
    cdef const unsigned char *alternative
    cdef Py_ssize_t tag, element, at, stop, deepest
    cdef bint is_empty
    cdef const unsigned char[::1] images = tree.named("img").view(np.uint8)
    cdef TreeBuilder builder
    # As deep as the tree is, and the images in it, which hold something now.
    deepest = <Py_ssize_t>(tree.depths.max() if tree.size else 0) + 2
    builder = TreeBuilder(deepest, True)
    for tag in range(tree.tags):
        element = tree.of_tag[tag]
        at, stop = tree.markup_of[element], tree.markup_of[element + 1]
        alternative = _alternative(record, at, stop) if images[element] else NULL
        if tree.open_of[element] == tag:
            is_empty = tree.close_of[element] == tag and alternative == NULL
            builder.begin_element(record + at, is_empty)
            at = after_word(record, at)
            while at < stop:
                builder.begin_attribute(record + at)
                at = after_word(record, at)
                builder.add_value(record + at)
                builder.end_attribute()
                at = after_word(record, at)
            builder.finish_tag(is_empty)
            if alternative != NULL:
                builder.add_text(alternative)
        if tree.close_of[element] == tag and (tree.open_of[element] < tag or alternative != NULL):
            builder.end_element()
        builder.text.put_bytes(
            <const unsigned char *>tree.text + tree.text_of[tag], tree.text_of[tag + 1] - tree.text_of[tag]
        )
    return builder.finish()


cdef const unsigned char *_alternative(const unsigned char *record, Py_ssize_t at, Py_ssize_t stop) noexcept nogil:
    """The value of an element's `alt`; NULL if it has none or a blank one."""
    cdef Py_ssize_t value, i
    at = after_word(record, at)
    while at < stop:
        value = after_word(record, at)
        if strcmp(<const char *>record + at, b"alt") == 0:
            i = value
            while record[i] and record[i] <= SPACE:
                i += 1
            return record + value if record[i] else NULL
        at = after_word(record, value)
    return NULL


cdef class _Walk:
    cdef Tree tree
    cdef const int64_t[::1] marks
    cdef unsigned char[::1] by, text_by  # which filter took an element, a text
    cdef unsigned char[::1] strips  # elements whose texts and links a link list takes
    cdef int64_t[::1] chars  # of the texts that stay in an element; -1 where it holds something of substance
    cdef bint takes_text_links, takes_image_links, has_alternatives
    cdef bint counts_text_links, counts_image_links  # of the links in a link list
    cdef int64_t min_substance

    cdef int take(self, Tree tree, marks, walk) except -1:
        self.tree = tree
        self.marks = marks
        if self.marks.shape[0] != tree.size:
            raise ValueError(f"{self.marks.shape[0]} marks for {tree.size} elements")
        self.by, self.text_by = np.zeros(tree.size, np.uint8), np.zeros(tree.tags, np.uint8)
        self.strips, self.chars = np.zeros(tree.size, np.uint8), np.zeros(tree.size, np.int64)
        self.takes_text_links, self.takes_image_links = walk.text_links, walk.image_links
        self.has_alternatives = walk.image_alts
        # Both or neither: all links count.
        self.counts_text_links = walk.list_text_links or not walk.list_image_links
        self.counts_image_links = walk.list_image_links or not walk.list_text_links
        self.min_substance = walk.min_substance
        return 0

    cdef void run(self) noexcept:
        cdef Tree tree = self.tree
        cdef Py_ssize_t tag, element
        for tag in range(tree.tags):
            element = tree.of_tag[tag]
            if tree.open_of[element] == tag:
                self.open(element)
            if tree.close_of[element] == tag:
                self.close(element)
            if tree.inside_of[tag] >= 0:
                self.take_text(tag, tree.inside_of[tag])

    cdef void open(self, Py_ssize_t element) noexcept:
        cdef Py_ssize_t parent = self.tree.parent_of[element]
        cdef bint strips = parent >= 0 and self.strips[parent]
        cdef unsigned char by = self.by[parent] if parent >= 0 else KEPT
        if by == KEPT or by == IMAGE:  # a text of an image that is taken may stay; no image holds an element
            by = self.filter_of(element, strips)
        self.by[element] = by
        # A link that a link list leaves is left with all that is in it.
        self.strips[element] = self.marks[element] & IS_LIST or strips and not self.marks[element] & IS_LINK

    cdef unsigned char filter_of(self, Py_ssize_t element, bint strips) noexcept:
        """Which filter takes an element that those around it leave."""
        cdef int64_t marks = self.marks[element]
        cdef bint is_image_link = marks & HAS_IMAGE != 0, is_link = marks & IS_LINK != 0
        if strips and is_link and (self.counts_image_links if is_image_link else self.counts_text_links):
            return LINK_LIST
        if marks & IS_AD:
            return AD
        if self.takes_text_links and is_link and not is_image_link:
            return TEXT_LINK
        if self.takes_image_links and is_image_link:
            return IMAGE_LINK
        if marks & IS_IMAGE:
            return IMAGE
        return SWITCHED_OFF if marks & IS_OFF else KEPT

    cdef void take_text(self, Py_ssize_t tag, Py_ssize_t element) noexcept:
        cdef unsigned char by = self.by[element]
        if by == IMAGE and self.has_alternatives:
            by = KEPT
        elif by == KEPT and self.strips[element] and self.counts_text_links:
            by = LINK_LIST
        self.text_by[tag] = by
        if by == KEPT and self.chars[element] >= 0:
            self.chars[element] += self.tree.chars_of[tag]

    cdef void close(self, Py_ssize_t element) noexcept:
        """Take a table that holds nothing of substance, and tell the parent what stays."""
        cdef Py_ssize_t parent = self.tree.parent_of[element]
        cdef int64_t chars = self.chars[element]
        if self.by[element] == KEPT:
            if self.marks[element] & IS_SUBSTANCE:
                chars = -1
            elif self.marks[element] & IS_TABLE and 0 <= chars < self.min_substance:
                self.by[element] = EMPTY_TABLE
                chars = 0
        if parent >= 0:
            self.chars[parent] = -1 if chars < 0 or self.chars[parent] < 0 else self.chars[parent] + chars

    cdef void take_what_is_in_tables(self) noexcept:
        """Remove the contents of a table with it."""
        cdef Tree tree = self.tree
        cdef Py_ssize_t element, tag, parent
        for element in range(tree.size):
            parent = tree.parent_of[element]
            if self.by[element] == KEPT and parent >= 0 and self.by[parent] == EMPTY_TABLE:
                self.by[element] = EMPTY_TABLE
        for tag in range(tree.tags):
            parent = tree.inside_of[tag]
            if parent >= 0 and self.by[parent] == IMAGE:
                parent = tree.parent_of[parent]
            if parent >= 0 and self.text_by[tag] == KEPT and self.by[parent] == EMPTY_TABLE:
                self.text_by[tag] = EMPTY_TABLE


def taken(Tree tree not None, marks not None, walk not None):
    """Go through a tree once, from the top down: which filter took each element, uint8 (n,), and each text, uint8 (t,).

    The first filter that applies acts.
    """
    cdef _Walk one = _Walk()
    one.take(tree, marks, walk)
    one.run()
    one.take_what_is_in_tables()
    return np.asarray(one.by), np.asarray(one.text_by)
