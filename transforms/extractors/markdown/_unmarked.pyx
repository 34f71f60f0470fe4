"""Markdown as its reader sees it: the text without marks, and where each byte of it stands among them.

It reads what `_document` writes: CommonMark whose literal marks have backslashes, with tables and struck text of GFM.
Each line, or cell of a table, is read for itself, because no mark reaches over its end.
"""

import numpy as np

from libc.stdint cimport int32_t, int64_t

from cedar.transforms.extractors.html._bytes cimport SPACE, find
from cedar.transforms.extractors.markdown._escaping cimport code_point, code_point_before, is_mark

cdef enum:
    MAX_LOOKS = 8  # open marks of emphasis that a closing one is compared with
    MAX_RUN = 63  # of backticks

# What a byte stands in.
cdef enum:
    IS_PROSE = 0
    IS_CODE_SPAN = 1
    IS_FENCE = 2
    IS_DESCRIPTION = 3
    IS_ADDRESS = 4

cdef enum:
    MAX_BYTES = 0x7FFF_0000
    # The marks of a byte of the text: its kind, whether it is a mark, and by how many bytes it is written.
    KINDS = 7
    HIDDEN = 8
    WIDTH = 4  # bits before it

PROSE, CODE_SPAN, FENCE, DESCRIPTION, ADDRESS = IS_PROSE, IS_CODE_SPAN, IS_FENCE, IS_DESCRIPTION, IS_ADDRESS
CODE_PAIR, EMPHASIS_PAIR, LINK_PAIR = "code", "emphasis", "link"


def may_hold_personal(const unsigned char[::1] source not None):
    """Tell whether Markdown may hold an address or a number: it has one of their signs in a possible place."""
    cdef Py_ssize_t at, size = source.shape[0]
    cdef unsigned char byte
    for at in range(size):
        byte = source[at]
        if byte == c"@":
            return True
        if byte == 0xEF:
            # A sign of full width: its last byte says which.
            if at + 2 < size and (source[at + 1] == 0xBC or source[at + 1] == 0xB9):
                byte = source[at + 2]
                if byte == 0xA0 or byte == 0xAB or byte == 0x8B or byte == 0x85 or 0x8E <= byte < 0x9A:
                    return True
            continue
        if byte == c"&" and at + 1 < size and (source[at + 1] == c"#" or source[at + 1] == c"\\"):
            return True
        if byte > c":" or byte != c"." and byte != c":" and byte != c"+" and byte != c"%" or at + 1 == size:
            continue
        if byte == c"%":
            if source[at + 1] == c"4" or source[at + 1] != c"\\" and _may_be_beside(source[at + 1], byte):
                return True
        elif byte == c"+" and source[at + 1] == SPACE:
            return True
        elif _may_be_beside(source[at + 1], byte) and (byte == c"+" or at and _may_be_beside(source[at - 1], byte)):
            return True
    return False


cdef bint _may_be_beside(unsigned char byte, unsigned char sign) noexcept nogil:
    """Whether a byte may stand next to a sign in an address: a digit, after or before a colon a letter, or a mark."""
    if sign == c":" and (c"a" <= byte | 0x20 <= c"f" or byte == c":"):
        return True
    return (
        byte >= 0x80 or _is_digit(byte) or byte == c"*" or byte == c"~" or byte == c"`" or byte == c"[" or byte == c"]"
        or byte == c"!" or byte == c")" or byte == c"(" or byte == c"\\"
    )


cdef bint _is_punctuation(unsigned char byte) noexcept nogil:
    return 0x21 <= byte <= 0x2F or 0x3A <= byte <= 0x40 or 0x5B <= byte <= 0x60 or 0x7B <= byte <= 0x7E


cdef bint _is_digit(unsigned char byte) noexcept nogil:
    return c"0" <= byte <= c"9"


cdef class Unmarked:
    """Markdown, UTF-8, without its marks.

    Attributes:
        text: the visible text, UTF-8; a tab ends each cell of a table, as in the text of a page, and a line feed each
            line. Descriptions of images come after it, and addresses of links and images after them, a line each.
        starts, stops: int32 (n,), the half-open range of bytes of the source that each byte of `text` is written by;
            [-1, -1) for tabs and line feeds.
        kinds: uint8 (n,), what each byte stands in: PROSE, CODE_SPAN, FENCE, DESCRIPTION or ADDRESS.
        pairs: the marks, each with its kind and the ranges of its two ends: (kind, start, stop, start, stop).
        paragraphs, headings: the ranges of the source that are lines of them, without what lines begin with.
    """

    cdef readonly bytes text
    cdef readonly object starts, stops, kinds
    cdef readonly list pairs, paragraphs, headings
    cdef const unsigned char[::1] source
    cdef unsigned char[::1] _text, _marks
    cdef int32_t[::1] _starts
    cdef Py_ssize_t _count
    cdef list _open, _brackets, _descriptions, _addresses

    def __init__(self, bytes source not None):
        cdef Py_ssize_t at, first, last, start, stop, count
        cdef unsigned char[::1] read
        cdef unsigned char[::1] marks
        cdef int32_t[::1] starts
        if len(source) > MAX_BYTES:
            raise ValueError(f"Markdown of more than {MAX_BYTES} bytes")
        self.source = source
        self.pairs, self.paragraphs, self.headings = [], [], []
        self._open, self._brackets, self._descriptions, self._addresses = [], [], [], []
        self._make(len(source) + 2)  # each byte of the source is one of the text at most, or ends a line or a cell
        self._read()
        count, read, marks, starts = self._count, self._text, self._marks, self._starts
        self._make(len(source) + 2 + len(self._descriptions) + len(self._addresses))
        for at in range(count):
            if not marks[at] & HIDDEN and marks[at] & KINDS != IS_DESCRIPTION:
                self._put(starts[at], starts[at] + (marks[at] >> WIDTH), read[at], marks[at] & KINDS)
        for first, last in self._descriptions:
            self._part(c"\n")
            for at in range(first, last):
                if not marks[at] & HIDDEN:
                    self._put(starts[at], starts[at] + (marks[at] >> WIDTH), read[at], marks[at] & KINDS)
        for start, stop in self._addresses:
            self._part(c"\n")
            for at in range(start, stop):
                self._put(at, at + 1, self.source[at], IS_ADDRESS)
        self.text = bytes(self._text[: self._count])
        self.starts, kinds = np.asarray(self._starts[: self._count]), np.asarray(self._marks[: self._count])
        self.stops, self.kinds = self.starts + (kinds >> WIDTH), kinds & KINDS

    cdef int _make(self, Py_ssize_t size) except -1:
        """Begin a text of this many bytes at most."""
        self._text, self._marks = np.empty(size, np.uint8), np.empty(size, np.uint8)
        self._starts = np.empty(size, np.int32)
        self._count = 0
        return 0

    cdef inline void _put(self, Py_ssize_t start, Py_ssize_t stop, unsigned char byte, int kind) noexcept:
        # There is room for all bytes that are read.
        self._text[self._count], self._starts[self._count] = byte, <int32_t>start
        self._marks[self._count] = <unsigned char>(kind | (stop - start) << WIDTH)
        self._count += 1

    cdef void _part(self, unsigned char byte) noexcept:
        self._put(-1, -1, byte, IS_PROSE)

    # Lines.

    cdef int _read(self) except -1:
        cdef const unsigned char[::1] source = self.source
        cdef Py_ssize_t at = 0, stop, first, size = source.shape[0], run, fence = 0, indent = 0, after
        cdef bint is_heading = False, is_table = False, is_other = False
        while at <= size:
            stop = find(source, c"\n", at, size) if at < size else -1
            if stop < 0:
                stop = size
            if fence:
                first = min(at + indent, stop)
                if stop - first >= fence and self._run(first, stop, c"`") == stop - first:
                    fence = 0
                else:
                    for after in range(first, stop):
                        self._put(after, after + 1, source[after], IS_FENCE)
            else:
                first = self._content(at, stop, &is_heading)
                run = self._run(first, stop, c"`")
                if run > 2 and find(source, c"`", first + run, stop) < 0:
                    fence, indent = run, first - at
                elif first < stop and source[first] == c"|" and (is_table or self._is_rule(stop + 1)):
                    if not is_table or not self._is_rule_line(first, stop):
                        self._read_row(first, stop)
                    is_table = True
                    self._part(c"\n")
                    at = stop + 1
                    continue
                else:
                    self._read_line(first, stop, is_heading)
            is_table = False
            self._part(c"\n")
            at = stop + 1
        return 0

    cdef Py_ssize_t _run(self, Py_ssize_t at, Py_ssize_t stop, unsigned char byte) noexcept:
        """How often a byte stands at `at` in a row."""
        cdef Py_ssize_t first = at
        while at < stop and self.source[at] == byte:
            at += 1
        return at - first

    cdef Py_ssize_t _content(self, Py_ssize_t at, Py_ssize_t stop, bint *is_heading) noexcept:
        """Where the content of the line [at, stop) begins: after quotes, markers of items, boxes and number signs."""
        cdef const unsigned char[::1] source = self.source
        cdef Py_ssize_t after
        cdef unsigned char byte
        cdef bint is_item = False
        is_heading[0] = False
        while at < stop:
            byte = source[at]
            after = at + 1
            if byte == SPACE or byte == c">":
                at += 1
                continue
            if _is_digit(byte):
                while after < stop and after - at < 9 and _is_digit(source[after]):
                    after += 1
                if after == stop or source[after] != c"." and source[after] != c")":
                    return at
                after += 1
            elif byte != c"-" and byte != c"*" and byte != c"+":
                break
            if after < stop and source[after] != SPACE:
                return at
            at = after
            is_item = True
        if is_item and at + 3 < stop and source[at] == c"[" and source[at + 2] == c"]" and source[at + 3] == SPACE:
            if source[at + 1] == SPACE or source[at + 1] == c"x":
                return at + 4
        after = at + self._run(at, min(stop, at + 7), c"#")
        if at < after <= at + 6 and (after == stop or source[after] == SPACE):
            is_heading[0] = True
            return min(after + 1, stop)
        return at

    cdef bint _is_rule(self, Py_ssize_t at) except -1:
        """Whether the line from `at` on parts the head of a table from its rows."""
        cdef Py_ssize_t stop, size = self.source.shape[0]
        cdef bint is_heading = False
        if at >= size:
            return False
        stop = find(self.source, c"\n", at, size)
        if stop < 0:
            stop = size
        return self._is_rule_line(self._content(at, stop, &is_heading), stop)

    cdef bint _is_rule_line(self, Py_ssize_t at, Py_ssize_t stop) noexcept:
        cdef Py_ssize_t first = at
        while at < stop and (self.source[at] == c"|" or self.source[at] == c"-" or self.source[at] == SPACE):
            at += 1
        return at == stop and stop - first >= 7 and self.source[first] == c"|" and self.source[first + 2] == c"-"

    cdef int _read_row(self, Py_ssize_t at, Py_ssize_t stop) except -1:
        """Read the cells of a row, which begins with a pipe."""
        cdef Py_ssize_t first = at + 1
        for at in range(first, stop):
            if self.source[at] == c"|" and self.source[at - 1] != c"\\":
                self._read_inline(first, at, True)
                self._part(c"\t")
                first = at + 1
        return self._read_inline(first, stop, True)

    cdef int _read_line(self, Py_ssize_t first, Py_ssize_t stop, bint is_heading) except -1:
        cdef Py_ssize_t slashes = 0
        if is_heading:
            self.headings.append((first, stop))
        elif first < stop:
            while stop - slashes > first and self.source[stop - slashes - 1] == c"\\":
                slashes += 1
            stop -= slashes & 1  # a backslash that breaks the line
            self.paragraphs.append((first, stop))
        return self._read_inline(first, stop, False)

    # The contents of lines.

    cdef int _read_inline(self, Py_ssize_t first, Py_ssize_t stop, bint in_cell) except -1:
        cdef const unsigned char[::1] source = self.source
        cdef Py_ssize_t at, run, end
        cdef unsigned char byte
        cdef int64_t unclosed = 0  # lengths of backticks that no others close
        while first < stop and source[first] == SPACE:
            first += 1
        while stop > first and source[stop - 1] == SPACE:
            stop -= 1
        self._open.clear()
        self._brackets.clear()
        at = first
        while at < stop:
            byte = source[at]
            if byte == c"\\" and at + 1 < stop and _is_punctuation(source[at + 1]):
                self._put(at, at + 2, source[at + 1], IS_PROSE)
                at += 2
            elif byte == c"`":
                run = self._run(at, stop, c"`")
                end = -1
                if run <= MAX_RUN and not unclosed >> run & 1:
                    end = self._closing(at + run, stop, run)
                    if end < 0:
                        unclosed |= <int64_t>1 << run
                if end >= 0:
                    self._read_code(at, run, end, in_cell)
                    at = end + run
                else:
                    for at in range(at, at + run):
                        self._put(at, at + 1, byte, IS_PROSE)
                    at += 1
            elif byte == c"*" or byte == c"~" and at + 1 < stop and source[at + 1] == c"~":
                run = self._run(at, stop, byte)
                self._read_emphasis(at, at + run, first, stop)
                at += run
            elif byte == c"[" or byte == c"!" and at + 1 < stop and source[at + 1] == c"[":
                run = 1 + (byte == c"!")
                self._brackets.append((self._count, at, run))
                for end in range(at, at + run):
                    self._put(end, end + 1, source[end], IS_PROSE)
                at += run
            elif byte == c"]" and self._brackets:
                at = self._close_bracket(at, stop)
            else:
                self._put(at, at + 1, byte, IS_PROSE)
                at += 1
        return 0

    cdef Py_ssize_t _closing(self, Py_ssize_t at, Py_ssize_t stop, Py_ssize_t length) except -2:
        """Where the next run of this many backticks begins; -1 if none follows."""
        cdef Py_ssize_t run
        while True:
            at = find(self.source, c"`", at, stop) if at < stop else -1
            if at < 0:
                return -1
            run = self._run(at, stop, c"`")
            if run == length:
                return at
            at += run

    cdef int _read_code(self, Py_ssize_t start, Py_ssize_t run, Py_ssize_t end, bint in_cell) except -1:
        cdef const unsigned char[::1] source = self.source
        cdef Py_ssize_t first = start + run, last = end, at
        if last - first > 2 and source[first] == SPACE and source[last - 1] == SPACE:
            first += 1
            last -= 1
        self.pairs.append((CODE_PAIR, start, first, last, end + run))
        at = first
        while at < last:
            if in_cell and source[at] == c"\\" and at + 1 < last and source[at + 1] == c"|":
                self._put(at, at + 2, c"|", IS_CODE_SPAN)
                at += 2
            else:
                self._put(at, at + 1, source[at], IS_CODE_SPAN)
                at += 1
        return 0

    cdef int _read_emphasis(self, Py_ssize_t at, Py_ssize_t end, Py_ssize_t first, Py_ssize_t stop) except -1:
        """Read a run of asterisks or tildes in the line [first, stop), and close what it closes (CommonMark 6.2)."""
        cdef const unsigned char[::1] source = self.source
        cdef Py_UCS4 before = code_point_before(source, at) if at > first else u" "
        cdef Py_UCS4 after = code_point(source, end) if end < stop else u" "
        cdef bint follows = not before.isspace(), leads = not after.isspace()
        cdef bint opens = leads and (not is_mark(after) or not follows or is_mark(before))
        cdef bint closes = follows and (not is_mark(before) or not leads or is_mark(after))
        cdef Py_ssize_t looked, size, begin = at, place = self._count
        cdef unsigned char byte = source[at]
        cdef list mark
        for at in range(begin, end):
            self._put(at, at + 1, byte, IS_PROSE)
        at = begin
        looked = len(self._open)
        while closes and at < end and looked > 0 and looked > len(self._open) - MAX_LOOKS:
            looked -= 1
            mark = self._open[looked]  # its byte, the range of the source that is left, its place in the text, both
            if mark[0] != byte or (mark[4] or opens) and not (mark[2] - mark[1] + end - at) % 3 and (end - at) % 3:
                continue
            size = min(2, mark[2] - mark[1], end - at)
            if byte == c"~" and size < 2:
                continue
            self.pairs.append((EMPHASIS_PAIR, mark[2] - size, mark[2], at, at + size))
            mark[2] -= size
            for _ in range(size):
                self._marks[mark[3] + mark[2] - mark[1] + _] |= HIDDEN
                self._marks[place + at - begin] |= HIDDEN
                at += 1
            del self._open[looked + (mark[2] > mark[1]) :]
            looked = len(self._open)
        if opens and at < end:
            self._open.append([byte, at, end, place + at - begin, closes])
        return 0

    cdef Py_ssize_t _close_bracket(self, Py_ssize_t at, Py_ssize_t stop) except -1:
        """Read the ] at `at`: the end of a link or an image if an address follows; return where to go on."""
        cdef Py_ssize_t place, start, width, end = -1, i
        place, start, width = self._brackets.pop()
        if at + 1 < stop and self.source[at + 1] == c"(":
            end = at + 2
            while end < stop and self.source[end] != c")" and self.source[end] != SPACE:
                end += 1
            if end == stop or self.source[end] != c")" or end == at + 2:
                end = -1
        if end < 0:
            self._put(at, at + 1, c"]", IS_PROSE)
            return at + 1
        while self._open and self._open[len(self._open) - 1][1] > start:
            self._open.pop()
        for i in range(place, place + width):
            self._marks[i] |= HIDDEN
        self.pairs.append((LINK_PAIR, start, start + width, at, end + 1))
        self._addresses.append((at + 2, end))
        if width == 2:
            for i in range(place + width, self._count):
                self._marks[i] = self._marks[i] & ~KINDS | IS_DESCRIPTION
            self._descriptions.append((place + width, self._count))
        return end + 1
