"""Paragraphs, headings and cells as Markdown: their lines with marks, links, formulas and escapes."""

import re

import numpy as np

from libc.stdint cimport int64_t
from libc.string cimport memcmp

from transforms.extractors.html._bytes cimport find
from transforms.extractors.markdown._buffer cimport PrefixedLines
from transforms.extractors.markdown._escaping cimport (
    DOLLARS, MARKED_AFTER, MARKED_BEFORE, PIPES, TILDES, Line, escape_end, escape_start, put_code_span, put_escaped,
)
from transforms.extractors.markdown._marks cimport (
    BEGINS_CODE, CLOSES, KIND, MARK, PLACE, VALUE, WIDTH, Marks,
)
from transforms.extractors.markdown._reading cimport CELL, CODE, EM, HEADING, PARAGRAPH, STRONG, BlockReader

from transforms.extractors.markdown import lines as line_records

_NOTE = re.compile(r"(^\[\^[0-9]+\]):")
_BACKTICKS = re.compile("`+")


cdef class Inline:
    # What is read stands in the reader; where it has formulas, it is `paragraphs` of records, or one record there.
    # whole: all text of such paragraphs.

    def __init__(self, BlockReader reader not None, PrefixedLines out not None, Marks marks not None, placed not None):
        self.reader, self.out, self.marks = reader, out, marks
        self.between, self.has_formulas, self.delimiters = placed.between, placed.has_tex, placed.delimiters
        self.leaves_out = placed.has_notes
        if self.delimiters is not None:
            self.signs = [each.opened.encode() for each in self.delimiters.known]

    cdef bint read(self, const int64_t[::1] items, Py_ssize_t count, int kind) except -1:
        """Reads blocks, and what stands between blocks, which has negative numbers; whether there is text."""
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
            if self.leaves_out:
                records = [line_records.without_empty(line) if line.formulas else line for line in records]
            if self.delimiters is not None:
                records = line_records.with_formulas(records, self.delimiters)
            return self._take(records, kind)
        if kind != PARAGRAPH:
            reader.join()
        return reader.lines.count > 0

    cdef bint _has_tex(self) except -1:
        """Whether what formulas in text begin with stands in what is read."""
        cdef const unsigned char[::1] text = self.reader.text.bytes
        cdef Py_ssize_t at, length, size = self.reader.text.size
        cdef const unsigned char *sign
        cdef bytes opened
        for opened in self.signs:
            sign, length = opened, len(opened)
            at = find(text, sign[0], 0, size)
            while at >= 0 and at + length <= size:
                if memcmp(&text[at], sign, length) == 0:  # within what is read
                    return True
                at = find(text, sign[0], at + 1, size)
        return False

    cdef bint _take(self, list records, int kind) except -1:
        """Takes lines with formulas; whether there is text."""
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
        """Writes what was read, of which there is some."""
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

    cdef str cell(self, list items):
        """One line of a table's cell."""
        cdef Py_ssize_t begin = self.out.size
        cdef str written
        if not self.read(np.array(items, np.int64), len(items), CELL):
            return ""
        self.write()
        written = self.out.text(begin)
        self.out.size = begin
        return written

    cdef int _write_paragraphs(self) except -1:
        """Writes lines with formulas: one paragraph, but for formulas that stand apart."""
        cdef BlockReader reader = self.reader
        cdef bytes whole = self.whole.encode()
        cdef Line context = self._context(whole, 0, len(whole))
        cdef Py_ssize_t number, count
        for number, lines in enumerate(self.paragraphs):
            if number:
                self.out.next_line(True)
                self.out.next_line(False)
            if len(lines) == 1 and lines[0].text == line_records.STAND_IN:
                self.out.put_lines(lines[0].formulas[0].apart())
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
        context.start, context.stop, context.links, context.around, context.beside = start, stop, -1, 0, 0
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
        # GFM strikes out what stands between single tildes, too; CommonMark knows none.
        at = find(text, c"~", start, stop)
        if at >= 0 and find(text, c"~", at + 1, stop) >= 0:
            context.around |= TILDES
        return context

    cdef int _write_line(self, Py_ssize_t number, Line line) except -1:
        """Writes a line that was read, of a text of which `line` tells."""
        cdef BlockReader reader = self.reader
        cdef PrefixedLines out = self.out
        cdef const unsigned char[::1] text = reader.text.bytes
        cdef const int64_t[::1] marks
        cdef Py_ssize_t i, at, place, begin = out.size
        line.start, line.stop = reader.lines.numbers[4 * number], reader.lines.numbers[4 * number + 1]
        if reader.kind == CELL:
            line.around |= PIPES
        self.marks.find(reader, number)
        marks = self.marks.found.numbers
        at = line.start
        for i in range(0, WIDTH * self.marks.found.count, WIDTH):
            place = marks[i + PLACE]
            if place > at:
                line.beside = MARKED_AFTER | (MARKED_BEFORE if out.size > begin else 0)
                put_escaped(out, text, at, place, &line)
            at = place
            if marks[i + KIND] == BEGINS_CODE:
                at = marks[i + VALUE]
                put_code_span(out, text, place, at, reader.kind == CELL)
            elif marks[i + MARK] > 0:
                out.put_byte(c"*" if marks[i + MARK] <= STRONG else c"~")
                if marks[i + MARK] != EM:
                    out.put_byte(c"*" if marks[i + MARK] == STRONG else c"~")
            elif marks[i + KIND] == CLOSES:
                out.put_text(f"]({self.marks.addresses[marks[i + VALUE]]})")
            else:
                out.put_byte(c"[")
        line.beside = MARKED_BEFORE if out.size > begin else 0
        put_escaped(out, text, at, line.stop, &line)
        if reader.kind == HEADING:
            escape_end(out, begin)
        elif reader.kind == PARAGRAPH:
            escape_start(out, begin)
        if self.has_records:
            written = _with_formulas(out.text(begin), reader.formulas or [], reader.kind == CELL)
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
    written = "".join([piece for pair in zip(pieces, [*made, ""]) for piece in pair])
    return _NOTE.sub(r"\1\\:", written) if formulas else written


def fenced(str code not None, str language not None):
    """Code between fences longer than any run of backticks in it."""
    longest = max([len(run) for run in _BACKTICKS.findall(code)]) if "`" in code else 0
    fence = "`" * max(3, longest + 1)
    return [fence + language, *code.split("\n"), fence]
