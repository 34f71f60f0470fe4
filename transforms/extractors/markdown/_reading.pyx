# cython: wraparound=True, boundscheck=True
"""Reads blocks: their text, what of it is emphasised, struck, code or a link, and the formulas in it."""

cimport cython
from libc.stdint cimport uint32_t, uint64_t

from transforms.extractors.cedar._blocks cimport Blocks
from transforms.extractors.cedar._markup cimport LINE_BREAK, Markup
from transforms.extractors.cedar._page cimport SegmentedPage
from transforms.extractors.cedar._text cimport BREAK, INLINE
from transforms.extractors.html._tags cimport END, Tags
from transforms.extractors.html._writer cimport HARD_LINE, HARD_SPACE, HARD_TAB, SPACE

from transforms.extractors.html._attributes import attributes
from transforms.extractors.html._tags import key
from transforms.extractors.markdown.lines import TextLine

EM, STRONG, STRUCK, CODE = 1, 2, 4, 8

cdef enum:
    STYLES = 4
    FEW = 4
    MOST_NAMES = 16
    MOST_LINES = 100  # empty ones in a row

cdef uint64_t[MOST_NAMES] NAMES
cdef int[MOST_NAMES] STYLE
cdef int NAMED = 0
for _style, _names in enumerate(("em i", "strong b", "del s strike", "code kbd samp tt")):
    for _name in _names.split():
        NAMES[NAMED], STYLE[NAMED] = key(_name), _style
        NAMED += 1
cdef uint64_t ANCHOR = key("a"), INPUT = key("input"), SPAN = key("span")

GUTTERS = frozenset(
    (b"gutter", b"lineno", b"linenos", b"line-numbers", b"line-numbers-rows", b"ln", b"rouge-gutter")
    + (b"hljs-ln-numbers", b"blob-num", b"line-number", b"linenumber")
)


def is_gutter(given):
    """Whether attributes are those of line numbers beside code."""
    return not GUTTERS.isdisjoint(given.get(b"class", b"").split()) or b"data-line-number" in given


@cython.boundscheck(False)
@cython.wraparound(False)
cdef bint speaks(
    const unsigned char[::1] html, Py_ssize_t start, Py_ssize_t stop, const uint32_t *words
) noexcept nogil:
    """Whether one of `FEW` words of four letters, as big-endian numbers, stands in a tag."""
    cdef uint32_t letters = 0
    cdef Py_ssize_t at
    for at in range(start, stop):
        letters = letters << 8 | html[at] | 0x20
        if letters == words[0] or letters == words[1] or letters == words[2] or letters == words[3]:
            return True
    return False


GUTTER_WORDS[0], GUTTER_WORDS[1], GUTTER_WORDS[2], GUTTER_WORDS[3] = [
    int.from_bytes(word, "big") for word in (b"gutt", b"line", b"blob", b'"ln"')
]


@cython.boundscheck(False)
@cython.wraparound(False)
cdef bint reaches_over(Blocks blocks, Py_ssize_t block, Py_ssize_t first, Py_ssize_t last) noexcept:
    """Whether all text of a block stands between two tags."""
    cdef const unsigned char[::1] text = blocks.text
    cdef Py_ssize_t i, tag = blocks.first_gaps[block]
    for i in range(blocks.starts[block], blocks.stops[block]):
        if text[i] == INLINE or text[i] == BREAK:
            tag += 1
        elif text[i] > SPACE and not first < tag <= last:
            return False
    return True


cdef class BlockReader:
    # last_gap: tags before the end of the last line. link: the start tag of the link that is open; -1 = none.

    def __init__(self, SegmentedPage page not None, dict placed not None):
        self.page, self.placed = page, placed
        self.begin()

    def begin(self):
        """Begins a paragraph: nothing is open."""
        cdef int style
        for style in range(STYLES):
            self.depth[style] = 0
        self.link = self.last_gap = -1
        self.box = ""

    @cython.boundscheck(False)
    @cython.wraparound(False)
    def read(self, Py_ssize_t block):
        """Reads a block."""
        cdef Blocks blocks = self.page.blocks
        cdef const unsigned char[::1] text = blocks.text
        cdef Py_ssize_t i, tag = blocks.first_gaps[block], at = 0, size = 0, seen = 0, covered = -1, stop
        cdef const unsigned char[::1] html = self.page.markup.html
        cdef unsigned char byte
        cdef bint owed = False
        cdef bytearray piece = bytearray()
        cdef list runs = [], formulas = []
        if not 0 <= block < blocks.count:
            raise IndexError(f"no block {block} among {blocks.count}")
        cdef list waiting = list(reversed(self.placed.get(block, ()))) if self.placed else []
        cdef dict opened = {}
        if self.last_gap >= 0:
            for i in range(self.last_gap, tag):
                self._turn(i)
        self._note(opened, runs, 0)
        for i in range(blocks.starts[block], blocks.stops[block] + 1):
            byte = text[i] if i < blocks.stops[block] else BREAK
            while waiting and waiting[len(waiting) - 1].last < waiting[len(waiting) - 1].first <= tag:
                # One of a script: it stands after so many characters, or at the end of what is before the tag.
                formula = waiting[len(waiting) - 1]
                if byte > SPACE and seen < formula.offset or byte == SPACE and (
                    seen < formula.offset or formula.blank_before
                ):
                    break
                waiting.pop()
                piece += b"\0 " if formula.blank_after else b"\0"
                size += 2 if formula.blank_after else 1
                at = SPACE if formula.blank_after else 1
                formulas.append(formula)
            if i == blocks.stops[block]:
                break
            if byte == INLINE or byte == BREAK:
                if waiting and waiting[len(waiting) - 1].first == tag and covered < tag:
                    formula = waiting.pop()
                    covered = formula.last
                    piece += b"\0"
                    size += 1
                    at = 1
                    formulas.append(formula)
                    # A blank after it may be left out of the text, because there is one in it.
                    stop = self.page.markup.tags.stop[covered]
                    owed = stop < html.shape[0] and html[stop] <= SPACE
                elif covered < tag:
                    if self._turn(tag):
                        self._note(opened, runs, size)
                    elif self.page.markup.tags.name[tag] == INPUT and not size:
                        self._look_at_box(tag)
                tag += 1
                seen = 0
            elif tag <= covered:
                continue
            elif byte <= SPACE:
                if at and at != SPACE:
                    piece.append(SPACE)
                    size += 1
                    at = SPACE
            else:
                if owed and at == 1:
                    piece.append(SPACE)
                    size += 1
                owed = False
                piece.append(byte)
                at = byte
                if (byte & 0xC0) != 0x80:
                    seen += 1
                    size += 1
        self.last_gap = blocks.last_gaps[block]
        joined = piece.decode()
        for mark, start in opened.items():
            runs.append((start, len(joined), mark))
        return TextLine(joined.rstrip(" "), runs, formulas)

    cdef int _turn(self, Py_ssize_t tag) except -1:
        """Takes a tag into the styles that are open; 1 if it is one of them, or a link."""
        cdef Markup markup = self.page.markup
        cdef Tags tags = markup.tags
        cdef int i
        if tag >= tags.count or not markup.shown[tag]:
            return 0
        if tags.name[tag] == ANCHOR:
            self.link = -1 if tags.kind[tag] & END else tag
            return 1
        for i in range(NAMED):
            if tags.name[tag] == NAMES[i]:
                if not tags.kind[tag] & END:
                    self.depth[STYLE[i]] += 1
                elif self.depth[STYLE[i]]:
                    self.depth[STYLE[i]] -= 1
                return 1
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

    cdef int _look_at_box(self, Py_ssize_t tag) except -1:
        """Notes a check box before the text."""
        given = self.attributes(tag)
        if given.get(b"type", b"").lower() == b"checkbox":
            self.box = "[x] " if b"checked" in given else "[ ] "
        return 0

    def attributes(self, Py_ssize_t tag):
        """The attributes of a tag."""
        cdef Tags tags = self.page.markup.tags
        return attributes(self.page.markup.html, tags.start[tag], tags.stop[tag])

    def code(self, list blocks not None):
        """Reads preformatted blocks as they stand, outer blank lines apart."""
        cdef Markup markup = self.page.markup
        cdef Blocks table = self.page.blocks
        cdef const unsigned char[::1] text = table.text
        cdef bytearray out = bytearray()
        cdef Py_ssize_t block, before = -1, i, tag, first, covered = -1
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
                    owed = max(owed, 1)
                    for i in range(table.stops[before], first):
                        owed += text[i] == HARD_LINE
                if out.endswith(b"\n"):
                    owed -= 1
                out += b"\n" * min(owed, MOST_LINES)
            for i in range(first, table.stops[block]):
                byte = text[i]
                if byte == INLINE or byte == BREAK:
                    if tag > covered and markup.tags.name[tag] == SPAN and not markup.tags.kind[tag] & END:
                        if speaks(markup.html, markup.tags.start[tag], markup.tags.stop[tag], GUTTER_WORDS) and is_gutter(
                            self.attributes(tag)
                        ):
                            covered = self._end(tag, table.last_gaps[block])
                    tag += 1
                elif tag <= covered:
                    continue
                elif byte == HARD_LINE:
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

    cdef Py_ssize_t _end(self, Py_ssize_t tag, Py_ssize_t last) noexcept:
        """The next end tag of the name of a start tag; itself, if none follows before `last`."""
        cdef Tags tags = self.page.markup.tags
        cdef Py_ssize_t at
        for at in range(tag + 1, min(last, tag + MOST_LINES)):
            if tags.name[at] == tags.name[tag] and tags.kind[at] & END:
                return at
        return tag
