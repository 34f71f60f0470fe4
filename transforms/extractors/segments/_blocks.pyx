"""Segmentation: cut the text of a page at the tags that part blocks, and count words and signs in each block.

In the text each tag leaves a placeholder of one byte. References are decoded, runs of blanks shrink to one space,
control characters go; inside of `pre` blanks and line ends stay, as bytes of their own. Inline elements that a style
sheet sets apart, `<b>Oak</b><i>Tables</i>`, are told by the capital: a space parts their words.
"""

import unicodedata

import numpy as np

from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.unicode cimport (
    Py_UNICODE_ISALPHA,
    Py_UNICODE_ISDECIMAL,
    Py_UNICODE_ISLOWER,
    Py_UNICODE_ISUPPER,
    PyUnicode_DecodeUTF8,
)
from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memcpy

from cedar.transforms.extractors.html._bytes cimport SPACE, below, code_point_at, mixed, popcount
from cedar.transforms.extractors.html._elements cimport Lookup, find
from cedar.transforms.extractors.html._growing cimport ByteBuffer, IntArena
from cedar.transforms.extractors.html._tags cimport END, Tags
from cedar.transforms.extractors.html._writer cimport (
    HARD_LINE, HARD_SPACE, HARD_TAB, room_for, write, write_preformatted,
)
from cedar.transforms.extractors.segments._markup cimport Markup

from cedar.transforms.extractors.html._elements import key

MAX_BLOCKS = 1 << 16
"""Blocks that are judged; those after them are dropped."""

cdef enum:
    NO_READING
    BEFORE_READING  # in an element of ruby that is a reading, before its first letter
    IN_READING

cdef const char *OPENED = b"\xef\xbc\x88"  # U+FF08
cdef const char *CLOSED = b"\xef\xbc\x89"  # U+FF09
cdef enum:  # inline elements that say how their text is written; those of ruby last
    TIME
    CODE
    RUBY
    RUBY_BASE
    RUBY_READING
    RUBY_BRACKET

cdef Lookup SPELLED = Lookup({
    **{key(name): CODE for name in ("code", "kbd", "samp", "tt", "var")},
    key("ruby"): RUBY, key("rb"): RUBY_BASE, key("rt"): RUBY_READING, key("rtc"): RUBY_READING,
    key("rp"): RUBY_BRACKET, key("time"): TIME,
})

cdef enum:
    # What a word, an ideograph and a character of a script that parts no words weigh, in tenths of a word.
    WORD = 10
    HAN = 6
    THAI = 2
    MIN_TEXT_WORDS = 150  # tenths of words from which a block counts as running text
    AT_ONCE = 64  # bytes that are looked at before their words are counted
    TALLIED = 255  # bytes whose kinds are counted in one number
    APART = 2  # in `IN_WORD`: a placeholder, or a byte beyond ASCII

_STOPS = ".!?\u2026\u3002\uff01\uff1f\uff0e\uff61\u061f\u06d4\u0964\u0965\u0589\u1362\u17d4\u104b\u203d"
_COMMAS = ",;\u3001\uff0c\uff1b\uff64\u060c\u061b\u1363\u104a\u05be"
_COLONS = ':\uff1a\u2013\u2014"'
_RULES = (
    "|\u00bb\u00ab\u203a\u2039\u2022\u00b7\u00a9\u00ae\u2122\u2192\u2190\u25b6\u25ba>/\\\u2044\uff5c\u00a6"
)
_SIGNS = "@$\u20ac\u00a3\u00a5\u20b9%#+*="


def kinds_of_code_points():
    """The kind of each code point of the basic plane: uint8 (65536,)."""
    kinds = np.zeros(0x10000, np.uint8)
    cdef unsigned char[::1] each = kinds
    cdef int code
    for code in range(0x10000):
        if Py_UNICODE_ISALPHA(code):
            each[code] = LETTER
        elif Py_UNICODE_ISDECIMAL(code):
            each[code] = DIGIT
        elif not 0xD800 <= code < 0xF900 and unicodedata.category(chr(code))[0] == "M":  # surrogates, private use
            each[code] = LETTER
    for first, stop in ((0x0E00, 0x0F00), (0x0F00, 0x1000), (0x1000, 0x10A0), (0x1780, 0x1800)):
        kinds[first:stop][kinds[first:stop] == LETTER] = UNSPACED
    for first, stop in (
        (0x2E80, 0x3000),
        (0x3005, 0x3008),
        (0x3041, 0x3100),
        (0x3400, 0xA000),
        (0xF900, 0xFB00),
    ):
        kinds[first:stop] = IDEOGRAPH
    kinds[ord("A") : ord("Z") + 1] = UPPER
    for text, kind in ((_STOPS, STOP), (_COMMAS, COMMA), (_COLONS, COLON), (_RULES, RULE), (_SIGNS, AT)):
        kinds[[ord(character) for character in text]] = kind
    return kinds


cdef const unsigned char[::1] CODE_POINTS = kinds_of_code_points()

cdef unsigned char IN_WORD[256]  # whether a byte is a letter or a digit, or stands `APART`
cdef uint64_t TALLIES[256]  # a one in byte k for kind UPPER + k of ASCII, and in the highest for any but a blank
for _byte in range(256):
    IN_WORD[_byte] = APART if _byte >= 0x80 or _byte in (BREAK, INLINE) else LETTER <= CODE_POINTS[_byte] <= DIGIT
    TALLIES[_byte] = 0
    if _byte < 0x80 and CODE_POINTS[_byte] >= UPPER:
        TALLIES[_byte] |= <uint64_t>1 << 8 * (CODE_POINTS[_byte] - UPPER)
    if _byte > SPACE:
        TALLIES[_byte] |= <uint64_t>1 << 56


cdef class Blocks:
    """The n blocks of a page.

    Attributes (views; `np.asarray` makes an array of one):
        text: uint8 (m,), the page's text.
        starts, stops: int64 (n,), the bytes [start, stop) of each in `text`: between placeholders that part blocks.
        first_gaps, last_gaps: int64 (n,), the number of tags before each block, and before its end.
        word_tenths: int64 (n,), tenths of words.
        chars: int64 (n,), code points that are not blanks.
        linked: int64 (n,), characters inside of links.
        link_chars: their sum.
        plain: int64 (n,), tenths of words outside of links.
        cut_chars: code points that are not blanks after the last of `MAX_BLOCKS` blocks: they are not read.
        kinds: int64 (n, KINDS), characters of each kind from `UPPER` on; no others are counted.
        last_kinds: uint8 (n,), the kind of the last character.
        texts: int64 (n,), equal for blocks of one text.
        word_sums, plain_sums, stop_sums, long_sums, char_sums: int64 (n + 1,), running sums of tenths of words, of
            those outside of links, of ends of sentences, of plain ones in running text, and of characters.
    """

    def __init__(self, Markup markup not None, bint whole=False):
        """Cut a page into blocks, `MAX_BLOCKS` of them at most if it is not read whole."""
        self.text = _shown_text(markup, markup.html)
        self._measure(markup, whole)
        self._sum(markup.room)

    cdef int _measure(self, Markup markup, bint whole) except -1:
        """Find the blocks, and count the words and signs of each."""
        cdef const unsigned char[::1] text = self.text
        cdef const unsigned char[::1] in_links = markup.linked_gaps, parting = markup.parting
        cdef Py_ssize_t size = text.shape[0], i, breaks = 1, most = MAX_BLOCKS
        for i in range(parting.shape[0]):
            breaks += parting[i]
        most = breaks if whole else min(breaks, most)
        cdef IntArena room = markup.room
        cdef int64_t[::1] starts = room.take(most), stops = room.take(most), texts = room.take(most)
        cdef int64_t[::1] first_gaps = room.take(most), last_gaps = room.take(most)
        cdef int64_t[::1] word_tenths = room.take(most), char_counts = room.take(most), linked_counts = room.take(most)
        cdef int64_t[:, ::1] kinds = np.empty((most, <Py_ssize_t>KINDS), np.int64)
        cdef unsigned char[::1] last_kinds = np.empty(most, np.uint8)
        cdef int64_t counts[KINDS]
        cdef Py_ssize_t gap = -1, block = 0, first_gap, start, chars, linked, first, last, words, length, tallied
        cdef Py_ssize_t kind, last_kind, begin, end
        cdef uint64_t tally, solid, in_words
        cdef unsigned char now, was_inside
        cdef bint is_linked
        i = 0
        while i < size and block < most:
            # A block begins after a placeholder that parts blocks; the text begins with one.
            i += 1
            gap += 1
            start, first_gap = i, gap
            while i < size and text[i] <= SPACE and text[i] != BREAK:
                gap += text[i] == INLINE
                i += 1
            if i == size or text[i] == BREAK:
                continue
            chars = linked = words = 0
            first = last = i
            last_kind = was_inside = 0
            tally = tallied = 0
            is_linked = gap < in_links.shape[0] and in_links[gap]
            for kind in range(KINDS):
                counts[kind] = 0
            while i < size and text[i] != BREAK:
                if tallied > TALLIED - AT_ONCE:
                    _spread(tally, counts)
                    tally = tallied = 0
                begin, end = i, min(i + AT_ONCE, size)
                solid, in_words = tally >> 56, 0
                # Without branches, as no processor could foretell where words end.
                while i < end and IN_WORD[text[i]] != APART:
                    tally += TALLIES[text[i]]
                    in_words = 2 * in_words + IN_WORD[text[i]]
                    i += 1
                if i > begin:
                    # A word begins at a one after a zero; the lowest bit is the last byte's.
                    words += popcount(in_words & ~(in_words >> 1 | <uint64_t>was_inside << i - begin - 1))
                    was_inside = in_words & 1
                    tallied += i - begin
                    solid = (tally >> 56) - solid
                    if solid:
                        chars += solid
                        linked += solid * is_linked
                        last = i - 1
                        while text[last] <= SPACE:
                            last -= 1
                        last_kind = CODE_POINTS[text[last]]
                    continue
                if text[i] == INLINE:
                    i += 1
                    gap += 1
                    is_linked = gap < in_links.shape[0] and in_links[gap]
                    was_inside = False
                    continue
                kind, length = OTHER, 1
                if text[i] >= 0xC2:
                    kind = _kind(text, i, &length)
                    last_kind = kind
                    chars += 1
                    linked += is_linked
                    last = min(i + length, size) - 1
                counts[kind] += 1
                now = LETTER <= kind <= DIGIT
                words += now & ~was_inside
                was_inside = now
                i = min(i + length, size)
            if not chars:
                continue
            _spread(tally, counts)
            for kind in range(KINDS):
                kinds[block, kind] = counts[kind]
            starts[block], stops[block] = start, i
            first_gaps[block], last_gaps[block] = first_gap, gap
            word_tenths[block] = WORD * words + HAN * counts[IDEOGRAPH] + THAI * counts[UNSPACED]
            char_counts[block], linked_counts[block] = chars, linked
            last_kinds[block] = <unsigned char>last_kind
            texts[block] = <int64_t>mixed(text, first, last + 1)
            block += 1
        self.count, self.cut_chars = block, 0
        while i < size:
            # Continuation bytes of UTF-8 are part of the code point before them.
            self.cut_chars += text[i] > SPACE and text[i] & 0xC0 != 0x80
            i += 1
        self.starts, self.stops, self.texts = starts[:block], stops[:block], texts[:block]
        self.first_gaps, self.last_gaps = first_gaps[:block], last_gaps[:block]
        self.word_tenths, self.chars, self.linked = word_tenths[:block], char_counts[:block], linked_counts[:block]
        self.kinds, self.last_kinds = kinds[:block], last_kinds[:block]
        return 0

    cdef int _sum(self, IntArena room) except -1:
        """Count plain words, and make the running sums."""
        cdef const int64_t[::1] tenths = self.word_tenths, chars = self.chars, linked = self.linked
        cdef int64_t[::1] plain = room.take(self.count), word_sums = room.take(self.count + 1)
        cdef int64_t[::1] plain_sums = room.take(self.count + 1), stop_sums = room.take(self.count + 1)
        cdef int64_t[::1] long_sums = room.take(self.count + 1), char_sums = room.take(self.count + 1)
        cdef Py_ssize_t i
        word_sums[0] = plain_sums[0] = stop_sums[0] = long_sums[0] = char_sums[0] = 0
        self.link_chars = 0
        for i in range(self.count):
            self.link_chars += linked[i]
            plain[i] = tenths[i] - tenths[i] * linked[i] // max(chars[i], <int64_t>1)
            word_sums[i + 1] = word_sums[i] + tenths[i]
            plain_sums[i + 1] = plain_sums[i] + plain[i]
            stop_sums[i + 1] = stop_sums[i] + self.kinds[i, STOP]
            long_sums[i + 1] = long_sums[i]
            if tenths[i] >= MIN_TEXT_WORDS and 2 * plain[i] > tenths[i]:
                long_sums[i + 1] += plain[i]
            char_sums[i + 1] = char_sums[i] + chars[i]
        self.plain, self.word_sums, self.plain_sums = plain, word_sums, plain_sums
        self.stop_sums, self.long_sums, self.char_sums = stop_sums, long_sums, char_sums
        return 0

    def read(self, Py_ssize_t block):
        """A block as it reads in the output."""
        if not 0 <= block < self.count:
            raise IndexError(f"no block {block} among {self.count}")
        cdef Py_ssize_t start = self.starts[block], stop = self.stops[block]
        cdef bytes out = PyBytes_FromStringAndSize(NULL, stop - start)
        return PyUnicode_DecodeUTF8(out, render(self.text, start, stop, <unsigned char *><char *>out, 0), NULL)


cdef bint _begins_a_name(const unsigned char[::1] text, Py_ssize_t at, Py_ssize_t stop) noexcept:
    """Whether the range [at, stop) of UTF-8 begins with a capital letter that does not stand alone, as in 3D."""
    cdef Py_ssize_t width
    if stop - at < 2 or text[at] < 0x80:
        return stop - at >= 2 and c"A" <= text[at] <= c"Z" and text[at + 1] > SPACE
    return 0xC3 <= text[at] < 0xE0 and Py_UNICODE_ISUPPER(code_point_at(&text[at], &width))


cdef bint _ends_a_word(ByteBuffer text) noexcept:
    """Whether the text before inline tags ends in a digit, a sentence's end, or a small letter.

    Two characters without a blank precede such a letter, the nearer one a small letter: not as in iPhone or NaCl.
    """
    cdef Py_ssize_t last = text.size - 1, width
    cdef unsigned char byte
    while text.bytes[last] == INLINE:  # a `BREAK` is at the beginning
        last -= 1
    byte = text.bytes[last]
    if byte < 0x80 and not c"a" <= byte <= c"z":
        return c"0" <= byte <= c"9" or byte in b".!?"
    if last < 2 or text.bytes[last - 1] <= SPACE or text.bytes[last - 2] <= SPACE:
        return False
    byte = text.bytes[last - 1]
    return text.bytes[last] < 0x80 or 0xC3 <= byte < 0xE0 and Py_UNICODE_ISLOWER(
        code_point_at(&text.bytes[last - 1], &width)
    )


cdef bint _is_of_a_word(unsigned char byte) noexcept nogil:
    """Whether a digit, or a letter of ASCII or of two bytes of UTF-8, begins with a byte."""
    return c"0" <= byte <= c"9" or c"a" <= byte | 0x20 <= c"z" or 0xC3 <= byte < 0xE0


cdef bint _ends_in_a_word(ByteBuffer text) noexcept:
    """Whether the text before inline tags ends in a digit or such a letter."""
    cdef Py_ssize_t last = text.size - 1
    while text.bytes[last] == INLINE:  # a `BREAK` is at the beginning
        last -= 1
    return _is_of_a_word(text.bytes[last if text.bytes[last] < 0x80 else last - 1])


cdef unsigned char[::1] _shown_text(Markup markup, const unsigned char[::1] html):
    """The text that is shown, with a placeholder before the first tag and for each tag.

    Readings of ruby (`rt`, `rtc`) stand in brackets, （reading）, unless the page has brackets of its own (`rp`).
    """
    cdef Tags tags = markup.tags
    cdef Py_ssize_t gap, end = 0, start
    cdef bint is_reading
    cdef int64_t spelled
    cdef int code = 0  # open elements of code, in which capitals part no words
    cdef bint ended = False, begun = False  # whether an element ended since the last text, and one began after that
    cdef bint by_time = False  # whether a `time` began or ended since the last text
    cdef int reading = NO_READING
    cdef bint has_brackets = False  # whether the ruby has brackets of its own
    cdef ByteBuffer out = ByteBuffer(room_for(html.shape[0]))
    out.put_byte(BREAK)
    # `room_for` counts text alone: a tag, of 3 bytes or more, leaves a placeholder, and at most a space for two tags.
    for gap in range(tags.count + 1):
        start = tags.start[gap] if gap < tags.count else html.shape[0]
        if end < start and not markup.hidden_gaps[gap]:
            if begun and not code and (
                _begins_a_name(html, end, start) and _ends_a_word(out)
                or by_time and _is_of_a_word(html[end]) and _ends_in_a_word(out)
            ):
                out.bytes[out.size] = SPACE
                out.size += 1
            ended = begun = by_time = False
            if reading == BEFORE_READING and _has_letters(html, end, start):
                _put_bracket(out, OPENED, room_for(html.shape[0] - end))
                reading = IN_READING
            if markup.preformatted_gaps[gap]:
                write_preformatted(out, &html[end], html.shape[0] - end, start - end)
            else:
                write(out, &html[end], html.shape[0] - end, start - end, False, code > 0)
        if reading == IN_READING and (gap == tags.count or markup.parting[gap] or find(SPELLED, tags.name[gap]) > CODE):
            _put_bracket(out, CLOSED, room_for(html.shape[0] - start))
            reading = NO_READING
        if gap < tags.count:
            out.bytes[out.size] = BREAK if markup.parting[gap] else INLINE
            out.size += 1
            end = tags.stop[gap]
            begun |= ended and not tags.kind[gap] & END
            ended |= tags.kind[gap] & END
            spelled = find(SPELLED, tags.name[gap])
            if spelled < 0:
                continue
            if spelled == CODE:
                code = max(0, code + (-1 if tags.kind[gap] & END else 1))
            elif spelled == TIME:
                by_time = True
            else:
                if spelled == RUBY_BRACKET:
                    has_brackets = True
                elif spelled == RUBY:
                    has_brackets = False
                is_reading = spelled == RUBY_READING and not has_brackets and not tags.kind[gap] & END
                reading = BEFORE_READING if is_reading else NO_READING
    return out.bytes[: out.size]


cdef bint _has_letters(const unsigned char[::1] text, Py_ssize_t at, Py_ssize_t stop) noexcept nogil:
    """Whether a byte above the space stands in [at, stop)."""
    while at < stop and text[at] <= SPACE:
        at += 1
    return at < stop


cdef int _put_bracket(ByteBuffer out, const char *bracket, Py_ssize_t room) except -1:
    """Write a bracket of three bytes, and make room for this many bytes after it."""
    cdef Py_ssize_t i
    out.reserve(room + 3)
    for i in range(3):
        out.bytes[out.size + i] = bracket[i]
    out.size += 3
    return 0


cdef inline void _spread(uint64_t tally, int64_t *counts) noexcept nogil:
    """Add the bytes of a tally to the counts of their kinds."""
    cdef int kind
    for kind in range(UPPER, AT + 1):
        counts[kind] += tally >> 8 * (kind - UPPER) & 0xFF


cdef inline Py_ssize_t _kind(const unsigned char[::1] text, Py_ssize_t at, Py_ssize_t *length) noexcept nogil:
    """The kind of the code point whose first byte, beyond ASCII, is at `at`, and its length in bytes."""
    cdef Py_ssize_t size = text.shape[0]
    cdef unsigned char first = text[at]
    cdef unsigned int second = text[at + 1] & 0x3F if at + 1 < size else 0
    cdef unsigned int third = text[at + 2] & 0x3F if at + 2 < size else 0
    if first < 0xE0:
        length[0] = 2
        return CODE_POINTS[(first & 0x1F) << 6 | second]
    if first < 0xF0:
        length[0] = 3
        return CODE_POINTS[(first & 0x0F) << 12 | second << 6 | third]
    length[0] = 4
    return IDEOGRAPH if first == 0xF0 and second >= 0x20 else OTHER  # planes 2 and 3


cdef inline unsigned char _has_hard(const unsigned char *bytes, Py_ssize_t count) noexcept nogil:
    """Whether one of `count` bytes is a blank of `pre`."""
    cdef unsigned char seen = 0
    cdef Py_ssize_t i
    for i in range(count):
        seen |= <unsigned char>(<unsigned char>(bytes[i] - HARD_LINE) <= HARD_TAB - HARD_LINE)
    return seen


cdef Py_ssize_t render(
    const unsigned char[::1] text, Py_ssize_t start, Py_ssize_t stop, unsigned char *out, Py_ssize_t at
) noexcept nogil:
    """Write a range of the text at `at` as it reads in the output; return where the next bytes are written.

    Placeholders go, lines of `pre` stay, and so do their indents. Writes no more bytes than it reads.
    """
    cdef Py_ssize_t i = start, begin = at, line = at, solid = at
    cdef uint64_t letters
    cdef unsigned char byte
    if start == stop:
        return at
    if not _has_hard(&text[start], stop - start):
        while i < stop:
            byte = text[i]
            if i + 8 <= stop:
                # Eight bytes without placeholders are copied as they are: no two spaces meet in the text.
                memcpy(&letters, &text[i], 8)
                if not below(letters, SPACE) and (byte != SPACE or at > begin and out[at - 1] != SPACE):
                    memcpy(out + at, &letters, 8)  # there is room for all bytes that are read
                    at += 8
                    i += 8
                    continue
            i += 1
            if byte <= SPACE:
                if byte == SPACE and at > begin and out[at - 1] != SPACE:
                    out[at] = SPACE
                    at += 1
                continue
            out[at] = byte
            at += 1
            while i < stop and text[i] > SPACE:
                out[at] = text[i]
                at += 1
                i += 1
        return at - 1 if at > begin and out[at - 1] == SPACE else at
    # `line` is where the line begins, `solid` the byte after its last one that is not a blank.
    for i in range(start, stop):
        byte = text[i]
        if byte == BREAK or byte == INLINE:
            continue
        if byte == HARD_LINE:
            at = line
            if solid > line:
                out[solid] = c"\n"
                at = solid + 1
            line = solid = at
        elif byte == HARD_SPACE or byte == SPACE:
            out[at] = SPACE
            at += 1
        elif byte == HARD_TAB:
            out[at] = c"\t"
            at += 1
        else:
            out[at] = byte
            at += 1
            solid = at
    at = solid
    # The line feed of the last line that is not empty parts nothing.
    if at == line and at > begin:
        at -= 1
    return at
