"""Escape text so that it is not read as marks: backslashes, and backticks around code (CommonMark 0.31, 2.4, 6.1).

`tests/oracles/markdown_escapes.py` says the same in plain words.
"""

import unicodedata

from libc.stdint cimport uint64_t

from cedar.transforms.extractors.html._bytes cimport SPACE, code_point_at, lowest_bit, one_of, sixteen
from cedar.transforms.extractors.html._growing cimport ByteBuffer

cdef enum:
    MAX_NAME = 41  # letters and digits of an entity's name
    # Kinds of bytes.
    IS_PUNCTUATION = 2  # of ASCII
    IS_ALNUM = 4  # of ASCII
    IS_DIGIT = 8
    IS_HEX = 16
    MAY_BEGIN = 32  # lines that begin so may be syntax
    IS_RULE = 64  # bytes of lines under headings, of rules and of rows between cells

cdef Py_UCS4 EVENT = u"\0"  # stands for a mark next to a text
cdef Py_UCS4 BLANK = u" "
cdef unsigned char[256] KIND


cdef _make_table():
    for kind, characters in (
        (IS_PUNCTUATION, "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"),
        (IS_ALNUM, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"), (IS_DIGIT, "0123456789"),
        (IS_HEX, "0123456789ABCDEFabcdef"), (MAY_BEGIN, "#-+*>~=_|: 0123456789"), (IS_RULE, "-=*_|: "),
    ):
        for character in characters:
            KIND[<int>ord(character)] |= kind


_make_table()


cdef Py_UCS4 code_point(const unsigned char[::1] text, Py_ssize_t at) noexcept nogil:
    """The code point that begins at `at`."""
    cdef Py_ssize_t width
    return code_point_at(&text[at], &width)


cdef Py_UCS4 code_point_before(const unsigned char[::1] text, Py_ssize_t at) noexcept nogil:
    """The code point that ends before `at`."""
    at -= 1
    while at > 0 and text[at] & 0xC0 == 0x80:
        at -= 1
    return code_point(text, at)


cdef bint is_mark(Py_UCS4 character) except -1:
    """Whether a character is punctuation or a symbol, or stands for a formula."""
    if character < 0x80:
        return character == EVENT or KIND[character] & IS_PUNCTUATION
    return unicodedata.category(character)[0] in "PS"


cdef int put_code_span(
    ByteBuffer out, const unsigned char[::1] text, Py_ssize_t start, Py_ssize_t stop, bint in_cell
) except -1:
    """Write text between a number of backticks that it does not have in a row."""
    cdef Py_ssize_t i, run = 0, longest = 0, pipes = 0
    cdef bint padded = text[start] == c"`" or text[stop - 1] == c"`"
    cdef str fence
    for i in range(start, stop):
        run = run + 1 if text[i] == c"`" else 0
        longest = max(longest, run)
        pipes += text[i] == c"|"
    fence = "`" * (longest + 1) + " " * padded
    out.put_text(fence)
    if in_cell and pipes:
        for i in range(start, stop):
            if text[i] == c"|":
                out.put_byte(c"\\")
            out.put_byte(text[i])
    else:
        out.put(text, start, stop)
    return out.put_text(fence[::-1])


cdef int put_escaped(
    ByteBuffer out, const unsigned char[::1] text, Py_ssize_t start, Py_ssize_t stop, Line *line
) except -1:
    """Write the bytes [start, stop) of a line, with a backslash where CommonMark would read a mark."""
    cdef Py_ssize_t first, i, copied = start
    cdef uint64_t marks
    for first in range(start, stop, 16):
        marks = one_of(sixteen(&text[first], text.shape[0] - first), "\\`*_~<&[]!|$", 12)  # what may need a backslash
        while marks:
            i = first + lowest_bit(marks)
            marks &= marks - 1
            if i < stop and _escapes(text, i, start, stop, line):
                out.put(text, copied, i)
                out.put_byte(c"\\")
                copied = i
    out.put(text, copied, stop)
    return 0


cdef bint _escapes(
    const unsigned char[::1] text, Py_ssize_t at, Py_ssize_t start, Py_ssize_t stop, Line *line
) noexcept:
    """Whether a special byte needs a backslash, in a piece [start, stop) of a line."""
    cdef unsigned char byte = text[at]
    cdef Py_UCS4 before, after
    if byte == c"`":
        return True
    if byte == c"|":
        return line.around & PIPES
    if byte == c"$":
        return line.around & DOLLARS
    if byte == c"&":
        return _is_entity(text, at + 1, line.stop)
    after = code_point(text, at + 1) if at + 1 < stop else EVENT if line.neighbours & MARKED_AFTER else BLANK
    if byte == c"!":
        return after == EVENT
    if byte == c"\\":
        return at + 1 >= line.stop or after == EVENT or after < 0x80 and KIND[after] & IS_PUNCTUATION
    if byte == c"<":
        return after.isalpha() or after == c"/" or after == c"!" or after == c"?"
    if byte == c"]":
        return line.around & BRACKETS
    if byte == c"[":
        if line.around & (BRACKETS | LINKED):
            return line.around & BRACKETS
        return at < line.links or after == c"^" or at == line.start and _may_be_box_or_note(text, line)
    before = code_point_before(text, at) if at > start else EVENT if line.neighbours & MARKED_BEFORE else BLANK
    if byte == c"*":
        return before != BLANK or after != BLANK
    if byte == c"_":
        return (before != BLANK or after != BLANK) and not (before.isalnum() and after.isalnum())
    # A tilde.
    return line.around & TILDES or before == c"~" or after == c"~" or before == EVENT or after == EVENT


cdef bint _is_entity(const unsigned char[::1] text, Py_ssize_t at, Py_ssize_t stop) noexcept nogil:
    """Whether a name of an entity, or a number, and a semicolon stand at `at`."""
    cdef Py_ssize_t begin, most = MAX_NAME
    cdef unsigned char kind = IS_ALNUM
    if at + 1 >= stop:
        return False
    if text[at] == c"#":
        at += 1
        kind, most = IS_DIGIT, 7
        if text[at] | 0x20 == c"x":
            at += 1
            kind, most = IS_HEX, 6
    elif KIND[text[at]] & IS_DIGIT:
        return False
    begin = at
    while at < stop and at - begin < most and KIND[text[at]] & kind:
        at += 1
    return begin < at < stop and text[at] == c";"


cdef bint _may_be_box_or_note(const unsigned char[::1] text, Line *line) noexcept nogil:
    """Whether a line that begins with a square bracket may name a link, or begin an item with a box."""
    cdef Py_ssize_t i
    if line.start + 3 <= line.stop and text[line.start + 2] == c"]":
        if text[line.start + 1] == SPACE or text[line.start + 1] | 0x20 == c"x":
            return True
    for i in range(line.start + 1, line.stop - 1):
        if text[i] == c"]" and text[i + 1] == c":":
            return True
    return False


cdef int escape_start(ByteBuffer out, Py_ssize_t start) except -1:
    """Put a backslash where the written line from `start` on would begin something else than a paragraph."""
    cdef const unsigned char[::1] text = out.bytes
    cdef Py_ssize_t at = start, stop = out.size
    if start == stop or not KIND[text[start]] & MAY_BEGIN:
        return 0
    while at < stop and at - start < 9 and KIND[text[at]] & IS_DIGIT:
        at += 1
    if at > start:
        if at < stop and (text[at] == c"." or text[at] == c")") and (at + 1 == stop or text[at + 1] == SPACE):
            out.insert(at, c"\\")
    elif _begins_syntax(text, start, stop):
        out.insert(start, c"\\")
    return 0


cdef bint _begins_syntax(const unsigned char[::1] text, Py_ssize_t start, Py_ssize_t stop) noexcept nogil:
    """Whether a line begins a heading, item, quote or code, or is a rule, or one under a heading or between rows."""
    cdef unsigned char first = text[start]
    cdef Py_ssize_t i, at = start, equals = 0, pipes = 0, stars = 0, lows = 0, dashes = 0
    if first == c">":
        return True
    if first == c"#":
        while at < stop and text[at] == c"#":
            at += 1
        return at - start <= 6 and (at == stop or text[at] == SPACE)
    if first == c"~":
        return start + 3 <= stop and text[start + 1] == c"~" and text[start + 2] == c"~"
    if (first == c"-" or first == c"+" or first == c"*") and (start + 1 == stop or text[start + 1] == SPACE):
        return True
    for i in range(start, stop):
        if not KIND[text[i]] & IS_RULE:
            return False
        equals += text[i] == c"="
        pipes += text[i] == c"|" or text[i] == c":"
        stars += text[i] == c"*"
        lows += text[i] == c"_"
        dashes += text[i] == c"-"
    if not pipes and not stars and not lows and (first == c"-" or first == c"="):
        return True
    if not pipes and not equals and first != SPACE and max(stars, lows, dashes) == stars + lows + dashes >= 3:
        return True
    return not equals and not stars and not lows and (dashes > 0 or first == c":" and stop - start > 1)


cdef int escape_end(ByteBuffer out, Py_ssize_t start) except -1:
    """Put a backslash before number signs that would end the heading that is written from `start` on."""
    cdef Py_ssize_t at = out.size
    while at > start and out.bytes[at - 1] == c"#":
        at -= 1
    if at < out.size and (at == start or out.bytes[at - 1] == SPACE):
        out.insert(at, c"\\")
    return 0


cdef int brackets_of_link(
    const unsigned char[::1] text, Py_ssize_t start, Py_ssize_t stop, Py_ssize_t links
) noexcept nogil:
    """How to write the brackets in [start, stop), the text of a link: pairs that make no link stay."""
    cdef Py_ssize_t i
    for i in range(start, stop):
        if text[i] == c"]":
            if i + 1 < stop and (text[i + 1] == c"(" or text[i + 1] == c"[" or text[i + 1] == c":"):
                return BRACKETS
        elif text[i] == c"[" and (i < links or i + 1 < stop and text[i + 1] == c"^"):
            return BRACKETS
    return LINKED if is_balanced(text, start, stop) else BRACKETS


cdef bint is_balanced(const unsigned char[::1] text, Py_ssize_t start, Py_ssize_t stop) noexcept nogil:
    """Whether the square brackets in [start, stop) are pairs."""
    cdef Py_ssize_t i, depth = 0
    for i in range(start, stop):
        depth += (text[i] == c"[") - (text[i] == c"]")
        if depth < 0:
            return False
    return depth == 0


def described(str text not None):
    """Write a description of an image within square brackets."""
    cdef bytes encoded = text.encode()
    cdef ByteBuffer out = ByteBuffer(len(encoded))
    cdef Line line
    line.start, line.stop, line.links = 0, len(encoded), -1
    line.around = DOLLARS | TILDES | brackets_of_link(encoded, 0, line.stop, -1)
    line.neighbours = MARKED_BEFORE | MARKED_AFTER
    put_escaped(out, encoded, 0, line.stop, &line)
    return out.text(0)


def escaped(str text not None, Py_ssize_t links, int around):
    """Write a line, or a piece of one, without marks, with a backslash where CommonMark would read a mark.

    Square brackets may open links up to byte `links`. What is `around` is added up: 1 marks before it, 2 marks after
    it, 4 a cell, 8 dollars that have a meaning, 16 two tildes, 32 a link that brackets would break, 64 one of pairs of
    them.
    """
    cdef bytes encoded = text.encode()
    cdef ByteBuffer out = ByteBuffer(len(encoded))
    cdef Line line
    line.start, line.stop, line.links, line.around, line.neighbours = 0, len(encoded), links, around, around
    put_escaped(out, encoded, 0, line.stop, &line)
    return out.text(0)


def begun(str text not None):
    """Put a backslash where a written line would begin something else than a paragraph."""
    cdef ByteBuffer out = ByteBuffer(0)
    out.put_text(text)
    escape_start(out, 0)
    return out.text(0)


def code_span(str text not None, bint in_cell):
    """Write text, not empty, between a number of backticks that it does not have in a row."""
    cdef bytes encoded = text.encode()
    cdef ByteBuffer out = ByteBuffer(len(encoded))
    put_code_span(out, encoded, 0, len(encoded), in_cell)
    return out.text(0)
