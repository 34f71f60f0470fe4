# cython: wraparound=True, boundscheck=True
"""What keeps text from being read as marks: backslashes, and backticks around code (CommonMark 0.31, 2.4, 6.1)."""

import re
import unicodedata

cimport cython

cdef str PUNCTUATION = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
cdef Py_UCS4 EVENT = u"\0"  # stands for a mark beside a text

_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{0,40});")


cdef bint is_mark(str character):
    """Whether a character is punctuation or a symbol."""
    if character == EVENT:
        return True
    return character in PUNCTUATION if character < "\x80" else unicodedata.category(character)[0] in "PS"


cdef bint is_balanced(str text):
    """Whether each square bracket has its other one."""
    depth = 0
    for character in text:
        depth += (character == "[") - (character == "]")
        if depth < 0:
            return False
    return depth == 0


cdef str code_span(str text, bint cell):
    """Text between as many backticks as it has none of."""
    cdef Py_ssize_t run = 0, longest = 0
    for character in text:
        run = run + 1 if character == "`" else 0
        longest = max(longest, run)
    fence = "`" * (longest + 1)
    pad = " " if text[0] == "`" or text[-1] == "`" else ""
    written = text.replace("|", "\\|") if cell else text
    return f"{fence}{pad}{written}{pad}{fence}"


@cython.boundscheck(False)
@cython.wraparound(False)
cdef str escaped(str text, Py_ssize_t start, Py_ssize_t stop, Py_ssize_t links, int edges):
    """The characters [start, stop) of a line, with a backslash where CommonMark would read a mark.

    Bits of `edges`: marks stand before them, after them; they are in a cell; dollars have a meaning; there are two tildes.
    """
    cdef Py_ssize_t i, size = len(text), copied = start
    cdef Py_UCS4 c, before, after
    cdef bint escapes
    cdef list out = []
    for i in range(start, stop):
        c = text[i]
        if c > u"\x7f" or c == u" " or u"a" <= c <= u"z" or u"A" <= c <= u"Z" or u"0" <= c <= u"9":
            continue
        before = text[i - 1] if i > start else EVENT if edges & 1 else u" "
        after = text[i + 1] if i + 1 < stop else EVENT if edges & 2 else u" "
        escapes = False
        if c == u"\\":
            escapes = i + 1 >= size or after == EVENT or after in PUNCTUATION
        elif c == u"`":
            escapes = True
        elif c == u"*":
            escapes = not (before == u" " and after == u" ")
        elif c == u"_":
            escapes = not (before == u" " and after == u" ") and not (before.isalnum() and after.isalnum())
        elif c == u"~":
            escapes = edges & 16 or before == u"~" or after == u"~" or before == EVENT or after == EVENT
        elif c == u"<":
            escapes = after.isalpha() or after == u"/" or after == u"!" or after == u"?"
        elif c == u"&":
            escapes = _ENTITY.match(text, i) is not None
        elif c == u"[":
            escapes = (
                i < links or after == u"^"
                or i == 0 and ("]:" in text or text[:3] in ("[ ]", "[x]", "[X]"))
            )
        elif c == u"!":
            escapes = after == EVENT
        elif c == u"|":
            escapes = edges & 4
        elif c == u"$":
            escapes = edges & 8
        if escapes:
            out.append(text[copied:i])
            out.append("\\")
            copied = i
    out.append(text[copied:stop])
    return "".join(out)
