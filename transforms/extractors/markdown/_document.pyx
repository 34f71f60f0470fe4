"""Markdown of a page: leaves in their order, and the lists and quotes around them.

A leaf is a paragraph, a heading, a table or a fence of code. It stands in frames, one in another: quotes, and items of
lists. What is between two leaves follows from the frames that they share: an item begins on a line of its own, a list
right after a paragraph of its item, anything else after a blank line.
"""

from functools import partial

import numpy as np

from libc.stdint cimport int64_t

from cedar.transforms.extractors.html._bytes cimport SPACE
from cedar.transforms.extractors.html._growing cimport Records
from cedar.transforms.extractors.html._tags cimport Tags
from cedar.transforms.extractors.markdown._containers cimport (
    IS_CAPTION, IS_CELL, IS_CODE, IS_ITEM, IS_LIST, IS_NONE, IS_QUOTE, IS_TABLE, IS_TITLE, MAX_CONTAINERS,
    Containers,
)
from cedar.transforms.extractors.markdown._inline cimport Inline, Marks, PrefixedLines, fenced
from cedar.transforms.extractors.markdown._reading cimport (
    HEADING, PARAGRAPH, BlockReader, code, is_numbering, language_of,
)
from cedar.transforms.extractors.segments._elements cimport Elements
from cedar.transforms.extractors.segments._markup cimport LINE_BREAK, Markup
from cedar.transforms.extractors.segments._page cimport SegmentedPage

from cedar.transforms.extractors.html._attributes import attributes
from cedar.transforms.extractors.html._text import rendered
from cedar.transforms.extractors.html.addresses import base_address
from cedar.transforms.extractors.markdown._formulas import formulas
from cedar.transforms.extractors.markdown._placing import delimiters_of, images, placed
from cedar.transforms.extractors.segments.names import CODE, ELEMENTS

cdef enum:
    MAX_FRAMES = 16  # as many levels as are written

cdef int64_t MEANING = CODE["dd"]

cdef enum:
    HEADLINE = -1  # stands for the element of the headline, which may be any


cdef struct Frames:
    # Those around a leaf, the outermost first: a quote, or a list and an item of it; a quote has 0 for an item.
    Py_ssize_t count
    int64_t[MAX_FRAMES] elements
    int64_t[MAX_FRAMES] items


cdef Py_ssize_t _shared(const Frames *one, const Frames *other) noexcept nogil:
    """How many frames two leaves share."""
    cdef Py_ssize_t count = 0, most = min(one.count, other.count)
    while count < most and one.elements[count] == other.elements[count] and one.items[count] == other.items[count]:
        count += 1
    return count


cdef class _FrameMaker:
    # items: the last item of each list; 0 if there was none.
    cdef Containers containers
    cdef int64_t[::1] items
    cdef Py_ssize_t last_asked
    cdef Frames made

    def __init__(self, Containers containers not None):
        self.containers = containers
        self.items = containers.room.zeros(containers.inner.shape[0])
        self.last_asked = -1

    cdef Frames *of(self, Py_ssize_t container) except NULL:
        """The frames that a container makes with those around it; they are good until others are asked for."""
        cdef Py_ssize_t[MAX_CONTAINERS] path
        cdef Py_ssize_t size = 0, place, element, after
        cdef const unsigned char[::1] kinds = self.containers.kinds
        cdef const int64_t[::1] around = self.containers.around
        if container == self.last_asked:
            return &self.made
        self.last_asked = container
        self.made.count = 0
        while container and size < MAX_CONTAINERS:
            path[size] = container
            size += 1
            container = around[container]
        place = size - 1
        while place >= 0 and self.made.count < MAX_FRAMES:
            element = path[place]
            if kinds[element] == IS_QUOTE:
                self._add(element, 0)
            elif kinds[element] == IS_LIST:
                after = path[place - 1] if place else 0
                if after and kinds[after] == IS_ITEM:
                    self._add(element, self._item(element, after))
                    place -= 1
                elif after and self.items[element]:
                    self._add(element, self.items[element])
            place -= 1
        return &self.made

    cdef int _add(self, int64_t element, int64_t item) except -1:
        self.made.elements[self.made.count], self.made.items[self.made.count] = element, item
        self.made.count += 1
        return 0

    cdef int64_t _item(self, Py_ssize_t within, Py_ssize_t item) except -1:
        """The item that an element is, or belongs to: a meaning to its term."""
        if self.containers.page.elements.codes[item] == MEANING and self.items[within]:
            return self.items[within]
        self.items[within] = item
        return item


cdef enum:
    MAX_NUMBER = 999_999_999
    MIN_NUMBERED_TAG = 9  # bytes of a tag with `start` or `value`

cdef int64_t ORDERED = CODE["ol"], TERM = CODE["dt"], CELL = CODE["td"], HEADING_CELL = CODE["th"]
_APART_IN_TITLES = np.zeros(len(ELEMENTS), np.uint8)
_APART_IN_TITLES[[CODE[name] for name in "p pre ul ol li dl dt dd table tr td th blockquote".split()]] = True
cdef const unsigned char[::1] APART_IN_TITLES = _APART_IN_TITLES


cdef class _LeafWriter:
    # The leaf that is read: what it is, its element, its frames and its items, which are blocks and formulas between
    # blocks, the latter with negative numbers. is_open: whether others may belong to it.
    # written_kind, written_frames: of the leaf that was written last; has_written: whether there is one.
    # marks: of each list, what its items begin with; 0: none is written. numbers: of each ordered list its next one.
    # widths: of each item that has begun, the bytes that its lines are indented by.
    cdef SegmentedPage page
    cdef Elements elements
    cdef Containers containers
    cdef _FrameMaker frame_maker
    cdef Inline inline
    cdef PrefixedLines out
    cdef bint is_open, has_written
    cdef int kind, written_kind
    cdef Py_ssize_t element
    cdef Frames frames, written_frames
    cdef Records items
    cdef int64_t[::1] numbers
    cdef unsigned char[::1] marks, widths

    def __init__(self, Containers containers not None, Inline inline not None):
        self.containers, self.inline, self.out = containers, inline, inline.out
        self.page, self.elements = containers.page, containers.page.elements
        self.items = Records(1)
        self.numbers = containers.room.zeros(self.elements.count)
        cdef unsigned char[:, ::1] of_elements = np.zeros((2, self.elements.count), np.uint8)
        self.marks, self.widths = of_elements[0], of_elements[1]

    cdef str written(self, list items):
        """Write a document of items, numbers of blocks and formulas, in their order."""
        cdef Py_ssize_t item, before = -1
        self.has_written = self.is_open = False
        self.frame_maker = _FrameMaker(self.containers)
        for item in items:
            if not self.containers.left_out or item not in self.containers.left_out:
                before = self._take(item, before)
        self._finish()
        return self.out.text(0)

    cdef Py_ssize_t _take(self, Py_ssize_t item, Py_ssize_t before) except? -2:
        """Take an item into the leaf, or begin another; return it, or -1 if the next one cannot join it."""
        cdef Containers containers = self.containers
        cdef Py_ssize_t element = self._around(item), last, around, parted
        cdef int kind
        cdef Frames *frames
        last = containers.inner[element]
        kind = containers.kinds[last]
        around = containers.around[last]  # the container around the leaf
        if self.page.headline_start <= item < self.page.headline_stop and kind != IS_TABLE and kind != IS_CELL:
            around = around if kind == IS_TITLE else 0
            kind, last = IS_TITLE, HEADLINE
        elif kind != IS_CODE and containers.codes and item in containers.codes:
            around = last if kind != IS_CELL else containers.around[around]
            kind, last = IS_CODE, -containers.codes[item]
        elif kind == IS_TABLE:
            # In no cell: of the cell before, if there is one.
            kind = IS_CELL if self.is_open and self.kind == IS_CELL and self.element == last else IS_NONE
        elif kind == IS_CELL:
            around = containers.around[around]
            last = containers.parts.get(last, containers.around[last]) if containers.parts else containers.around[last]
        elif (
            kind == IS_TITLE and self.is_open and self.element == last
            and APART_IN_TITLES[self.elements.codes[element]]
        ):
            kind = IS_NONE  # a heading that is not closed
        elif kind == IS_CAPTION:
            element = last
            kind, around = IS_NONE, containers.around[around]
        elif kind != IS_CODE and kind != IS_TITLE:
            kind, around = IS_NONE, last
        if kind:
            if not self.is_open or self.element != last or self.kind != kind:
                self._begin(kind, last, self.frame_maker.of(around))
            self.items.put(item)
            return item
        frames = self.frame_maker.of(around)
        if item < 0:
            self._begin(IS_NONE, element, frames)
            self.items.put(item)
            self.is_open = False
            return -1
        if (
            self.is_open and self.kind == IS_NONE and item == before + 1
            and not (containers.numbered and item in containers.numbered)
            and self.frames.count == frames.count == _shared(&self.frames, frames)
        ):
            parted = self._line_breaks(before, item)
            if (
                element == self.element and parted == 1
                or element != self.element and containers.kinds[containers.inner[element]] == IS_ITEM
                and self.elements.codes[element] == MEANING
                and self.elements.codes[self.element] in (TERM, MEANING)
            ):
                self.items.put(item)
                self.element = element
                return item
        self._begin(IS_NONE, element, frames)
        self.items.put(item)
        return item

    cdef Py_ssize_t _around(self, Py_ssize_t item) except -1:
        """The element around an item."""
        return self.elements.nearest[item] if item >= 0 else self.inline.between[-1 - item][0]

    cdef Py_ssize_t _line_breaks(self, Py_ssize_t before, Py_ssize_t block) except -2:
        """How many line breaks part two blocks; -1 if other tags do."""
        cdef Markup markup = self.page.markup
        cdef Py_ssize_t tag, found = 0
        if before < 0:
            return -1
        for tag in range(self.page.blocks.last_gaps[before], self.page.blocks.first_gaps[block]):
            if markup.parting[tag]:
                if markup.roles[tag] != LINE_BREAK:
                    return -1
                found += 1
        return found

    cdef int _begin(self, int kind, Py_ssize_t element, const Frames *frames) except -1:
        """Begin a leaf; write the one before."""
        self._finish()
        self.kind, self.element, self.frames, self.is_open = kind, element, frames[0], True
        return 0

    cdef int _finish(self) except -1:
        """Write the leaf that was read, if there is one."""
        if self.items.count:
            self._write()
            self.items.count = 0
        return 0

    cdef int _write(self) except -1:
        """Write the leaf that was read, if it has visible text."""
        cdef list lines
        if self.kind == IS_NONE:
            self._write_paragraphs(True)
        elif self.kind == IS_TITLE:
            self._write_heading()
        else:
            lines = self._fence() if self.kind == IS_CODE else self._table()
            if lines is None:
                self._write_paragraphs(False)
            elif lines:
                self._begin_lines()
                self.out.put_lines(lines)
        return 0

    cdef int _write_heading(self) except -1:
        if self.inline.read(self.items.numbers, self.items.count, HEADING):
            self._begin_lines()
            for _ in range(1 if self.element == HEADLINE else self.containers.level(self.element)):
                self.out.put_byte(c"#")
            self.out.put_byte(SPACE)
            self.inline.write()
        return 0

    cdef int _write_paragraphs(self, bint may_have_box) except -1:
        cdef Py_ssize_t last = self.frames.count - 1
        cdef int64_t item
        if self.inline.read(self.items.numbers, self.items.count, PARAGRAPH):
            item = self.frames.items[last] if last >= 0 and may_have_box else 0
            may_have_box = item and not self.widths[item]
            self._begin_lines()
            if may_have_box and self.inline.reader.box:
                self.out.put_text(self.inline.reader.box)
            self.inline.is_item = self.items.numbers[0] in self.containers.numbered
            self.inline.write()
            self.inline.is_item = False
        return 0

    cdef list _fence(self):
        """The lines of code; none if all is blank."""
        cdef list blocks = [item for item in self.items.rows().flat if item >= 0]
        written = code(self.page, blocks)
        element = self.element if self.element > 0 else self.elements.nearest[blocks[0]] if blocks else 0
        if not written or self.elements.codes[self.elements.parents[element]] == CELL and is_numbering(written):
            return []
        return fenced(written, language_of(self.page, element))

    cdef list _table(self):
        """The lines of a table; None if it is too large, or has cells that no row holds."""
        cdef Py_ssize_t item, inner, cell = 0
        texts = {}
        for item in self.items.rows().flat:
            inner = self.containers.inner[self._around(item)]
            cell = inner if self.containers.kinds[inner] == IS_CELL else cell
            texts.setdefault(cell, []).append(item)
        cells = {
            each: self.inline.cell(items, self.elements.codes[each] == HEADING_CELL) for each, items in texts.items()
        }
        grid = self.containers.grid(self.element)
        if grid is None or not cells.keys() <= {each for line in grid for each in line}:
            return None
        rows = []
        for line in grid:
            row = [cells.get(each, "") for each in line]
            rows.append("".join([f"| {each} " if each else "| " for each in row]) + "|")
        rows.insert(1, "| --- " * len(grid[0]) + "|")
        return rows

    cdef int _begin_lines(self) except -1:
        """Begin the lines of the leaf: a blank line after the one before if needed, and the markers of its frames."""
        cdef Frames *frames = &self.frames
        cdef PrefixedLines out = self.out
        cdef Py_ssize_t depth, i, width, begun = _shared(&self.written_frames, frames) if self.has_written else 0
        cdef int64_t item
        if self.has_written:
            self._part(begun)
        out.prefix_size = out.bare_size = 0
        for depth in range(frames.count):
            item = frames.items[depth]
            if not item:
                out.put_byte(c">")
                out.put_byte(SPACE)
                out.prefix[out.prefix_size], out.prefix[out.prefix_size + 1] = c">", SPACE
                out.bare_size = out.prefix_size + 1
                out.prefix_size += 2
                continue
            width = self.widths[item]
            if depth < begun:
                for i in range(width):
                    out.put_byte(SPACE)
            else:
                width = out.size
                self._put_marker(depth, depth == begun)
                width = out.size - width
                self.widths[item] = <unsigned char>width
            for i in range(width):
                out.prefix[out.prefix_size + i] = SPACE
            out.prefix_size += width
        self.written_kind, self.written_frames, self.has_written = self.kind, frames[0], True
        return 0

    cdef int _part(self, Py_ssize_t begun) except -1:
        """Part two leaves that share this many frames: the end of a line, and perhaps a blank one."""
        cdef Frames *old = &self.written_frames
        cdef Frames *new = &self.frames
        cdef Py_ssize_t depth, i, size
        self.out.put_byte(c"\n")
        if new.count > begun and new.items[begun]:
            if old.count > begun:
                if old.elements[begun] == new.elements[begun]:
                    return 0  # the next item of a list
            elif begun and new.items[begun - 1] and self.written_kind == IS_NONE:
                # A list after the paragraph of its item may follow directly unless it is numbered from another number.
                if (
                    self.elements.codes[new.elements[begun]] != ORDERED
                    or self._first_number(new.elements[begun], new.items[begun]) == 1
                ):
                    return 0
        size = self.out.size
        for depth in range(begun):
            if not new.items[depth]:
                self.out.put_byte(c">")
                size = self.out.size
            for i in range(self.widths[new.items[depth]] if new.items[depth] else 1):
                self.out.put_byte(SPACE)
        self.out.size = size
        self.out.put_byte(c"\n")
        return 0

    cdef int64_t _first_number(self, int64_t element, int64_t item) except -1:
        """The number of a list's next item."""
        cdef int64_t given = self._given(item, b"value")
        if given >= 0:
            return given
        if self.numbers[element]:
            return self.numbers[element]
        given = self._given(element, b"start")
        return 1 if given < 0 else given

    cdef int64_t _given(self, Py_ssize_t element, bytes name) except -2:
        """The number in an element's attribute, of nine digits at most; -1 if it is no number."""
        cdef Tags tags = self.page.markup.tags
        cdef Py_ssize_t tag = self.elements.opens[element]
        if tag < 0 or tags.stop[tag] - tags.start[tag] < MIN_NUMBERED_TAG:
            return -1
        given = self.containers.attributes(element).get(name, b"").strip()
        return int(given) if given.isdigit() and len(given) < 10 else -1

    cdef int _put_marker(self, Py_ssize_t depth, bint is_next) except -1:
        """Write the marker of an item; `is_next` if lists may stand side by side at its depth."""
        cdef int64_t element = self.frames.elements[depth], number, other = 0
        cdef bint is_ordered = self.elements.codes[element] == ORDERED
        cdef unsigned char usual = c"." if is_ordered else c"-"
        if is_next and depth < self.written_frames.count and self.written_frames.items[depth]:
            other = self.written_frames.elements[depth]
        if not self.marks[element]:
            # Lists side by side would be one.
            self.marks[element] = usual
            if other and other != element and (self.elements.codes[other] == ORDERED) == is_ordered:
                if self.marks[other] == usual:
                    self.marks[element] = c")" if is_ordered else c"*"
        if is_ordered:
            number = self._first_number(element, self.frames.items[depth])
            self.numbers[element] = min(number + 1, <int64_t>MAX_NUMBER)
            self.out.put_text(str(number))
        self.out.put_byte(self.marks[element])
        return self.out.put_byte(SPACE)


def write(SegmentedPage page not None, kept not None, options not None, url, shown=None):
    """Write the blocks `kept`, bool (n,), of a page of n blocks as CommonMark with tables and struck text of GFM.

    All formulas and images stay in the elements `shown`, bool (e,), if given; else those whose neighbours do. There is
    no line feed at the end.
    """
    if kept.shape[0] != page.blocks.count:
        raise ValueError("marks of the blocks of another page")
    base = _base(page, url or "") if options.links == "keep" or options.images == "keep" else None
    with_formulas = options.formulas == "latex"
    finders = [formulas] * with_formulas + [partial(images, base)] * (options.images == "keep")
    found = placed(page, kept, finders, shown)
    if with_formulas:
        found.has_tex, found.delimiters = True, delimiters_of(page, kept)
    marks = Marks(options.emphasis == "keep", base if options.links == "keep" else None)
    out = PrefixedLines(len(page.blocks.text) // 4)
    inline = Inline(BlockReader(page, found.inside), out, marks, found)
    containers = Containers(page, kept, [element for element, _, _ in found.between])
    return _LeafWriter(containers, inline).written(found.items)


def _base(SegmentedPage page not None, url):
    """The base of relative addresses of a page."""
    tags = page.markup.tags
    tag = tags.first("base")
    given = attributes(page.markup.html, tags.starts[tag], tags.stops[tag]) if tag >= 0 else {}
    return base_address(url, rendered(given.get(b"href", b"")))
