"""What of a line is marked, and where the marks stand: emphasis, struck text, code and links.

A line is its text, and intervals of it that are emphasised, struck, code or a link. An interval is marked only
where CommonMark would read its marks so, with the characters that stand around it (CommonMark 0.31, 6.2).
"""

import numpy as np

from libc.stdint cimport int64_t
from libc.stdlib cimport qsort
from libc.string cimport memset

from transforms.extractors.markdown._buffer cimport Records
from transforms.extractors.markdown._escaping cimport code_point, code_point_before, is_balanced, is_mark
from transforms.extractors.markdown._reading cimport CODE, HEADING, STRONG, STRUCK, BlockReader

from transforms.extractors.markdown.addresses import web_address

cdef enum:
    SPACE = 0x20
    MOST_OPEN = 8  # spans in one another: three styles and a link
    # What stands at a place of a line: an edge of code or of a link, of struck text, of emphasis; code; the end of a span.
    EDGE = 1
    STRUCK_EDGE = 2
    STARRED_EDGE = 4
    WITHIN_CODE = 8
    ENDS = 16


cdef class Marks:
    # found: marks in their order. addresses: of links, as Markdown has them.
    # base: what addresses are relative to; None: links are text.

    def __init__(self, bint emphasis, base):
        self.emphasis, self.base, self.addresses = emphasis, base, []
        self.found, self._runs, self._spans = Records(WIDTH), Records(3), Records(4)
        self._places = np.empty(256, np.uint8)

    cdef int find(self, BlockReader reader, Py_ssize_t line) except -1:
        """Finds the marks of a line that was read."""
        cdef const unsigned char[::1] text = reader.text.bytes
        cdef const int64_t[::1] lines = reader.lines.numbers
        cdef Py_ssize_t i, start = lines[4 * line], stop = lines[4 * line + 1]
        self.found.count = 0
        if lines[4 * line + 2] == lines[4 * line + 3]:
            return 0
        i = start
        while i < stop and (text[i] == c"-" or text[i] == c"*" or text[i] == c"_" or text[i] == c"=" or text[i] == SPACE):
            i += 1
        self._join(reader, line, i == stop)  # with marks it might be a rule
        if self._runs.count:
            self._sort_out(reader, start, stop)
        return 0

    cdef int _join(self, BlockReader reader, Py_ssize_t line, bint is_rule) except -1:
        """Takes the runs of a line that may be marked, by mark and place, those of one style joined where they touch."""
        cdef const int64_t[::1] read = reader.runs.numbers
        cdef int64_t[::1] runs
        cdef int64_t mark
        cdef Py_ssize_t number, at, count = 0
        self._runs.count = 0
        for number in range(reader.lines.numbers[4 * line + 2], reader.lines.numbers[4 * line + 3]):
            mark = read[3 * number + 2]
            if mark <= 0 and self.base is None:
                continue
            if mark > 0 and mark != CODE and (not self.emphasis or is_rule or mark == STRONG and reader.kind == HEADING):
                continue
            at = self._runs.add()
            runs = self._runs.numbers
            runs[at], runs[at + 1], runs[at + 2] = read[3 * number], read[3 * number + 1], mark
        if self._runs.count < 2:
            return 0
        qsort(&runs[0], self._runs.count, 3 * sizeof(int64_t), _by_mark)  # as many as there are
        for number in range(self._runs.count):
            at = 3 * number
            mark = runs[at + 2]
            if count and mark > 0 and runs[3 * count - 1] == mark and runs[at] <= runs[3 * count - 2]:
                runs[3 * count - 2] = max(runs[3 * count - 2], runs[at + 1])
                continue
            runs[3 * count], runs[3 * count + 1], runs[3 * count + 2] = runs[at], runs[at + 1], mark
            count += 1
        self._runs.count = count
        return 0

    cdef int _sort_out(self, BlockReader reader, Py_ssize_t start, Py_ssize_t stop) except -1:
        """Parts code from spans of marks, without the blanks at their edges."""
        cdef const unsigned char[::1] text = reader.text.bytes
        cdef const int64_t[::1] runs = self._runs.numbers
        cdef Py_ssize_t number, at, first, last, value
        cdef int64_t mark
        if stop - start >= self._places.shape[0]:
            self._places = np.empty(2 * (stop - start), np.uint8)
        memset(&self._places[0], 0, stop - start + 1)  # there is room
        self._spans.count = 0
        self.addresses.clear()
        for number in range(self._runs.count):
            first, last, mark = runs[3 * number], min(runs[3 * number + 1], stop), runs[3 * number + 2]
            while first < last and text[first] == SPACE:
                first += 1
            while last > first and text[last - 1] == SPACE:
                last -= 1
            if first >= last:
                continue
            value = 0
            if mark == CODE:
                self._note(first - start, last - start, EDGE)
                if last - first > 1:
                    memset(&self._places[first - start + 1], WITHIN_CODE, last - first - 1)  # within the line
                self._add(first, BEGINS_CODE, 0, mark, last)
                continue
            if mark <= 0:
                address = web_address(self.base, reader.attributes(-mark).get(b"href", b""))
                if address is None or not is_balanced(text, first, last):
                    continue
                value = len(self.addresses)
                self.addresses.append(address)
            at = self._spans.add()
            self._spans.numbers[at], self._spans.numbers[at + 1] = first, last
            self._spans.numbers[at + 2], self._spans.numbers[at + 3] = mark, value
        if self._spans.count:
            for number in range(self._spans.count):
                at = 4 * number
                mark = self._spans.numbers[at + 2]
                self._note(
                    self._spans.numbers[at] - start, self._spans.numbers[at + 1] - start,
                    EDGE if mark <= 0 else STRUCK_EDGE if mark == STRUCK else STARRED_EDGE,
                )
            self._choose(reader, start, stop)
        if self.found.count > 1:
            qsort(&self.found.numbers[0], self.found.count, WIDTH * sizeof(int64_t), _by_place)  # as many as there are
        return 0

    cdef int _note(self, Py_ssize_t start, Py_ssize_t stop, unsigned char mark) except -1:
        """Notes what stands at two places of a line."""
        self._places[start] |= mark
        self._places[stop] |= mark
        return 0

    cdef int _choose(self, BlockReader reader, Py_ssize_t first, Py_ssize_t last) except -1:
        """Takes the spans of the line [first, last) that a parser would read: none crosses another."""
        cdef const unsigned char[::1] text = reader.text.bytes
        cdef int64_t[::1] spans = self._spans.numbers
        cdef unsigned char[::1] places = self._places
        cdef Py_ssize_t number, start, stop, turn = 0
        cdef Py_ssize_t[MOST_OPEN] ends
        cdef int top = 0
        cdef int64_t mark
        if self._spans.count > 1:
            qsort(&spans[0], self._spans.count, 4 * sizeof(int64_t), _link_first)  # as many as there are
        for number in range(self._spans.count):
            start, stop, mark = spans[4 * number], spans[4 * number + 1], spans[4 * number + 2]
            while top and ends[top - 1] <= start:
                top -= 1
            if top == MOST_OPEN or top and stop > ends[top - 1]:
                continue  # it crosses another
            if (places[start - first] | places[stop - first]) & WITHIN_CODE:
                continue
            if mark > 0 and (places[start - first] & ENDS or not self._flanks(text, &spans[4 * number], first, last)):
                continue
            ends[top] = stop
            top += 1
            if mark > 0:
                places[stop - first] |= ENDS
            self._add(start, OPENS, turn, mark, 0)
            self._add(stop, CLOSES, -turn, mark, spans[4 * number + 3])
            turn += 1
        return 0

    cdef bint _flanks(
        self, const unsigned char[::1] text, const int64_t *span, Py_ssize_t first, Py_ssize_t last
    ) except -1:
        """Whether marks around a span open and close there: those of another character are punctuation to them."""
        cdef Py_ssize_t start = span[0], stop = span[1]
        cdef unsigned char others = EDGE | (STARRED_EDGE if span[2] == STRUCK else STRUCK_EDGE)
        if start > first and text[start - 1] != SPACE:
            if self._places[start - first] & others or is_mark(code_point(text, start)):
                if not is_mark(code_point_before(text, start)):
                    return False
        if stop < last and text[stop] != SPACE:
            if self._places[stop - first] & others or is_mark(code_point_before(text, stop)):
                if not is_mark(code_point(text, stop)):
                    return False
        return True

    cdef int _add(self, Py_ssize_t place, int kind, Py_ssize_t turn, int64_t mark, int64_t value) except -1:
        cdef Py_ssize_t at = self.found.add()
        cdef int64_t[::1] numbers = self.found.numbers
        numbers[at + PLACE], numbers[at + KIND], numbers[at + TURN] = place, kind, turn
        numbers[at + MARK], numbers[at + VALUE] = mark, value
        return 0


cdef int _compared(int64_t one, int64_t other) noexcept nogil:
    return (one > other) - (one < other)


cdef int _by_mark(const void *one, const void *other) noexcept nogil:
    cdef const int64_t *a = <const int64_t *>one
    cdef const int64_t *b = <const int64_t *>other
    return _compared(a[2], b[2]) or _compared(a[0], b[0]) or _compared(a[1], b[1])


cdef int _by_place(const void *one, const void *other) noexcept nogil:
    cdef const int64_t *a = <const int64_t *>one
    cdef const int64_t *b = <const int64_t *>other
    return _compared(a[PLACE], b[PLACE]) or _compared(a[KIND], b[KIND]) or _compared(a[TURN], b[TURN])


cdef int _link_first(const void *one, const void *other) noexcept nogil:
    """By start, the longer one first; of equal ones a link, then struck text, then what is strong."""
    cdef const int64_t *a = <const int64_t *>one
    cdef const int64_t *b = <const int64_t *>other
    return (
        _compared(a[0], b[0]) or _compared(b[1], a[1])
        or _compared(a[2] > 0, b[2] > 0) or _compared(b[2], a[2])
    )
