"""What pages are made of that are no articles: fields of forms, pictures, like elements of several blocks.

Posts, cards of a listing and rows of facts are like elements: three or more children of one element with one name and
class. Blocks at the same place in them are cells: labels and values, names and dates, titles and prices.
"""

from libc.stdint cimport int64_t, uint64_t

from cedar.transforms.extractors.html._attributes cimport AttributeScanner
from cedar.transforms.extractors.html._bytes cimport GOLDEN_RATIO, key_at, lowest_bit
from cedar.transforms.extractors.html._growing cimport IntArena
from cedar.transforms.extractors.html._tags cimport END, Tags
from cedar.transforms.extractors.segments._arithmetic cimport find_firsts, least, most, part
from cedar.transforms.extractors.segments._blocks cimport AT, COLON, DIGIT, Blocks
from cedar.transforms.extractors.segments._elements cimport ANCESTORS, Elements
from cedar.transforms.extractors.segments._page cimport SegmentedPage

from cedar.transforms.extractors.html._elements import key
from cedar.transforms.extractors.segments.names import CODE

cdef enum:
    MIN_LIKE = 3  # like elements that are items, at least,
    MIN_BLOCKS = 2  # and blocks in each of them, on the mean
    MAX_CELLS = 8  # blocks of an item that are told apart by their place
    FAR = 999  # stands for the distance to a field on a page without one

cdef enum:  # what an item may hold
    LINK
    PICTURE
    HEADING
    PRICE
    PROSE
    CONTENTS

cdef uint64_t INPUT = key("input"), SELECT = key("select"), TEXTAREA = key("textarea"), IMAGE = key("img")
cdef uint64_t TYPE = key("type")
cdef frozenset NOT_FILLED_IN = frozenset(map(key, ("hidden", "submit", "button", "image", "reset")))
cdef int64_t FORM = CODE["form"]


cdef class PageParts:
    """The fields and pictures of a page, and its items.

    What like elements have in common is summed up over those that have a text, and stands at the first of them: for
    element e at `first_alike[e]` of the page's `Elements`.

    Attributes:
        fields, pictures: int64 (t + 1,), fields to fill in and pictures among the first tags.
        items, outer_items: int64 (e,), the innermost and the outermost item that an element is or stands in; 0: none.
        like_counts, like_blocks, like_words: int64 (e,), how many like elements there are, their blocks, and their
            tenths of words.
        like_sizes: int64 (e,), how many of them have between half and twice as many words as their mean.
        like_contents: int64 (CONTENTS * e,), how many of them hold a link, a picture, and so on.
    """

    def __init__(self, SegmentedPage page not None):
        """Count fields and pictures, and find items."""
        self.page = page
        self._count_tags()
        self._sum_up_like_elements()
        self._find_items()

    cdef int _count_tags(self) except -1:
        """Fill `fields` and `pictures`."""
        cdef Tags tags = self.page.markup.tags
        cdef IntArena arena = self.page.markup.room
        cdef const unsigned char[::1] shown = self.page.markup.shown
        cdef AttributeScanner scanner = AttributeScanner(self.page.markup.html)
        cdef Py_ssize_t tag
        cdef uint64_t name
        cdef bint is_field, is_picture
        self.fields, self.pictures = arena.take(tags.count + 1), arena.take(tags.count + 1)
        self.fields[0] = self.pictures[0] = 0
        for tag in range(tags.count):
            name = tags.name[tag]
            is_field, is_picture = False, name == IMAGE and shown[tag] != 0
            if (name == INPUT or name == SELECT or name == TEXTAREA) and shown[tag] and not tags.kind[tag] & END:
                is_field = name != INPUT or _is_filled_in(scanner, tags.start[tag], tags.stop[tag])
            self.fields[tag + 1] = self.fields[tag] + is_field
            self.pictures[tag + 1] = self.pictures[tag] + is_picture
        return 0

    cdef int _sum_up_like_elements(self) except -1:
        """Fill the sums over like elements."""
        cdef Blocks blocks = self.page.blocks
        cdef Elements elements = self.page.elements
        cdef IntArena arena = self.page.markup.room
        cdef const int64_t[::1] first = elements.first, last = elements.last, first_alike = elements.first_alike
        cdef const int64_t[::1] word_sums = blocks.word_sums
        cdef Py_ssize_t element, block, count = elements.count
        cdef int64_t sibling, words
        cdef uint64_t left
        cdef int64_t[::1] contents = arena.zeros(count)  # a bit for each of `CONTENTS` that an element holds
        self.like_counts, self.like_blocks, self.like_words = arena.zeros(count), arena.zeros(count), arena.zeros(count)
        self.like_sizes, self.like_contents = arena.zeros(count), arena.zeros(CONTENTS * count)
        for block in range(blocks.count):
            contents[elements.nearest[block]] |= (
                (blocks.linked[block] > 0) << LINK | (elements.headings[block] > 0) << HEADING
                | (blocks.kinds[block, AT] > 0) << PRICE
                | (blocks.long_sums[block + 1] > blocks.long_sums[block]) << PROSE
            )
        # Elements come after those they stand in.
        for element in range(count - 1, 0, -1):
            contents[element] |= (self._pictures_in(element) > 0) << PICTURE
            contents[elements.parents[element]] |= contents[element]
            if first[element] == last[element]:
                continue
            sibling = first_alike[element]
            self.like_counts[sibling] += 1
            self.like_blocks[sibling] += last[element] - first[element]
            self.like_words[sibling] += word_sums[last[element]] - word_sums[first[element]]
            left = <uint64_t>contents[element]
            while left:
                self.like_contents[CONTENTS * sibling + lowest_bit(left)] += 1
                left &= left - 1
        for element in range(1, count):
            if first[element] < last[element]:
                sibling = first_alike[element]
                words = self.like_counts[sibling] * (word_sums[last[element]] - word_sums[first[element]])
                self.like_sizes[sibling] += self.like_words[sibling] <= 2 * words <= 4 * self.like_words[sibling]
        return 0

    cdef int _find_items(self) except -1:
        """Fill `items` and `outer_items`."""
        cdef Elements elements = self.page.elements
        cdef IntArena arena = self.page.markup.room
        cdef Py_ssize_t element
        cdef int64_t sibling, parent
        self.items, self.outer_items = arena.take(elements.count), arena.take(elements.count)
        self.items[0] = self.outer_items[0] = 0
        for element in range(1, elements.count):
            sibling, parent = elements.first_alike[element], elements.parents[element]
            self.items[element], self.outer_items[element] = self.items[parent], self.outer_items[parent]
            if elements.first[element] < elements.last[element] and self.like_counts[sibling] >= MIN_LIKE:
                if self.like_blocks[sibling] >= MIN_BLOCKS * self.like_counts[sibling]:
                    self.items[element] = element
                    self.outer_items[element] = self.outer_items[parent] or element
        return 0

    cdef int64_t _fields_in(self, Py_ssize_t element) noexcept:
        cdef Elements elements = self.page.elements
        return self.fields[elements.closes[element]] - self.fields[elements.opens[element] + 1]

    cdef int64_t _pictures_in(self, Py_ssize_t element) noexcept:
        cdef Elements elements = self.page.elements
        return self.pictures[elements.closes[element]] - self.pictures[elements.opens[element] + 1]

    cdef Py_ssize_t fill_fields(self, float[:, ::1] rows) except -1:
        """Fill `columns.FIELDS`."""
        cdef Blocks blocks = self.page.blocks
        cdef Elements elements = self.page.elements
        cdef const int64_t[::1] gaps = blocks.first_gaps, fields = self.fields
        cdef const int64_t[:, ::1] around = elements.around
        cdef Py_ssize_t count = blocks.count, block, element, level
        cdef int64_t after, since = FAR
        cdef int64_t[::1] forms = self.page.markup.room.zeros(elements.count)
        for element in range(1, elements.count):
            forms[element] = element if elements.codes[element] == FORM else forms[elements.parents[element]]
        for block in range(count):
            after = fields[gaps[block + 1] if block + 1 < count else fields.shape[0] - 1] - fields[gaps[block]]
            element = forms[elements.nearest[block]]
            since = 0 if after else min(since + 1, <int64_t>FAR)
            rows[0, block] = <float>after
            rows[1, block] = <float>(self._fields_in(element) if element else 0)
            rows[2, block] = <float>since
        for level in range(ANCESTORS):
            for block in range(count):
                if block and around[level, block] == around[level, block - 1]:
                    rows[3 + level, block] = rows[3 + level, block - 1]
                else:
                    rows[3 + level, block] = <float>self._fields_in(around[level, block])
        since = FAR
        for block in range(count - 1, -1, -1):
            since = 0 if rows[0, block] else min(since + 1, <int64_t>FAR)
            rows[2, block] = min(rows[2, block], <float>since)
        return 3 + ANCESTORS

    cdef Py_ssize_t fill_pictures(self, float[:, ::1] rows) except -1:
        """Fill `columns.PICTURES`."""
        cdef const int64_t[:, ::1] around = self.page.elements.around
        cdef const int64_t[::1] first = self.page.elements.first, last = self.page.elements.last
        cdef Py_ssize_t block, element, level
        for level in range(ANCESTORS):
            for block in range(around.shape[1]):
                element = around[level, block]
                if block and element == around[level, block - 1]:
                    rows[level, block] = rows[level, block - 1]
                else:
                    rows[level, block] = part(self._pictures_in(element), last[element] - first[element])
        return ANCESTORS

    cdef Py_ssize_t fill_items(self, const int64_t[::1] items, float[:, ::1] rows) except -1:
        """Fill `columns.ITEMS`, or `columns.OUTER_ITEMS`; 0 for blocks in no item."""
        cdef const int64_t[::1] nearest = self.page.elements.nearest, first_alike = self.page.elements.first_alike
        cdef Py_ssize_t block, row
        cdef int64_t sibling, before = -1, count
        for block in range(nearest.shape[0]):
            sibling = first_alike[items[nearest[block]]]  # 0 for blocks in no item
            if sibling == before:
                for row in range(4 + CONTENTS):
                    rows[row, block] = rows[row, block - 1]
                continue
            before = sibling
            count = self.like_counts[sibling] if sibling else 0
            rows[0, block] = <float>count
            rows[1, block] = part(self.like_blocks[sibling] if sibling else 0, count)
            rows[2, block] = part(self.like_words[sibling] if sibling else 0, count)
            rows[3, block] = part(self.like_sizes[sibling] if sibling else 0, count)
            for row in range(CONTENTS):
                rows[4 + row, block] = part(self.like_contents[CONTENTS * sibling + row] if sibling else 0, count)
        return 4 + CONTENTS

    cdef Py_ssize_t fill_cells(self, float[:, ::1] rows) except -1:
        """Fill `columns.CELLS`; 0 for blocks in no item, and for those after its first `MAX_CELLS`.

        Blocks at one place of like items are one cell: cells are numbered from 1, `MAX_CELLS` for each kind of item.
        """
        cdef Blocks blocks = self.page.blocks
        cdef Elements elements = self.page.elements
        cdef IntArena arena = self.page.markup.room
        cdef Py_ssize_t count = blocks.count, block, cells = 0, cell
        cdef int64_t item, sibling
        cdef int64_t[::1] first_cells = arena.zeros(elements.count)  # of the first of like items; 0: not yet numbered
        cdef int64_t[::1] cell_of = arena.zeros(count), keys = arena.take(count), firsts = arena.take(count)
        for block in range(count):
            item = self.items[elements.nearest[block]]
            if item and block - elements.first[item] < MAX_CELLS:
                sibling = elements.first_alike[item]
                if not first_cells[sibling]:
                    first_cells[sibling] = cells + 1
                    cells += MAX_CELLS
                cell_of[block] = first_cells[sibling] + block - elements.first[item]
            keys[block] = <int64_t>(<uint64_t>blocks.texts[block] * GOLDEN_RATIO + <uint64_t>cell_of[block])
        find_firsts(keys, firsts, arena)
        cdef int64_t[::1] present = arena.zeros(cells + 1), words = arena.zeros(cells + 1)
        cdef int64_t[::1] with_digits = arena.zeros(cells + 1), different = arena.zeros(cells + 1)
        for block in range(count):
            cell = cell_of[block]
            present[cell] += 1
            words[cell] += blocks.word_tenths[block]
            with_digits[cell] += blocks.kinds[block, DIGIT] > 0
            different[cell] += firsts[block] == block
        for block in range(count):
            cell = cell_of[block]
            if not cell:
                rows[0, block] = rows[1, block] = rows[2, block] = rows[3, block] = 0
                continue
            sibling = elements.first_alike[self.items[elements.nearest[block]]]
            rows[0, block] = part(present[cell], self.like_counts[sibling])
            rows[1, block] = part(words[cell], present[cell])
            rows[2, block] = part(with_digits[cell], present[cell])
            rows[3, block] = part(different[cell], present[cell])
        return 4


cdef Py_ssize_t fill_signs(Blocks blocks, float[:, ::1] rows) except -1:
    """Fill `columns.SIGNS`."""
    cdef Py_ssize_t count = blocks.count, block, first, last
    cdef int64_t digits, colons
    cdef IntArena arena = IntArena(2 * (count + 1))
    cdef int64_t[::1] digit_sums = arena.zeros(count + 1), colon_sums = arena.zeros(count + 1)
    cdef const int64_t[::1] chars = blocks.char_sums
    for block in range(count):
        digit_sums[block + 1] = digit_sums[block] + blocks.kinds[block, DIGIT]
        colon_sums[block + 1] = colon_sums[block] + blocks.kinds[block, COLON]
    for block in range(count):
        first, last = most(block - 3, 0), least(block + 4, count)
        rows[0, block] = part(digit_sums[last] - digit_sums[first], chars[last] - chars[first])
        first, last = most(block - 10, 0), least(block + 11, count)
        digits, colons = digit_sums[last] - digit_sums[first], colon_sums[last] - colon_sums[first]
        rows[1, block] = part(digits, chars[last] - chars[first])
        rows[2, block] = part(colons, chars[last] - chars[first])
    return 3


cdef bint _is_filled_in(AttributeScanner scanner, Py_ssize_t start, Py_ssize_t stop) except -1:
    """Whether an `input` is a field to fill in, and no button, by its type."""
    scanner.open(start, stop)
    while scanner.advance():
        if scanner.name == TYPE and scanner.size() == 4:
            return key_at(scanner.html, scanner.start, scanner.stop) not in NOT_FILLED_IN
    return True
