"""The lists, items, quotes, tables and code that blocks stand in, by their names and their attributes.

Of all elements around a block only these show in Markdown. Lists of cards and tables that only lay a page out are
left out: their contents are written as they come.
"""

import re

import numpy as np

from libc.stdint cimport int64_t, uint64_t

from cedar.transforms.extractors.html._bytes cimport SPACE, code_point_at
from cedar.transforms.extractors.html._growing cimport IntArena
from cedar.transforms.extractors.html._tags cimport END, Tags
from cedar.transforms.extractors.segments._blocks cimport COLON, COMMA, INLINE, STOP, Blocks
from cedar.transforms.extractors.segments._elements cimport Elements
from cedar.transforms.extractors.segments._markup cimport FIRST_HEADING, Markup
from cedar.transforms.extractors.segments._page cimport SegmentedPage

from cedar.transforms.extractors.html._attributes import attributes
from cedar.transforms.extractors.html._tags import key
from cedar.transforms.extractors.markdown._code_lines import CodeLines
from cedar.transforms.extractors.markdown._left_out import left_out
from cedar.transforms.extractors.markdown._roles import roles
from cedar.transforms.extractors.segments.names import CODE, ELEMENTS

cdef enum:
    BULLET = 0x2D  # a hyphen
    MIN_POSTS = 2  # of a thread
    MAX_BOXES = 6  # around the name of a post's author
    MAX_COUNTERS = 24  # blocks beside the name of a post's author
    FOR_ELEMENTS = 6  # numbers of an element, about
    MAX_LEVELS = 16
    MAX_COLUMNS_SPANNED = 50
    MAX_ROWS_SPANNED = 200
    MIN_SPANNING_TAG = 14  # bytes of a tag with `colspan` or `rowspan`
    MAX_CELLS = 10000
    MAX_HEADING_BLOCKS = 3
    MAX_CHARS = 1000
    MAX_ITEM_CHARS = 120
    MAX_SUBHEADING = 100  # characters of a paragraph that is a heading
    MIN_DECK = 60  # characters of a heading below the headline that heads no section
    MIN_PROSE = 60  # characters of a paragraph below one
    MIN_SUBHEADINGS = 3  # bold paragraphs from which they are headings
    MIN_NUMBERED = 3  # paragraphs with numbers one after the other from which they are items
    MAX_NUMBER_DIGITS = 9
    MIN_CONTROLS = 3  # rows of a table in which a control stands

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
cdef int64_t ITEM_CODE = CODE["li"], DIVISION = CODE["div"], PARAGRAPH = CODE["p"]
cdef int64_t TERMS = CODE["dl"], TERM = CODE["dt"], MEANING = CODE["dd"]
cdef uint64_t STRONG = key("strong"), BOLD = key("b")
_SAYS_CONTROL = re.compile(
    r"\W{0,3}(?:buy|add to|shop|order|details|more|read more|view|see|compare|select|choose|download|in den|kaufen"
    r"|bestellen|mehr|zum|auswählen|ajouter|acheter|voir|détails|en savoir|añadir|comprar|ver|detalles|leer|adicionar"
    r"|acquista|aggiungi|dettagli|leggi|bekijk|bestel|kup|do koszyka|купить|в корзину|подробнее|購入|カートに|购买|详情"
    r"|加入)\b.{0,24}",
    re.IGNORECASE,
)
"""Begins the text of a link that does something with a row."""
_OF_USER = re.compile(rb"user|author|poster|profile", re.IGNORECASE)
_NUMBER_OF_POST = re.compile(r"#\s?[\d.,]{1,9}")
cdef frozenset BULLETS = frozenset(map(ord, "•●▪◦‣■·"))

_BOLD_STYLE = re.compile(
    rb"font-weight:\s*(?:bold|[6-9]00)|\sclass=[\"']?(?:[^\"'>]{0,80}[\s_-])?bold[\"'\s>]", re.IGNORECASE
)
_CONTROL = re.compile(rb"""\sclass\s*=\s*["']?[^"'>]*(?:btn|button|cta)""", re.IGNORECASE)


cdef class Containers:
    """The containers of the kept blocks of a page of n blocks, and of the elements around formulas between blocks."""

    # kinds: the kind of each element. inner: the container that it is, or is in; 0: none.
    # around: the container around each container. tables: the rows of cells of each table of data.
    # flat: lists whose items are cards, and those without terms. titles: the levels of headings that are none by name.
    # headlines: cells that are alone in their rows and head the rows below. parts: of tables that they part, what
    # stands for the table of each cell below the first of them: the cell that heads it.
    # codes: of blocks that are lines of code without `pre`: the tag of the first. numbered: paragraphs that are items.
    # left_out: blocks that Markdown does not have.
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
        self.flat, self.headlines, self.numbered = set(), set(), set()
        self.extra, self.parts = {}, {}
        code_lines = CodeLines(page, kept)
        self.codes, self.left_out = code_lines.tags, left_out(page, kept) | code_lines.numbers
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
        named, perhaps = self._look()
        self.tables = self._find_tables() if self.has_tables else {}
        self._find_deck()
        self.deeper = self._has_other_tops()
        self._find_subheadings(named, perhaps)
        self._nest()
        self._find_numbered()

    cdef tuple _look(self):
        """Find the kinds of elements, lists of cards and lists without terms.

        Return the elements whose class says that they are headings, and those whose class may say so.
        """
        cdef Elements elements = self.page.elements
        cdef Py_ssize_t element, first, last
        cdef int64_t code
        cdef int kind
        with_terms = set()
        for element in range(1, elements.count):
            code = elements.codes[element]
            self.kinds[element] = kind = KINDS[code]
            if code == TERMS:
                self.flat.add(element)  # unless a term comes
            elif code == TERM and self._kept(element):
                with_terms.add(elements.parents[element])
            self.has_tables |= kind == IS_TABLE
            if not self._kept(element):
                continue
            first, last = elements.first[element], elements.last[element]
            if code == ITEM_CODE and first < last:
                # Items that begin with a heading are cards: their list is not one.
                first = self.next_kept[first]
                if first < last and elements.headings[first]:
                    self.flat.add(elements.parents[element])
        self.flat -= with_terms
        notes, posts, self.titles, bylines, named, perhaps = roles(self.page, self.sums)
        for kind, some in ((IS_QUOTE, notes), (IS_NONE, posts), (IS_TITLE, self.titles), (IS_NONE, bylines)):
            for element in some:
                self.kinds[element] = kind
        if len(bylines) >= MIN_POSTS:
            self._leave_out_counters(bylines)
        return named, perhaps

    cdef int _leave_out_counters(self, set bylines) except -1:
        """Leave out what stands beside the names of a thread's authors: lists below them, and numbers of posts."""
        cdef Blocks blocks = self.page.blocks
        cdef Elements elements = self.page.elements
        cdef Py_ssize_t byline, box, post, block
        for byline in bylines:
            box = byline
            post = elements.parents[box]
            for _ in range(MAX_BOXES):
                if not _OF_USER.search(self.page.markup.class_of(elements.opens[post])):
                    break
                box, post = post, elements.parents[post]
            if box == byline or elements.last[box] - elements.first[box] > MAX_COUNTERS:
                continue
            for block in range(elements.last[byline], elements.last[box]):
                if elements.codes[elements.nearest[block]] in (TERM, MEANING, ITEM_CODE):
                    self.left_out.add(block)
            for block in range(elements.first[post], min(elements.last[post], elements.first[post] + MAX_COUNTERS)):
                if blocks.linked[block] == blocks.chars[block] and _NUMBER_OF_POST.fullmatch(blocks.read(block)):
                    self.left_out.add(block)
        return 0

    cdef int level(self, Py_ssize_t element) except -1:
        """The level of a heading, which is one deeper if the headline is not the only one of the first level."""
        cdef int level = self.page.elements.codes[element] - FIRST_HEADING + 1
        if element in self.titles:
            level = self.titles[element]
        return min(level + self.deeper, 6)

    cdef bint _has_other_tops(self) except -1:
        """Whether a page with a title has a headline, and other headings of the first level."""
        cdef Elements elements = self.page.elements
        cdef Py_ssize_t element, block
        if self.page.headline_start >= self.page.headline_stop or self.page.markup.tags.first("title") < 0:
            return False
        for element in range(1, elements.count):
            if elements.codes[element] == FIRST_HEADING and self._kept(element):
                block = self.next_kept[elements.first[element]]
                if not self.page.headline_start <= block < self.page.headline_stop:
                    return True
        return False

    cdef int _find_deck(self) except -1:
        """Make the deck a paragraph: a long heading right below the headline that has none like it below."""
        cdef Elements elements = self.page.elements
        cdef Markup markup = self.page.markup
        cdef Py_ssize_t deck, block, element
        if self.page.headline_start >= self.page.headline_stop:
            return 0
        block = self.next_kept[self.page.headline_stop]
        if block >= self.page.blocks.count or self.page.blocks.chars[block] < MIN_DECK:
            return 0
        deck = elements.nearest[block]
        if self.kinds[deck] != IS_TITLE or self.level(deck) == 1 or self.page.blocks.last_kinds[block] == COLON:
            return 0
        for element in range(deck + 1, elements.count):
            if (
                elements.codes[element] == elements.codes[deck] and self.kinds[element] == IS_TITLE
                and markup.classes[elements.opens[element]] == markup.classes[elements.opens[deck]]
                and self._kept(element)
            ):
                return 0
        self.kinds[deck] = IS_NONE
        return 0

    cdef int _find_subheadings(self, set named, set perhaps) except -1:
        """Find paragraphs that are headings: by their class, and if the page has several by a vague class or as bold.

        Each is short, has no end of a sentence, stands in no list, quote or table, and above prose; a named one does
        not stand right below the headline. Its level is one below the heading before.
        """
        cdef Blocks blocks = self.page.blocks
        cdef Elements elements = self.page.elements
        cdef Py_ssize_t block = self.next_kept[0], before = -1, after, element
        cdef int level = 1
        cdef dict bold = {}
        while block < blocks.count:
            after = self.next_kept[block + 1]
            element = elements.nearest[block]
            if self.kinds[element] == IS_TITLE:
                level = self.level(element)
            elif (
                blocks.chars[block] <= MAX_SUBHEADING and after < blocks.count
                and blocks.chars[after] >= max(<int64_t>MIN_PROSE, blocks.chars[block])
                and (elements.codes[element] == PARAGRAPH or elements.codes[element] == DIVISION)
                and elements.last[element] - elements.first[element] == 1
                and self.kinds[elements.nearest[after]] == IS_NONE and 2 * blocks.linked[block] <= blocks.chars[block]
                and blocks.last_kinds[block] != STOP
            ):
                if element in named:
                    if before >= 0 and not elements.headings[before] == 1 and self._stands_free(element):
                        self.titles[element] = min(level + 1, 6)
                elif (
                    blocks.last_kinds[block] != COLON and blocks.last_kinds[block] != COMMA
                    and (element in perhaps or self._is_bold(block) and not self._is_bold(after))
                    and elements.nearest[after] not in perhaps and self._stands_free(element)
                ):
                    bold[element] = min(level + 1, 6)
            before, block = block, after
        if len(bold) >= MIN_SUBHEADINGS:
            self.titles.update(bold)
        for element in self.titles:
            self.kinds[element] = IS_TITLE
        return 0

    cdef bint _stands_free(self, Py_ssize_t element) except -1:
        """Whether an element is in no list, quote, code, heading or table of data."""
        for _ in range(MAX_CONTAINERS):
            element = self.page.elements.parents[element]
            if not element:
                return True
            if self.kinds[element] == IS_TABLE:
                if element in self.tables:
                    return False
            elif self.kinds[element] and self.kinds[element] < IS_TABLE or self.kinds[element] > IS_CELL:
                return False
        return False

    cdef bint _is_bold(self, Py_ssize_t block) except -1:
        """Whether all of a block is in one element that is bold by its name or its style."""
        cdef Blocks blocks = self.page.blocks
        cdef Tags tags = self.page.markup.tags
        cdef const unsigned char[::1] text = blocks.text
        cdef Py_ssize_t i = blocks.starts[block], tag = blocks.first_gaps[block], opened = -1, depth = 0
        cdef bint ended = False
        while i < blocks.stops[block]:
            if text[i] == INLINE:
                if opened < 0:
                    if not tags.kind[tag] & END and (
                        tags.name[tag] == STRONG or tags.name[tag] == BOLD
                        or _BOLD_STYLE.search(self.page.markup.html, tags.start[tag], tags.stop[tag])
                    ):
                        opened, depth = tag, 1
                elif tags.name[tag] == tags.name[opened]:
                    depth += -1 if tags.kind[tag] & END else 1
                    ended |= depth == 0
                tag += 1
            elif text[i] > SPACE and (opened < 0 or ended):
                return False
            i += 1
        return opened >= 0

    cdef int _find_numbered(self) except -1:
        """Find paragraphs right after one another that begin with `1.`, `2.`, `3.` and so on, or bullets: items."""
        cdef Blocks blocks = self.page.blocks
        cdef Py_ssize_t block = self.next_kept[0]
        cdef int64_t number, last = -1
        cdef unsigned char sign, last_sign = 0
        cdef list run = []
        while block < blocks.count:
            sign = 0
            number = self._number(block, &sign)
            if not run or sign != last_sign or number != last + 1 and sign != BULLET:
                if len(run) >= MIN_NUMBERED:
                    self.numbered.update(run)
                run = []
            if number >= 0:
                run.append(block)
            last, last_sign = number, sign
            block = self.next_kept[block + 1]
        if len(run) >= MIN_NUMBERED:
            self.numbered.update(run)
        return 0

    cdef int64_t _number(self, Py_ssize_t block, unsigned char *sign) except -2:
        """The number that a paragraph outside of lists and tables begins with, before a `.` or `)`; -1: none.

        It is 0 after a bullet or a hyphen with a blank after it; `sign` is what ends the number, or `BULLET`.
        """
        cdef const unsigned char[::1] text = self.page.blocks.text
        cdef Py_ssize_t i = self.page.blocks.starts[block], stop = self.page.blocks.stops[block], first
        cdef int64_t number = 0
        cdef Py_ssize_t width = 1
        while i < stop and (text[i] <= SPACE or text[i] == INLINE):
            i += 1
        if i < stop and (text[i] == BULLET or text[i] >= 0x80 and code_point_at(&text[i], &width) in BULLETS):
            if i + width >= stop or text[i + width] != SPACE or self.inner[self.page.elements.nearest[block]]:
                return -1
            sign[0] = BULLET
            return 0
        first = i
        while i < stop and c"0" <= text[i] <= c"9" and i - first < MAX_NUMBER_DIGITS:
            number = 10 * number + text[i] - c"0"
            i += 1
        if i == first or i + 1 >= stop or text[i] != c"." and text[i] != c")" or text[i + 1] != SPACE:
            return -1
        sign[0] = text[i]
        return -1 if self.inner[self.page.elements.nearest[block]] else number

    cdef int _nest(self) except -1:
        """Find the containers, and the container around each."""
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
        """Count the kept blocks, and the formulas between blocks, in an element."""
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
            heads = [self._headline(cells) for _, cells in lines]
            below = [line for line, head in zip(lines, heads) if not head]
            titles = captions.get(table, []) + [head for head in heads if head]
            if not below or not self._is_data(table, below, table in said, table in headed, titles):
                continue
            part = table
            for line, head in zip(lines, heads):
                if head:
                    self.headlines.add(head)
                    part = head if part in data else part
                    continue
                data.setdefault(part, []).append(line)
                if part != table:
                    self.parts.update(dict.fromkeys(line[1], part))
            self._find_controls(below)
        return data

    cdef Py_ssize_t _headline(self, list cells) except -1:
        """The cell that is alone in its row and holds headings only, so that it heads the rows below; 0 if none is."""
        cdef Elements elements = self.page.elements
        cdef Py_ssize_t block, head = 0, cell
        for cell in cells:
            if self._kept(cell):
                if head:
                    return 0
                head = cell
        if head == 0 or head in self.extra:
            return 0
        block = self.next_kept[elements.first[head]]
        while block < elements.last[head] and elements.headings[block]:
            block = self.next_kept[block + 1]
        return 0 if block < elements.last[head] else head

    cdef int _find_controls(self, list rows) except -1:
        """Leave out links with one text in several rows, beside other text or if a class or the text names a button."""
        cdef Blocks blocks = self.page.blocks
        cdef Elements elements = self.page.elements
        cdef Tags tags = self.page.markup.tags
        cdef Py_ssize_t cell, block, before
        found = {}
        for _, cells in rows:
            for cell in cells:
                block = self.next_kept[elements.first[cell]]
                while block < elements.last[cell]:
                    if blocks.linked[block] == blocks.chars[block] and not elements.headings[block]:
                        before = tags.start[max(blocks.first_gaps[block] - 1, <Py_ssize_t>0)]
                        is_control = self._kept(cell) > 1 or _CONTROL.search(
                            self.page.markup.html, before, tags.stop[min(blocks.first_gaps[block] + 1, tags.count - 1)]
                        ) is not None
                        found.setdefault((is_control, blocks.texts[block]), []).append(block)
                    block = self.next_kept[block + 1]
        for (is_control, _), same in found.items():
            if len(same) >= MIN_CONTROLS and (is_control or _SAYS_CONTROL.match(blocks.read(same[0]))):
                self.left_out.update(same)
        return 0

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
        return says_so or 4 * alike >= 3 * len(kept_rows) and sorted(lengths)[len(lengths) // 2] <= MAX_ITEM_CHARS

    cdef bint _spans(self, Py_ssize_t cell) except -1:
        """Whether a cell may reach over several rows or columns."""
        cdef Py_ssize_t tag = self.page.elements.opens[cell]
        cdef Tags tags = self.page.markup.tags
        if tag < 0 or tags.stop[tag] - tags.start[tag] < MIN_SPANNING_TAG:
            return False
        return b"span" in self.page.markup.html[tags.start[tag] : tags.stop[tag]].lower()

    cdef list grid(self, Py_ssize_t table):
        """The cells of a data table by row and column, negative where one reaches to, or 0; None if it is too large.

        Columns without a kept block are left out.
        """
        cdef list rows = [row for row in self.tables[table] if any([self._kept(cell) for cell in row[1]])]
        cdef list grid = [[] for _ in rows], line, used = []  # used: whether a column has a kept block
        cdef Py_ssize_t number, column, place, below, across, down, total = 0, width = 0, cell
        cdef bint is_kept
        for number in range(len(rows)):
            column = 0
            for cell in rows[number][1]:
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
                is_kept = self._kept(cell) > 0
                width = max(width, column + across)
                used += [False] * (width - len(used))
                for below in range(number, number + down):
                    line = grid[below]
                    line += [0] * (column + across - len(line))
                    for place in range(column, column + across):
                        if not line[place]:
                            line[place] = -cell
                            used[place] |= is_kept
                grid[number][column] = cell
                column += across
        if width * len(grid) > MAX_CELLS:
            return None
        for line in grid:
            line += [0] * (width - len(line))
        if all(used):
            return grid
        return [[cell for cell, is_used in zip(line, used) if is_used] for line in grid]


cdef int _span(given, int most) except -1:
    """A number of rows or columns."""
    digits = (given or b"").strip()
    return min(max(int(digits[:9]), 1), most) if digits.isdigit() else 1
