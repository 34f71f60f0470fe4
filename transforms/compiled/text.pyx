"""Twins of `transforms.extractors.text`: pages as they read in the output, rendered or only counted.

Both look at each byte once: control characters go, also those inside of references; references become the
characters that they stand for; blanks part words. What Python's `html.unescape` makes of a reference is
looked up in tables that are made of its own.
"""

from html import unescape
from html.entities import html5

import numpy as np

from cpython.bytearray cimport PyByteArray_FromStringAndSize
from cpython.unicode cimport PyUnicode_DecodeASCII, PyUnicode_DecodeUTF8
from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memchr, memcpy

cdef dict LONG_NAMES = html5

# Kinds of bytes.
cdef enum:
    DROPPED  # a control character that is no blank
    PLAIN
    BLANK
    AMPERSAND
    LEAD_TWO  # C2, of U+0080 to U+00BF: perhaps a control character or a blank
    LEAD_THREE  # E1 to E3, of U+1000 to U+3FFF: perhaps a blank

cdef enum:
    LINE_FEED = 0x0A
    SPACE = 0x20
    SEMICOLON = 0x3B
    DELETE = 0x7F
    NOTHING = 0x110000  # no character: what references stand for that html.unescape drops
    REPLACEMENT = 0xFFFD
    NO_DIGIT = 0xFF
    LONGEST_NAME = 32
    LONGEST_CHARACTER = 4  # bytes of UTF-8
    LONGEST_BARE_NAME = 6  # of those that need no semicolon
    LOW = 0xA0  # numeric references below it follow no rule
    SLOTS = 4096
    BLOCK = 192  # counts of so many bytes are bytes

cdef unsigned char[256] KIND
cdef unsigned char[256] WRITTEN  # the byte itself, a space for a blank
cdef unsigned char[256] DIGIT
cdef unsigned char[256] IS_ALPHANUMERIC
cdef Py_UCS4[LOW] LOW_REFERENCE
cdef uint64_t[SLOTS] NAME
cdef Py_UCS4[SLOTS] NAMED


cdef inline size_t _slot(uint64_t name) noexcept nogil:
    return <size_t> ((name * <uint64_t> 0x9E3779B97F4A7C15) >> 52)


cdef _make_tables():
    """Fills the tables of bytes, and of names of up to eight bytes, semicolon included, for one character."""
    cdef Py_ssize_t byte
    cdef uint64_t name
    cdef size_t slot
    for byte in range(256):
        KIND[byte] = PLAIN
        if byte < 0x80:
            if byte < SPACE or byte == DELETE:
                KIND[byte] = DROPPED
            if chr(byte).isspace():
                KIND[byte] = BLANK
        WRITTEN[byte] = SPACE if KIND[byte] == BLANK else byte
        IS_ALPHANUMERIC[byte] = byte < 0x80 and chr(byte).isalnum()
        DIGIT[byte] = int(chr(byte), 36) if IS_ALPHANUMERIC[byte] else NO_DIGIT
    KIND[0x26] = AMPERSAND
    KIND[0xC2] = LEAD_TWO
    KIND[0xE1] = KIND[0xE2] = KIND[0xE3] = LEAD_THREE
    for byte in range(LOW):
        character = unescape(f"&#{byte};")
        LOW_REFERENCE[byte] = ord(character) if character else NOTHING
    for written, text in html5.items():
        if len(written) <= 8 and len(text) == 1:
            name = int.from_bytes(written.encode("ascii"), "little")
            slot = _slot(name)
            while NAME[slot]:
                slot = (slot + 1) % SLOTS
            NAME[slot] = name
            NAMED[slot] = ord(text)


_make_tables()


def kept_text(
    const unsigned char[::1] coded not None, const Py_ssize_t[:] starts not None,
    const Py_ssize_t[:] stops not None, kept not None
):
    """The lines that are kept, joined by line feeds, and their number of words."""
    cdef Py_ssize_t row, at, rows = starts.shape[0]
    cdef bint goes_on = False
    cdef const unsigned char[:] marks = kept.view(np.uint8)
    cdef _Page page = _Page(coded.shape[0] + 1)
    if stops.shape[0] != rows or marks.shape[0] != rows:
        raise ValueError("lines without a start, a stop, or a mark")
    at = 0
    for row in range(rows):
        if not marks[row]:
            goes_on = False
            continue
        if not goes_on:
            at = starts[row]
        goes_on = True
        if at <= stops[row]:
            page.add(coded, at, stops[row])
            at = stops[row] + 1
    return page.text(), page.words()


def line_texts(const unsigned char[::1] coded not None, const Py_ssize_t[:] stops not None):
    """Each line as it reads in the output."""
    cdef Py_ssize_t row, start = 0
    cdef _Page page = _Page(coded.shape[0] + 1)
    cdef list lines = []
    for row in range(stops.shape[0]):
        page.size = 0
        if start <= stops[row]:
            page.add(coded, start, stops[row])
            start = stops[row] + 1
        lines.append(page.text())
    return lines


def rendered(const unsigned char[::1] text not None):
    """Text as one line."""
    cdef _Page page = _Page(text.shape[0] + 1)
    page.add(text, 0, text.shape[0])
    return page.text()


def visible_code_points(
    const unsigned char[::1] coded not None, const Py_ssize_t[:] placeholders not None,
    const Py_ssize_t[:] starts not None, const Py_ssize_t[:] stops not None
):
    """Code points of the whole page in the output."""
    cdef Py_ssize_t size = coded.shape[0], i, at, words = 0, chars = 0
    cdef bint goes_on
    if not size:
        return 0
    # A blank around it: so each byte has neighbours.
    cdef unsigned char[::1] page = PyByteArray_FromStringAndSize(NULL, size + 2)
    page[0] = page[size + 1] = SPACE
    page[1 : size + 1] = coded
    if starts.shape[0] != stops.shape[0]:
        raise ValueError("lines without a start or a stop")
    for i in range(stops.shape[0]):
        if not 0 <= stops[i] < size:
            raise IndexError("a line stops outside of the text")
        if stops[i] > starts[i]:
            page[stops[i] + 1] = SPACE
    cdef Py_ssize_t low = _count(page, &chars, &words)
    for i in range(placeholders.shape[0]):
        at = placeholders[i] + 1
        if not 0 < at <= size:
            raise IndexError("a placeholder is outside of the text")
        low -= page[at] == 0
        # Tags that leave nothing part no word.
        goes_on = (page[at] == 0) & (page[at - 1] > SPACE)
        words -= goes_on & (page[at + 1] > SPACE)
        if goes_on & (page[at + 1] == 0):
            at += 1
            while page[at] == 0:
                at += 1
            words -= page[at] > SPACE
    if low:
        return len(rendered(page))
    _count_references(page, &chars, &words)
    return chars + words - 1 if words else 0


cdef Py_ssize_t _count(const unsigned char[::1] page, Py_ssize_t* chars, Py_ssize_t* words) noexcept nogil:
    """Counts the code points that are no blanks, and the words, NULs parting them and references as written.

    Returns:
        The number of control characters that are no blanks.
    """
    cdef Py_ssize_t size = page.shape[0], start = 1, i, low = 0
    cdef unsigned char byte, before, block_chars, block_words, block_low
    while start < size:
        block_chars = block_words = block_low = 0
        for i in range(start, min(start + BLOCK, size)):
            byte = page[i]
            before = page[i - 1]
            block_chars += (byte > SPACE) & (<signed char> byte >= -0x40)
            block_words += (byte > SPACE) & (before <= SPACE)
            # Behind C2, what was a blank is a space by now.
            block_low += (byte < SPACE) | (byte == DELETE) | (before == 0xC2) & (byte < 0xA0)
        chars[0] += block_chars
        words[0] += block_words
        low += block_low
        start += BLOCK
    return low


cdef int _count_references(
    const unsigned char[::1] page, Py_ssize_t* chars, Py_ssize_t* words
) except -1:
    """Corrects counts for what the references of a page stand for; it begins and ends with a blank."""
    cdef Py_ssize_t size = page.shape[0], at = 0, behind = 0, stop, i
    cdef bint in_word = False
    cdef Py_UCS4[2] decoded
    cdef const unsigned char* found
    while True:
        # Within the page: its last byte is no `&`, nor the end of a reference.
        found = <const unsigned char*> memchr(&page[at], c"&", size - at)
        if found is NULL:
            return 0
        at = found - &page[0]
        stop = _reference(page, at, size, decoded)
        if not stop:
            at += 1
            continue
        # Whether it goes on with a word: one that ends before it, or in the last reference.
        i = at - 1
        while i >= behind and page[i] == 0:
            i -= 1
        if i >= behind:
            in_word = page[i] > SPACE
        words[0] -= not in_word
        for i in range(at, stop):
            chars[0] -= page[i] != 0
        for i in range(2):
            if decoded[i] == NOTHING:
                break
            if decoded[i].isspace():
                in_word = False
            elif not _is_control(decoded[i]):
                chars[0] += 1
                words[0] += not in_word
                in_word = True
        at = behind = i = stop
        while page[i] == 0:
            i += 1
        words[0] += page[i] > SPACE and not in_word


cdef class _Page:
    """Text as it reads in the output, each line that is not empty closed by a line feed.

    Attributes:
        out: UTF-8; the bytes behind the first `size` are free.
        size: number of bytes written.
    """

    cdef unsigned char[::1] out
    cdef Py_ssize_t size

    def __cinit__(self, Py_ssize_t room):
        self.out = PyByteArray_FromStringAndSize(NULL, room)
        self.size = 0

    cdef text(self):
        """The lines, without the last line feed."""
        return PyUnicode_DecodeUTF8(<char*> &self.out[0], self.size - 1, NULL) if self.size else ""

    cdef Py_ssize_t words(self) noexcept:
        """Number of words: one blank or line feed is behind each."""
        cdef Py_ssize_t start = 0, i, words = 0
        cdef unsigned char block
        while start < self.size:
            block = 0
            for i in range(start, min(start + BLOCK, self.size)):
                block += self.out[i] <= SPACE
            words += block
            start += BLOCK
        return words

    cdef int reserve(self, Py_ssize_t room) except -1:
        """Makes room for so many more bytes."""
        cdef unsigned char[::1] larger
        if self.size + room > self.out.shape[0]:
            larger = PyByteArray_FromStringAndSize(NULL, 2 * (self.size + room))
            larger[: self.size] = self.out[: self.size]
            self.out = larger
        return 0

    cdef int add(self, const unsigned char[::1] text, Py_ssize_t start, Py_ssize_t stop) except -1:
        """Adds the line [start, stop) of a text.

        At each turn of the loop there is room for the rest of the line and for its line feed.
        """
        if start < 0 or stop > text.shape[0]:
            raise IndexError("the line is outside of the text")
        self.reserve(stop - start + 1)
        cdef Py_ssize_t begin = self.size, size = begin, at = start, one_by_one = start, width
        cdef unsigned char kind, in_word = False
        cdef Py_UCS4[2] decoded
        cdef uint64_t eight
        while at < stop:
            if at >= one_by_one and at + 8 <= stop:
                # Eight bytes of the line, and as many places for them.
                memcpy(&eight, &text[at], 8)
                if (in_word or text[at] != SPACE) and _reads_as_written(eight):
                    memcpy(&self.out[size], &eight, 8)
                    size += 8
                    at += 8
                    in_word = text[at - 1] != SPACE
                    continue
                one_by_one = at + 8
            kind = KIND[text[at]]
            if kind > BLANK:
                width = 1
                if kind == AMPERSAND:
                    width = _reference(text, at, stop, decoded) - at
                    if width > 0:
                        at += width
                        self.size = size
                        self.reserve(2 * LONGEST_CHARACTER + stop - at + 1)
                        size = _decoded(decoded, self.out, size, &in_word)
                        continue
                    width = 1
                    kind = PLAIN
                else:
                    kind = _kind_of_wide(text, at, stop, &width)
                if width > 1:
                    self.out[size] = SPACE
                    size += kind == BLANK and in_word
                    in_word &= kind != BLANK
                    at += width
                    continue
                kind = PLAIN
            # Without branches, as no processor could foretell where words end; blanks go behind words only.
            self.out[size] = WRITTEN[text[at]]
            size += (kind | kind >> 1 & in_word) & 1
            in_word = kind & 1 if kind else in_word
            at += 1
        if size > begin:
            size -= not in_word
            self.out[size] = LINE_FEED
            size += 1
        self.size = size
        return 0


cdef inline bint _reads_as_written(uint64_t eight) noexcept nogil:
    """Whether eight bytes are ASCII characters that stand for themselves, and blanks are single spaces.

    Bytes are looked at side by side: all are below 0x80, so no sum carries into the next one.
    """
    cdef uint64_t high = _each(0x80), spaces = ~_others(eight, SPACE) & high
    if eight & high:
        return False
    if (eight + _each(0x80 - SPACE)) & _others(eight, 0x26) & _others(eight, DELETE) & high != high:
        return False
    return not spaces & spaces << 8


cdef inline uint64_t _others(uint64_t eight, unsigned char byte) noexcept nogil:
    """The high bit of each byte below 0x80 that is another one, among bits without meaning."""
    return (eight ^ _each(byte)) + _each(0x7F)


cdef inline uint64_t _each(unsigned char byte) noexcept nogil:
    """Eight times a byte."""
    return byte * <uint64_t> 0x0101010101010101


cdef inline Py_ssize_t _decoded(
    Py_UCS4[2] decoded, unsigned char[::1] out, Py_ssize_t size, unsigned char* in_word
) noexcept:
    """Writes the characters that a reference stands for; there is room for two."""
    cdef Py_ssize_t i
    for i in range(2):
        if decoded[i] == NOTHING:
            break
        if decoded[i].isspace():
            out[size] = SPACE
            size += in_word[0]
            in_word[0] = False
        elif not _is_control(decoded[i]):
            size = _encode(decoded[i], out, size)
            in_word[0] = True
    return size


cdef inline unsigned char _kind_of_wide(
    const unsigned char[::1] text, Py_ssize_t at, Py_ssize_t stop, Py_ssize_t* width
) noexcept:
    """The kind of the character at C2 or E1 to E3, and its bytes where it is not plain."""
    cdef Py_UCS4 character
    if text[at] == 0xC2 and at + 1 < stop:
        character = 0x80 | text[at + 1] & 0x3F
        if character <= 0xA0:
            width[0] = 2
            return BLANK if character == 0xA0 or character == 0x85 else DROPPED
    elif text[at] != 0xC2 and at + 2 < stop:
        character = (text[at] & 0x0F) << 12 | (text[at + 1] & 0x3F) << 6 | text[at + 2] & 0x3F
        if character.isspace():
            width[0] = 3
            return BLANK
    return PLAIN


cdef inline Py_ssize_t _encode(uint32_t character, unsigned char[::1] out, Py_ssize_t size) noexcept nogil:
    """Writes a character as UTF-8 (RFC 3629, section 3); there is room for its one to four bytes."""
    cdef unsigned int behind = (character >= 0x80) + (character >= 0x800) + (character >= 0x10000)
    if not behind:
        out[size] = <unsigned char> character
        return size + 1
    out[size] = <unsigned char> ((<uint32_t> 0xFF00 >> (behind + 1)) & 0xFF | character >> (6 * behind))
    while behind:
        size += 1
        behind -= 1
        out[size] = <unsigned char> (0x80 | character >> (6 * behind) & 0x3F)
    return size + 1


cdef inline bint _is_control(Py_UCS4 character) noexcept nogil:
    """Whether a character that is no blank is a control character (category Cc)."""
    return character < SPACE or DELETE <= character < 0xA0


cdef inline Py_ssize_t _skipped(const unsigned char[::1] text, Py_ssize_t at, Py_ssize_t stop) noexcept nogil:
    """The first byte from `at` on that no control character holds, or `stop`."""
    while at < stop:
        if KIND[text[at]] == DROPPED:
            at += 1
        elif text[at] == 0xC2 and at + 1 < stop and text[at + 1] < 0xA0 and text[at + 1] != 0x85:
            at += 2
        else:
            break
    return min(at, stop)


cdef Py_ssize_t _reference(
    const unsigned char[::1] text, Py_ssize_t start, Py_ssize_t stop, Py_UCS4[2] decoded
) except -1:
    """Decodes a character reference.

    Args:
        text: the text.
        start: its `&`.
        stop: where the line ends.
        decoded: where the character or the two go that it stands for; `NOTHING` ends them.

    Returns:
        The byte after it; 0 if there is none.
    """
    cdef Py_ssize_t at = _skipped(text, start + 1, stop)
    if at == stop:
        return 0
    if text[at] == c"#":
        return _numeric(text, at + 1, stop, decoded)
    if IS_ALPHANUMERIC[text[at]]:
        return _named(text, at, stop, decoded)
    return 0


cdef Py_ssize_t _numeric(
    const unsigned char[::1] text, Py_ssize_t at, Py_ssize_t stop, Py_UCS4[2] decoded
) noexcept nogil:
    """Decodes a numeric reference from behind its `#`."""
    cdef uint32_t number = 0
    cdef unsigned char base = 10
    cdef Py_ssize_t behind = 0
    at = _skipped(text, at, stop)
    if at < stop and text[at] | 0x20 == c"x":
        base = 16
        at = _skipped(text, at + 1, stop)
    while at < stop and DIGIT[text[at]] < base:
        number = min(number * base + DIGIT[text[at]], <uint32_t> NOTHING)
        behind = at + 1
        at = _skipped(text, behind, stop)
    if not behind:
        return 0
    if number < LOW:
        number = LOW_REFERENCE[number]
    elif 0xD800 <= number < 0xE000 or number >= NOTHING:
        number = REPLACEMENT
    elif 0xFDD0 <= number < 0xFDF0 or number & 0xFFFE == 0xFFFE:
        number = NOTHING
    decoded[0], decoded[1] = number, NOTHING
    return at + 1 if at < stop and text[at] == SEMICOLON else behind


cdef Py_ssize_t _named(
    const unsigned char[::1] text, Py_ssize_t at, Py_ssize_t stop, Py_UCS4[2] decoded
) except -1:
    """Decodes a named reference: the whole name with its semicolon, else its longest beginning without."""
    cdef unsigned char[LONGEST_NAME] name
    cdef Py_ssize_t[LONGEST_BARE_NAME + 1] behind
    cdef Py_ssize_t length = 0
    cdef uint64_t word = 0
    while length < LONGEST_NAME and at < stop and IS_ALPHANUMERIC[text[at]]:
        name[<size_t> length % LONGEST_NAME] = text[at]  # the remainder tells compilers that it is within
        if length < 8:
            word |= <uint64_t> text[at] << 8 * length
        length += 1
        if length <= LONGEST_BARE_NAME:
            behind[length] = at + 1
        at = _skipped(text, at + 1, stop)
    decoded[1] = NOTHING
    if at < stop and text[at] == SEMICOLON:
        if length < 8 and _looked_up(word | <uint64_t> SEMICOLON << 8 * length, decoded):
            return at + 1
        known = LONG_NAMES.get(PyUnicode_DecodeASCII(<char*> name, length, NULL) + ";")
        if known is not None:
            decoded[0] = known[0]
            if len(known) == 2:
                decoded[1] = known[1]
            return at + 1
    length = min(length, <Py_ssize_t> LONGEST_BARE_NAME)
    while length >= 2:
        if _looked_up(word & ((<uint64_t> 1 << 8 * length) - 1), decoded):
            return behind[length]
        length -= 1
    return 0


cdef inline bint _looked_up(uint64_t name, Py_UCS4[2] decoded) noexcept nogil:
    """Puts the character of that name into `decoded`, if there is one."""
    cdef size_t slot = _slot(name)
    while NAME[slot]:
        if NAME[slot] == name:
            decoded[0] = NAMED[slot]
            return True
        slot = (slot + 1) % SLOTS
    return False
