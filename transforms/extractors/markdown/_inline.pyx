# cython: wraparound=True, boundscheck=True
"""Lines as Markdown: emphasis, code spans, links, formulas, escapes.

A line is its text, and intervals of it that are emphasised, struck, code or a link. An interval is marked only
where CommonMark would read its marks so, with the characters that stand around it (CommonMark 0.31, 6.2).
"""

import re
from bisect import bisect_left

from transforms.extractors.cedar._page cimport SegmentedPage
from transforms.extractors.markdown._escaping cimport code_span, escaped, is_balanced, is_mark
from transforms.extractors.markdown._reading cimport BlockReader

from transforms.extractors.markdown import lines as line_records
from transforms.extractors.markdown.addresses import web_address

PARAGRAPH, HEADING, CELL = range(3)

cdef enum:
    EM = 1  # as in `_reading`
    STRONG = 2
    STRUCK = 4
    CODE = 8
    IN_HEADING = 1  # as above
    IN_CELL = 2
    MARKED_BEFORE = 1  # as in `_escaping`
    MARKED_AFTER = 2
    PIPES = 4
    DOLLARS = 8
    TILDES = 16

MARKS = {EM: "*", STRONG: "**", STRUCK: "~~"}

_LINE_START = re.compile(
    r"#{1,6}(?= |$)|[-+](?= |$)|\*(?= |$)|>|~~~|[-=](?=[-= ]*$)|[-*_](?=(?: *[-*_]){2,} *$)"
    r"|\|?[ :|-]*-[ :|-]*$|:(?=[ :|-]+$)"
)
_MAY_BEGIN = frozenset("#-+*>~=_|: 0123456789")
_NUMBER = re.compile(r"([0-9]{1,9})([.)])(?= |$)")
_NOTE = re.compile(r"(^\[\^[0-9]+\]):")
_BACKTICKS = re.compile("`+")
_PERMALINK = frozenset({"#", "¶", "§", "🔗"})


cdef class Inline:
    cdef SegmentedPage page
    cdef BlockReader reader
    cdef object base, delimiters
    cdef list between
    cdef bint emphasis, links, has_formulas, leaves_out

    def __init__(self, BlockReader reader not None, SegmentedPage page not None, base, bint emphasis, placed not None):
        self.reader, self.page, self.base, self.emphasis = reader, page, base, emphasis
        self.links = base is not None
        self.between, self.has_formulas, self.delimiters = placed.between, placed.has_tex, placed.delimiters
        self.leaves_out = placed.has_notes

    @property
    def box(self):
        """The check box before the text that was written last."""
        return self.reader.box

    def element(self, Py_ssize_t item):
        """The element around what stands between blocks."""
        return self.between[-1 - item][0]

    def code(self, list blocks not None):
        """Reads preformatted blocks as they stand, outer blank lines apart."""
        return self.reader.code(blocks)

    cdef list _read(self, list items):
        """The lines of blocks, and of what stands between blocks, which has negative numbers."""
        self.reader.begin()
        read = []
        for item in items:
            if item < 0:
                read.append(line_records.TextLine(line_records.STAND_IN, [], [self.between[-1 - item][1]]))
            else:
                line = self.reader.read(item)
                read.append(line_records.without_empty(line) if self.leaves_out and line.formulas else line)
        if self.delimiters is None or not any([self.delimiters.may_be_in(line.text) for line in read]):
            return read
        return line_records.with_formulas(read, self.delimiters)

    def paragraphs(self, list items not None):
        """Writes blocks as paragraphs: one, but for formulas that stand apart."""
        read = self._read(items)
        whole = "\n".join([line.text for line in read])
        links, edges = self._context(whole)
        out = []
        for lines in line_records.apart(read):
            if lines[0].text == line_records.STAND_IN and len(lines) == 1:
                out.append(lines[0].formulas[0].apart())
                continue
            if len(lines) > 1 and all([_is_code(line) for line in lines]):
                out.append(fenced("\n".join([line.text for line in lines]), ""))
                continue
            written = [self._write(line, links, edges, 0) for line in lines]
            out.append([line + "\\" for line in written[:-1]] + written[-1:])
        return out

    def heading(self, list items not None):
        """Writes blocks as one line of a heading."""
        line = line_records.joined([self._without_anchors(line) for line in self._read(items)], " ")
        if not line.text:
            return ""
        links, edges = self._context(line.text)
        return self._write(line, links, edges, IN_HEADING)

    def cell(self, list items not None):
        """Writes blocks as one line of a table's cell."""
        line = line_records.joined(self._read(items), " ")
        if not line.text:
            return ""
        links, edges = self._context(line.text)
        return self._write(line, links, edges | PIPES, IN_CELL)

    cdef tuple _context(self, str whole):
        """Up to where square brackets may open links in a paragraph, and whether dollars have a meaning."""
        dollars = self.has_formulas and (line_records.STAND_IN in whole or whole.count("$") > 1)
        # GFM strikes out what stands between single tildes, too; CommonMark knows none.
        tildes = TILDES * (whole.count("~") > 1)
        return max(whole.rfind("]("), whole.rfind("][")), DOLLARS * dollars | tildes

    cdef object _without_anchors(self, line):
        """A line of a heading without links to itself at its edges: a sharp or a pilcrow."""
        for start, stop, mark in line.runs:
            if mark > 0 or line.text[start:stop].strip() not in _PERMALINK:
                continue
            if b"#" not in self.reader.attributes(-mark).get(b"href", b""):
                continue
            if not line.text[stop:].strip() and line.text[:start].strip():
                return line.part(0, start)
            if not line.text[:start].strip() and line.text[stop:].strip():
                return line.part(stop, len(line.text))
        return line

    cdef str _write(self, line, Py_ssize_t links, int edges, int kind):
        """A line of Markdown."""
        cdef str text = line.text
        cdef list out = []
        marks = self._marks(text, line.runs, kind) if line.runs else ()
        at = 0
        for place, _, _, written, code in marks:
            if code is not None:
                if place > at:
                    out.append(escaped(text, at, place, links, edges | MARKED_AFTER | (MARKED_BEFORE if out else 0)))
                out.append(code_span(text[place:code], kind == IN_CELL))
                at = code
                continue
            if place > at:
                out.append(escaped(text, at, place, links, edges | MARKED_AFTER | (MARKED_BEFORE if out else 0)))
                at = place
            out.append(written)
        out.append(escaped(text, at, len(text), links, edges | (MARKED_BEFORE if out else 0)))
        written = "".join(out)
        if kind == IN_HEADING:
            bare = written.rstrip("#")
            if len(bare) < len(written) and bare[-1:] in ("", " "):
                written = f"{bare}\\{written[len(bare):]}"
        elif kind != IN_CELL and written[:1] in _MAY_BEGIN:
            if _LINE_START.match(written) is not None:
                written = "\\" + written
            elif (found := _NUMBER.match(written)) is not None:
                written = f"{found[1]}\\{written[found.end(1):]}"
        if line_records.NOTHING in written:
            written = written.replace(f" {line_records.NOTHING} ", " ").replace(line_records.NOTHING, "").strip(" ")
        if line.formulas:
            pieces = written.split(line_records.STAND_IN)
            made = [each.inline(kind == IN_CELL) for each in line.formulas]
            written = "".join([piece for pair in zip(pieces, [*made, ""]) for piece in pair])
            written = _NOTE.sub(r"\1\\:", written)
        return written

    cdef list _marks(self, str text, list runs, int kind):
        """The marks of a line in their order: place, and what is written there, or where the code ends."""
        cdef list codes = [], spans = [], taken = []
        cdef bint is_rule = not text.strip("-*_= ")  # with marks it might be one
        for start, stop, mark in _joined(text, runs):
            while start < stop and text[start : start + 1] == " ":
                start += 1
            stop = min(stop, len(text))
            while stop > start and text[stop - 1] == " ":
                stop -= 1
            if start >= stop:
                continue
            if mark == CODE:
                codes.append((start, stop))
            elif mark <= 0:
                address = self._address(-mark) if self.links else None
                if address is not None and is_balanced(text[start:stop]):
                    spans.append((start, stop, mark, address))
            elif self.emphasis and not (mark == STRONG and kind == IN_HEADING) and not is_rule:
                spans.append((start, stop, mark, None))
        edges = {edge for code in codes for edge in code}
        edges |= {edge for start, stop, mark, _ in spans if mark <= 0 for edge in (start, stop)}
        # Marks of another character are punctuation to these.
        struck = {edge for start, stop, mark, _ in spans if mark == STRUCK for edge in (start, stop)}
        starred = {edge for start, stop, mark, _ in spans if 0 < mark < STRUCK for edge in (start, stop)}
        stops = set()
        stack = []
        for start, stop, mark, address in sorted(spans, key=_link_first):
            while stack and stack[-1] <= start:
                stack.pop()
            if stack and stop > stack[-1]:
                continue  # it crosses another
            if _is_inside(codes, start) or _is_inside(codes, stop):
                continue
            if mark > 0 and (
                start in stops
                or not _flanks(text, start, stop, edges, starred if mark == STRUCK else struck)
            ):
                continue
            stack.append(stop)
            if mark > 0:
                stops.add(stop)
            taken.append((start, stop, mark, address))
        marks = [(start, 1, 0, "", stop) for start, stop in codes]
        for number, (start, stop, mark, address) in enumerate(taken):
            opened, closed = ("[", f"]({address})") if mark <= 0 else (MARKS[mark], MARKS[mark])
            marks.append((start, 0, number, opened, None))
            marks.append((stop, -1, -number, closed, None))
        marks.sort(key=_place)
        return marks

    cdef object _address(self, Py_ssize_t tag):
        """The address of a link, absolute, as Markdown takes it; None if it is none of the web."""
        return web_address(self.base, self.reader.attributes(tag).get(b"href", b""))


def fenced(str code not None, str language not None):
    """Code between fences longer than any run of backticks in it."""
    longest = max([len(run) for run in _BACKTICKS.findall(code)], default=0)
    fence = "`" * max(3, longest + 1)
    return [fence + language, *code.split("\n"), fence]


cdef bint _is_code(line):
    """Whether all of a line is code."""
    covered = len(line.formulas) and -1
    for start, stop, mark in sorted(line.runs):
        if mark == CODE and start <= covered:
            covered = max(covered, stop)
    return covered >= len(line.text)


cdef list _joined(str text, list runs):
    """Intervals in order, those of one mark joined where they touch."""
    cdef list out = []
    for start, stop, mark in sorted(runs, key=_by_mark):
        if start >= stop:
            continue
        if out and mark > 0 and out[-1][2] == mark and start <= out[-1][1]:
            out[-1] = (out[-1][0], max(stop, out[-1][1]), mark)
        else:
            out.append((start, stop, mark))
    return sorted(out, key=_widest)


def _by_mark(run):
    return run[2], run[0], run[1]


def _widest(run):
    return run[0], -run[1], run[2]


def _link_first(span):
    return span[0], -span[1], span[2] > 0, -span[2]


def _place(mark):
    return mark[0], mark[1], mark[2]


cdef bint _is_inside(list codes, Py_ssize_t place):
    """Whether a place is within one of the intervals, which are in order and apart."""
    at = bisect_left(codes, (place,)) - 1
    return at >= 0 and codes[at][0] < place < codes[at][1]


cdef bint _flanks(str text, Py_ssize_t start, Py_ssize_t stop, set edges, set others):
    """Whether marks around [start, stop) open and close there; `edges` and `others` are places of other marks."""
    if start in edges or start in others or is_mark(text[start]):
        if start > 0 and text[start - 1] != " " and not is_mark(text[start - 1]):
            return False
    if stop in edges or stop in others or is_mark(text[stop - 1]):
        if stop < len(text) and text[stop] != " " and not is_mark(text[stop]):
            return False
    return True
