"""The texts between the tags of a page, where dates and names are searched.

Few texts have the numbers of a date; the search looks for the numbers in the bytes, and reads only these texts.
"""

from cpython.unicode cimport (
    PyUnicode_DATA, PyUnicode_KIND, PyUnicode_READ, PyUnicode_Tailmatch, Py_UNICODE_ISDECIMAL, Py_UNICODE_TODECIMAL,
)

from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memchr, memcmp

from cedar.transforms.extractors.html._bytes cimport eight, is_ascii_blank, is_control, word, zero_bytes
from cedar.transforms.extractors.html._references cimport NOTHING, Decoded, decode
from cedar.transforms.extractors.html._tags cimport END, Tags, is_heading
from cedar.transforms.extractors.html._text cimport rendered, rendered_range

from cedar.transforms.extractors.html._tags import key

SHORT = 120  # characters of a text that are looked at
START = 30  # characters of a longer text's beginning

cdef enum:
    PIECES = 24  # of the text of an element
    DELETE = 0x7F
    MAX_WORD_BYTES = 32  # bytes
    FIRST_OF_EAST = 0xE3  # the first byte of kana, and of most ideographs
    TWO_SIGNS = 6  # bytes of two of them
    NAME_OF_TITLE = 5  # bytes of `title`
    SIZE_OF_DATE = 10  # bytes of a day
    MAX_TITLE = 64  # bytes of a date with its weekday, time and zone
    MAX_PIECE = 600  # bytes of a piece, and characters of such a text
    MAX_TEXT = 1400  # bytes of a text that is read alone

cdef uint64_t PARAGRAPH = key("p"), ANCHOR = key("a")
cdef Py_ssize_t LENGTH = SHORT, BEGINNING = START

cdef unsigned char[256] BEGINS_DIGIT  # whether a decimal digit may begin with a byte


# Of ASCII, and the first bytes of the digits of other scripts.
cdef int _byte
for _byte in b"0123456789\xd9\xdb\xdf\xe0\xe1\xea\xef\xf0":
    BEGINS_DIGIT[_byte] = True


def element_text(page not None, Py_ssize_t tag):
    """Read the text of the element that a tag starts, blanks collapsed; its beginning, if it is long."""
    cdef bytes html = page.source.html
    cdef Tags tags = page.tags
    cdef Py_ssize_t stop = _stop_of_pieces(html, tags, tag), i
    if stop - tag == 1:
        return rendered_range(html, tags.stop[tag], _piece_stop(html, len(html), tags, tag))[:MAX_PIECE]
    pieces = [html[tags.stop[i] : _piece_stop(html, len(html), tags, i)] for i in range(tag, stop)]
    return rendered(b" ".join(pieces))[:MAX_PIECE]


def element_pieces(page not None, Py_ssize_t tag):
    """Read the texts between the tags of the element that a tag starts, none of them blank."""
    cdef bytes html = page.source.html
    cdef Tags tags = page.tags
    cdef Py_ssize_t i
    cdef list pieces = []
    for i in range(tag, _stop_of_pieces(html, tags, tag)):
        text = rendered_range(html, tags.stop[i], _piece_stop(html, len(html), tags, i))[:MAX_PIECE].strip()
        if text:
            pieces.append(text)
    return pieces


def text_after(page not None, Py_ssize_t tag):
    """Read the text between a tag and the next one, blanks collapsed; its beginning if it is long; "" without a tag."""
    cdef bytes html = page.source.html
    cdef Tags tags = page.tags
    if not 0 <= tag < tags.count:
        return ""
    if tags.stop[tags.count - 1] > len(html):
        raise ValueError("tags of another page")
    return rendered_range(html, tags.stop[tag], _piece_stop(html, len(html), tags, tag, MAX_TEXT)).strip()


cdef Py_ssize_t _stop_of_pieces(bytes html, Tags tags, Py_ssize_t tag) except -1:
    """The tag after the last text of the element that a tag starts, `PIECES` of them at most."""
    cdef Py_ssize_t stop = tag + 1, last = min(tag + PIECES, tags.count - 1), depth = 1
    cdef bint heads
    if not 0 <= tag < tags.count:
        raise IndexError("no such tag")
    if tags.stop[tags.count - 1] > len(html):
        raise ValueError("tags of another page")
    heads = is_heading(tags.name[tag])
    while stop <= last:
        # The end tag of any heading ends a heading.
        if tags.name[stop] == tags.name[tag] or heads and is_heading(tags.name[stop]):
            depth += -1 if tags.kind[stop] & END else 1
            if not depth:
                break
        stop += 1
    return stop


def element_stop(page not None, Py_ssize_t tag):
    """Find the tag that ends the element that a tag starts; the number of tags, if none does.

    Elements of its name may be in it; but a paragraph ends where the next one begins, and so does a link.
    """
    cdef Tags tags = page.tags
    cdef Py_ssize_t stop, depth = 1
    cdef bint nests
    if not 0 <= tag < tags.count:
        raise IndexError("no such tag")
    nests = tags.name[tag] != PARAGRAPH and tags.name[tag] != ANCHOR
    for stop in range(tag + 1, tags.count):
        if tags.name[stop] == tags.name[tag]:
            depth += -1 if tags.kind[stop] & END or not nests else 1
            if not depth:
                return stop
    return tags.count


cdef class FirstWords:
    """Finds texts that begin with one of some words, bytes in lower case."""

    cdef frozenset words
    cdef uint64_t[256] seconds, thirds  # by the first byte of a word: bit n is set if the next may be n, modulo 64

    def __init__(self, frozenset words not None):
        """Note the first three bytes of the words; any byte may follow a word of one or two."""
        cdef bytes word
        self.words = words
        for word in words:
            self.seconds[<unsigned char>word[0]] |= _bit_of_byte(word, 1)
            self.thirds[<unsigned char>word[0]] |= _bit_of_byte(word, 2)

    cdef bint _may_begin(self, const unsigned char* at, Py_ssize_t size) noexcept nogil:
        """Whether three bytes of a size may begin one of the words."""
        cdef unsigned char first
        if size < 3:
            return size == 2
        first = _lower(at[0])
        return self.seconds[first] >> (_lower(at[1]) & 63) & 1 and self.thirds[first] >> (_lower(at[2]) & 63) & 1

    def texts_that_begin(self, page not None, Py_ssize_t first, Py_ssize_t last):
        """The tags in [first, last) before a text whose first word is one of these."""
        cdef bytes page_bytes = page.source.html
        cdef const unsigned char* html = page_bytes
        cdef Tags tags = page.tags
        cdef Py_ssize_t tag, start, stop, end
        if tags.count and tags.stop[tags.count - 1] > len(page_bytes):
            raise ValueError("tags of another page")
        found = []
        for tag in range(max(first, 0), min(last, tags.count)):
            start, stop = tags.stop[tag], _piece_stop(html, len(page_bytes), tags, tag)
            while start < stop and html[start] <= 0x20:
                start += 1
            if not self._may_begin(html + start, stop - start):
                continue
            end = start
            while end < stop and end < start + MAX_WORD_BYTES and not _ends_word(html + end, stop - end):
                end += 1
            if end < start + MAX_WORD_BYTES and page_bytes[start:end].lower() in self.words:
                found.append(tag)
            elif html[start] >= FIRST_OF_EAST and page_bytes[start : start + TWO_SIGNS] in self.words:
                found.append(tag)  # Chinese and Japanese have no blank after it
        return found


    def links_to(self, page not None, Py_ssize_t first, Py_ssize_t last):
        """The links in [first, last) whose start tag has one of these words, of ASCII letters, after a slash."""
        cdef bytes page_bytes = page.source.html
        cdef const unsigned char* html = page_bytes
        cdef const unsigned char* slash
        cdef Tags tags = page.tags
        cdef Py_ssize_t tag, at, stop, end
        if tags.count and tags.stop[tags.count - 1] > len(page_bytes):
            raise ValueError("tags of another page")
        found = []
        for tag in range(max(first, 0), min(last, tags.count)):
            if tags.name[tag] != ANCHOR or tags.kind[tag] & END:
                continue
            at, stop = tags.start[tag], tags.stop[tag]
            while stop - at > 3:
                slash = <const unsigned char*>memchr(html + at, c"/", stop - at - 2)
                if slash == NULL:
                    break
                at = slash - html + 1
                if not self._may_begin(html + at, stop - at):
                    continue
                end = at
                while end < stop and c"a" <= html[end] | 0x20 <= c"z":
                    end += 1
                if page_bytes[at:end].lower() in self.words:
                    found.append(tag)
                    break
        return found


cdef inline bint _ends_word(const unsigned char* at, Py_ssize_t size) noexcept nogil:
    """Whether a blank, a colon, a reference, U+00A0 or a wide sign like U+FF1A is there."""
    if at[0] <= 0x20 or at[0] == c":" or at[0] == c"&":
        return True
    return size > 1 and (at[0] == 0xC2 and at[1] == 0xA0 or at[0] == 0xEF and at[1] == 0xBC)


cdef inline unsigned char _lower(unsigned char byte) noexcept nogil:
    return byte | 0x20 if byte < 0x80 else byte


def titles_with_dates(page not None, Py_ssize_t first, Py_ssize_t last):
    """Find short `title`s with the numbers of a date in the start tags in [first, last): the [start, stop) of each."""
    cdef bytes page_bytes = page.source.html
    cdef const unsigned char[::1] html = page_bytes
    cdef const unsigned char* found_at
    cdef Tags tags = page.tags
    cdef Py_ssize_t tag, at, stop, end
    if tags.count and tags.stop[tags.count - 1] > len(page_bytes):
        raise ValueError("tags of another page")
    found = []
    for tag in range(max(first, 0), min(last, tags.count)):
        at, stop = tags.start[tag] + NAME_OF_TITLE, tags.stop[tag]
        while not tags.kind[tag] & END and stop - at > SIZE_OF_DATE:
            found_at = <const unsigned char*>memchr(&html[at], c"=", stop - at)
            if found_at == NULL:
                break
            at = found_at - &html[0] + 1
            if stop - at <= SIZE_OF_DATE or memcmp(&html[at - 1 - NAME_OF_TITLE], b"title", NAME_OF_TITLE):
                continue
            if html[at] != c'"' and html[at] != c"'":
                continue
            at += 1
            found_at = <const unsigned char*>memchr(&html[at], html[at - 1], min(stop - at, MAX_TITLE))
            end = at if found_at == NULL else found_at - &html[0]
            if end - at >= SIZE_OF_DATE and _may_have_day(html, at, end):
                found.append((at, end))
    return found


def texts_with_dates(page not None, Py_ssize_t first, Py_ssize_t tag_count):
    """Find, among the texts after each of `tag_count` tags from `first` on, those that may hold a date with a day.

    Returns for each text its number, from 0, without blank texts; the tag before it; the text before it, or ""; the
    text. Blanks are collapsed. Each text is found in whose first `SHORT` or `START` characters
    `dates.DateReader.written` reads a date.
    """
    cdef bytes html = page.source.html
    cdef const unsigned char[::1] page_bytes = html
    cdef Tags tags = page.tags
    cdef Py_ssize_t tag, start, stop, number = -1, start_before = 0, stop_before = 0
    cdef bint may_hold
    if tags.count and tags.stop[tags.count - 1] > len(html):
        raise ValueError("tags of another page")
    found = []
    for tag in range(max(first, 0), min(first + tag_count, tags.count)):
        start, stop = tags.stop[tag], _piece_stop(html, len(html), tags, tag)
        while start < stop and page_bytes[start] <= 0x20:  # blanks and control characters
            start += 1
        if start == stop:
            continue
        may_hold = _has_digit(page_bytes, start, stop) and _may_have_day(page_bytes, start, stop)
        if may_hold or not _is_seen(page_bytes[start]):
            text = rendered_range(html, start, stop)
            if not text:
                continue
            if may_hold and (may_hold_date(text, LENGTH) or len(text) > LENGTH and may_hold_date(text, BEGINNING)):
                found.append((number + 1, tag, rendered_range(html, start_before, stop_before), text))
        number += 1
        start_before, stop_before = start, stop
    return found


cdef inline Py_ssize_t _piece_stop(
    const unsigned char* html, Py_ssize_t size, Tags tags, Py_ssize_t tag, Py_ssize_t max_bytes = MAX_PIECE
) noexcept nogil:
    """Where the text after a tag stops: at the next tag, or between the characters of a long one."""
    cdef Py_ssize_t stop = tags.start[tag + 1] if tag + 1 < tags.count else size
    if stop - tags.stop[tag] > max_bytes:
        stop = tags.stop[tag] + max_bytes
        while html[stop] & 0xC0 == 0x80:
            stop -= 1
    return stop


cdef inline bint _is_seen(unsigned char byte) noexcept nogil:
    """Whether a character of the output begins with a byte, whatever follows: no blank, reference or control."""
    if byte < 0x80:
        return 0x20 < byte < DELETE and byte != c"&"
    return byte > 0xC2 and byte != 0xEF and not 0xE1 <= byte <= 0xE3


cdef inline bint _has_digit(const unsigned char[::1] html, Py_ssize_t start, Py_ssize_t stop) noexcept nogil:
    """Whether there may be a decimal digit in [start, stop), or a numeric reference that is written with one."""
    cdef uint64_t letters, high = eight(0x80)
    cdef Py_ssize_t at
    while start < stop:
        letters = word(html, start)
        if stop - start < 8:
            letters &= (<uint64_t>1 << 8 * (stop - start)) - 1
        if not letters & high:
            # Side by side: of bytes below 0x80, no sum carries into the next one.
            if ~((letters ^ eight(c"0")) + eight(0x80 - 10)) & high:
                return True
        else:
            for at in range(start, min(start + 8, stop)):
                if BEGINS_DIGIT[html[at]]:
                    return True
        start += 8
    return False


cdef bint _may_have_day(const unsigned char[::1] html, Py_ssize_t start, Py_ssize_t stop) noexcept:
    """Whether the text of [start, stop), or a beginning of it, may have the numbers of a date.

    It may if it has control characters or digits beyond ASCII: they may change the numbers.
    """
    cdef Py_ssize_t at = start, digits = 0, years = 0, numbers = 0, after
    cdef unsigned char byte
    cdef Decoded decoded
    while at < stop:
        byte = html[at]
        if byte == c"&":
            after = decode(&html[0], at, stop, &decoded)
            if after:
                if decoded.first == NOTHING or is_control(decoded.first) or Py_UNICODE_ISDECIMAL(decoded.first):
                    return True
                at = after
                digits = 0
                continue
        at += 1
        if <unsigned char>(byte - c"0") < 10:
            digits += 1
            numbers += digits == 1
            # What continues after a year may be cut off.
            years += digits == 4 and _begins_year(html[at - 4], html[at - 3])
            continue
        digits = 0
        if byte >= 0x80 and BEGINS_DIGIT[byte] or byte == DELETE or byte < 0x20 and not is_ascii_blank(byte):
            return True
    return numbers > 2 or (years > 0 and numbers > 1)


cdef inline bint _begins_year(Py_UCS4 one, Py_UCS4 two) noexcept nogil:
    """Whether years begin with two digits: 19, 20, 13 or 14 of the Persian calendar, 25 of the Thai one."""
    return one == c"1" and (two == c"9" or two == c"3" or two == c"4") or one == c"2" and (two == c"0" or two == c"5")


cdef class WordFinder:
    """Tells whether one of some words, none empty, stands in a text, also inside of a longer word."""

    cdef dict by_first  # the words that begin with a character
    cdef uint64_t[64] seconds, thirds  # by the first character of a word: bit n is set if the next may be n; modulo 64

    def __init__(self, tuple words not None):
        cdef str word
        cdef uint32_t first
        self.by_first = {}
        for word in words:
            self.by_first.setdefault(word[0], []).append(word)
            first = ord(word[0])
            self.seconds[first & 63] |= _bit(word, 1)
            self.thirds[first & 63] |= _bit(word, 2)

    def stand_in(self, str text not None):
        """Tell whether one of the words stands in a text."""
        cdef int kind = PyUnicode_KIND(text)
        cdef const void* data = PyUnicode_DATA(text)
        cdef Py_ssize_t at, size = len(text)
        cdef uint32_t first, second, third
        cdef str word
        second = PyUnicode_READ(kind, data, 0) if size else 0
        third = PyUnicode_READ(kind, data, 1) if size > 1 else 0
        for at in range(size):
            first, second = second, third
            third = PyUnicode_READ(kind, data, at + 2) if at + 2 < size else 0
            if self.seconds[first & 63] >> (second & 63) & 1 and self.thirds[first & 63] >> (third & 63) & 1:
                for word in self.by_first.get(text[at], ()):
                    if PyUnicode_Tailmatch(text, word, at, size, -1):
                        return True
        return False


cdef uint64_t _bit_of_byte(bytes word, Py_ssize_t place) except 0:
    """The bit of the byte at a place, modulo 64; all bits if a word ends before it."""
    return <uint64_t>1 << (<unsigned char>word[place] & 63) if len(word) > place else ~<uint64_t>0


cdef uint64_t _bit(str word, Py_ssize_t place) except 0:
    """The bit of the character at a place, modulo 64; all bits if a word ends before it."""
    return <uint64_t>1 << (ord(word[place]) & 63) if len(word) > place else ~<uint64_t>0


cpdef bint may_hold_date(str text, Py_ssize_t within):
    """Whether the first `within` characters of a text have the numbers of a date.

    These are a year of four digits and a number of one or two, or three such numbers; a year of the Republic of China
    has three digits. A text without them holds no date; one with them may hold none, too.
    """
    cdef Py_ssize_t at, size = min(len(text), within), digits = 0, years = 0, others = 0
    cdef Py_UCS4 character, one = 0, two = 0
    for at in range(size + 1):
        character = text[at] if at < size else u" "
        if c"0" <= character <= c"9" or character >= 0x80 and Py_UNICODE_ISDECIMAL(character):
            if digits == 0:
                one = c"0" + Py_UNICODE_TODECIMAL(character)
            elif digits == 1:
                two = c"0" + Py_UNICODE_TODECIMAL(character)
            digits += 1
            continue
        if digits == 4:
            years += _begins_year(one, two)
        elif 0 < digits < 3 or digits == 3 and one == c"1" and two < c"2":
            others += 1
        digits = 0
    return (years > 0 and others > 0) or others > 2
