"""The tree of a page: its elements, their names and attributes, and the text between their tags.

Shrunk text has no control characters, and a space for each run of blanks. Block-level elements, `br` among them, part
words and lines; others leave nothing in the text.
"""

import numpy as np

from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memcmp, memcpy, strlen

from transforms.extractors.html._bytes cimport SPACE

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
        """Mark the body and its descendants. bool (n,)."""
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
        """Mark the tags after which the text is the body's. bool (t,)."""
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
        """Mark the elements with one of these names. bool (n,)."""
        cdef Py_ssize_t element
        cdef uint64_t one
        cdef unsigned char[::1] marks = np.zeros(self.size, np.uint8)
        for name in names:
            one = key(name)
            for element in range(self.size):  # np.isin would sort
                marks[element] |= self.key_of[element] == one
        return np.asarray(marks).view(np.bool_)

    def with_attribute(self, elements not None, str name not None):
        """Mark those of the elements marked, bool (n,), that have an attribute. bool (n,)."""
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
        """Mark the elements that are marked, bool (n,), and their descendants. bool (n,)."""
        return np.arange(self.size) < np.maximum.accumulate(np.where(elements, self.ends, 0))

    def element_sums(self, values not None):
        """Sum over each subtree, its root included, of one value an element. int64 (n,)."""
        sums = np.zeros(self.size + 1, np.int64)
        np.cumsum(values, out=sums[1:])
        return sums[self.ends] - sums[: self.size]

    def text_sums(self, values not None):
        """Sum over the text in each subtree of one value a tag: that of the text after it. int64 (n,)."""
        sums = np.zeros(self.tags + 1, np.int64)
        np.cumsum(values, out=sums[1:])
        return sums[self.closes] - sums[self.opens]

    def child_sums(self, values not None):
        """Sum over the children of each element of one value an element, in their order. float64 (n,)."""
        return np.bincount(self.parents % (self.size + 1), values, self.size + 1)[: self.size]

    def direct_sums(self, values not None):
        """Sum over the texts directly in each element of one value a tag, in their order. float64 (n,)."""
        return np.bincount(self.inside % (self.size + 1), values, self.size + 1)[: self.size]


cdef inline Py_ssize_t _after_word(const unsigned char *record, Py_ssize_t at) noexcept nogil:
    """Where the next word of a record begins; a NUL ends each."""
    return at + <Py_ssize_t>strlen(<const char *>record + at) + 1


# The text of a tree as it reads in the output, and how much of it there is.


cdef const unsigned char[::1] _of_tags(Tree tree, kept):
    """Flags of a tree's tags."""
    cdef const unsigned char[::1] flags = kept.view(np.uint8)
    if flags.shape[0] != tree.tags:
        raise ValueError(f"{flags.shape[0]} flags for {tree.tags} tags")
    return flags


def joined(Tree tree not None, kept not None):
    """Write the blocks of part of a tree's text: after the tags `kept`, bool (t,), as they read in the output.

    UTF-8, a line for each block of which some text stays, in order. Where a part of a block goes, a space parts what stays.
    """
    cdef const unsigned char[::1] stays = _of_tags(tree, kept)
    cdef const unsigned char[::1] shrunk = tree.shrunk
    cdef Py_ssize_t tags = tree.tags, tag, first = 0, last, at, stop, out = 0
    cdef bint some, fresh, waiting, trailing  # at a line's begin; a space before what comes
    cdef unsigned char[::1] joined = np.empty(shrunk.shape[0] + 1, np.uint8)
    while first < tags:
        some = False
        last = first
        while last < tags and tree.block_of[last] == tree.block_of[first]:
            some |= stays[last] and tree.chars_of[last] > 0
            last += 1
        if not some:
            first = last
            continue
        if out:
            joined[out] = c'\n'
            out += 1
        fresh, waiting = True, False
        for tag in range(first, last):
            at, stop = tree.shrunk_of[tag] + 1, tree.shrunk_of[tag + 1]
            if not stays[tag] and tree.chars_of[tag] > 0:
                waiting = True
                continue
            if at < stop and shrunk[at] == SPACE:
                waiting = True
                at += 1
            trailing = at < stop and shrunk[stop - 1] == SPACE
            stop -= trailing
            if at >= stop:
                continue
            if waiting and not fresh:
                joined[out] = SPACE
                out += 1
            # Nothing is written twice, and of each tag at most as many bytes as stand there.
            memcpy(&joined[out], &shrunk[at], stop - at)
            out += stop - at
            fresh, waiting = False, trailing
        first = last
    return np.asarray(joined)[:out].tobytes()


def count(Tree tree not None, kept not None):
    """Count the code points that `joined` would write, line feeds included; of each block all is kept, or nothing."""
    cdef const unsigned char[::1] stays = _of_tags(tree, kept)
    cdef Py_ssize_t tag
    cdef int64_t count = 0, block = -1
    cdef bint parted = False
    for tag in range(tree.tags):
        parted |= tree.space_before[tag]
        if stays[tag] and tree.chars_of[tag] > 0:
            if block >= 0 and (parted or tree.block_of[tag] != block):
                count += 1
            count += tree.chars_of[tag]
            block = tree.block_of[tag]
            parted = False
        parted |= tree.space_after[tag]
    return count


def solid_chars(Tree tree not None, kept not None):
    """Count the code points, blanks left out, of the text after the tags marked in `kept`, bool (t,)."""
    cdef const unsigned char[::1] stays = _of_tags(tree, kept)
    cdef Py_ssize_t tag, at
    cdef int64_t count = 0
    for tag in range(tree.tags):
        if stays[tag]:
            for at in range(tree.shrunk_of[tag] + 1, tree.shrunk_of[tag + 1]):
                count += (tree.shrunk[at] > SPACE) & ((tree.shrunk[at] & 0xC0) != 0x80)
    return count


def words(Tree tree not None):
    """Count the words, runs between blanks, after each tag. int64 (t,)."""
    cdef Py_ssize_t tag, at
    cdef int64_t[::1] words = np.empty(tree.tags, np.int64)
    cdef int64_t count
    for tag in range(tree.tags):
        count = 0
        for at in range(tree.shrunk_of[tag] + 1, tree.shrunk_of[tag + 1]):
            # Spaces stand alone, so there is one before each word but the first.
            count += (tree.shrunk[at] > SPACE) & (tree.shrunk[at - 1] <= SPACE)
        words[tag] = count
    return np.asarray(words)


def block_counts(Tree tree not None, kept not None):
    """Count the blocks of the body of which some text is kept after a tag, bool (t,), and those of which some is not."""
    cdef const unsigned char[::1] stays = _of_tags(tree, kept)
    cdef Py_ssize_t tag, content = 0, other = 0, first, last
    cdef int64_t last_content = -1, last_other = -1
    first, last = tree.body_tags
    for tag in range(first, last):
        if tree.chars_of[tag] <= 0:
            continue
        if stays[tag]:
            content += tree.block_of[tag] != last_content
            last_content = tree.block_of[tag]
        else:
            other += tree.block_of[tag] != last_other
            last_other = tree.block_of[tag]
    return content, other
