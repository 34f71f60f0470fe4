"""Find kept blocks that Markdown leaves out: second copies of lists and tables, rules made of signs."""

from libc.stdint cimport int64_t

from cedar.transforms.extractors.html._bytes cimport SPACE, code_point_at
from cedar.transforms.extractors.segments._blocks cimport Blocks
from cedar.transforms.extractors.segments._elements cimport Elements
from cedar.transforms.extractors.segments._page cimport SegmentedPage

from cedar.transforms.extractors.segments.names import CODE

cdef enum:
    MIN_SIGNS = 3  # of a rule
    MIN_COPIED = 2  # blocks of a list that is there twice, and of a box around one that is
    MAX_COPIED = 500
    MAX_DEPTH = 48  # elements around a rule

cdef int64_t PARAGRAPH = CODE["p"]
cdef frozenset RULE_SIGNS = frozenset(map(ord, "-_=*~—–─━═"))
cdef frozenset LISTS = frozenset(CODE[name] for name in ("ul", "ol", "dl", "table"))
cdef frozenset BOXES = frozenset(CODE[name] for name in ("div", "section"))
cdef frozenset CONTAINERS = frozenset(CODE[name] for name in "li dt dd td th blockquote pre".split())


def left_out(SegmentedPage page not None, kept not None):
    """Find the blocks of a choice, bool (n,), that Markdown leaves out: a set.

    A rule is a paragraph of three dashes, underscores or the like and nothing else, in no list, quote or cell, and not
    all that was chosen. A copy is a list or a table right after another one with the same blocks, as pages have it for
    screens and for printers; or a box that holds such a copy, with another class than the box before.
    """
    cdef Blocks blocks = page.blocks
    cdef Elements elements = page.elements
    cdef const unsigned char[::1] stays = kept.view("u1")
    cdef Py_ssize_t block, element, before, end = 0
    cdef int64_t[::1] last_inside = page.markup.room.zeros(elements.count)  # the last element in each so far
    found = set()
    cdef Py_ssize_t others = 0
    for block in range(blocks.count):
        if stays[block] and blocks.chars[block] >= MIN_SIGNS and _is_rule(page, block):
            found.add(block)
        else:
            others += stays[block]
    if not others:
        found.clear()  # there is nothing that a rule would part
    for element in range(1, elements.count):
        before = last_inside[elements.parents[element]]
        if elements.first[element] == elements.last[element]:
            continue
        last_inside[elements.parents[element]] = element
        if before and elements.first[element] >= end and _is_copy(page, before, element):
            end = elements.last[element]
            found.update([block for block in range(elements.first[element], end) if stays[block]])
    return found


cdef bint _is_rule(SegmentedPage page, Py_ssize_t block) except -1:
    """Whether a block is a paragraph of signs that draw a rule."""
    cdef Elements elements = page.elements
    cdef const unsigned char[::1] text = page.blocks.text
    cdef Py_ssize_t i = page.blocks.starts[block], stop = page.blocks.stops[block], width
    cdef int64_t element = elements.nearest[block]
    if text[i] < 0x80 and text[i] not in b" -_=*~":
        return False
    while i < stop:
        if text[i] == SPACE:
            i += 1
        elif code_point_at(&text[i], &width) in RULE_SIGNS:
            i += width
        else:
            return False
    if elements.last[element] - elements.first[element] > 1 and elements.codes[element] == PARAGRAPH:
        return False
    for _ in range(MAX_DEPTH):
        if not element:
            return True
        if elements.codes[element] in CONTAINERS:
            return False
        element = elements.parents[element]
    return False


cdef bint _is_copy(SegmentedPage page, Py_ssize_t before, Py_ssize_t element) except -1:
    """Whether an element repeats its sibling right before it, and both are lists, tables or boxes of them."""
    cdef Elements elements = page.elements
    cdef const int64_t[::1] first = elements.first, last = elements.last, texts = page.blocks.texts
    cdef Py_ssize_t size = last[element] - first[element], place
    if not MIN_COPIED <= size <= MAX_COPIED or last[before] != first[element] or last[before] - first[before] != size:
        return False
    if elements.codes[before] != elements.codes[element]:
        return False
    for place in range(size):
        if texts[first[before] + place] != texts[first[element] + place]:
            return False
    if elements.codes[element] in LISTS:
        return True
    return elements.codes[element] in BOXES and elements.signatures[before] != elements.signatures[element] and (
        element + 1 < elements.count and any(
            [elements.codes[inner] in LISTS for inner in range(element + 1, min(element + 4, elements.count))]
        )
    )
