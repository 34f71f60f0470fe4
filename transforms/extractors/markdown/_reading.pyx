"""Reads blocks: their text, its marks and links, the formulas in it; preformatted ones as they stand."""

import re

import numpy as np

from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memcpy

from cedar.transforms.extractors.html._bytes cimport below, code_point_at, lowest_bit, pairs
from cedar.transforms.extractors.html._tags cimport END, Tags
from cedar.transforms.extractors.html._writer cimport HARD_LINE, HARD_SPACE, HARD_TAB, SPACE
from cedar.transforms.extractors.html._growing cimport ByteBuffer, Records
from cedar.transforms.extractors.segments._blocks cimport BREAK, INLINE, Blocks
from cedar.transforms.extractors.segments._elements cimport Elements
from cedar.transforms.extractors.segments._markup cimport LINE_BREAK, Markup
from cedar.transforms.extractors.segments._page cimport SegmentedPage

from cedar.transforms.extractors.html._attributes import attributes
from cedar.transforms.extractors.html.code_languages import KNOWN, labelled
from cedar.transforms.extractors.html._tags import key
from cedar.transforms.extractors.markdown.lines import STAND_IN, TextLine
from cedar.transforms.extractors.segments import names as vocabulary

cdef enum:
    WORDS = 4
    MAX_LINES = 100  # empty ones in a row
    MAX_LANGUAGE_LEVELS = 3  # that may name a language: the code, and two elements around it, none of a table
    MIN_SPEAKING_TAG = 12  # bytes of a tag that can have an attribute with such a word
    MAX_NUMBER_DIGITS = 6
    MAX_COMPONENT_TAGS = 8
    MAX_COMPONENT_NAME = 16  # bytes in which the name of a component has its hyphen
    MAX_LABELS = 3  # blocks above code in one box with it
    MAX_LABEL_TAGS = 16  # from the tag of code to a label in it

cdef uint64_t LIST_ITEM = key("li"), TABLE_ROW = key("tr"), TABLE_CELL = key("td")

_PARTS_OF_TABLES = frozenset(vocabulary.CODE[name] for name in ("table", "tbody", "tr", "td"))


cdef bint speaks(const unsigned char[::1] html, Py_ssize_t start, Py_ssize_t stop, const char *words) noexcept nogil:
    """Whether one of `WORDS` words of four letters stands in a tag."""
    cdef uint64_t marks
    cdef Py_ssize_t at, place, number, k
    if stop - start < MIN_SPEAKING_TAG:
        return False
    for at in range(start, stop - 3, 16):
        marks = pairs(&html[at], html.shape[0] - at, 0x20, words, WORDS, 4)
        while marks:
            place = at + lowest_bit(marks)
            marks &= marks - 1
            for number in range(WORDS if place + 4 <= stop else 0):
                k = 0
                while k < 4 and html[place + k] | 0x20 == words[4 * number + k]:
                    k += 1
                if k == 4:
                    return True
    return False


cdef str code(SegmentedPage page, list blocks):
    """Read preformatted blocks as they stand, but without outer blank lines and numbers of lines."""
    cdef Markup markup = page.markup
    cdef Blocks table = page.blocks
    cdef const unsigned char[::1] text = table.text
    cdef ByteBuffer out = ByteBuffer(1 << 12)
    cdef Py_ssize_t block, before = -1, i, first, end, line
    cdef unsigned char byte
    cdef int owed, lines_begun
    for block in blocks:
        first = table.starts[block]
        if before >= 0:
            owed = 1
            if block == before + 1:
                # What parts them: each line break counts, of a tag or of the text, or else each element like the
                # line's, which may be empty; other tags count for one line altogether.
                owed = lines_begun = 0
                line = page.elements.opens[page.elements.nearest[block]]
                for i in range(table.last_gaps[before], table.first_gaps[block]):
                    if not markup.tags.kind[i] & END:
                        owed += markup.roles[i] == LINE_BREAK
                        # One in another begins the same line.
                        lines_begun += _is_like(markup, i, line) and not _is_like(markup, i - 1, line)
                for i in range(table.stops[before], first):
                    owed += text[i] == HARD_LINE
                owed = max(owed, lines_begun, 1)
            if out.size and out.bytes[out.size - 1] == c"\n":
                owed -= 1
            for i in range(min(owed, MAX_LINES)):
                out.put_byte(c"\n")
        for i in range(first, table.stops[block]):
            byte = text[i]
            if byte == HARD_LINE:
                out.put_byte(c"\n")
            elif byte == HARD_SPACE:
                out.put_byte(SPACE)
            elif byte == HARD_TAB:
                out.put_byte(c"\t")
            elif byte >= SPACE or byte == INLINE:
                out.put_byte(byte)
        before = block
    lines = _without_numbers(out.text(0).split("\n"))
    if all([not each or each[0] == " " for each in lines]) and _has_hidden(page, blocks[0]):
        lines = [each[1:] for each in lines]  # what parted numbers from lines
    first, end = 0, len(lines)
    while first < end and not lines[first].strip():
        first += 1
    while first < end and not lines[end - 1].strip():
        end -= 1
    return "\n".join(lines[first:end])


cdef bint _has_hidden(SegmentedPage page, Py_ssize_t block) noexcept:
    """Whether something hidden, as the numbers of lines are, stands in a block or before it in its element."""
    cdef Py_ssize_t gap
    for gap in range(page.elements.opens[page.elements.nearest[block]] + 1, page.blocks.last_gaps[block] + 1):
        if page.markup.hidden_gaps[gap]:
            return True
    return False


cdef bint _is_like(Markup markup, Py_ssize_t tag, Py_ssize_t line) noexcept:
    """Whether two tags start lines of code alike: both are items or rows, or they have one name and class."""
    cdef uint64_t name = markup.tags.name[line]
    if markup.tags.kind[tag] & END:
        return False
    if name == LIST_ITEM or name == TABLE_CELL:
        return markup.tags.name[tag] == (LIST_ITEM if name == LIST_ITEM else TABLE_ROW)
    return markup.tags.name[tag] == name and markup.classes[tag] == markup.classes[line]


_TAG = chr(INLINE)
_NUMBER = re.compile(f"{_TAG}+[ \\t]*+(\\d{{1,6}})[.:|]?[ \\t]*+{_TAG}+")


cdef list _without_numbers(list lines):
    """Lines of code without the marks of tags, and without numbers in tags of their own at the start of each line.
    """
    found = _NUMBER.match(lines[0])
    number = int(found[1]) if found else 0
    bare = []
    for line in lines if found else ():
        found = _NUMBER.match(line)
        if found and int(found[1]) == number:
            bare.append(line[found.end() :])
            number += 1
        elif line.strip(f"{_TAG} \t"):
            bare.clear()
            break
    if len(bare) > 1 and any([line.strip(f"{_TAG} \t") for line in bare]):
        lines = bare
    return [line.replace(_TAG, "") for line in lines]


cdef bint is_numbering(str code) except -1:
    """Whether code is the numbers of lines alone."""
    lines = code.split("\n")
    first = lines[0].strip()
    if len(lines) < 2 or not (first.isdecimal() and len(first) <= MAX_NUMBER_DIGITS):
        return False
    return [line.strip() for line in lines] == [str(int(first) + place) for place in range(len(lines))]


_NAMING = re.compile(
    r"(?:^|\s)(?:(?:mw-highlight-)?lang(?:uage)?[-:]|highlight-(?:source|text)-|sunlight-highlight-|enlighter-l-"
    r"|brush:\s?)"
    r"([A-Za-z0-9+#._-]{1,20})(?=[\s;:{]|$)"
)
_PREFIXES = ("highlight-", "hl-", "src-", "source-", "type-", "sh_", "code-")
"""What stands before a known language in a class."""

_HIGHLIGHTERS = ("hljs", "sourceCode")
"""Classes with a language next to them, mostly after them."""

_OF_CODE = frozenset(
    "highlight code codehilite code-block listing programlisting prettyprint coderay geshi src"
    " syntaxhighlighter".split()
)
"""Classes of elements that hold code: another class of such an element may be a known language."""

_NO_LANGUAGES = (
    "text plain plaintext none undefined generic nohighlight no-highlight highlight hljs prettyprint code source auto"
    " lang-auto default linenums notranslate html-basic wrap copy literal-block"
)
_NONE = frozenset(_NO_LANGUAGES.split())
_LANGUAGE = re.compile(r"[a-z0-9+#._-]{1,20}")
_CODE_TAG = re.compile(rb"<(?:pre|code)[\s/]", re.IGNORECASE)
_HUMAN_ATTRIBUTES = frozenset(("lang", "xml:lang", "hreflang"))
_HUMAN = frozenset(("ml",))
"""Values of `lang` that are languages of people, though languages of code have the same name."""


def language(bytes html not None, tags):
    """Return the first language that tags [start, stop) of a page name, in lower case; "" where none does."""
    for start, stop in tags:
        given = {
            name.decode("utf-8", "replace"): value.decode("utf-8", "replace")
            for name, value in attributes(html, start, stop).items()
        }
        for name in _named(given, _CODE_TAG.match(html, start, stop) is not None):
            if name not in _NONE and _LANGUAGE.fullmatch(name):
                return name
    return ""


def _named(given, bint is_code_tag):
    """The names that attributes of an element may have for a language, the likeliest first."""
    names = [
        value.strip().lower() for name, value in given.items()
        if name in ("syntax", "data-syntax", "code-lang") or "lang" in name and name not in _HUMAN_ATTRIBUTES
    ]
    classes = given.get("class", "")
    for written in (classes, *[value for name, value in given.items() if "params" in name]):
        names += [found[1].lower() for found in _NAMING.finditer(written)]
    words = classes.split()
    for at in [words.index(highlighter) for highlighter in _HIGHLIGHTERS if highlighter in words]:
        names += [word.lower() for word in (*words[at + 1 : at + 2], *words[max(at - 1, 0) : at])]
    known = [word.removeprefix(prefix) for prefix in _PREFIXES for word in words if word.startswith(prefix)]
    if is_code_tag or not _OF_CODE.isdisjoint(words):
        known += words
    if given.get("lang") not in _HUMAN:
        known.append(given.get("lang", ""))
    return names + [word.lower() for word in known if word.lower() in KNOWN]


cdef str language_of(SegmentedPage page, Py_ssize_t element):
    """The language of an element of code, by the `code` in it, itself, the two elements around it, or a label."""
    cdef Tags tags = page.markup.tags
    cdef Elements elements = page.elements
    cdef Py_ssize_t tag = elements.opens[element], inner, near = 0, around = element
    cdef list asked = []
    cdef str found
    for inner in range(tag + 1, min(tag + 3, tags.count)):
        if tags.kind[inner] & END:
            break
        asked.append((tags.start[inner], tags.stop[inner]))
    while around and near < MAX_LANGUAGE_LEVELS:
        tag = elements.opens[around]
        asked.append((tags.start[tag], tags.stop[tag]))
        near += elements.codes[around] not in _PARTS_OF_TABLES
        around = elements.parents[around]
    asked += _components(page, elements.opens[element])
    found = language(page.markup.html, asked)
    return found if found else _label(page, element)


cdef list _components(SegmentedPage page, Py_ssize_t tag):
    """The start tags around a tag, of `MAX_COMPONENT_TAGS` before it, that have names of a site's own, as x-code."""
    cdef Tags tags = page.markup.tags
    cdef Py_ssize_t closed = 0, before
    found = []
    for before in range(tag - 1, max(tag - 1 - MAX_COMPONENT_TAGS, <Py_ssize_t>-1), -1):
        if tags.kind[before] & END:
            closed += 1
        elif closed:
            closed -= 1
        elif page.markup.html.find(b"-", tags.start[before], tags.start[before] + MAX_COMPONENT_NAME) > 0:
            found.append((tags.start[before], tags.stop[before]))
    return found


cdef str _label(SegmentedPage page, Py_ssize_t element):
    """The language that a label above code names; label and code stand in one element, or alone in one box."""
    cdef Blocks blocks = page.blocks
    cdef Elements elements = page.elements
    cdef Tags tags = page.markup.tags
    cdef Py_ssize_t first = elements.first[element], last = elements.last[element], near, block, tag
    cdef bytes html = page.markup.html
    cdef str found
    if not element or first == last:
        return ""
    for tag in range(elements.opens[element], min(elements.opens[element] + MAX_LABEL_TAGS, tags.count - 1)):
        text = html[tags.stop[tag] : tags.start[tag + 1]].strip()
        if text and not page.markup.hidden_gaps[tag + 1]:
            break
        found = labelled(text.decode("utf-8", "replace"))
        if found:
            return found
    for near in range(MAX_LANGUAGE_LEVELS):
        element = elements.parents[element]
        if not element or first - elements.first[element] > MAX_LABELS or elements.last[element] > last + 1:
            return ""
        for block in range(elements.first[element], first):
            found = labelled(blocks.read(block))
            if found:
                return found
    return ""


cdef enum:
    STYLES = 4
    MAX_NAMES = 16

cdef uint64_t[MAX_NAMES] NAMES
cdef int[MAX_NAMES] STYLE
cdef int NAMED = 0
for _style, _names in enumerate(("em i", "strong b", "del s strike", "code kbd samp tt")):
    for _name in _names.split():
        NAMES[NAMED], STYLE[NAMED] = key(_name), _style
        NAMED += 1
cdef uint64_t ANCHOR = key("a"), INPUT = key("input")

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


cdef bint _is_task(given) except -1:
    """Whether a checkbox with these attributes stands for a task: one that a script knows by a name is a control."""
    said = given.get(b"class", b"")
    return b"disabled" in given or b"task" in said or not (said or given.keys() & {b"id", b"name"})


cdef class BlockReader:
    # runs: start and stop, a style or a link (its tag, negated), in the order in which they end.
    # lines: start and stop, and the numbers of the first run and after the last one. All places are bytes of `text`.
    # last_gap: tags before the end of the last block. link: the start tag of the link that is open; -1 = none.
    # opened, link_opened: the start of each open style, of the open link; -1: it is not open.

    def __init__(self, SegmentedPage page not None, dict placed not None):
        self.page, self.placed = page, placed
        self.text, self.runs, self.lines = ByteBuffer(1 << 12), Records(3), Records(4)
        self.begin(PARAGRAPH, False)

    cdef int begin(self, int kind, bint reads_links) except -1:
        """Begin a paragraph, a heading or a cell: nothing is open."""
        cdef int style
        for style in range(STYLES):
            self.depth[style] = 0
            self.opened[style] = -1
        self.link = self.last_gap = self.link_opened = -1
        self.kind, self.reads_links = kind, reads_links
        self.text.size = self.runs.count = self.lines.count = 0
        self.formulas = None
        self.box = ""
        return 0

    cdef int add_formula(self, formula) except -1:
        """Add a line that is a formula, or an image and perhaps the link around it."""
        cdef Py_ssize_t begin = self._begin_line(), first_run = self.runs.count, link = getattr(formula, "link", -1)
        self._put_formula(formula)
        if link >= 0 and self.reads_links:
            self._add_run(begin, self.text.size, -link)
        return self._end_line(begin, first_run)

    cdef Py_ssize_t _begin_line(self) except -1:
        """Where the next line begins."""
        if self.lines.count:
            self.text.put_byte(c"\n" if self.kind == PARAGRAPH else SPACE)
        return self.text.size

    cdef int _end_line(self, Py_ssize_t begin, Py_ssize_t first_run) except -1:
        """End a line; drop it if nothing is in it."""
        cdef Py_ssize_t at
        if self.text.size > begin and self.text.bytes[self.text.size - 1] == SPACE:
            self.text.size -= 1
        if self.text.size == begin:
            self.text.size -= self.lines.count > 0
            return 0
        at = self.lines.add()
        self.lines.numbers[at], self.lines.numbers[at + 1] = begin, self.text.size
        self.lines.numbers[at + 2], self.lines.numbers[at + 3] = first_run, self.runs.count
        return 0

    cdef int _put_formula(self, formula) except -1:
        """Put a byte that stands for a formula."""
        if self.formulas is None:
            self.formulas = []
        self.formulas.append(formula)
        return self.text.put_byte(0)

    cdef int read(self, Py_ssize_t block) except -1:
        """Read a block as the next line."""
        cdef Blocks blocks = self.page.blocks
        cdef const unsigned char[::1] text = blocks.text
        cdef ByteBuffer line = self.text
        cdef Py_ssize_t i, tag, begin, stop, first_run, before, after, seen = 0, left = 0, covered = -1
        cdef bytes html = self.page.markup.html
        cdef unsigned char byte, last = 0
        cdef bint owed = False
        cdef uint64_t letters
        cdef list waiting = None
        if not 0 <= block < blocks.count:
            raise IndexError(f"no block {block} among {blocks.count}")
        i, stop, tag = blocks.starts[block], blocks.stops[block], blocks.first_gaps[block]
        if self.placed:
            waiting = self.placed.get(block)
            left = 0 if waiting is None else len(waiting)
        begin, first_run = self._begin_line(), self.runs.count
        line.reserve(stop - i)
        if self.last_gap >= 0:
            for before in range(self.last_gap, tag):
                self._turn(before)
        self._note(begin)
        while True:
            byte = text[i] if i < stop else BREAK
            if waiting is not None:
                while left:
                    formula = waiting[len(waiting) - left]
                    if not formula.last < formula.first <= tag:
                        break
                    # A formula of a script: it stands after this many characters, or at the end before the tag.
                    if byte > SPACE and (seen < formula.offset or (byte & 0xC0) == 0x80) or byte == SPACE and (
                        seen < formula.offset or formula.blank_before
                    ):
                        break
                    left -= 1
                    self._put_formula(formula)
                    last = 1
                    if formula.blank_after:
                        line.put_byte(SPACE)
                        last = SPACE
                    line.reserve(stop - i)
            elif i + 8 <= stop:
                # Eight bytes without placeholders are copied as they are: no two spaces meet in the text.
                memcpy(&letters, &text[i], 8)
                if not below(letters, SPACE) and (byte != SPACE or last > SPACE):
                    memcpy(&line.bytes[line.size], &letters, 8)  # there is room
                    line.size += 8
                    i += 8
                    last = text[i - 1]
                    continue
            if i == stop:
                break
            i += 1
            if byte == INLINE or byte == BREAK:
                if left and covered < tag and waiting[len(waiting) - left].first == tag:
                    formula = waiting[len(waiting) - left]
                    left -= 1
                    covered = formula.last
                    self._put_formula(formula)
                    line.reserve(stop - i + 1)
                    last = 1
                    # A blank after it may be left out of the text, because there is one in it.
                    after = self.page.markup.tags.stop[covered]
                    owed = after < len(html) and html[after] <= SPACE
                elif covered < tag:
                    if self._turn(tag):
                        self._note(line.size)
                    elif self.page.markup.tags.name[tag] == INPUT and line.size == begin:
                        given = self.attributes(tag)
                        # Before the text.
                        if given.get(b"type", b"").lower() == b"checkbox" and _is_task(given):
                            self.box = "[x] " if b"checked" in given else "[ ] "
                tag += 1
                seen = 0
            elif tag <= covered:
                continue
            elif byte <= SPACE:
                if last and last != SPACE:
                    line.bytes[line.size] = last = SPACE
                    line.size += 1
            else:
                if owed and last == 1:
                    line.bytes[line.size] = SPACE
                    line.size += 1
                owed = False
                line.bytes[line.size] = last = byte
                line.size += 1
                seen += (byte & 0xC0) != 0x80
        self._close(line.size)
        if self.kind == CELL and self.lines.count and line.size > begin:
            begin = self._part_lines(block, begin, first_run)
        self.last_gap = blocks.last_gaps[block]
        return self._end_line(begin, first_run)

    cdef Py_ssize_t _part_lines(self, Py_ssize_t block, Py_ssize_t begin, Py_ssize_t first_run) except -1:
        """Put a semicolon before the line of a cell that begins at `begin`, unless it goes on with the one before;
        return where the line begins then.

        It goes on after punctuation, and after line breaks alone if it begins with a small letter or a bracket.
        """
        cdef ByteBuffer line = self.text
        cdef Markup markup = self.page.markup
        cdef Py_ssize_t tag, width, run
        cdef bint is_wrapped = True
        if begin < 2 or line.bytes[begin - 2] in b".,:;!?-/(" or line.bytes[begin - 2] <= SPACE:
            return begin
        for tag in range(max(self.last_gap, <Py_ssize_t>0), self.page.blocks.first_gaps[block]):
            is_wrapped &= not markup.parting[tag] or markup.roles[tag] == LINE_BREAK
        first = chr(code_point_at(&line.bytes[begin], &width))
        if is_wrapped and (first.islower() or not first.isalnum()):
            return begin
        line.insert(begin - 1, c";")
        for run in range(first_run, self.runs.count):
            self.runs.numbers[3 * run] += 1
            self.runs.numbers[3 * run + 1] += 1
        return begin + 1

    cdef int _turn(self, Py_ssize_t tag) except -1:
        """Open or close the style or link of a tag; return whether the tag is one."""
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

    cdef int _note(self, Py_ssize_t at) except -1:
        """Note at a place of the text which styles open and which close there."""
        cdef int style
        for style in range(STYLES):
            if self.opened[style] >= 0:
                if not self.depth[style]:
                    self._add_run(self.opened[style], at, 1 << style)
                    self.opened[style] = -1
            elif self.depth[style]:
                self.opened[style] = at
        if self.reads_links:
            if self.link_opened >= 0 and self.link_noted != self.link:
                self._add_run(self.link_opened, at, -self.link_noted)
                self.link_opened = -1
            if self.link >= 0 and self.link_opened < 0:
                self.link_opened, self.link_noted = at, self.link
        return 0

    cdef int _close(self, Py_ssize_t at) except -1:
        """End the open styles and link at the end of a line; the next line begins them again."""
        cdef int style
        for style in range(STYLES):
            if self.opened[style] >= 0:
                self._add_run(self.opened[style], at, 1 << style)
                self.opened[style] = -1
        if self.link_opened >= 0:
            self._add_run(self.link_opened, at, -self.link_noted)
            self.link_opened = -1
        return 0

    cdef int _add_run(self, Py_ssize_t start, Py_ssize_t stop, int64_t mark) except -1:
        cdef Py_ssize_t at
        if start < stop:
            at = self.runs.add()
            self.runs.numbers[at], self.runs.numbers[at + 1], self.runs.numbers[at + 2] = start, stop, mark
        return 0

    cdef int join(self) except -1:
        """Make all lines one."""
        cdef Py_ssize_t last = 4 * (self.lines.count - 1)
        if last > 0:
            self.lines.numbers[1], self.lines.numbers[3] = self.lines.numbers[last + 1], self.lines.numbers[last + 3]
            self.lines.count = 1
        return 0

    cdef list records(self):
        """The lines as records, whose places are characters."""
        cdef const int64_t[::1] lines = self.lines.numbers, runs = self.runs.numbers
        cdef Py_ssize_t number, start, stop, known = 0
        cdef list found = []
        for number in range(self.lines.count):
            start, stop = lines[4 * number], lines[4 * number + 1]
            encoded = np.asarray(self.text.bytes[start:stop])
            text = encoded.tobytes().decode()
            # The characters before each byte, and before the blank that perhaps ended the block.
            before = np.concatenate(([0], ((encoded & 0xC0) != 0x80).cumsum(), [len(text) + 1])).tolist()
            line = TextLine(text)
            for run in range(lines[4 * number + 2], lines[4 * number + 3]):
                line.runs.append((before[runs[3 * run] - start], before[runs[3 * run + 1] - start], runs[3 * run + 2]))
            if self.formulas is not None:
                count = text.count(STAND_IN)
                line.formulas = self.formulas[known : known + count]
                known += count
            found.append(line)
        return found

    cdef int load(self, line) except -1:
        """Take a record as the only line."""
        cdef bytes encoded = line.text.encode()
        cdef Py_ssize_t at, begin
        self.text.size = self.runs.count = self.lines.count = 0
        begin = self._begin_line()
        self.text.put(encoded, 0, len(encoded))
        places = ((np.frombuffer(encoded, np.uint8) & 0xC0) != 0x80).nonzero()[0].tolist()
        places.append(len(encoded))
        for start, stop, mark in line.runs:
            self._add_run(places[min(start, len(line.text))], places[min(stop, len(line.text))], mark)
        return self._end_line(begin, 0)

    cdef dict attributes(self, Py_ssize_t tag):
        """The attributes of a tag."""
        cdef Tags tags = self.page.markup.tags
        return attributes(self.page.markup.html, tags.start[tag], tags.stop[tag])
