"""The lists, items, quotes, tables and code that blocks stand in, by their names and their attributes.

Of all elements around a block only these show in Markdown. Lists of cards and tables that only lay a page out are
left out: their contents are written as they come.
"""

from bisect import bisect_right

import numpy as np

from libc.stdint cimport int64_t, uint64_t

from cedar.transforms.extractors.html._growing cimport IntArena
from cedar.transforms.extractors.html._tags cimport END, Tags
from cedar.transforms.extractors.markdown._reading cimport reaches_over, speaks
from cedar.transforms.extractors.segments._blocks cimport Blocks
from cedar.transforms.extractors.segments._elements cimport Elements
from cedar.transforms.extractors.segments._markup cimport FIRST_HEADING, HAS_CLASS, HAS_ROLE, LINE_BREAK
from cedar.transforms.extractors.segments._page cimport SegmentedPage

from cedar.transforms.extractors.html._attributes import attributes
from cedar.transforms.extractors.html._tags import key
from cedar.transforms.extractors.segments.names import CODE, ELEMENTS

cdef enum:
    DEFAULT_LEVEL = 2  # WAI-ARIA 1.2, `heading`

cdef int64_t ASIDE = CODE["aside"], SECTION = CODE["section"], PARAGRAPH = CODE["p"]
cdef int64_t QUOTE = CODE["blockquote"]
_NOTES = frozenset((b"callout", b"admonition", b"theme-admonition", b"markdown-alert"))
_POSTS = frozenset((b"postcontent", b"messagetext", b"post-content", b"post_body", b"postbody"))
cdef const char *WORDS = "calladmoalereadi"  # the last of `heading`
cdef const char *ROLE_WORDS = "calladmoalerrole"


def roles(SegmentedPage page not None, const int64_t[::1] sums not None):
    """Find the elements that are something else than their names say; `sums`, int64 (n + 1,), as in `Containers`.

    Returns the sets of notes, tips and warnings, which are quotes, and of block quotes that a forum has for its posts,
    which are none; and the levels of headings.
    """
    cdef Elements elements = page.elements
    cdef Tags tags = page.markup.tags
    cdef const unsigned char[::1] html = page.markup.html
    cdef Py_ssize_t element, tag, kept
    cdef int64_t code
    if sums.shape[0] != page.blocks.count + 1:
        raise ValueError(f"{page.blocks.count + 1} sums are wanted, {sums.shape[0]} are given")
    notes, posts, titles = set(), set(), {}
    for element in range(1, elements.count):
        code = elements.codes[element]
        if code != DIVISION and code != ASIDE and code != SECTION and code != PARAGRAPH and code != QUOTE:
            continue
        kept = sums[elements.last[element]] - sums[elements.first[element]]
        tag = elements.opens[element]
        if not kept or not page.markup.said[tag] & (HAS_CLASS | HAS_ROLE):
            continue
        # Of a note, or of the role of a heading, and not only of a heading.
        if code != QUOTE and not (
            speaks(html, tags.start[tag], tags.stop[tag], WORDS)
            and speaks(html, tags.start[tag], tags.stop[tag], ROLE_WORDS)
        ):
            continue
        given = attributes(page.markup.html, tags.start[tag], tags.stop[tag])
        names = given.get(b"class", b"").lower().split()
        if code == QUOTE:
            if not _POSTS.isdisjoint(names):
                posts.add(element)
        elif code != PARAGRAPH and not _NOTES.isdisjoint(names):
            notes.add(element)
        elif given.get(b"role", b"").strip().lower() == b"heading" and kept <= MAX_HEADING_BLOCKS:
            level = given.get(b"aria-level", b"").strip()
            titles[element] = min(max(int(level[:9]), 1), 6) if level.isdigit() else DEFAULT_LEVEL
    return notes, posts, titles


cdef enum:
    FOR_ELEMENTS = 6  # numbers of an element, about
    MAX_LEVELS = 16
    MAX_COLUMNS_SPANNED = 50
    MAX_ROWS_SPANNED = 200
    MAX_CELLS = 10000
    MAX_HEADING_BLOCKS = 3  # blocks
    MAX_CHARS = 1000
    SHORT = 120

_KINDS = np.zeros(len(ELEMENTS) + 1, np.uint8)
for _kind, _names in (
    (IS_LIST, "ul ol menu dir dl"), (IS_ITEM, "li dt dd"), (IS_QUOTE, "blockquote"),
    (IS_CODE, "pre listing xmp plaintext"), (IS_TABLE, "table"), (IS_CELL, "td th"), (IS_CAPTION, "caption"),
    (IS_TITLE, "h1 h2 h3 h4 h5 h6"),
):
    for _name in _names.split():
        _KINDS[CODE[_name]] = _kind
cdef const unsigned char[::1] KINDS = _KINDS
cdef int64_t ROW = CODE["tr"], HEAD = CODE["thead"], FORM = CODE["form"], HEADING_CELL = CODE["th"]
cdef int64_t ITEM_CODE = CODE["li"], DIVISION = CODE["div"]
cdef uint64_t CODE_NAME = key("code")


cdef class Containers:
    """The containers of the kept blocks of a page of n blocks, and of the elements around formulas between blocks."""

    # kinds: what each element is. inner: the container that it is, or is in; 0: none.
    # around: the one around a container. tables: those of data, their rows of cells by table.
    # flat: lists whose items are cards. titles: the levels of headings that attributes make.
    # headlines: cells of tables' first rows that only head them.
    # codes: of blocks that are all within one `code` of several lines: its tag.
    # extra: how many formulas between blocks each element holds, of those that hold some.
    # sums: kept blocks before each. next_kept: the first kept block from each on. room: for these, and for what writes.

    def __init__(self, SegmentedPage page not None, kept not None, formulas=()):
        cdef Elements elements = page.elements
        cdef Py_ssize_t count = page.blocks.count, block, element
        cdef const unsigned char[::1] stays = kept.view(np.uint8)
        if stays.shape[0] != count:
            raise ValueError(f"marks of {stays.shape[0]} blocks, but the page has {count}")
        cdef IntArena room = IntArena(2 * (count + 1) + FOR_ELEMENTS * elements.count)
        self.page, self.html, self.room = page, page.markup.html, room
        self.flat, self.headlines = set(), set()
        self.codes, self.extra = {}, {}
        self.sums, self.next_kept = room.take(count + 1), room.take(count + 1)
        self.inner, self.around = room.zeros(elements.count), room.zeros(elements.count)
        self.kinds = np.zeros(elements.count, np.uint8)
        self.sums[0], self.next_kept[count] = 0, count
        for block in range(count):
            self.sums[block + 1] = self.sums[block] + stays[block]
        for block in range(count - 1, -1, -1):
            self.next_kept[block] = block if stays[block] else self.next_kept[block + 1]
        for element in formulas:
            if not 0 <= element < elements.count:
                raise IndexError(f"element {element} of {elements.count}")
            for _ in range(MAX_CONTAINERS):
                self.extra[element] = self.extra.get(element, 0) + 1
                if not element:
                    break
                element = elements.parents[element]
        self._look()
        self._find_codes()
        self.tables = self._find_tables() if self.has_tables else {}
        self._nest()

    cdef int _look(self) except -1:
        """Find what elements are, those of line numbers, and lists of cards."""
        cdef Elements elements = self.page.elements
        cdef Py_ssize_t element, first, last
        cdef int64_t code
        cdef int kind
        for element in range(1, elements.count):
            code = elements.codes[element]
            self.kinds[element] = kind = KINDS[code]
            self.has_tables |= kind == IS_TABLE
            if not self._kept(element):
                continue
            first, last = elements.first[element], elements.last[element]
            if code == ITEM_CODE and first < last:
                # Items that begin with a heading are cards: their list is not one.
                first = self.next_kept[first]
                if first < last and elements.headings[first]:
                    self.flat.add(elements.parents[element])
        notes, posts, self.titles = roles(self.page, self.sums)
        for kind, some in ((IS_QUOTE, notes), (IS_NONE, posts), (IS_TITLE, self.titles)):
            for element in some:
                self.kinds[element] = kind
        return 0

    cdef int level(self, Py_ssize_t element) except -1:
        """The level of a heading."""
        if element in self.titles:
            return self.titles[element]
        return self.page.elements.codes[element] - FIRST_HEADING + 1

    cdef int _nest(self) except -1:
        """Find which elements are containers, and in which others they are."""
        cdef const int64_t[::1] parents = self.page.elements.parents
        cdef Py_ssize_t count = parents.shape[0], element, last
        # The lists and quotes, and the containers, around each container and with it.
        cdef unsigned char[:, ::1] depths = np.zeros((count, 2), np.uint8)
        cdef int kind
        for element in range(1, count):
            last = self.inner[parents[element]]
            kind = self.kinds[element]
            self.inner[element] = last
            if kind == IS_CELL and element in self.headlines:
                self.inner[element] = self.around[last]  # it stands before its table
            elif kind and self._shows(element, last, depths[last]):
                self.inner[element], self.around[element] = element, last
                depths[element, 0] = depths[last, 0] + (kind == IS_LIST or kind == IS_QUOTE)
                depths[element, 1] = depths[last, 1] + 1
        return 0

    cdef bint _shows(self, Py_ssize_t element, Py_ssize_t around, const unsigned char[::1] depths) except -1:
        """Whether an element is a container within another, at a depth of lists and quotes, and of containers."""
        cdef int kind = self.kinds[element], last = self.kinds[around]
        if last == IS_TITLE and kind == IS_CODE:
            return True  # of a heading that is not closed
        if depths[1] >= MAX_CONTAINERS:
            return False
        if last >= IS_CELL or last == IS_CODE:
            return False
        if last == IS_TABLE:
            return kind == IS_CELL or kind == IS_CAPTION
        if kind == IS_TABLE:
            return element in self.tables
        if kind == IS_CELL or kind == IS_CAPTION:
            return False
        if kind == IS_ITEM:
            return last == IS_LIST
        if kind == IS_LIST or kind == IS_QUOTE:
            return depths[0] < MAX_LEVELS and element not in self.flat
        return True

    cdef Py_ssize_t _kept(self, Py_ssize_t element) except -1:
        """How many kept blocks, and formulas between blocks, an element holds."""
        cdef Elements elements = self.page.elements
        cdef Py_ssize_t kept = self.sums[elements.last[element]] - self.sums[elements.first[element]]
        return kept + self.extra.get(element, 0) if self.extra else kept

    def attributes(self, Py_ssize_t element):
        """The attributes of an element's start tag."""
        cdef Tags tags = self.page.markup.tags
        cdef Py_ssize_t tag
        if not 0 <= element < self.page.elements.count:
            raise IndexError(f"element {element} of {self.page.elements.count}")
        tag = self.page.elements.opens[element]
        return attributes(self.page.markup.html, tags.start[tag], tags.stop[tag]) if tag >= 0 else {}

    cdef int _find_codes(self) except -1:
        """Find the blocks of `code` that is not an `pre` and have several lines."""
        cdef Tags tags = self.page.markup.tags
        cdef Blocks blocks = self.page.blocks
        cdef Py_ssize_t tag, end = 0, block, first, count = blocks.count
        cdef bint parted
        if not self.sums[count]:
            return 0
        for tag in range(blocks.first_gaps[self.next_kept[0]], tags.count):
            if tags.name[tag] != CODE_NAME or tag < end or tags.kind[tag] & END:
                continue
            parted, end = False, tag + 1
            while end < tags.count and tags.name[end] != CODE_NAME:
                if self.page.markup.parting[end]:
                    if self.page.markup.roles[end] != LINE_BREAK and self.page.markup.codes[end] != DIVISION:
                        break
                    parted = True
                end += 1
            if end == tags.count or not parted or tags.name[end] != CODE_NAME:
                continue
            if self.page.markup.preformatted_gaps[tag + 1]:
                continue
            first = max(<Py_ssize_t>bisect_right(blocks.first_gaps, tag) - 1, <Py_ssize_t>0)
            if blocks.last_gaps[first] <= tag:
                first += 1
            block = first
            while block < count and blocks.first_gaps[block] <= end and reaches_over(blocks, block, tag, end):
                block += 1
            if block - first > 1 and (block == count or blocks.first_gaps[block] > end):
                self.codes.update(dict.fromkeys(range(first, block), tag))
        return 0

    cdef dict _find_tables(self):
        """The data tables, with their rows: pairs of a row and its cells."""
        cdef Elements elements = self.page.elements
        cdef Py_ssize_t size = elements.count, element, table, parent
        cdef int64_t code, row
        # The table and the row around each element.
        cdef int64_t[::1] tables = self.room.zeros(size), rows = self.room.zeros(size)
        cdef dict found = {}, said = {}, captions = {}
        cdef set headed = set()
        for element in range(1, size):
            code = elements.codes[element]
            parent = elements.parents[element]
            tables[element], rows[element] = tables[parent], rows[parent]
            if KINDS[code] == IS_TABLE:
                if tables[parent]:
                    found.pop(tables[parent], None)
                tables[element], rows[element] = element, 0
                if self._kept(element):
                    found[element] = []
            elif not tables[parent]:
                continue
            elif code == ROW:
                rows[element] = element
                if tables[element] in found and tables[parent] == tables[element]:
                    found[tables[element]].append((element, []))
            elif KINDS[code] == IS_CELL:
                lines = found.get(tables[element])
                row = rows[element] or -parent  # without a row, cells of one parent are in one
                if lines is not None and row < 0 and (not lines or lines[len(lines) - 1][0] != row):
                    lines.append((row, []))
                if lines and lines[len(lines) - 1][0] == row:
                    lines[len(lines) - 1][1].append(element)
                if code == HEADING_CELL:
                    said[tables[element]] = True
            elif code == HEAD or KINDS[code] == IS_CAPTION:
                said[tables[element]] = True
                if code == HEAD:
                    headed.add(tables[element])
                if KINDS[code] == IS_CAPTION:
                    captions.setdefault(tables[element], []).append(element)
            elif code == FORM:
                found.pop(tables[element], None)
        data = {}
        for table, lines in found.items():
            heads = self._headlines(lines)
            below, titles = lines[len(heads) :], captions.get(table, []) + heads
            if self._is_data(table, below, table in said, table in headed, titles):
                data[table] = below
                self.headlines.update(heads)
        return data

    cdef list _headlines(self, list rows):
        """The cells of a table's first rows that are alone in their row and hold headings only: they head the table."""
        cdef Elements elements = self.page.elements
        cdef Py_ssize_t block
        heads = []
        for _, cells in rows[:MAX_HEADING_BLOCKS]:
            kept = [cell for cell in cells if self._kept(cell)]
            if len(kept) != 1:
                break
            block = self.next_kept[elements.first[kept[0]]]
            while block < elements.last[kept[0]] and elements.headings[block]:
                block = self.next_kept[block + 1]
            if block < elements.last[kept[0]] or kept[0] in self.extra:
                break
            heads.append(kept[0])
        return heads

    cdef bint _is_data(self, Py_ssize_t table, list rows, bint says_so, bint is_headed, list captions) except -1:
        """Whether a table holds data, and does not only lay them out."""
        cdef Blocks blocks = self.page.blocks
        cdef Elements elements = self.page.elements
        cdef Py_ssize_t cell, block, chars
        lengths, filled, plain = [], 0, 0
        widths = {}
        placed = sum([self._kept(caption) for caption in captions])  # blocks in captions and cells
        kept_rows = [(row, cells) for row, cells in rows if any([self._kept(cell) for cell in cells])]
        if len(kept_rows) < 2 - is_headed or sum([len(cells) for _, cells in kept_rows]) > MAX_CELLS:
            return False
        if self.attributes(table).get(b"role", b"").strip().lower() in (b"presentation", b"none"):
            return False
        for _, cells in kept_rows:
            width = len(cells)
            widths[width] = widths.get(width, 0) + 1
            here = 0
            for cell in cells:
                chars = 0
                if not self._kept(cell):
                    continue
                here += 1
                placed += self._kept(cell)
                block = self.next_kept[elements.first[cell]]
                while block < elements.last[cell]:
                    if 1 <= elements.headings[block] <= 3 and elements.codes[cell] != HEADING_CELL:
                        return False
                    chars += blocks.chars[block]
                    plain += not self.page.markup.preformatted_gaps[blocks.first_gaps[block]]
                    block = self.next_kept[block + 1]
                if chars > MAX_CHARS:
                    return False
                lengths.append(chars)
            filled = max(filled, here)
        # Few blocks stand in a row and in no cell: they go to the cell before.
        if filled < 2 - is_headed or not plain or 4 * (self._kept(table) - placed) > self._kept(table):
            return False
        # Rows of about one width; one in four may be another, as headlines are, and rows with spans.
        alike = max([sum([count for other, count in widths.items() if 0 <= width - other <= 1]) for width in widths])
        return says_so or 4 * alike >= 3 * len(kept_rows) and sorted(lengths)[len(lengths) // 2] <= SHORT

    cdef bint _spans(self, Py_ssize_t cell) except -1:
        """Whether a cell may reach over several rows or columns."""
        cdef Py_ssize_t tag = self.page.elements.opens[cell]
        cdef Tags tags = self.page.markup.tags
        return tag >= 0 and self.page.markup.html[tags.start[tag] : tags.stop[tag]].lower().find(b"span") >= 0

    cdef list grid(self, Py_ssize_t table):
        """The cells of a data table by row and column, negative where one reaches to, or 0; None if it is too large."""
        rows = [(row, cells) for row, cells in self.tables[table] if any([self._kept(cell) for cell in cells])]
        grid = [[] for _ in rows]
        total = 0
        for number, (_, cells) in enumerate(rows):
            column = 0
            for cell in cells:
                line = grid[number]
                while column < len(line) and line[column]:
                    column += 1
                across = down = 1
                if self._spans(cell):
                    given = self.attributes(cell)
                    across = _span(given.get(b"colspan"), MAX_COLUMNS_SPANNED)
                    down = min(_span(given.get(b"rowspan"), MAX_ROWS_SPANNED), len(rows) - number)
                total += across * down
                if total > MAX_CELLS:
                    return None
                for below in range(down):
                    line = grid[number + below]
                    line += [0] * (column + across - len(line))
                    for place in range(column, column + across):
                        if not line[place]:
                            line[place] = -cell
                grid[number][column] = cell
                column += across
        width = max([len(line) for line in grid])
        if width * len(grid) > MAX_CELLS:
            return None
        for line in grid:
            line += [0] * (width - len(line))
        used = [any([abs(line[column]) and self._kept(abs(line[column])) for line in grid]) for column in range(width)]
        return [[cell for cell, is_used in zip(line, used) if is_used] for line in grid]


cdef int _span(given, int most) except -1:
    """A number of rows or columns."""
    digits = (given or b"").strip()
    return min(max(int(digits[:9]), 1), most) if digits.isdigit() else 1
