"""The text of a page outside of its tags, and what kinds of characters stand in it.

Each tag leaves a placeholder of one byte. References are decoded, runs of blanks shrink to one space, control
characters go; inside of `pre` blanks and line ends stay, as bytes of their own.
"""

import unicodedata

import numpy as np

from libc.stdint cimport uint64_t
from libc.string cimport memcpy

from transforms.extractors.html._bytes cimport below
from transforms.extractors.html._writer cimport HARD_LINE, HARD_SPACE, HARD_TAB, SPACE

_STOPS = ".!?\u2026\u3002\uff01\uff1f\uff0e\uff61\u061f\u06d4\u0964\u0965\u0589\u1362\u17d4\u104b\u203d"
_COMMAS = ",;\u3001\uff0c\uff1b\uff64\u060c\u061b\u1363\u104a\u05be"
_COLONS = ':\uff1a\u2013\u2014"'
_RULES = (
    "|\u00bb\u00ab\u203a\u2039\u2022\u00b7\u00a9\u00ae\u2122\u2192\u2190\u25b6\u25ba>/\\\u2044\uff5c\u00a6"
)
_SIGNS = "@$\u20ac\u00a3\u00a5\u20b9%#+*="


def code_points():
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


CODE_POINTS = code_points()


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
    cdef uint64_t letters
    cdef unsigned char byte
    if start == stop:
        return at
    if not _has_hard(&text[start], stop - start):
        while i < stop:
            byte = text[i]
            if i + 8 <= stop:
                # Eight bytes without placeholders, in which no two spaces meet: those of the text never do.
                memcpy(&letters, &text[i], 8)
                if not below(letters, SPACE) and (byte != SPACE or at > begin and out[at - 1] != SPACE):
                    memcpy(&out[at], &letters, 8)  # there is room for all bytes that are read
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
