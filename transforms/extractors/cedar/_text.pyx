"""The text of a page outside of its tags, and what kinds of characters stand in it.

Each tag leaves a placeholder of one byte. References are decoded, runs of blanks shrink to one space, control
characters go; inside of `pre` blanks and line ends stay, as bytes of their own.
"""

import html as html_standard
import unicodedata
from html.entities import html5

import numpy as np

from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memchr, memcpy

cdef enum:
    LONGEST_NAME = 32  # of a reference, in characters
    NO_BREAK = 0xA0  # the code points beyond ASCII that are blanks, and lie apart
    NEXT_LINE = 0x85
    PART = 256  # bytes that are looked at in one go

_STOPS = ".!?\u2026\u3002\uff01\uff1f\uff0e\uff61\u061f\u06d4\u0964\u0965\u0589\u1362\u17d4\u104b\u203d"
_COMMAS = ",;\u3001\uff0c\uff1b\uff64\u060c\u061b\u1363\u104a\u05be"
_COLONS = ':\uff1a\u2013\u2014"'
_RULES = (
    "|\u00bb\u00ab\u203a\u2039\u2022\u00b7\u00a9\u00ae\u2122\u2192\u2190\u25b6\u25ba>/\\\u2044\uff5c\u00a6"
)
_SIGNS = "@$\u20ac\u00a3\u00a5\u20b9%#+*="


def _code_points():
    """The kind of each code point of the basic plane: uint8 (65536,)."""
    kinds = np.zeros(0x10000, np.uint8)
    for code in range(0x10000):
        category = unicodedata.category(chr(code))
        if category[0] in "LM":
            kinds[code] = LETTER
        elif category == "Nd":
            kinds[code] = DIGIT
    for first, stop in ((0x0E00, 0x0EFF), (0x0F00, 0x0FFF), (0x1000, 0x109F), (0x1780, 0x17FF)):
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


CODE_POINTS = _code_points()


cdef inline bint _is_digit(unsigned char byte) noexcept nogil:
    return 0x30 <= byte <= 0x39


cdef inline bint _is_letter(unsigned char byte) noexcept nogil:
    return 0x61 <= (byte | 0x20) <= 0x7A


cdef inline bint _is_hexadecimal(unsigned char byte) noexcept nogil:
    return _is_digit(byte) or 0x61 <= (byte | 0x20) <= 0x66


cdef Py_ssize_t _reference_stop(const unsigned char[::1] text, Py_ssize_t start) noexcept nogil:
    """The byte after the reference whose `&` is at `start`; 0 if there is none."""
    cdef Py_ssize_t size = text.shape[0], at = start + 1, first
    if at < size and text[at] == c"#":
        at += 1
        if at < size and text[at] | 0x20 == c"x":
            at += 1
            first = at
            while at < size and _is_hexadecimal(text[at]):
                at += 1
        else:
            first = at
            while at < size and _is_digit(text[at]):
                at += 1
    else:
        first = at
        while at < size and at - first < LONGEST_NAME and (_is_letter(text[at]) or _is_digit(text[at])):
            at += 1
    if at == first:
        return 0
    return at + 1 if at < size and text[at] == c";" else at


cdef bytes decode_references(bytes text):
    """Decodes references; what is a blank becomes a space, control characters go."""
    cdef const unsigned char[::1] data = text
    cdef Py_ssize_t size = data.shape[0], at = 0, end = 0, stop
    cdef const void *found
    cdef dict decoded = {}
    cdef list pieces = []
    while at < size:
        found = memchr(&data[at], c"&", size - at)  # within [at, size)
        if found == NULL:
            break
        at = <const unsigned char *>found - &data[0]
        stop = _reference_stop(data, at)
        if not stop:
            at += 1
            continue
        reference = text[at:stop]
        character = decoded.get(reference)
        if character is None:
            decoded[reference] = character = _decoded(reference)
        if end < at:
            pieces.append(text[end:at])
        pieces.append(character)
        end = at = stop
    if not pieces:
        return text
    pieces.append(text[end:])
    return b"".join(pieces)


cdef bytes _decoded(bytes reference):
    """What a reference stands for."""
    written = reference.decode()
    character = html5.get(written[1:])
    if character is None:
        character = _numbered(written) if written[1] == "#" else html_standard.unescape(written)
    if character.isspace():
        return b" "
    return "".join(c for c in character if unicodedata.category(c) not in ("Cc", "Cs")).encode()


def _numbered(str written):
    """What a reference by number stands for."""
    # Python refuses to read integers of thousands of digits; nine are beyond Unicode as well.
    base = 16 if written[2] in "xX" else 10
    digits = written[2:].lstrip("xX").rstrip(";").lstrip("0")[:9] or "0"
    code = int(digits, base)
    # These stand for what their numbers say; others are replaced (HTML5, 13.2.5.80).
    return chr(code) if 0xA0 <= code < 0xD800 else html_standard.unescape(f"&#{code};")


cdef inline unsigned char _has_run(const unsigned char *bytes, Py_ssize_t count) noexcept nogil:
    """Whether one of the first `count` bytes, after which there is another one, begins a run of spaces."""
    cdef unsigned char seen = 0
    cdef Py_ssize_t i
    for i in range(count):
        seen |= <unsigned char>(bytes[i] == SPACE) & <unsigned char>(bytes[i + 1] == SPACE)
    return seen


cdef const unsigned char[::1] shrink(const unsigned char[::1] text):
    """Text of which each run of spaces is one space."""
    cdef Py_ssize_t i, at = 0, size = text.shape[0]
    cdef unsigned char[::1] shrunk
    if size < 2 or not _has_run(&text[0], size - 1):
        return text
    shrunk = np.empty(size, np.uint8)
    for i in range(size):
        if text[i] != SPACE or i + 1 == size or text[i + 1] != SPACE:
            shrunk[at] = text[i]
            at += 1
    return shrunk[:at]


cdef inline bint _stays(uint64_t letters) noexcept nogil:
    """Whether eight bytes are ASCII, none of them a control character, and no two spaces meet."""
    cdef uint64_t high = 0x8080808080808080ULL, spaces
    if letters & high or (letters + 0x6060606060606060ULL & high) != high:
        return False
    spaces = ~((letters ^ 0x2020202020202020ULL) + 0x7F7F7F7F7F7F7F7FULL) & high
    return not spaces & spaces << 8


cdef inline bint _is_wide_blank(unsigned char lead, unsigned char second, unsigned char third) noexcept nogil:
    """Whether three bytes are a blank: U+1680, U+2000 to U+200A, U+2028, U+2029, U+202F, U+205F, U+3000."""
    if lead == 0xE1:
        return second == 0x9A and third == 0x80
    if lead == 0xE2:
        if second == 0x80:
            return 0x80 <= third <= 0x8A or third == 0xA8 or third == 0xA9 or third == 0xAF
        return second == 0x81 and third == 0x9F
    return lead == 0xE3 and second == 0x80 and third == 0x80


cdef Py_ssize_t clean(
    const unsigned char[::1] html, Py_ssize_t start, Py_ssize_t stop, bint hard, unsigned char[::1] out,
    Py_ssize_t at,
) noexcept nogil:
    """Writes bytes [start, stop) of a page at `at`, blanks as spaces; returns where the next are written.

    Writes no more bytes than it reads. `at` is 1 or more, and spaces after a space are not written.

    Args:
        html: a page.
        start, stop: a range of its text.
        hard: whether the text is inside of `pre`.
        out: the text of the page so far.
        at: how much of it there is.
    """
    cdef unsigned char byte
    cdef Py_ssize_t i = start
    cdef uint64_t letters
    while i < stop:
        byte = html[i]
        if not hard and i + 8 <= stop:
            memcpy(&letters, &html[i], 8)  # within bounds: i + 8 <= stop
            if _stays(letters) and (byte != SPACE or out[at - 1] != SPACE):
                memcpy(&out[at], &letters, 8)  # out has room for all bytes that are read
                at += 8
                i += 8
                continue
        i += 1
        if 0x20 < byte < 0xC2:
            out[at] = byte
            at += 1
            while i < stop and 0x20 < html[i] < 0xC2:
                out[at] = html[i]
                at += 1
                i += 1
            continue
        if byte <= 0x20:
            if hard and (byte == 0x0A or byte == 0x20 or byte == 0x09):
                out[at] = HARD_LINE if byte == 0x0A else HARD_SPACE if byte == 0x20 else HARD_TAB
                at += 1
                continue
            if byte < 0x09 or 0x0E <= byte <= 0x1B:
                continue
        elif byte == 0xC2 and i < stop and html[i] <= NO_BREAK:
            i += 1
            if html[i - 1] != NO_BREAK and html[i - 1] != NEXT_LINE:
                continue  # all others up to U+00A0 are control characters
        elif 0xE1 <= byte <= 0xE3 and i + 1 < stop and _is_wide_blank(byte, html[i], html[i + 1]):
            i += 2
        else:
            out[at] = byte
            at += 1
            continue
        if out[at - 1] != SPACE:
            out[at] = SPACE
            at += 1
    return at


cdef inline unsigned char _has_hard(const unsigned char *bytes, Py_ssize_t count) noexcept nogil:
    """Whether one of `count` bytes is a blank of `pre`."""
    cdef unsigned char seen = 0
    cdef Py_ssize_t i
    for i in range(count):
        seen |= <unsigned char>(<unsigned char>(bytes[i] - HARD_LINE) <= HARD_TAB - HARD_LINE)
    return seen


cdef Py_ssize_t render(
    const unsigned char[::1] text, Py_ssize_t start, Py_ssize_t stop, unsigned char[::1] out, Py_ssize_t at
) noexcept nogil:
    """Writes a range of the text at `at` as it reads in the output; returns where the next bytes are written.

    Placeholders go, lines of `pre` stay, and so do their indents. Writes no more bytes than it reads.
    """
    cdef Py_ssize_t i = start, begin = at, line = at, solid = at
    cdef unsigned char byte
    if start == stop:
        return at
    if not _has_hard(&text[start], stop - start):
        while i < stop:
            byte = text[i]
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
    # `line` is where the line begins, `solid` the byte after its last one that is no blank.
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
