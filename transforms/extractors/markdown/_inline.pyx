"""Paragraphs, headings and cells as Markdown: their lines with marks, links, formulas and escapes.

A line is its text, and intervals of it that are emphasised, struck, code or a link. An interval is marked only
where CommonMark would read its marks so, with the characters that stand around it (CommonMark 0.31, 6.2).
"""

from bisect import bisect_left
import re

import numpy as np

from libc.stdint cimport int64_t
from libc.stdlib cimport qsort
from libc.string cimport memcmp, memset

from cedar.transforms.extractors.html._bytes cimport SPACE, find
from cedar.transforms.extractors.html._growing cimport Records
from cedar.transforms.extractors.markdown._escaping cimport (
    BRACKETS, DOLLARS, LINKED, MARKED_AFTER, MARKED_BEFORE, PIPES, TILDES, Line, brackets_of_link, code_point,
    code_point_before, escape_end, escape_start, is_balanced, is_mark, put_code_span, put_escaped,
)
from cedar.transforms.extractors.markdown._reading cimport (
    CELL, CODE, EM, HEADER, HEADING, PARAGRAPH, STRONG, STRUCK, BlockReader,
)

from cedar.transforms.extractors.markdown import lines as line_records
from cedar.transforms.extractors.markdown.lines import Insert, web_address

_ESCAPED = re.compile(rb"\\.")

cdef enum:
    MAX_OPEN = 8  # spans in one another: three styles and a link
    # Marks of a place in a line: an edge of code or of a link, of struck text, of emphasis; code; a span's end.
    EDGE = 1
    STRUCK_EDGE = 2
    STARRED_EDGE = 4
    WITHIN_CODE = 8
    ENDS = 16


cdef class PrefixedLines(ByteBuffer):
    """Lines that begin with a prefix: its first `prefix_size` bytes, or `bare_size` where nothing follows."""

    cdef int next_line(self, bint is_empty) except -1:
        """End a line, and begin the next one."""
        cdef Py_ssize_t i, size = self.bare_size if is_empty else self.prefix_size
        self.reserve(size + 1)
        self.bytes[self.size] = c"\n"
        for i in range(size):
            self.bytes[self.size + 1 + i] = self.prefix[i]
        self.size += size + 1
        return 0

    cdef int put_lines(self, list lines) except -1:
        """Write lines; the first of them is begun."""
        cdef Py_ssize_t number
        for number, line in enumerate(lines):
            if number:
                self.next_line(not line)
            self.put_text(line)
        return 0


cdef class Marks:
    # _unpaired: where formulas of the line stand that have a square bracket without its other one.
    # found: marks in their order. addresses: of links, as Markdown has them.
    # base: what addresses are relative to; None: links are text.

    def __init__(self, bint emphasis, base):
        self.emphasis, self.base, self.addresses = emphasis, base, []
        self.found, self._runs, self._spans = Records(WIDTH), Records(3), Records(4)
        self._places = np.empty(256, np.uint8)

    cdef int find(self, BlockReader reader, Py_ssize_t line) except -1:
        """Find the marks of a line that was read."""
        cdef const int64_t[::1] lines = reader.lines.numbers
        cdef Py_ssize_t start = lines[4 * line], stop = lines[4 * line + 1]
        self.found.count = 0
        if lines[4 * line + 2] == lines[4 * line + 3]:
            return 0
        self._join(reader, line)
        if self._runs.count:
            self._sort_out(reader, start, stop)
        return 0

    cdef int _join(self, BlockReader reader, Py_ssize_t line) except -1:
        """Take the runs of a line that may be marked, by mark and place, runs of one style joined where at most
        a blank is between."""
        cdef const int64_t[::1] read = reader.runs.numbers
        cdef int64_t[::1] runs
        cdef int64_t mark
        cdef Py_ssize_t number, at, count = 0
        self._runs.count = 0
        for number in range(reader.lines.numbers[4 * line + 2], reader.lines.numbers[4 * line + 3]):
            mark = read[3 * number + 2]
            if mark <= 0 and self.base is None:
                continue
            if mark > 0 and mark != CODE and (not self.emphasis or mark == STRONG and reader.kind == HEADING):
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
            if count and mark > 0 and runs[3 * count - 1] == mark and (
                runs[at] <= runs[3 * count - 2]
                or mark != CODE and runs[at] == runs[3 * count - 2] + 1 and reader.text.bytes[runs[at] - 1] == SPACE
            ):
                runs[3 * count - 2] = max(runs[3 * count - 2], runs[at + 1])
                continue
            runs[3 * count], runs[3 * count + 1], runs[3 * count + 2] = runs[at], runs[at + 1], mark
            count += 1
        self._runs.count = count
        return 0

    cdef int _sort_out(self, BlockReader reader, Py_ssize_t start, Py_ssize_t stop) except -1:
        """Part code from spans of marks, without the blanks at their edges."""
        cdef const unsigned char[::1] text = reader.text.bytes
        cdef const int64_t[::1] runs = self._runs.numbers
        cdef Py_ssize_t number, at, first, last, value
        cdef int64_t mark
        if stop - start >= self._places.shape[0]:
            self._places = np.empty(2 * (stop - start), np.uint8)
        memset(&self._places[0], 0, stop - start + 1)  # there is room
        self._spans.count = 0
        self._unpaired = None
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
                if address is None or reader.formulas and not self._may_link(reader, first, last):
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

    cdef bint _may_link(self, BlockReader reader, Py_ssize_t first, Py_ssize_t last) except -1:
        """Whether a link's text may have the square brackets of the formulas in [first, last)."""
        if self._unpaired is None:
            self._unpaired = []
            places = (np.asarray(reader.text.bytes[: reader.text.size]) == 0).nonzero()[0].tolist()
            for at, formula in zip(places, reader.formulas):
                # Of an image they have backslashes, or are pairs.
                written = b"" if isinstance(formula, Insert) else _ESCAPED.sub(b"", formula.inline(False).encode())
                if not is_balanced(written, 0, len(written)):
                    self._unpaired.append(at)
        return bisect_left(self._unpaired, first) == bisect_left(self._unpaired, last)

    cdef int _note(self, Py_ssize_t start, Py_ssize_t stop, unsigned char mark) except -1:
        """Add a mark at two places of a line."""
        self._places[start] |= mark
        self._places[stop] |= mark
        return 0

    cdef int _choose(self, BlockReader reader, Py_ssize_t first, Py_ssize_t last) except -1:
        """Take the spans of the line [first, last) that a parser would read: none crosses another."""
        cdef const unsigned char[::1] text = reader.text.bytes
        cdef int64_t[::1] spans = self._spans.numbers
        cdef unsigned char[::1] places = self._places
        cdef Py_ssize_t number, start, stop, turn = 0
        cdef Py_ssize_t[MAX_OPEN] ends
        cdef int top = 0
        cdef int64_t mark
        if self._spans.count > 1:
            qsort(&spans[0], self._spans.count, 4 * sizeof(int64_t), _link_first)  # as many as there are
        for number in range(self._spans.count):
            start, stop, mark = spans[4 * number], spans[4 * number + 1], spans[4 * number + 2]
            while top and ends[top - 1] <= start:
                top -= 1
            if top == MAX_OPEN or top and stop > ends[top - 1]:
                continue  # it crosses another
            if (places[start - first] | places[stop - first]) & WITHIN_CODE:
                continue
            if mark > 0 and (places[start - first] & ENDS or not self._flanks(text, &spans[4 * number], first, last)):
                continue
            ends[top] = stop
            top += 1
            if mark > 0:
                places[stop - first] |= ENDS
            self._add(start, OPENS, turn, mark, stop)
            self._add(stop, CLOSES, -turn, mark, spans[4 * number + 3])
            turn += 1
        return 0

    cdef bint _flanks(
        self, const unsigned char[::1] text, const int64_t *span, Py_ssize_t first, Py_ssize_t last
    ) except -1:
        """Whether marks around a span open and close there; marks of another character are punctuation to them."""
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
    """Compare spans: by start, the longer one first; then links, struck text, strong text."""
    cdef const int64_t *a = <const int64_t *>one
    cdef const int64_t *b = <const int64_t *>other
    return (
        _compared(a[0], b[0]) or _compared(b[1], a[1])
        or _compared(a[2] > 0, b[2] > 0) or _compared(b[2], a[2])
    )


_BACKTICKS = re.compile("`+")


cdef class Inline:
    # What is read stands in the reader; where it has formulas, it is `paragraphs` of records, or one record there.
    # whole: all text of such paragraphs. items: of a cell. is_item: whether the number or the bullet that a
    # paragraph begins with makes it an item.

    def __init__(self, BlockReader reader not None, PrefixedLines out not None, Marks marks not None, placed not None):
        self.reader, self.out, self.marks = reader, out, marks
        self.between, self.has_formulas, self.delimiters = placed.between, placed.has_tex, placed.delimiters
        self.items = Records(1)
        if self.delimiters is not None:
            self.signs = [each.opened.encode() for each in self.delimiters.known]

    cdef bint read(self, const int64_t[::1] items, Py_ssize_t count, int kind) except -1:
        """Read blocks and inserts between blocks, which have negative numbers; return whether there is text."""
        cdef BlockReader reader = self.reader
        cdef Py_ssize_t i
        reader.begin(kind, self.marks.base is not None)
        for i in range(count):
            if items[i] < 0:
                reader.add_formula(self.between[-1 - items[i]][1])
            else:
                reader.read(items[i])
        self.paragraphs, self.has_records = None, False
        if reader.formulas is not None or self.delimiters is not None and self._has_tex():
            records = reader.records()
            if self.delimiters is not None:
                records = line_records.with_formulas(records, self.delimiters)
            return self._take(records, kind)
        if kind != PARAGRAPH:
            reader.join()
        return reader.lines.count > 0

    cdef bint _has_tex(self) except -1:
        """Whether the text that was read has a delimiter of formulas."""
        cdef const unsigned char[::1] text = self.reader.text.bytes
        cdef Py_ssize_t at, length, size = self.reader.text.size
        cdef const unsigned char *sign
        cdef bytes opened
        for opened in self.signs:
            sign, length = opened, len(opened)
            at = find(text, sign[0], 0, size)
            while at >= 0 and at + length <= size:
                if memcmp(&text[at], sign, length) == 0:  # within the line
                    return True
                at = find(text, sign[0], at + 1, size)
        return False

    cdef bint _take(self, list records, int kind) except -1:
        """Take lines with formulas; whether there is text."""
        self.has_records = True
        if kind == PARAGRAPH:
            self.whole = "\n".join([line.text for line in records])
            self.paragraphs = line_records.apart(records)
            return len(self.paragraphs) > 0
        line = line_records.joined(records, " ")
        self.reader.load(line)
        self.reader.formulas = line.formulas or None
        return self.reader.lines.count > 0

    cdef int write(self) except -1:
        """Write the text that was read, which is not empty."""
        cdef BlockReader reader = self.reader
        cdef const int64_t[::1] lines = reader.lines.numbers
        cdef Py_ssize_t number, count = reader.lines.count
        cdef Line context
        if self.paragraphs is not None:
            return self._write_paragraphs()
        context = self._context(reader.text.bytes, lines[0], lines[4 * count - 3])
        if reader.kind != PARAGRAPH:
            return self._write_line(0, context)
        if count > 1:
            number = 0
            while number < count and self._is_code(number):
                number += 1
            if number == count:
                return self.out.put_lines(fenced("\n".join([line.text for line in reader.records()]), ""))
        for number in range(count):
            if number:
                self.out.put_byte(c"\\")
                self.out.next_line(False)
            self._write_line(number, context)
        return 0

    cdef str cell(self, list items, bint is_header):
        """Write a table's cell as one line; if it is no header, its parts have semicolons between them.
        """
        cdef Py_ssize_t begin = self.out.size
        cdef str written
        self.items.count = 0
        for item in items:
            self.items.put(item)
        if not self.read(self.items.numbers, self.items.count, HEADER if is_header else CELL):
            return ""
        self.write()
        written = self.out.text(begin)
        self.out.size = begin
        return written

    cdef int _write_paragraphs(self) except -1:
        """Write lines with formulas: one paragraph, but for formulas that stand apart."""
        cdef BlockReader reader = self.reader
        cdef bytes whole = self.whole.encode()
        cdef Line context = self._context(whole, 0, len(whole))
        cdef Py_ssize_t number, count
        for number, lines in enumerate(self.paragraphs):
            if number:
                self.out.next_line(True)
                self.out.next_line(False)
            if len(lines) == 1 and lines[0].text == line_records.STAND_IN:
                apart = lines[0].formulas[0].apart()
                if apart is not None:
                    self.out.put_lines(apart)
                    continue
            if len(lines) > 1 and all([self._is_code_record(line) for line in lines]):
                self.out.put_lines(fenced("\n".join([line.text for line in lines]), ""))
                continue
            count = 0
            for line in lines:
                if count:
                    self.out.put_byte(c"\\")
                    self.out.next_line(False)
                reader.load(line)
                reader.formulas = line.formulas or None
                self._write_line(0, context)
                count += 1
        return 0

    def _is_code_record(self, line):
        """Whether all of a line is code, and no formula is in it."""
        if line.formulas:
            return False
        self.reader.load(line)
        return self._is_code(0)

    cdef Line _context(self, const unsigned char[::1] text, Py_ssize_t start, Py_ssize_t stop) except *:
        """Up to where square brackets may open links in a text, and what characters mean in it."""
        cdef Line context
        cdef Py_ssize_t at
        context.start, context.stop, context.links, context.around, context.neighbours = start, stop, -1, 0, 0
        at = find(text, c"[", start, stop)
        if at >= 0:
            at = find(text, c"]", at, stop)
            while at >= 0 and at + 1 < stop:
                if text[at + 1] == c"(" or text[at + 1] == c"[":
                    context.links = at
                at = find(text, c"]", at + 1, stop)
        if self.has_formulas:
            at = find(text, c"$", start, stop)
            if at >= 0 and find(text, c"$", at + 1, stop) >= 0 or find(text, 0, start, stop) >= 0:
                context.around |= DOLLARS
        # GFM strikes out text between single tildes, too; CommonMark knows no tildes.
        at = find(text, c"~", start, stop)
        if at >= 0 and find(text, c"~", at + 1, stop) >= 0:
            context.around |= TILDES
        return context

    cdef int _write_line(self, Py_ssize_t number, Line line) except -1:
        """Write a line that was read; `line` tells of its text."""
        cdef BlockReader reader = self.reader
        cdef PrefixedLines out = self.out
        cdef const unsigned char[::1] text = reader.text.bytes
        cdef const int64_t[::1] marks
        cdef Py_ssize_t mark, i, at, place, begin = out.size
        line.start, line.stop = reader.lines.numbers[4 * number], reader.lines.numbers[4 * number + 1]
        if reader.kind >= CELL:
            line.around |= PIPES
        self.marks.find(reader, number)
        marks = self.marks.found.numbers
        for mark in range(self.marks.found.count):
            if marks[WIDTH * mark + MARK] == STRUCK:
                line.around |= TILDES
        at = line.start
        for mark in range(self.marks.found.count):
            i = WIDTH * mark
            place = marks[i + PLACE]
            if place > at:
                line.neighbours = MARKED_AFTER | (MARKED_BEFORE if out.size > begin else 0)
                put_escaped(out, text, at, place, &line)
            at = place
            if marks[i + KIND] == BEGINS_CODE:
                at = marks[i + VALUE]
                put_code_span(out, text, place, at, reader.kind >= CELL)
            elif marks[i + MARK] > 0:
                out.put_byte(c"*" if marks[i + MARK] <= STRONG else c"~")
                if marks[i + MARK] != EM:
                    out.put_byte(c"*" if marks[i + MARK] == STRONG else c"~")
            elif marks[i + KIND] == CLOSES:
                line.around &= ~(BRACKETS | LINKED)
                out.put_text(f"]({self.marks.addresses[marks[i + VALUE]]})")
            else:
                out.put_byte(c"[")
                line.around |= brackets_of_link(text, place, marks[i + VALUE], line.links)
                if marks[i + WIDTH + PLACE] < marks[i + VALUE]:
                    line.around |= BRACKETS  # marks in it: what its brackets mean is not looked at
                if text[place] == c"^" and marks[i + WIDTH + PLACE] > place:
                    out.put_byte(c"\\")  # it would refer to a footnote
        line.neighbours = MARKED_BEFORE if out.size > begin else 0
        put_escaped(out, text, at, line.stop, &line)
        if reader.kind == HEADING:
            escape_end(out, begin)
        elif reader.kind == PARAGRAPH and self.is_item and number == 0:
            if out.bytes[begin] >= 0x80:
                written = out.text(begin)
                out.size = begin
                out.put_text("-" + written[1:])  # a bullet
        elif reader.kind == PARAGRAPH:
            escape_start(out, begin)
        if self.has_records:
            written = _with_formulas(out.text(begin), reader.formulas or [], reader.kind >= CELL)
            out.size = begin
            out.put_text(written)
        return 0

    cdef bint _is_code(self, Py_ssize_t number) except -1:
        """Whether all of a line is code."""
        cdef const int64_t[::1] lines = self.reader.lines.numbers, runs = self.reader.runs.numbers
        cdef Py_ssize_t run, covered = lines[4 * number]
        for run in range(lines[4 * number + 2], lines[4 * number + 3]):
            if runs[3 * run + 2] == CODE and runs[3 * run] <= covered:
                covered = max(covered, <Py_ssize_t>runs[3 * run + 1])
        return covered >= lines[4 * number + 1]


cdef str _with_formulas(str written, list formulas, bint in_cell):
    """A line with its formulas in their places, and without macros, which show nothing."""
    nothing = line_records.NOTHING
    if nothing in written:
        written = written.replace(f" {nothing} ", " ").replace(nothing, "").strip(" ")
    pieces = written.split(line_records.STAND_IN)
    made = [each.inline(in_cell) for each in formulas]
    return "".join([piece for pair in zip(pieces, [*made, ""]) for piece in pair])


cdef list fenced(str code, str language):
    """Code between fences longer than any run of backticks in it."""
    longest = max([len(run) for run in _BACKTICKS.findall(code)]) if "`" in code else 0
    fence = "`" * max(3, longest + 1)
    return [fence + language, *code.split("\n"), fence]
