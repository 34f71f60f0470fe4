"""The tags of a page, and the gaps between them: whether their text is shown, linked, preformatted.

Attributes say something of their elements: words in `class`, `id`, `role` and `itemprop`, targets, what hides. A
value is cut into words of letters at anything else and before capitals; words are told apart by their first
eight letters. Of two attributes of one name in a tag the first counts. (An `id` that repeats its section's heading says
nothing: see `_elements`.)

Some elements are signs of the page and no text, and are read as hidden: MediaWiki's links to edit a section, links of a
place to itself or of a note to where it is cited, which shows a mark alone, and beside code its line
numbers, its buttons and a head above it that names the language. What a highlighter draws as lines of code without
`pre` is read as `pre`, and so is a `code` that is a block of its own. Of MathML the TeX in it is read, else its
symbols, and only once where a script has drawn the formula, too. The content of a template is shown where it is a
shadow tree (HTML, 4.12.3, `shadowrootmode`).
"""

import re

import numpy as np

from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.string cimport memchr, memcmp, memset

from cedar.transforms.extractors.html._attributes cimport AttributeScanner
from cedar.transforms.extractors.html._bytes cimport SPACE, below, is_html_blank, key_at, lowest_bit, mixed, word
from cedar.transforms.extractors.html._elements cimport Lookup, find
from cedar.transforms.extractors.html._growing cimport IntArena
from cedar.transforms.extractors.html._styles cimport hides
from cedar.transforms.extractors.html._tags cimport BLOCK, END, Tags

from cedar.transforms.extractors.html._attributes import attributes
from cedar.transforms.extractors.html._elements import key
from cedar.transforms.extractors.html.code_languages import labelled
from cedar.transforms.extractors.segments import names as vocabulary

cdef Lookup MEANINGS = Lookup(vocabulary.TAGS)
cdef Py_ssize_t ROLES = vocabulary.ROLES

cdef enum:
    MIN_TAG_BYTES = 8  # bytes of the shortest tag with an attribute that is looked at: `<p id=x>`
    MAX_HIDDEN_TAGS = 256  # inside of a hidden inline element
    WORD_LETTERS = 8  # letters by which words are told apart: as many as fit a number
    HIDING = HAS_HIDDEN | HAS_STYLE
    MAX_CLASSES = 256  # values of `class` whose groups are remembered
    HIDDEN_SIGN = 1  # what a class says of an element: inline ones are read as hidden
    NUMBERS = 2  # line numbers, if it holds no letter
    FORMULA = 3  # MathML is in it, which is shown, whatever a style says
    DRAWN = 4  # a formula as it looks, after its MathML
    CODE_LINES = 5  # lines of code, if it has one of `CODE_NAMES`
    BESIDE_CODE = 6  # in code, but no code, if it has one of `NAMES_BESIDE_CODE`
    MAX_LOOKS = 4  # times that all tags together may be looked at for ends of code
    MAX_CODE_TAGS = 20000  # in one element of code
    MAX_SAID = 2000  # bytes of a tag, of a head and of first lines that are looked at
    MAX_HEAD_DEPTH = 8  # elements of one child each between `pre` and a head in it
    MIN_BLOCK_TAG = 20  # bytes of the shortest `code` that says that it is a block
    MAX_HEAD_TAGS = 24  # from the tag of code to its first line
    MAX_HEAD = 60  # bytes of the text of such a head
    MAX_MARK_BYTES = 16  # of a mark of a place, blanks included
    TAG_NUMBERS = 28  # numbers that a page needs for each tag, about

cdef Lookup WORDS = Lookup(vocabulary.WORDS)
cdef Lookup ATTRIBUTES = Lookup({
    key("class"): HAS_CLASS, key("id"): HAS_ID, key("role"): HAS_ROLE, key("itemprop"): HAS_ITEMPROP,
    key("href"): HAS_TARGET, key("hidden"): HAS_HIDDEN, key("style"): HAS_STYLE, key("rel"): HAS_NAMES,
    key("property"): HAS_NAMES,
})

FIRST_HEADING = vocabulary.CODE["h1"]
assert vocabulary.NO_CODE == NO_CODE
assert (vocabulary.OTHER, vocabulary.ANCHOR, vocabulary.PREFORMATTED) == (OTHER, ANCHOR, PREFORMATTED)
assert (vocabulary.LINE_BREAK, vocabulary.EMPTY, vocabulary.UNSEEN) == (LINE_BREAK, EMPTY, UNSEEN)
cdef frozenset MARKS = frozenset(sign.encode() for sign in (
    "¶", "&para;", "&#182;", "&#xb6;", "🔗", "^", "↩", "↩\ufe0e", "&#8617;", "&#8617;&#65038;", "&#x21a9;",
    "&#x21a9;&#xfe0e;", "&larrhk;", "⤴", "&#8593;", "&uarr;", "↑",
))
"""The text of a link to its own place, and of a link from a note to its citation."""
cdef frozenset MARKS_OF_HEADINGS = MARKS | {b"", b"#", "§".encode(), b"&sect;", b"&#167;"}
_NUMBERS = re.compile(rb"(?:[^<A-Za-z\x80-\xff]|<[^<>]*+>)*+")
"""Tags, and text without letters."""

cdef bytes NO_WIDTH = "\u200b".encode()
cdef uint64_t CODE_ELEMENT = key("code"), NOSCRIPT = key("noscript"), IMAGE = key("img"), SPAN = key("span")
cdef unsigned char PRE = vocabulary.CODE["pre"], BUTTON = vocabulary.CODE["button"]
cdef frozenset NOT_AROUND_CODE = frozenset(vocabulary.CODE[name] for name in "li dt td th h1 h2 h3 h4 h5 h6".split())
"""Elements whose first `code` is a word or a line of theirs."""

cdef uint64_t MATH = key("math"), ANNOTATION = key("annotation"), TEMPLATE = key("template")
CODE_NAMES = {
    b"syntaxhighlighter": b"", b"crayon-pre": b"", b"dp-highlighter": b"", b"recodeblock": b"", b"codemirror-code": b"",
    b"cm-content": b"", b"view-lines": b"", b"ace_text-layer": b"", b"fragment": b"\"line\"",
    b"highlight": b"blob-code", b"enlighter": b"",
}
"""Names of elements that highlighters and editors draw as lines of code, and marks in the tags that follow.

SyntaxHighlighter, Crayon, its forerunner dp, Telerik, CodeMirror 5 and 6, Monaco, Ace, Doxygen, GitHub, Enlighter.
"""
NAMES_BESIDE_CODE = frozenset(
    b"select-none user-select-none no-select noselect unselectable toolbar bar tools codemirror-measure ace_gutter"
    b" cm-gutters codemirror-gutter-wrapper codemirror-linenumber copy-btn copy-button copybtn btn-copy".split()
)
_CODE_BLOCKS = frozenset(b"block codeblock code-block blockcode block-code multiline multi-line".split())
_DISPLAYED = re.compile(rb"display:\s*block|white-space:\s*pre", re.IGNORECASE)
_LINE = re.compile(
    rb"""<span\s[^>]{0,80}?(?:["'\s=_-]line["'\s>]|data-line[\s=>]|display:\s*(?:block|flex|grid|table-row))""",
    re.IGNORECASE,
)
"""A `span` that is a line of code by its class, an attribute or its style."""
_UNSELECTED = re.compile(rb"user-select:\s*none", re.IGNORECASE)
_TO_NOWHERE = re.compile(rb"""\shref\s*=\s*["']?(?:#["'\s>]|javascript:)""", re.IGNORECASE)
_TAG = re.compile(rb"<[^<>]*+>")

cdef Lookup SIGNS = Lookup({
    int.from_bytes(bytes(byte | 0x20 for byte in name[:WORD_LETTERS]), "little"): sign
    for sign, names in (
        (HIDDEN_SIGN, b"mw-editsection mw-cite-backlink MJX_Assistive_MathML"),
        (NUMBERS, b"gutter lineno linenos line-numbers linenumber ln lnt rouge-gutter hljs-ln-numbers blob-num"
            b" crayon-nums"),
        (FORMULA, b"mwe-math-mathml"), (DRAWN, b"katex-html"),
        (CODE_LINES, b" ".join(CODE_NAMES)), (BESIDE_CODE, b" ".join(NAMES_BESIDE_CODE - {b"codemirror-measure"})),
    )
    for name in sorted({name[:WORD_LETTERS] for name in names.split()})
})

cdef unsigned char CASES[256]  # 1 for small letters, 2 for capitals, 0 for others
for _byte in range(256):
    CASES[_byte] = (c"a" <= _byte <= c"z") + 2 * (c"A" <= _byte <= c"Z")

assert len(vocabulary.GROUPS) <= 32, "groups are bits of 32"


cdef struct Classes:
    # Values of `class` that were met, by their signatures: most pages repeat a few of them.
    Py_ssize_t starts[MAX_CLASSES]
    Py_ssize_t sizes[MAX_CLASSES]  # 0 where a slot is free
    uint32_t groups[MAX_CLASSES]


cdef class Markup:
    """The t tags of a page without comments, scripts and styles, and the t + 1 gaps around them.

    Attributes:
        reading: the page as it was read; `html`, `tags` and `title` are its.
        codes: uint8 (t,), their names in `names.ELEMENTS`, or `NO_CODE`.
        roles: uint8 (t,), what the name says of the text around the tag.
        shown: uint8 (t,), whether it stands outside of elements whose content is not shown.
        parting: uint8 (t,), whether it is shown and parts blocks.
        hiding: uint8 (t,), whether it is a start tag that hides its element (`html._styles`), or opens a sign of the
            page.
        said: uint8 (t,), the attributes of a start tag that are looked at, as bits.
        groups: int64 (t,), of start tags of the tree's elements: bit g is set where a word of group g of
            `names.GROUPS` is said of the element.
        classes: int64 (t,), of start tags: equal for equal values of `class`, and hardly ever for others; 0 without
            one. Of tags without content neither this nor `said` is known: both are 0.
        class_starts, class_stops, id_starts, id_stops: int64 (t,), the bytes of `html` that are the values of `class`
            and `id`, of the tags of which `said` has them: no other reader need scan the tag for them.
        starts_before: int64 (t + 1,), the shown start tags among the first tags.
        hidden_gaps, linked_gaps, preformatted_gaps: uint8 (t + 1,), gaps inside of elements whose content is
            not shown as text or that are inline and hidden, of links, and of `pre`.
        headline: what `_headline.headline_of` has found; None until it is asked for.
        room: for arrays of the page, its blocks and its elements.
    """

    def __init__(self, page not None):
        """Look at the tags of a page, a `PageReading`."""
        self.reading, self.html, self.tags, self.title = page, page.html, page.tags, page.title
        if self.tags.count and self.tags.stop[self.tags.count - 1] > len(self.html):
            raise ValueError("tags of another page")
        self.room = IntArena(TAG_NUMBERS * (self.tags.count + 64))
        self._look_up()
        self._mark_gaps()

    cdef int _look_up(self) except -1:
        """Look up what the tags say, and mark the gaps that are not shown.

        Hidden elements of the tree are left to what chooses among blocks.
        """
        # Of how many more elements each tag begins the part that is not shown, than it ends.
        cdef int64_t[::1] change = self.room.zeros(self.tags.count + 2)
        self._make_room(self.tags.count)
        self._look_up_names(change)
        self._look_at_attributes(change)
        self._mark_shown(change)
        return 0

    cdef int _make_room(self, Py_ssize_t size) except -1:
        cdef unsigned char[:, ::1] marks = np.zeros((9, size + 1), np.uint8)
        self.codes, self.roles, self.shown = marks[0, :size], marks[1, :size], marks[2, :size]
        self.parting, self.hiding, self.said = marks[3, :size], marks[4, :size], marks[5, :size]
        self.hidden_gaps, self.linked_gaps, self.preformatted_gaps = marks[6], marks[7], marks[8]
        self.groups, self.classes = self.room.zeros(size), self.room.zeros(size)
        self.class_starts, self.class_stops = self.room.take(size), self.room.take(size)
        self.id_starts, self.id_stops = self.room.take(size), self.room.take(size)
        self.starts_before = self.room.take(size + 1)
        return 0

    cdef int _look_up_names(self, int64_t[::1] change) except -1:
        """Look up what the tags' names say, and hide elements that are not shown because of their names.

        Such an element reaches from a start tag to the next end tag of its name, if no other start tag of the name
        comes before.
        """
        cdef const uint64_t[::1] names = self.tags.name
        cdef const unsigned char[::1] kinds = self.tags.kind
        cdef unsigned char[::1] codes = self.codes, roles = self.roles, parting = self.parting
        # For each name that is not shown, one more than the last tag of it, if that is a start tag.
        cdef int64_t[::1] opened = self.room.zeros(ROLES)
        cdef Py_ssize_t tag, role, formula = 0
        cdef int64_t meaning
        for tag in range(self.tags.count):
            meaning = find(MEANINGS, names[tag])
            if meaning < 0:
                meaning = NO_CODE
            codes[tag] = <unsigned char>(meaning & 0xFF)
            roles[tag] = <unsigned char>(meaning >> 8 & 0xFF)
            parting[tag] = (kinds[tag] & BLOCK) != 0
            role = roles[tag]
            if role >= UNSEEN:
                if not kinds[tag] & END:
                    opened[role] = tag + 1
                    if names[tag] == ANNOTATION and (not formula or self._says(tag, b"tex")):
                        if formula:
                            _hide(change, formula, tag + 1)  # the symbols that stand for this TeX
                        opened[role] = 0
                    elif names[tag] == TEMPLATE and self._says(tag, b"shadowrootmode"):
                        opened[role] = 0
                elif opened[role]:
                    _hide(change, opened[role], tag + 1)
                    opened[role] = 0
            elif names[tag] == MATH:
                formula = 0 if kinds[tag] & END else tag + 1
        return 0

    cdef int _look_at_attributes(self, int64_t[::1] change) except -1:
        """Look at the attributes of start tags, read code as `pre`, and hide what is a sign of the page and no text."""
        cdef const unsigned char[::1] codes = self.codes, roles = self.roles, kinds = self.tags.kind
        cdef const uint64_t[::1] names = self.tags.name
        cdef const int64_t[::1] starts = self.tags.start, stops = self.tags.stop
        cdef AttributeScanner scanner = AttributeScanner(self.html)
        cdef Py_ssize_t tag, end, hidden_until = 0, checked = 0
        cdef bint in_heading = False, in_pre = False
        cdef Hints hints
        cdef Classes classes
        memset(classes.sizes, 0, sizeof(classes.sizes))
        self.looks = MAX_LOOKS * self.tags.count + MAX_CODE_TAGS
        for tag in range(self.tags.count):
            if FIRST_HEADING <= codes[tag] < FIRST_HEADING + 6:
                in_heading = not kinds[tag] & END
            if roles[tag] == PREFORMATTED or names[tag] == CODE_ELEMENT:
                in_pre = self._follow_code(tag, in_pre, change)
            elif names[tag] == NOSCRIPT:
                self._join_around_image(tag)
            if kinds[tag] & END or roles[tag] == EMPTY or stops[tag] - starts[tag] < MIN_TAG_BYTES:
                continue
            scanner.open(starts[tag], stops[tag])
            read_hints(scanner, names[tag], codes[tag] != NO_CODE, &classes, &hints)
            _take_hints(self, tag, in_heading, &hints)
            if tag < hidden_until:
                continue
            end = -1
            if hints.hides and codes[tag] == NO_CODE or in_pre and self._is_beside_code(tag, &hints):
                end = self._end(tag, MAX_HIDDEN_TAGS)
            elif hints.sign == CODE_LINES and not in_pre and self._has_code_lines(tag):
                in_pre = self._read_as_pre(tag)
            elif hints.sign == NUMBERS and tag >= checked:
                checked = end = self._end_of_code(tag)
                if end >= 0 and not _NUMBERS.fullmatch(self.html, stops[tag], starts[end]):
                    end = -1
            if end >= 0:
                _hide(change, tag + 1, end + 1)
                hidden_until = end
        return 0

    cdef bint _follow_code(self, Py_ssize_t tag, bint in_pre, int64_t[::1] change) except -1:
        """Whether `pre` is open after a tag of `pre` or `code`; a block of code is read as `pre`.

        Where one begins, hide its head and part its lines.
        """
        cdef bint is_end = self.tags.kind[tag] & END
        if self.roles[tag] == PREFORMATTED:
            in_pre = not is_end
        elif not in_pre and self._is_block_of_code(tag):
            in_pre = self._read_as_pre(tag)
        if in_pre and self.roles[tag] == PREFORMATTED and not is_end:
            self._hide_head(tag, change)
            self._part_lines(tag)
        return in_pre

    cdef int _mark_shown(self, const int64_t[::1] change) except -1:
        """Mark the gaps that are hidden and the tags that are shown; others part nothing."""
        cdef unsigned char[::1] hidden = self.hidden_gaps, shown = self.shown, parting = self.parting
        cdef Py_ssize_t tag
        cdef int64_t depth = 0
        for tag in range(self.tags.count):
            depth += change[tag + 1]
            hidden[tag + 1] = depth > 0
            shown[tag] = not (hidden[tag] and hidden[tag + 1])
            parting[tag] &= shown[tag]
        return 0

    cdef bint _marks_a_place(self, Py_ssize_t link, bint in_heading) except -1:
        """Whether a link leads to its own place: it shows `#`, `¶`, or nothing that has a width."""
        cdef Tags tags = self.tags
        cdef Py_ssize_t start = tags.stop[link]
        if link + 1 == tags.count or tags.name[link + 1] != tags.name[link]:
            return False
        if tags.start[link + 1] - start > MAX_MARK_BYTES:
            return False
        if memchr(<const char *>self.html + tags.start[link], c"#", start - tags.start[link]) == NULL:
            return False
        shown = self.html[start : tags.start[link + 1]].replace(NO_WIDTH, b"").strip()
        return shown in (MARKS_OF_HEADINGS if in_heading else MARKS)

    cdef Py_ssize_t _end(self, Py_ssize_t start, Py_ssize_t reach) noexcept:
        """The tag that ends an element, at most `reach` tags after its start tag; -1 if none does."""
        cdef Tags tags = self.tags
        cdef Py_ssize_t tag, depth = 1
        for tag in range(start + 1, min(start + 1 + reach, tags.count)):
            if tags.name[tag] == tags.name[start]:
                depth += -1 if tags.kind[tag] & END else 1
                if not depth:
                    return tag
        return -1

    cdef Py_ssize_t _end_of_code(self, Py_ssize_t start) noexcept:
        """The tag that ends an element of code or of its line numbers; -1 if none does, or too much was looked at."""
        cdef Py_ssize_t reach = min(self.looks, <Py_ssize_t>MAX_CODE_TAGS), end = self._end(start, reach)
        self.looks -= end - start if end >= 0 else min(reach, self.tags.count - start)
        return end

    cdef bint _read_as_pre(self, Py_ssize_t start) except -1:
        """Read an element as `pre` if it ends; whether it does."""
        cdef Py_ssize_t end = self._end_of_code(start), tag
        if end < 0:
            return False
        for tag in (start, end):
            self.codes[tag], self.roles[tag], self.parting[tag] = PRE, PREFORMATTED, True
        return True

    cdef bint _is_block_of_code(self, Py_ssize_t start) except -1:
        """Whether `code` is a block by its class or style, or because it has several lines and is all of a block."""
        cdef Tags tags = self.tags
        cdef Py_ssize_t end
        if tags.kind[start] & END or start and self.codes[start - 1] in NOT_AROUND_CODE:
            return False
        if tags.stop[start] - tags.start[start] >= MIN_BLOCK_TAG:
            given = self.attributes_of(start)
            if not _CODE_BLOCKS.isdisjoint(given.get(b"class", b"").lower().split()):
                return True
            if b"style" in given and _DISPLAYED.search(given[b"style"]):
                return True
        if not start or not self.parting[start - 1] or self.roles[start - 1] == LINE_BREAK:
            return False
        if not self._is_blank(start - 1):
            return False
        end = self._end_of_code(start)
        if end < 0 or end + 1 < tags.count and not (self.parting[end + 1] and self._is_blank(end)):
            return False
        for tag in range(start + 1, end):
            if self.parting[tag]:
                return False
        return b"\n" in self.html[tags.stop[start] : tags.start[end]].strip()

    cdef bint _is_blank(self, Py_ssize_t tag) noexcept:
        """Whether there is a next tag, and only blanks before it."""
        cdef const unsigned char *html = self.html
        cdef Py_ssize_t at
        for at in range(self.tags.stop[tag], self.tags.start[tag + 1]):
            if not is_html_blank(html[at]):
                return False
        return True

    cdef bint _has_code_lines(self, Py_ssize_t tag) except -1:
        """Whether the class of a tag says that a highlighter draws code in its element."""
        cdef Tags tags = self.tags
        cdef Py_ssize_t after = min(tag + 8, tags.count - 1), stop
        for name in self.class_of(tag).lower().split():
            if name in CODE_NAMES:
                stop = min(tags.stop[after], tags.stop[tag] + MAX_SAID)
                return CODE_NAMES[name] in self.html[tags.stop[tag] : stop]
        return False

    cdef bint _is_beside_code(self, Py_ssize_t tag, const Hints *hints) except -1:
        """Whether an element in code is no code: a button, a link to nowhere, a toolbar, unselectable text."""
        cdef Tags tags = self.tags
        if self.codes[tag] == BUTTON:
            return True
        if hints.sign == BESIDE_CODE or hints.sign == CODE_LINES:
            return not NAMES_BESIDE_CODE.isdisjoint(self.class_of(tag).lower().split())
        if hints.seen & HAS_STYLE:
            return _UNSELECTED.search(self.html, tags.start[tag], tags.stop[tag]) is not None
        if self.roles[tag] == ANCHOR and hints.seen & HAS_TARGET:
            return _TO_NOWHERE.search(self.html, tags.start[tag], tags.stop[tag]) is not None
        return False

    cdef int _hide_head(self, Py_ssize_t pre, int64_t[::1] change) except -1:
        """Hide the first element of a `pre` if it is a head: a short text with a button, or the name of a language."""
        cdef Tags tags = self.tags
        cdef Py_ssize_t tag = pre, end = -1, after
        for _ in range(MAX_HEAD_DEPTH):
            tag += 1
            if tag + 1 >= tags.count or tags.kind[tag] & END or self.roles[tag] == EMPTY or not self._is_blank(tag - 1):
                return 0
            end = self._end(tag, MAX_HIDDEN_TAGS)
            after = end
            while 0 <= after < tags.count - 1 and tags.kind[after] & END and self.roles[after] != PREFORMATTED:
                if not self._is_blank(after):
                    break
                after += 1
            if after >= 0 and not tags.kind[after] & END and after < tags.count - 1:
                break  # something follows
        else:
            return 0
        if tags.start[end] - tags.stop[tag] > MAX_SAID:
            return 0
        written = self.html[tags.stop[tag] : tags.start[end]]
        said = b" ".join(_TAG.sub(b" ", written).split()).decode("utf-8", "replace")
        if len(said) > MAX_HEAD:
            return 0
        if b"<button" in written.lower() or tags.name[after] == CODE_ELEMENT and b"copy" in written.lower() or (
            labelled(said) and (self.parting[end] or tags.name[after] == CODE_ELEMENT and self._is_blank(after - 1))
        ):
            _hide(change, tag + 1, end + 1)
        return 0

    cdef int _part_lines(self, Py_ssize_t pre) except -1:
        """Part the lines of a `pre` that are a `span` each, without line feeds, as line breaks would."""
        cdef Tags tags = self.tags
        cdef Py_ssize_t line = pre + 1, end, stop
        while line < min(pre + MAX_HEAD_TAGS, tags.count) and not self._is_line(line):
            line += 1
        end = self._end(line, MAX_HIDDEN_TAGS) if line < tags.count and self._is_line(line) else -1
        if end < 0 or end + 1 >= tags.count or tags.start[end + 1] != tags.stop[end] or not self._is_line(end + 1):
            return 0
        stop = self._end_of_code(pre)
        if stop < 0 or b"\n" in self.html[tags.stop[line] : tags.start[stop]].strip():
            return 0
        for line in range(line, stop):
            if self.roles[line] == LINE_BREAK:
                return 0
        line = end + 1
        while end >= 0 and line < stop and self._is_line(line):
            self.roles[line], self.parting[line] = LINE_BREAK, True
            end = self._end(line, MAX_HIDDEN_TAGS)
            line = end + 1
        return 0

    cdef bint _is_line(self, Py_ssize_t tag) except -1:
        """Whether a tag starts a `span` that is a line of code."""
        cdef Tags tags = self.tags
        return tags.name[tag] == SPAN and not tags.kind[tag] & END and (
            _LINE.match(self.html, tags.start[tag], tags.stop[tag]) is not None
        )

    cdef int _join_around_image(self, Py_ssize_t tag) except -1:
        """Let a `noscript` that holds an image and no text part nothing."""
        cdef Tags tags = self.tags
        if tags.kind[tag] & END or tag + 2 >= tags.count or tags.name[tag + 2] != NOSCRIPT:
            return 0
        if tags.name[tag + 1] == IMAGE and self._is_blank(tag) and self._is_blank(tag + 1):
            self.parting[tag] = self.parting[tag + 2] = False
        return 0

    cdef bytes class_of(self, Py_ssize_t tag):
        """The value of a tag's `class`; empty without one."""
        return self.html[self.class_starts[tag] : self.class_stops[tag]] if self.said[tag] & HAS_CLASS else b""

    cpdef dict attributes_of(self, Py_ssize_t tag):
        """The attributes of a tag, of the first `MAX_SAID` bytes of it; raise IndexError if there is no such tag."""
        cdef int64_t start
        if not 0 <= tag < self.tags.count:
            raise IndexError(f"no tag {tag}")
        start = self.tags.start[tag]
        return attributes(self.html, start, min(self.tags.stop[tag], start + MAX_SAID))

    cdef bytes id_of(self, Py_ssize_t tag):
        """The value of a tag's `id`; empty without one."""
        return self.html[self.id_starts[tag] : self.id_stops[tag]] if self.said[tag] & HAS_ID else b""

    cdef uint32_t groups_besides_id(self, Py_ssize_t tag) except? 0xFFFFFFFF:
        """Return `groups` without the groups that only the `id` of the tag names."""
        cdef AttributeScanner scanner = AttributeScanner(self.html)
        cdef uint32_t groups = 0
        cdef int kind, seen = HAS_ID
        scanner.open(self.tags.start[tag], self.tags.stop[tag])
        while scanner.advance():
            kind = <int>find(ATTRIBUTES, scanner.name)
            if kind >= 0 and kind & SAYING and not kind & seen and scanner.size() <= 8:
                seen |= kind
                groups |= groups_of(self.html, scanner.start, scanner.stop)
        return groups

    cdef bint _says(self, Py_ssize_t tag, bytes word) except -1:
        """Whether a word stands in a tag, in any case."""
        return word in self.html[self.tags.start[tag] : self.tags.stop[tag]].lower()

    cdef int _mark_gaps(self) except -1:
        """Mark the gaps after a link's start tag with a target, and after a start tag of `pre`."""
        cdef Tags tags = self.tags
        cdef const unsigned char[::1] roles = self.roles, shown = self.shown
        cdef unsigned char[::1] linked = self.linked_gaps, preformatted = self.preformatted_gaps
        cdef int64_t[::1] before = self.starts_before
        cdef Py_ssize_t tag
        cdef bint in_link = False, in_pre = False, starts
        before[0] = 0
        for tag in range(tags.count):
            starts = not tags.kind[tag] & END
            if roles[tag] == ANCHOR and shown[tag]:
                in_link = starts and self.said[tag] & HAS_TARGET != 0
            elif roles[tag] == PREFORMATTED:
                in_pre = starts
            linked[tag + 1] = in_link
            preformatted[tag + 1] = in_pre
            before[tag + 1] = before[tag] + (shown[tag] & starts)
        return 0


cdef inline int _take_hints(Markup markup, Py_ssize_t tag, bint in_heading, Hints *hints) except -1:
    """Note what the attributes of a tag say; drawn formulas and links to their own places are hidden, too."""
    if hints.sign == DRAWN and tag > 1:
        hints.hides |= markup.tags.name[tag - 2] == MATH and markup.tags.kind[tag - 2] & END
    if markup.roles[tag] == ANCHOR and hints.seen & HAS_TARGET:
        hints.hides |= markup._marks_a_place(tag, in_heading)
    markup.hiding[tag], markup.said[tag] = hints.hides, <unsigned char>hints.seen
    markup.groups[tag], markup.classes[tag] = hints.groups, <int64_t>hints.signature
    markup.class_starts[tag], markup.class_stops[tag] = hints.class_start, hints.class_stop
    markup.id_starts[tag], markup.id_stops[tag] = hints.id_start, hints.id_stop
    return 0


cdef inline void _hide(int64_t[::1] change, Py_ssize_t first, Py_ssize_t last) noexcept nogil:
    """Let the gaps [first, last) be hidden by one element more."""
    change[first] += 1
    change[last] -= 1


cdef void read_hints(
    AttributeScanner scanner, uint64_t element, bint is_block, Classes *classes, Hints *hints
) noexcept nogil:
    """Read the start tag at which a scanner is, of an element by the key of its name."""
    cdef int kind
    cdef Py_ssize_t size
    hints.groups, hints.signature = 0, 0
    hints.class_start = hints.class_stop = hints.id_start = hints.id_stop = 0
    hints.hides, hints.sign, hints.seen = False, 0, 0
    while scanner.advance():
        kind = <int>find(ATTRIBUTES, scanner.name)
        if kind < 0 or kind & hints.seen or scanner.size() > 8:
            continue
        hints.seen |= kind
        size = scanner.stop - scanner.start
        if kind & HIDING:
            # Within the tag: an empty value may begin where the tag ends.
            hints.hides |= hides(element, scanner.name, scanner.size(), &scanner.html[0] + scanner.start, size)
        elif kind & SAYING and size:
            if kind == HAS_ID:
                hints.id_start, hints.id_stop = scanner.start, scanner.stop
            if kind == HAS_CLASS:
                hints.class_start, hints.class_stop = scanner.start, scanner.stop
                hints.signature = mixed(scanner.html, scanner.start, scanner.stop)
                hints.sign = _sign(scanner.html, scanner.start, scanner.stop)
            if is_block and kind == HAS_CLASS:
                hints.groups |= _groups_of_class(scanner.html, scanner.start, size, hints.signature, classes)
            elif is_block:
                hints.groups |= _groups(scanner.html, scanner.start, scanner.stop)
    if not is_block and hints.sign > 0:
        hints.hides = hints.sign != FORMULA and (hints.hides or hints.sign == HIDDEN_SIGN)


cdef uint32_t _groups_of_class(
    const unsigned char[::1] html, Py_ssize_t start, Py_ssize_t size, uint64_t signature, Classes *classes
) noexcept nogil:
    """The groups of the words of a value of `class`, which may have been met before."""
    cdef Py_ssize_t slot = <Py_ssize_t>(signature % MAX_CLASSES)
    if classes.sizes[slot] != size or memcmp(&html[classes.starts[slot]], &html[start], size):
        classes.starts[slot], classes.sizes[slot] = start, size
        classes.groups[slot] = _groups(html, start, start + size)
    return classes.groups[slot]


cdef inline int _sign(const unsigned char[::1] html, Py_ssize_t start, Py_ssize_t stop) noexcept nogil:
    """The sign (`HIDDEN_SIGN` and so on) of the first name in a `class`, by its first eight letters; -1 if none."""
    cdef uint64_t blanks = below(word(html, start), SPACE + 1)
    cdef Py_ssize_t size = max(min(lowest_bit(blanks) >> 3 if blanks else WORD_LETTERS, stop - start), 1)
    return <int>find(SIGNS, key_at(html, start, start + size))


cdef uint32_t groups_of(const unsigned char[::1] html, Py_ssize_t start, Py_ssize_t stop) noexcept nogil:
    """The groups of the words of a value, as bits."""
    return _groups(html, start, stop)


cdef uint32_t _groups(const unsigned char[::1] html, Py_ssize_t start, Py_ssize_t stop) noexcept nogil:
    """Do as `groups_of`; private to this module, so that the compiler can put it inline."""
    cdef Py_ssize_t at = start, begin
    cdef unsigned char kind, before
    cdef int64_t found
    cdef uint32_t groups = 0
    while at < stop:
        begin = at
        at += 1
        before = CASES[html[begin]]
        if not before:
            continue
        # A word ends before a character that is no letter, and before a capital after a small letter.
        kind = CASES[html[at]] if at < stop else 0
        while kind and kind <= before:
            at += 1
            before = kind
            kind = CASES[html[at]] if at < stop else 0
        found = find(WORDS, key_at(html, begin, at))
        if found >= 0:
            groups |= <uint32_t>found
    return groups
