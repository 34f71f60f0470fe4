"""The headline: the block that reads as the page's title does. What follows it is mostly the content."""

import numpy as np

from transforms.extractors.segments._blocks cimport Blocks
from transforms.extractors.segments._elements cimport Elements
from transforms.extractors.segments._markup cimport Markup

cdef enum:
    TITLES = 64  # headings that are compared with the page's title, and blocks that are not headings
    LONG_HEADING = 400  # tenths of words from which a block is not compared
    SHORT_HEADING = 30  # tenths of words up to which a block that is not a heading is not compared
    PASSAGE = 4  # characters from which a text that stands in the title is taken for a part of it

cdef float ALIKE = 0.5  # from which a heading is taken for the headline


cdef class Headline:
    """The headline of a page of n blocks.

    Attributes:
        likeness: float32 (n,), what share of the words of each heading the page's title has. It is 1 where the title
            holds the heading as it is, and 0 for long headings, after the first `TITLES` of them, and for what is
            no heading.
        block: the headline: the first of the headings most like the title, else the first block that stands in the
            title as it is, else the only heading of the first level; -1 if absent.
        found: how like the title it is.
    """

    def __init__(self, Markup markup not None, Blocks blocks not None, Elements elements not None):
        """Looks for the headline."""
        if elements.headings.shape[0] != blocks.count:
            raise ValueError("blocks of another page")
        self.likeness = np.zeros(blocks.count, np.float32)
        self.block, self.found = -1, 0
        title = (markup.title or "").lower()
        if title:
            self._compare_headings(blocks, elements, title)
        self._find(blocks, elements, title)

    cdef int _compare_headings(self, Blocks blocks, Elements elements, str title) except -1:
        """Compares headings with the title, in small letters."""
        cdef Py_ssize_t block, compared = 0
        cdef set words = set(_words(title))
        for block in range(blocks.count):
            if compared == TITLES:
                break
            if elements.headings[block] <= 0 or blocks.word_tenths[block] >= LONG_HEADING:
                continue
            compared += 1
            self.likeness[block] = _likeness(blocks.read(block).lower(), title, words)
        return 0

    cdef int _find(self, Blocks blocks, Elements elements, str title) except -1:
        """Finds the headline."""
        cdef Py_ssize_t block, compared = 0, tops = 0, top = -1
        for block in range(blocks.count):
            if self.likeness[block] >= ALIKE and self.likeness[block] > self.found:
                self.block, self.found = block, self.likeness[block]
            if elements.headings[block] == 1:
                tops += 1
                top = block
        if self.block >= 0:
            return 0
        if title:
            for block in range(blocks.count):
                if compared == TITLES:
                    break
                if (
                    elements.headings[block] > 0
                    or not SHORT_HEADING < blocks.word_tenths[block] < LONG_HEADING
                    or 2 * blocks.linked[block] > blocks.chars[block]
                ):
                    continue
                compared += 1
                if blocks.read(block).lower() in title:
                    self.block, self.found = block, 1
                    return 0
        if tops == 1:
            self.block, self.found = top, self.likeness[top]
        return 0


cdef float _likeness(str text, str title, set words) except -1:
    """How like a text is to the title, of these words, both in small letters."""
    if len(text) >= PASSAGE and text in title:
        return 1
    found = _words(text)
    return <float>(<double>sum([word in words for word in found]) / len(found)) if len(found) > 1 else 0


cdef list _words(str text):
    """The runs of letters and digits of a text."""
    cdef Py_ssize_t at, start = 0
    cdef list words = []
    for at in range(len(text)):
        if not text[at].isalnum():
            if start < at:
                words.append(text[start:at])
            start = at + 1
    return words + [text[start:]] if start < len(text) else words
