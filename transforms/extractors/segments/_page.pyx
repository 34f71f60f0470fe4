"""A page as `cedar` reads it: its tags, its blocks and its elements, handed on as one object.

For block b, the tags [0, first_gaps[b]) stand before it and the tags [first_gaps[b], last_gaps[b]) in it; `nearest[b]`
and then `parents` lead through the elements around it, out to the page.
"""

from bisect import bisect_right

import numpy as np

from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memcmp

from cedar.transforms.extractors.html._bytes cimport GOLDEN_RATIO, find
from cedar.transforms.extractors.html._growing cimport IntArena, Records
from cedar.transforms.extractors.segments._arithmetic cimport find_firsts
from cedar.transforms.extractors.segments._blocks cimport Blocks
from cedar.transforms.extractors.segments._elements cimport Elements
from cedar.transforms.extractors.segments._headline cimport Headline, headline_of
from cedar.transforms.extractors.segments._markup cimport Markup

from cedar.transforms.extractors.html.characters import code_points
from cedar.transforms.extractors.html.reading import read_page
from cedar.transforms.extractors.html.title import head
from cedar.transforms.extractors.segments.names import SCHEMAS

cdef enum:
    MAX_COMPARED = 64  # headings that are compared with the page's title, and blocks that are not headings
    MAX_HEADING_WORDS = 400  # tenths of words from which a block is not compared
    MIN_TITLE_WORDS = 30  # tenths of words up to which a block that is not a heading is not compared
    MIN_PASSAGE_CHARS = 4  # characters from which a text that stands in the title is taken for a part of it
    MAX_MENTIONS = 64  # of each mark of a type, that are read
    MAX_MENTION_BYTES = 60  # bytes of a mention

cdef const char *MARKS[3]
cdef Py_ssize_t[3] MARK_SIZES = [6, 9, 8]
MARKS[0], MARKS[1], MARKS[2] = b'@type"', b"itemtype=", b'og:type"'

_TYPES = [(word, number) for number, words in enumerate(SCHEMAS.values()) for word in words]
cdef Py_ssize_t N_TYPES = len(_TYPES)
assert N_TYPES <= 16, "there is room for 16 names of types"
cdef const unsigned char *TYPES[16]
cdef Py_ssize_t[16] TYPE_SCHEMAS
cdef unsigned char[256] FIRST_LETTERS  # whether one begins with a byte
for _number, (_word, _schema) in enumerate(_TYPES):
    TYPES[_number], TYPE_SCHEMAS[_number] = <const unsigned char *><bytes>_word, _schema
    FIRST_LETTERS[<unsigned char>_word[0]] = True

cdef unsigned char[128] ALPHANUMERIC  # whether a character of ASCII is a letter or a digit
for _number in range(128):
    ALPHANUMERIC[_number] = chr(_number).isalnum()

cdef float MIN_LIKENESS = 0.5  # likeness from which a heading may be the block most like the title


cdef class TitleMatch:
    """How like the title of a page its n blocks are: signals for the forests.

    The page's headline is not `block` but the blocks from `SegmentedPage.headline_start` on, which `_headline` finds.

    Attributes:
        likeness: float32 (n,), what share of the words of each heading the page's title has. It is 1 where the title
            holds the heading as it is, and 0 for long headings, after the first `MAX_COMPARED` of them, and for what is
            no heading.
        block: the block most like the title: the first of the headings most like it, else the first block that stands
            in the title as it is, else the only heading of the first level; -1 without one.
        block_likeness: how like the title `block` is.
    """

    def __init__(self, Markup markup not None, Blocks blocks not None, Elements elements not None):
        """Compare the blocks with the title."""
        if elements.headings.shape[0] != blocks.count:
            raise ValueError("blocks of another page")
        self.likeness = np.zeros(blocks.count, np.float32)
        self.block, self.block_likeness = -1, 0
        title = (markup.title or "").lower()
        if title:
            self._compare_headings(blocks, elements, title, markup.room)
        self._find(blocks, elements, title)

    cdef int _compare_headings(self, Blocks blocks, Elements elements, str title, IntArena room) except -1:
        """Compare headings with the title, in small letters."""
        cdef Py_ssize_t block, compared = 0, i, own, begin, given
        cdef str text
        cdef Records words = Records(1)
        cdef int64_t[::1] first, begins = room.take(MAX_COMPARED + 1), headings = room.take(MAX_COMPARED)
        put_words(title, words)
        given = words.count
        for block in range(blocks.count):
            if compared == MAX_COMPARED:
                break
            if elements.headings[block] <= 0 or blocks.word_tenths[block] >= MAX_HEADING_WORDS:
                continue
            headings[compared], begins[compared] = block, words.count
            compared += 1
            text = blocks.read(block).lower()
            if len(text) >= MIN_PASSAGE_CHARS and text in title:
                self.likeness[block] = 1
            else:
                put_words(text, words)
        begins[compared] = words.count
        first = room.take(words.count)
        find_firsts(words.numbers[: words.count], first, room)
        for block in range(compared):
            begin, own = begins[block], 0
            for i in range(begin, begins[block + 1]):
                own += first[i] < given
            if begins[block + 1] - begin > 1:
                self.likeness[headings[block]] = <float>(<double>own / <double>(begins[block + 1] - begin))
        return 0

    cdef int _find(self, Blocks blocks, Elements elements, str title) except -1:
        """Find `block`."""
        cdef Py_ssize_t block, compared = 0, tops = 0, top = -1
        for block in range(blocks.count):
            if self.likeness[block] >= MIN_LIKENESS and self.likeness[block] > self.block_likeness:
                self.block, self.block_likeness = block, self.likeness[block]
            if elements.headings[block] == 1:
                tops += 1
                top = block
        if self.block >= 0:
            return 0
        if title:
            for block in range(blocks.count):
                if compared == MAX_COMPARED:
                    break
                if (
                    elements.headings[block] > 0
                    or not MIN_TITLE_WORDS < blocks.word_tenths[block] < MAX_HEADING_WORDS
                    or 2 * blocks.linked[block] > blocks.chars[block]
                ):
                    continue
                compared += 1
                # A text has as many small letters as characters, or more.
                if blocks.chars[block] <= len(title) and blocks.read(block).lower() in title:
                    self.block, self.block_likeness = block, 1
                    return 0
        if tops == 1:
            self.block, self.block_likeness = top, self.likeness[top]
        return 0


cdef class SegmentedPage:
    """A page of t tags, n blocks and e elements; `source` is its `PageReading`'s.

    The headline is the blocks [headline_start, headline_stop), none without one. `schemas` tells for each type of
    `names.SCHEMAS` whether the page states that it is of it. If it is read `whole`, a page has all its tags and blocks,
    however many, and neither headline nor title match nor schemas.
    """

    def __init__(self, bytes html not None, bint whole=False):
        """Read a page of valid UTF-8."""
        self.markup = Markup(read_page(html, whole=whole))
        self.source = self.markup.reading.source
        self.blocks = Blocks(self.markup, whole)
        self.elements = Elements(self.markup, self.blocks)
        if not whole:
            self.title_match = TitleMatch(self.markup, self.blocks, self.elements)
            self.schemas = schemas(html)
            self._place_headline(headline_of(self.markup))

    cdef int _place_headline(self, Headline headline) except -1:
        """Find the blocks that begin between the tags around the headline."""
        cdef const int64_t[::1] gaps = self.blocks.first_gaps
        if headline.text is not None:
            self.headline_start = bisect_right(gaps, headline.first)
            self.headline_stop = bisect_right(gaps, headline.last)
        return 0

    def shown(self):
        """Mark the elements on the page, outside of its head and of parts that its markup hides: bool (e,)."""
        cdef Elements elements = self.elements
        cdef const unsigned char[::1] hidden = elements.hidden
        cdef Py_ssize_t element, start, stop, at
        found = np.ones(elements.count, bool)
        cdef unsigned char[::1] shown = found.view(np.uint8)
        start, stop = head(self.markup.tags) or (0, 0)
        for element in range(1, elements.count):
            at = self.markup.tags.start[elements.opens[element]]
            shown[element] = shown[elements.parents[element]] and not hidden[element] and not start <= at < stop
        return found

    def source_ranges(self):
        """Return the start and stop of each block in the page as given: int64 (n,) each, in code points."""
        after = np.concatenate(([0], self.markup.tags.stops))
        before = np.append(self.markup.tags.starts, len(self.markup.html))
        begins = self.source.original_offsets(after[np.asarray(self.blocks.first_gaps)])
        ends = self.source.original_offsets(np.maximum(before[np.asarray(self.blocks.last_gaps)] - 1, 0)) + 1
        return code_points(self.source.original, begins, ends)


def schemas(bytes html not None):
    """The types that a page states in JSON-LD, microdata or Open Graph, in the order of `names.SCHEMAS`."""
    cdef const unsigned char[::1] page = html
    cdef unsigned int found = _types(page)
    return tuple([found >> number & 1 for number in range(len(SCHEMAS))])


cdef unsigned int _types(const unsigned char[::1] html) noexcept nogil:
    """The types that marks of types mention, each mark `MAX_MENTIONS` times at most; bit s for schema s."""
    cdef Py_ssize_t at = 0, size = html.shape[0], mark, begin, stop
    cdef Py_ssize_t[3] counts = [0, 0, 0]
    cdef unsigned int found = 0
    while True:
        # All marks end with `ype` and one byte more.
        at = find(html, c"y", at, size) + 1
        if not at or at + 2 >= size:
            return found
        if html[at] != c"p" or html[at + 1] != c"e" or html[at + 2] != c'"' and html[at + 2] != c"=":
            continue
        for mark in range(3):
            begin = at + 3 - MARK_SIZES[mark]
            if begin < 0 or counts[mark] == MAX_MENTIONS or memcmp(&html[begin], MARKS[mark], MARK_SIZES[mark]):
                continue
            counts[mark] += 1
            stop = min(begin + MAX_MENTION_BYTES, size)
            while begin < stop and html[begin] != c">" and html[begin] != c",":
                if FIRST_LETTERS[html[begin] | 0x20]:
                    found |= _type_at(html, begin, stop)
                begin += 1


cdef unsigned int _type_at(const unsigned char[::1] html, Py_ssize_t begin, Py_ssize_t stop) noexcept nogil:
    """The schema, as a bit, of the type whose name begins at a byte and ends before `stop`; 0 for no type."""
    cdef Py_ssize_t number, i
    for number in range(N_TYPES):
        i = 0
        while TYPES[number][i] and begin + i < stop and html[begin + i] | 0x20 == TYPES[number][i]:
            i += 1
        if not TYPES[number][i]:
            return <unsigned int>1 << TYPE_SCHEMAS[number]
    return 0


cdef int put_words(str text, Records words, bint underscored=False) except -1:
    """Add a number for each word of a text: two words hardly ever have one number. `_` is a letter if asked."""
    cdef Py_UCS4 letter
    cdef bint is_letter
    cdef uint64_t word = 0  # none
    for letter in text:
        if letter < 0x80:
            is_letter = ALPHANUMERIC[letter] or underscored and letter == c"_"
        else:
            is_letter = letter.isalnum()
        if is_letter:
            word = ((word if word else 1) ^ <uint64_t>letter) * GOLDEN_RATIO
        elif word:
            words.put(<int64_t>word)
            word = 0
    return words.put(<int64_t>word) if word else 0
