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
    ALIKE = 3  # children of one element with one name and class that are items, at least,
    PARTS = 2  # and blocks in each, at least, on the mean
    PLACES = 8  # blocks of an item that are told apart
    FAR = 999  # stands for the distance to a field on a page without one

cdef enum:  # what an item may hold
    LINK
    PICTURE
    HEADING
    PRICE
    PROSE
    THINGS

cdef uint64_t INPUT = key("input"), SELECT = key("select"), TEXTAREA = key("textarea"), IMAGE = key("img")
cdef uint64_t TYPE = key("type")
cdef frozenset NOT_FILLED_IN = frozenset(map(key, ("hidden", "submit", "button", "image", "reset")))
cdef int64_t FORM = CODE["form"]


cdef class PageParts:
    """The fields and pictures of a page, and its items.

    Attributes:
        fields, pictures: int64 (t + 1,), fields to fill in and pictures among the first tags.
        items, outer_items: int64 (e,), the innermost and the outermost item that an element is or stands in; 0: none.
        counts, held, words, alike: int64 (e,), of the first of like elements, sums over all of them that have a text:
            how many, their blocks, their tenths of words, and how many have between half and twice as many words as
            the mean.
        things: int64 (e, THINGS), of the first of like elements: how many hold a link, a picture, and so on.
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
        cdef IntArena room = self.page.markup.room
        cdef const unsigned char[::1] shown = self.page.markup.shown
        cdef AttributeScanner scanner = AttributeScanner(self.page.markup.html)
        cdef Py_ssize_t tag
        cdef uint64_t name
        cdef bint is_field, is_picture
        self.fields, self.pictures = room.take(tags.count + 1), room.take(tags.count + 1)
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
        """Fill `counts`, `held`, `words`, `alike` and `things`."""
        cdef Blocks blocks = self.page.blocks
        cdef Elements elements = self.page.elements
        cdef IntArena room = self.page.markup.room
        cdef const int64_t[::1] first = elements.first, last = elements.last, siblings = elements.siblings
        cdef const int64_t[::1] word_sums = blocks.word_sums
        cdef Py_ssize_t element, block, count = elements.count
        cdef int64_t kind, words
        cdef uint64_t held
        cdef int64_t[::1] holding = room.zeros(count)  # a bit for each thing that is in an element
        self.counts, self.held, self.words = room.zeros(count), room.zeros(count), room.zeros(count)
        self.alike, self.things = room.zeros(count), room.zeros(THINGS * count)
        for block in range(blocks.count):
            holding[elements.nearest[block]] |= (
                (blocks.linked[block] > 0) << LINK | (elements.headings[block] > 0) << HEADING
                | (blocks.kinds[block, AT] > 0) << PRICE
                | (blocks.long_sums[block + 1] > blocks.long_sums[block]) << PROSE
            )
        # Elements come after those they stand in.
        for element in range(count - 1, 0, -1):
            holding[element] |= (self._pictures_in(element) > 0) << PICTURE
            holding[elements.parents[element]] |= holding[element]
            if first[element] == last[element]:
                continue
            kind = siblings[element]
            self.counts[kind] += 1
            self.held[kind] += last[element] - first[element]
            self.words[kind] += word_sums[last[element]] - word_sums[first[element]]
            held = <uint64_t>holding[element]
            while held:
                self.things[THINGS * kind + lowest_bit(held)] += 1
                held &= held - 1
        for element in range(1, count):
            if first[element] < last[element]:
                kind = siblings[element]
                words = self.counts[kind] * (word_sums[last[element]] - word_sums[first[element]])
                self.alike[kind] += self.words[kind] <= 2 * words and words <= 2 * self.words[kind]
        return 0

    cdef int _find_items(self) except -1:
        """Fill `items` and `outer_items`."""
        cdef Elements elements = self.page.elements
        cdef IntArena room = self.page.markup.room
        cdef Py_ssize_t element
        cdef int64_t kind, parent
        self.items, self.outer_items = room.take(elements.count), room.take(elements.count)
        self.items[0] = self.outer_items[0] = 0
        for element in range(1, elements.count):
            kind, parent = elements.siblings[element], elements.parents[element]
            self.items[element], self.outer_items[element] = self.items[parent], self.outer_items[parent]
            if elements.first[element] < elements.last[element] and self.counts[kind] >= ALIKE:
                if self.held[kind] >= PARTS * self.counts[kind]:
                    self.items[element] = element
                    self.outer_items[element] = self.outer_items[parent] or element
        return 0

    cdef int64_t _fields_in(self, Py_ssize_t element) noexcept:
        cdef Elements elements = self.page.elements
        return self.fields[elements.closes[element]] - self.fields[elements.opens[element] + 1]

    cdef int64_t _pictures_in(self, Py_ssize_t element) noexcept:
        cdef Elements elements = self.page.elements
        return self.pictures[elements.closes[element]] - self.pictures[elements.opens[element] + 1]

    cdef Py_ssize_t fill_fields(self, float[:, ::1] room) except -1:
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
            room[0, block] = <float>after
            room[1, block] = <float>(self._fields_in(element) if element else 0)
            room[2, block] = <float>since
        for level in range(ANCESTORS):
            for block in range(count):
                if block and around[level, block] == around[level, block - 1]:
                    room[3 + level, block] = room[3 + level, block - 1]
                else:
                    room[3 + level, block] = <float>self._fields_in(around[level, block])
        since = FAR
        for block in range(count - 1, -1, -1):
            since = 0 if room[0, block] else min(since + 1, <int64_t>FAR)
            room[2, block] = min(room[2, block], <float>since)
        return 3 + ANCESTORS

    cdef Py_ssize_t fill_pictures(self, float[:, ::1] room) except -1:
        """Fill `columns.PICTURES`."""
        cdef const int64_t[:, ::1] around = self.page.elements.around
        cdef const int64_t[::1] first = self.page.elements.first, last = self.page.elements.last
        cdef Py_ssize_t block, element, level
        for level in range(ANCESTORS):
            for block in range(around.shape[1]):
                element = around[level, block]
                if block and element == around[level, block - 1]:
                    room[level, block] = room[level, block - 1]
                else:
                    room[level, block] = part(self._pictures_in(element), last[element] - first[element])
        return ANCESTORS

    cdef Py_ssize_t fill_items(self, const int64_t[::1] items, float[:, ::1] room) except -1:
        """Fill `columns.ITEMS`, or `columns.OUTER_ITEMS`; 0 for blocks in no item."""
        cdef Elements elements = self.page.elements
        cdef const int64_t[::1] nearest = elements.nearest, siblings = elements.siblings
        cdef Py_ssize_t block, row
        cdef int64_t kind, before = -1, count
        for block in range(nearest.shape[0]):
            kind = siblings[items[nearest[block]]]  # 0 for blocks in no item
            if kind == before:
                for row in range(4 + THINGS):
                    room[row, block] = room[row, block - 1]
                continue
            before = kind
            count = self.counts[kind] if kind else 0
            room[0, block] = <float>count
            room[1, block] = part(self.held[kind] if kind else 0, count)
            room[2, block] = part(self.words[kind] if kind else 0, count)
            room[3, block] = part(self.alike[kind] if kind else 0, count)
            for row in range(THINGS):
                room[4 + row, block] = part(self.things[THINGS * kind + row] if kind else 0, count)
        return 4 + THINGS

    cdef Py_ssize_t fill_cells(self, float[:, ::1] room) except -1:
        """Fill `columns.CELLS`; 0 for blocks in no item, and for those after its first `PLACES`."""
        cdef Blocks blocks = self.page.blocks
        cdef Elements elements = self.page.elements
        cdef IntArena numbers = self.page.markup.room
        cdef Py_ssize_t count = blocks.count, block, cells = 0, cell
        cdef int64_t element, kind
        cdef int64_t[::1] begins = numbers.zeros(elements.count)  # the cells of the first of like items begin here
        cdef int64_t[::1] cell_of = numbers.zeros(count), keys = numbers.take(count), firsts = numbers.take(count)
        for block in range(count):
            element = self.items[elements.nearest[block]]
            if element and block - elements.first[element] < PLACES:
                kind = elements.siblings[element]
                if not begins[kind]:
                    begins[kind] = cells + 1
                    cells += PLACES
                cell_of[block] = begins[kind] + block - elements.first[element]
            keys[block] = <int64_t>(<uint64_t>blocks.texts[block] * GOLDEN_RATIO + <uint64_t>cell_of[block])
        find_firsts(keys, firsts, numbers)
        cdef int64_t[::1] present = numbers.zeros(cells + 1), words = numbers.zeros(cells + 1)
        cdef int64_t[::1] digits = numbers.zeros(cells + 1), texts = numbers.zeros(cells + 1)
        for block in range(count):
            cell = cell_of[block]
            present[cell] += 1
            words[cell] += blocks.word_tenths[block]
            digits[cell] += blocks.kinds[block, DIGIT] > 0
            texts[cell] += firsts[block] == block
        for block in range(count):
            cell = cell_of[block]
            if not cell:
                room[0, block] = room[1, block] = room[2, block] = room[3, block] = 0
                continue
            kind = elements.siblings[self.items[elements.nearest[block]]]
            room[0, block] = part(present[cell], self.counts[kind])
            room[1, block] = part(words[cell], present[cell])
            room[2, block] = part(digits[cell], present[cell])
            room[3, block] = part(texts[cell], present[cell])
        return 4


cdef Py_ssize_t fill_signs(Blocks blocks, float[:, ::1] room) except -1:
    """Fill `columns.SIGNS`."""
    cdef Py_ssize_t count = blocks.count, block, first, last
    cdef int64_t digits, colons
    cdef IntArena numbers = IntArena(2 * (count + 1))
    cdef int64_t[::1] digit_sums = numbers.zeros(count + 1), colon_sums = numbers.zeros(count + 1)
    cdef const int64_t[::1] chars = blocks.char_sums
    for block in range(count):
        digit_sums[block + 1] = digit_sums[block] + blocks.kinds[block, DIGIT]
        colon_sums[block + 1] = colon_sums[block] + blocks.kinds[block, COLON]
    for block in range(count):
        first, last = most(block - 3, 0), least(block + 4, count)
        room[0, block] = part(digit_sums[last] - digit_sums[first], chars[last] - chars[first])
        first, last = most(block - 10, 0), least(block + 11, count)
        digits, colons = digit_sums[last] - digit_sums[first], colon_sums[last] - colon_sums[first]
        room[1, block] = part(digits, chars[last] - chars[first])
        room[2, block] = part(colons, chars[last] - chars[first])
    return 3


cdef bint _is_filled_in(AttributeScanner scanner, Py_ssize_t start, Py_ssize_t stop) except -1:
    """Whether an `input` is a field to fill in, and no button, by its type."""
    scanner.open(start, stop)
    while scanner.advance():
        if scanner.name == TYPE and scanner.size() == 4:
            return key_at(scanner.html, scanner.start, scanner.stop) not in NOT_FILLED_IN
    return True
