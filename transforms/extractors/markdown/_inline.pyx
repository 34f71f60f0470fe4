# cython: wraparound=True, boundscheck=True
"""The text of blocks as Markdown: emphasis, code spans, links, escapes.

A line is its text, and intervals of it that are emphasised, struck, code or a link. An interval is marked only
where CommonMark would read its marks so, with the characters that stand around it (CommonMark 0.31, 6.2).
"""

import re
from bisect import bisect_left
from urllib.parse import urljoin, urlsplit

from libc.stdint cimport uint64_t

from transforms.extractors.cedar._blocks cimport Blocks
from transforms.extractors.cedar._markup cimport LINE_BREAK, Markup
from transforms.extractors.cedar._page cimport SegmentedPage
from transforms.extractors.cedar._text cimport BREAK, INLINE
from transforms.extractors.html._tags cimport END, Tags
from transforms.extractors.html._writer cimport HARD_LINE, HARD_SPACE, HARD_TAB, SPACE
from transforms.extractors.markdown._escaping cimport code_span, escaped, is_mark

from transforms.extractors.html._attributes import attributes
from transforms.extractors.html._tags import key
from transforms.extractors.html._text import rendered

PARAGRAPH, HEADING, CELL = range(3)

cdef enum:
    EM = 1
    STRONG = 2
    STRUCK = 4
    CODE = 8
    STYLES = 4
    IN_HEADING = 1  # as above
    IN_CELL = 2
    MOST_NAMES = 16

cdef uint64_t[MOST_NAMES] NAMES
cdef int[MOST_NAMES] STYLE
cdef int NAMED = 0
for _style, _names in enumerate(("em i", "strong b", "del s strike", "code kbd samp tt")):
    for _name in _names.split():
        NAMES[NAMED], STYLE[NAMED] = key(_name), _style
        NAMED += 1
cdef uint64_t ANCHOR = key("a")

MARKS = {EM: "*", STRONG: "**", STRUCK: "~~"}
MOST_ADDRESS = 2000

_LINE_START = re.compile(
    r"#{1,6}(?= |$)|[-+](?= |$)|\*(?= |$)|>|~~~|[-=](?=[-= ]*$)|[-*_](?=(?: *[-*_]){2,} *$)"
    r"|\|?[ :|-]*-[ :|-]*$|:(?=[ :|-]+$)"
)
_NUMBER = re.compile(r"([0-9]{1,9})([.)])(?= |$)")
_QUOTED = re.compile(r"[\x00-\x20()<>\\\"`\x7f]")
_PERMALINK = frozenset({"#", "¶", "§", "🔗"})


cdef class Inline:
    cdef SegmentedPage page
    cdef object base
    cdef bint emphasis
    cdef bint links
    cdef Py_ssize_t last_gap  # tags before the end of the last line
    cdef int[STYLES] depth
    cdef Py_ssize_t link  # the start tag of the link that is open; -1 = none

    def __init__(self, SegmentedPage page not None, base, bint emphasis):
        self.page, self.base, self.emphasis, self.links = page, base, emphasis, base is not None

    def lines(self, list blocks not None, int kind=0):
        """Writes blocks of one paragraph, a line each."""
        cdef int style
        for style in range(STYLES):
            self.depth[style] = 0
        self.link = -1
        self.last_gap = -1
        read = [self._read(block) for block in blocks]
        whole = "\n".join([text for text, _ in read])
        # Square brackets up to here may open links.
        links = max(whole.rfind("]("), whole.rfind("]["))
        if kind == IN_HEADING:
            # One line: intervals of each are moved behind those before.
            text, runs = "", []
            for line, marks in read:
                if not line:
                    continue
                start = len(text) + (1 if text else 0)
                text = f"{text} {line}" if text else line
                runs += [(first + start, last + start, mark) for first, last, mark in marks]
            return [self._write(text, runs, links, kind)] if text else []
        lines = []
        for text, runs in read:
            if text:
                lines.append(self._write(text, runs, links, kind))
            links -= len(text) + 1
        return lines

    cdef tuple _read(self, Py_ssize_t block):
        """The text of a block, and its intervals [start, stop) of a style or of a link (its tag, negated)."""
        cdef Blocks blocks = self.page.blocks
        cdef const unsigned char[::1] text = blocks.text
        cdef Py_ssize_t i, begin, tag = blocks.first_gaps[block], at = 0, size = 0
        cdef unsigned char byte
        cdef bytearray piece = bytearray()
        cdef list parts = [], runs = []
        cdef dict opened = {}
        if self.last_gap >= 0:
            for i in range(self.last_gap, tag):
                self._turn(i)
        self._note(opened, runs, 0)
        for i in range(blocks.starts[block], blocks.stops[block]):
            byte = text[i]
            if byte == INLINE or byte == BREAK:
                if piece:
                    parts.append(piece.decode())
                    size += len(parts[-1])
                    piece = bytearray()
                self._turn(tag)
                self._note(opened, runs, size)
                tag += 1
            elif byte <= SPACE:
                if at and at != SPACE:
                    piece.append(SPACE)
                    at = SPACE
            else:
                piece.append(byte)
                at = byte
        if piece:
            parts.append(piece.decode())
        self.last_gap = blocks.last_gaps[block]
        joined = "".join(parts)
        for mark, start in opened.items():
            runs.append((start, len(joined), mark))
        return joined.rstrip(" "), runs

    cdef int _turn(self, Py_ssize_t tag) except -1:
        """Takes a tag into the styles that are open."""
        cdef Markup markup = self.page.markup
        cdef Tags tags = markup.tags
        cdef int i
        if tag >= tags.count or not markup.shown[tag]:
            return 0
        if tags.name[tag] == ANCHOR:
            self.link = -1 if tags.kind[tag] & END else tag
            return 0
        for i in range(NAMED):
            if tags.name[tag] == NAMES[i]:
                if not tags.kind[tag] & END:
                    self.depth[STYLE[i]] += 1
                elif self.depth[STYLE[i]]:
                    self.depth[STYLE[i]] -= 1
                break
        return 0

    cdef int _note(self, dict opened, list runs, Py_ssize_t at) except -1:
        """Notes at a place of the text which styles open and which close there."""
        cdef int style
        for style in range(STYLES):
            if (1 << style) in opened:
                if not self.depth[style]:
                    runs.append((opened.pop(1 << style), at, 1 << style))
            elif self.depth[style]:
                opened[1 << style] = at
        for mark in [mark for mark in opened if mark <= 0 and mark != -self.link]:
            runs.append((opened.pop(mark), at, mark))
        if self.link >= 0 and -self.link not in opened:
            opened[-self.link] = at
        return 0

    cdef str _write(self, str text, list runs, Py_ssize_t links, int kind):
        """A line of Markdown."""
        cdef list out = []
        marks = self._marks(text, runs, kind)
        at = 0
        edges = 4 * (kind == IN_CELL)
        for place, _, _, written, code in marks:
            if code is not None:
                if place > at:
                    out.append(escaped(text, at, place, links, edges | 2 | (1 if out else 0)))
                out.append(code_span(text[place:code], kind == IN_CELL))
                at = code
                continue
            if place > at:
                out.append(escaped(text, at, place, links, edges | 2 | (1 if out else 0)))
                at = place
            out.append(written)
        out.append(escaped(text, at, len(text), links, edges | (1 if out else 0)))
        line = "".join(out)
        if kind == IN_HEADING:
            bare = line.rstrip("#")
            return f"{bare}\\{line[len(bare):]}" if len(bare) < len(line) and bare[-1:] in ("", " ") else line
        if kind == IN_CELL:
            return line
        if (found := _LINE_START.match(line)) is not None:
            return "\\" + line
        if (found := _NUMBER.match(line)) is not None:
            return f"{found[1]}\\{line[found.end(1):]}"
        return line

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
                if address is not None and _is_balanced(text[start:stop]):
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
        cdef Tags tags = self.page.markup.tags
        href = attributes(self.page.markup.html, tags.start[tag], tags.stop[tag]).get(b"href", b"")
        address = rendered(href)
        if not address or address.startswith("#"):
            return None
        try:
            joined = urljoin(self.base, address)
            scheme = urlsplit(joined).scheme
        except ValueError:
            return None
        if scheme not in ("http", "https") or len(joined) > MOST_ADDRESS:
            return None
        return _QUOTED.sub(_quote, joined)

    def code(self, list blocks not None):
        """Reads preformatted blocks as they stand, outer blank lines apart."""
        cdef Markup markup = self.page.markup
        cdef Blocks table = self.page.blocks
        cdef const unsigned char[::1] text = table.text
        cdef bytearray out = bytearray()
        cdef Py_ssize_t block, before = -1, i, tag, first
        cdef unsigned char byte
        cdef int owed
        for block in blocks:
            first, tag = table.starts[block], table.first_gaps[block]
            if before >= 0:
                owed = 1
                if block == before + 1:
                    # What parts them: each line break counts, other tags for one line altogether.
                    owed = 0
                    for i in range(table.last_gaps[before], tag):
                        owed += markup.roles[i] == LINE_BREAK and not markup.tags.kind[i] & END
                    owed = max(owed - out.endswith(b"\n") * 0, 1)
                    for i in range(table.stops[before], first):
                        owed += text[i] == HARD_LINE
                if out.endswith(b"\n"):
                    owed -= 1
                out += b"\n" * min(owed, 100)
            for i in range(first, table.stops[block]):
                byte = text[i]
                if byte == HARD_LINE:
                    out.append(0x0A)
                elif byte == HARD_SPACE:
                    out.append(SPACE)
                elif byte == HARD_TAB:
                    out.append(0x09)
                elif byte >= SPACE:
                    out.append(byte)
            before = block
        lines = [line.rstrip(" \t") for line in out.decode().split("\n")]
        while lines and not lines[0]:
            lines.pop(0)
        while lines and not lines[-1]:
            lines.pop()
        return "\n".join(lines)


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


def _quote(found):
    return f"%{ord(found[0]):02X}"


cdef bint _is_balanced(str text):
    """Whether each square bracket has its other one."""
    depth = 0
    for character in text:
        depth += (character == "[") - (character == "]")
        if depth < 0:
            return False
    return depth == 0


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
