"""The tree of a page: its elements, their names and attributes, and the text between their tags; and what makes it.

Shrunk text has no control characters, and a space for each run of blanks. Block-level elements, `br` among them, part
words and lines; others leave nothing in the text.
"""

import numpy as np

from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memcmp, memcpy, strlen

from cedar.transforms.extractors.html._tags import are_block_level, key
from cedar.transforms.extractors.tree.limits import TooDeepError

from cedar.transforms.extractors.html._bytes cimport SPACE, code_point_at, is_unseen, key_at, wide_blank
from cedar.transforms.extractors.html._elements cimport UNSEEN, traits
from cedar.transforms.extractors.html._growing cimport ByteBuffer, Records
from cedar.transforms.extractors.html._styles cimport hides

cdef uint64_t _BODY = key("body")

cdef enum:
    _FIRST_BYTES = 1 << 14
    _FIRST_RECORDS = 1 << 9
    _REPLACEMENT = 3  # bytes of U+FFFD

cdef enum:  # numbers of an element, and of a tag
    KEY, PARENT, ENDS, OPENS, CLOSES, MARKUP, OF_ELEMENTS

cdef enum:
    ELEMENT, INSIDE, TEXT, OF_TAGS


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
        of_tags: int64 (t,), the element that each tag opens or closes.
        inside: int64 (t,), the element in which the text after each tag stands; -1 outside of the root.
        chars: int64 (t,), code points of the shrunk text after each tag, spaces at its ends not counted.
        blocks: int64 (t,), ascending: the block to which it belongs. A block is what stands between two tags
            of block-level elements.
        text: the text of all tags as the page has it, UTF-8.
        texts: int64 (t + 1,), where in `text` the text of each tag begins; `text` ends with the last.
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
        """Mark the elements that are marked, bool (n,), and have an attribute. bool (n,)."""
        cdef const unsigned char[::1] marked = flags_of(elements, self.size)
        cdef const unsigned char *record = self.markup
        cdef bytes written = b" " + name.encode() + b"="
        cdef const unsigned char *wanted = written
        cdef Py_ssize_t element, at, stop, value, length = len(written)
        cdef unsigned char[::1] found = np.zeros(self.size, np.uint8)
        for element in range(self.size):
            if not marked[element]:
                continue
            at, stop = after_word(record, self.markup_of[element]), self.markup_of[element + 1]
            while at < stop:
                value = after_word(record, at)
                if value - at == length - 1 and memcmp(record + at, wanted + 1, length - 2) == 0:
                    found[element] = True
                at = after_word(record, value)
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
        """Sum a value over the texts in each subtree; each tag has the value of the text after it. int64 (n,)."""
        sums = np.zeros(self.tags + 1, np.int64)
        np.cumsum(values, out=sums[1:])
        return sums[self.closes] - sums[self.opens]

    def child_sums(self, values not None):
        """Sum over the children of each element of one value an element, in their order. float64 (n,)."""
        return np.bincount(self.parents % (self.size + 1), values, self.size + 1)[: self.size]

    def direct_sums(self, values not None):
        """Sum over the texts directly in each element of one value a tag, in their order. float64 (n,)."""
        return np.bincount(self.inside % (self.size + 1), values, self.size + 1)[: self.size]


# The text of a tree as it reads in the output, and how much of it there is.


cdef const unsigned char[::1] flags_of(marked, Py_ssize_t count):
    """The flags of `count` elements, or tags; raises ValueError for another number."""
    cdef const unsigned char[::1] flags = marked.view(np.uint8)
    if flags.shape[0] != count:
        raise ValueError(f"{flags.shape[0]} flags for {count} elements or tags")
    return flags


def joined(Tree tree not None, kept not None):
    """Write the blocks of part of a tree's text: after the tags `kept`, bool (t,), as they read in the output.

    UTF-8, a line for each block of which some text stays, in order. Where a part of a block goes, a space parts what
    stays.
    """
    cdef const unsigned char[::1] stays = flags_of(kept, tree.tags)
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
    cdef const unsigned char[::1] stays = flags_of(kept, tree.tags)
    cdef Py_ssize_t tag, at, stop
    cdef int64_t count = 0, block = -1
    cdef bint parted = False
    for tag in range(tree.tags):
        at, stop = tree.shrunk_of[tag] + 1, tree.shrunk_of[tag + 1]
        parted |= at < stop and tree.shrunk[at] == SPACE
        if stays[tag] and tree.chars_of[tag] > 0:
            if block >= 0 and (parted or tree.block_of[tag] != block):
                count += 1
            count += tree.chars_of[tag]
            block = tree.block_of[tag]
            parted = False
        parted |= at + 1 < stop and tree.shrunk[stop - 1] == SPACE
    return count


def solid_chars(Tree tree not None, kept not None):
    """Count the code points, blanks left out, of the text after the tags marked in `kept`, bool (t,)."""
    cdef const unsigned char[::1] stays = flags_of(kept, tree.tags)
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
    """Count the body's blocks with text after a tag that is kept, bool (t,), and the blocks with text that is not."""
    cdef const unsigned char[::1] stays = flags_of(kept, tree.tags)
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


# What makes a tree.


cdef class TreeBuilder:
    """Takes the elements and texts of a page in document order, and leaves out the invisible ones.

    That is what no browser shows as text (see `tree`), and what markup hides, unless it is kept; but for `html` and
    `body`, which pages show again by script. At most `max_depth` elements with content may be open at once.
    """

    def __cinit__(self, Py_ssize_t max_depth, bint keep_hidden):
        if max_depth < 1:
            raise ValueError(f"not a number of elements that may be open: {max_depth}")
        self.max_depth, self.keep_hidden, self.body = max_depth, keep_hidden, -1
        self.markup, self.text = ByteBuffer(_FIRST_BYTES), ByteBuffer(_FIRST_BYTES)
        self.elements, self.tags = Records(OF_ELEMENTS, _FIRST_RECORDS), Records(OF_TAGS, 2 * _FIRST_RECORDS)
        self.open_elements = np.full(max_depth + 1, -1, np.int64)

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
        cdef Py_ssize_t length = strlen(<const char *>name)
        if not is_empty:
            self.level += 1
            self.deepest = max(self.deepest, self.level)
        if self.unseen or self.level > self.max_depth:
            return False
        self.start = self.markup.size
        self.markup.put_bytes(name, length + 1)
        self.key = key_at(self.markup.bytes, self.start, self.start + length)
        # What no browser shows as text; a key has eight bytes of a name.
        self.hides = length <= 8 and traits(self.key) & UNSEEN != 0
        return True

    cdef int begin_attribute(self, const unsigned char *name) except -1:
        self.attribute = self.markup.size
        self.markup.put_bytes(name, strlen(<const char *>name) + 1)
        self.value = self.markup.size
        return 0

    cdef int add_value(self, const unsigned char *value) except -1:
        return self.markup.put_bytes(value, strlen(<const char *>value))

    cdef int end_attribute(self) except -1:
        cdef Py_ssize_t stop = self.value - 1  # of its name
        self.markup.put_byte(0)
        if not self.hides and not self.keep_hidden:
            self.hides = hides(
                self.key, key_at(self.markup.bytes, self.attribute, stop), stop - self.attribute,
                &self.markup.bytes[self.value], self.markup.size - self.value - 1,
            )
        return 0

    cdef int finish_tag(self, bint is_empty) except -1:
        cdef Py_ssize_t element = self.elements.count, at
        if self.hides:
            self.markup.size = self.start
            if not is_empty:
                self.unseen = self.level
            return 0
        if self.body < 0 and self.key == _BODY:
            self.body = element
        at = self.elements.add()
        self.elements.numbers[at + KEY], self.elements.numbers[at + MARKUP] = <int64_t>self.key, self.start
        self.elements.numbers[at + OPENS] = self.elements.numbers[at + CLOSES] = self.tags.count
        self.elements.numbers[at + ENDS] = element + 1
        if is_empty:
            self.elements.numbers[at + PARENT] = self.open_elements[self.level]
        else:
            self.elements.numbers[at + PARENT] = self.open_elements[self.level - 1]
            self.open_elements[self.level] = element
        return self._add_tag(element)

    cdef inline int _add_tag(self, Py_ssize_t element) except -1:
        cdef Py_ssize_t at = self.tags.add()
        self.tags.numbers[at + ELEMENT], self.tags.numbers[at + INSIDE] = element, self.open_elements[self.level]
        self.tags.numbers[at + TEXT] = self.text.size
        return 0

    cdef int add_text(self, const unsigned char *text) except -1:
        if not self.unseen and self.level <= self.max_depth:
            self.text.put_bytes(text, strlen(<const char *>text))
        return 0

    cdef int end_element(self) except -1:
        cdef Py_ssize_t element, at
        self.level -= 1
        if self.unseen:
            if self.unseen > self.level:
                self.unseen = 0
        elif self.level < self.max_depth:
            element = self.open_elements[self.level + 1]
            at = OF_ELEMENTS * element
            self.elements.numbers[at + CLOSES], self.elements.numbers[at + ENDS] = self.tags.count, self.elements.count
            self._add_tag(element)
        return 0

    def finish(self):
        """Make the tree; raise TooDeepError where more than `max_depth` elements were open, whether seen or not."""
        cdef Tree tree = Tree.__new__(Tree)
        if self.deepest > self.max_depth:
            raise TooDeepError(f"{self.deepest} open elements")
        tree.size, tree.tags, tree.body = self.elements.count, self.tags.count, max(self.body, 0)
        keys, tree.parents, tree.ends, tree.opens, tree.closes, starts = _columns(self.elements)
        tree.of_tags, tree.inside, texts = _columns(self.tags)
        tree.keys = keys.view(np.uint64)
        tree.texts, tree.markup_of = np.append(texts, self.text.size), np.append(starts, self.markup.size)
        tree.markup, tree.text = self.markup.content(), self.text.content()
        tree.block_level = are_block_level(tree.keys)
        tree.key_of, tree.parent_of, tree.end_of = tree.keys, tree.parents, tree.ends
        tree.open_of, tree.close_of, tree.inside_of = tree.opens, tree.closes, tree.inside
        tree.of_tag, tree.text_of = tree.of_tags, tree.texts
        _shrink(tree)
        return tree


cdef object _columns(Records records):
    """What records have at each place: int64 (width, count)."""
    cdef Py_ssize_t record, place
    made = np.empty((records.width, records.count), np.int64)
    cdef int64_t[:, ::1] columns = made
    for record in range(records.count):
        for place in range(records.width):
            columns[place, record] = records.numbers[record * records.width + place]
    return made


cdef int _shrink(Tree tree) except -1:
    """Set what a tree has of its text shrunk: runs of blanks to a space, control and unseen characters to nothing.

    Those below the space, which HTML has not, were references: they become U+FFFD.
    """
    cdef Py_ssize_t tags = tree.tags, tag, at, stop, out = 0, first, length, inner, element
    cdef const unsigned char[::1] text = tree.text
    # In front of the text of each tag stands a byte that is not a blank; any byte may be a control character.
    shrunk_array = np.empty(tags + _REPLACEMENT * text.shape[0], np.uint8)
    marks_array, chars_array = np.empty(tags + 1, np.int64), np.empty(tags, np.int64)
    blocks_array = np.zeros(tags, np.int64)
    cdef unsigned char[::1] shrunk = shrunk_array
    cdef int64_t[::1] marks = marks_array, chars = chars_array, blocks = blocks_array
    cdef const unsigned char[::1] parts = tree.block_level.view(np.uint8)
    cdef unsigned char byte
    cdef Py_ssize_t width
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
            if byte == 0xC2 and (text[at] < 0xA0 or text[at] == 0xAD):  # U+0080 to U+009F, U+00AD
                at += 1
                continue
            if at + 1 < stop and (byte == 0xE2 or byte == 0xEF) and is_unseen(code_point_at(&text[at - 1], &width)):
                at += 2
                continue
            inner += (byte & 0xC0) == 0x80
            shrunk[out] = byte
            out += 1
        length = out - first
        chars[tag] = length - inner
        if length:
            chars[tag] -= (shrunk[first] == SPACE) + (length > 1 and shrunk[out - 1] == SPACE)
    marks[tags] = out
    tree.chars, tree.blocks = chars_array, blocks_array
    tree.chars_of, tree.block_of = chars, blocks
    tree.shrunk, tree.shrunk_of = shrunk[:out], marks
    return 0


cdef inline Py_ssize_t _with_space(unsigned char[::1] shrunk, Py_ssize_t out) noexcept nogil:
    """Write a space, unless it follows one; the byte after it."""
    if shrunk[out - 1] == SPACE:
        return out
    shrunk[out] = SPACE
    return out + 1
