"""Where a page may say something of itself: one pass over its tags.

What a tag is tells its key; which attributes it has, and which tags share a `class`, `Markup` has noted. Words of dates,
authors and licences are found in them by their first letters: their reader looks at such a tag more closely.
"""

from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.string cimport memcpy

from transforms.extractors.html._attributes cimport AttributeScanner
from transforms.extractors.html._bytes cimport eight, word
from transforms.extractors.html._tags cimport END, Tags
from transforms.extractors.segments._markup cimport EMPTY, HAS_CLASS, HAS_ID, HAS_ITEMPROP, HAS_NAMES, Markup

from transforms.extractors.html._tags import key
from transforms.extractors.html._text import rendered
from transforms.metadata.meta_names import ALL

MOST_METAS = 500  # tags of `<meta>`, and of `<link>`, that are read
MOST_FINDS = 200  # tags of any other kind that are noted
MOST_MARKED = 4000  # tags that are noted for their class

cdef enum:
    HEADINGS = 8  # of each level
    SHORTEST = 8  # bytes of a tag with an attribute that matters
    KNOWN = 512  # values of `class` that are kept in mind

# What a word in an attribute speaks of.
cdef enum:
    DATES = 1
    AUTHORS = 2
    PUBLISHED = 4
    MODIFIED = 8
    CANONICAL = 16
    LICENCES = 32
    ASIDES = 64
    CHANGED = 128
    SEEN = 256

cdef enum:
    WORDS = 34
    SHIFT = 20  # leaves twelve bits
    STRIDE = 17  # runs of four letters in `creativecommons.org/`
    WORD = 1  # what four letters may be: the beginning of a word,
    OF_COMMONS = 2  # or such a run


cdef struct Word:
    # A word in lower case, its first eight bytes at most, as one little-endian number, and what it speaks of.
    uint64_t letters
    uint64_t mask
    int size
    int kinds


COMMONS = b"creativecommons.org/"

cdef Word[WORDS] TABLE
cdef unsigned char[1 << 12] FOURS  # what four letters may be, by their hash


cdef inline uint32_t _hash_of(const unsigned char* letters) noexcept nogil:
    """A number of twelve bits of four letters in any case (Knuth, TAOCP 3, section 6.4)."""
    cdef uint32_t four
    memcpy(&four, letters, 4)  # in the order of the machine, here and in the table
    return ((four | <uint32_t>0x20202020) * <uint32_t>0x9E3779B1) >> SHIFT


cdef _make_table():
    cdef int number = 0
    for kinds, words in (
        (DATES, "date datum data fech publi posted byline time created meta info authored"),
        (AUTHORS, "byline by-line author autor auteur postedby posted-b written writer creator journali"),
        (PUBLISHED, "datepubl"),
        (MODIFIED, "datemodi"),
        (CANONICAL, "canonica"),
        (LICENCES, "licen"),
        (CHANGED, "updat modif"),
        (ASIDES, "comment related recommen sidebar quote"),
    ):
        for written in words.split():
            TABLE[number].letters = key(written)
            TABLE[number].size = len(written)
            TABLE[number].mask = ~(<uint64_t>0) >> (64 - 8 * TABLE[number].size)
            TABLE[number].kinds = kinds
            FOURS[_hash_of(written.encode())] |= WORD
            number += 1
    for at in range(STRIDE):
        FOURS[_hash_of(COMMONS[at:])] |= OF_COMMONS
    if number != WORDS:
        raise ValueError("the table holds another number of words")


_make_table()

cdef uint64_t META = key("meta"), LINK = key("link"), BASE = key("base"), HTML = key("html"), TIME = key("time")
cdef uint64_t BLOCKQUOTE = key("blockquote"), H1 = key("h1"), H2 = key("h2")
cdef uint64_t CLASS = key("class"), ID = key("id"), ITEMPROP = key("itemprop"), PROPERTY = key("property")
cdef uint64_t REL = key("rel"), HREF = key("href"), NAME = key("name")
cdef uint64_t CONTENT = key("content"), VALUE = key("value"), HTTP_EQUIV = key("http-equiv")


cdef class Places:
    """The tags of a page that may hold metadata: numbers of start tags, ascending.

    Attributes:
        metas: the contents of `<meta>` by the names in `meta_names.ALL`; in order, none empty.
        links: `rel`, in lower case, and `href` of each `<link>` to the page's own address or to a licence.
        base: the `href` of the first `<base>`; None if it has none.
        language: the `lang` of the page as written; empty if it has none.
        times: `<time>`.
        headings: the first eight `h1`, then the first eight `h2`.
        published, modified, authored: those whose `itemprop` speaks of the date of publication, of the last
            change, of the author.
        by_authors: those whose `rel` speaks of the author.
        to_licences: those whose `rel` speaks of a licence.
        to_commons: those of the last quarter of the page whose `href` names an address of Creative Commons.
        dated: those whose class, id, `itemprop` or `property` has a word of dates.
        signed: those whose class or id has a word of authors.
        changed: those whose class or id has a word of a change.
        asides: quotes, and those whose class, id or `itemprop` has a word of comments, quotes, sidebars or of
            what is related.
    """

    cdef readonly dict metas
    cdef readonly list links, times, headings, published, modified, authored, by_authors
    cdef readonly list to_licences, to_commons, dated, signed, changed, asides
    cdef readonly object base
    cdef readonly bytes language
    cdef bytes html
    cdef Markup markup
    cdef Tags tags
    cdef AttributeScanner scanner
    cdef Py_ssize_t items
    cdef int64_t[KNOWN] classes  # values of `class` that were met, as in `Markup`, and what their words speak of
    cdef int[KNOWN] kinds

    def __init__(self, Markup markup not None):
        self.html, self.markup, self.tags = markup.reading.source.html, markup, markup.tags
        if self.tags.count and self.tags.stop[self.tags.count - 1] > len(self.html):
            raise ValueError("tags of another page")
        self.scanner = AttributeScanner(self.html)
        self.metas, self.language = {}, b""
        self.links, self.times, self.headings = [], [], []
        self.published, self.modified, self.authored, self.by_authors = [], [], [], []
        self.to_licences, self.to_commons, self.dated = [], [], []
        self.signed, self.changed, self.asides = [], [], []
        self._look_at_tags()
        self._look_for_commons()

    def attributes(self, Py_ssize_t tag):
        """The attributes of a tag; see `html._attributes.attributes`."""
        if not 0 <= tag < self.tags.count:
            raise IndexError("no such tag")
        self.scanner.open(self.tags.start[tag], self.tags.stop[tag])
        return self.scanner.read()

    def marks(self, Py_ssize_t tag, *names):
        """The values of some attributes of a tag, in lower case, blanks between them."""
        given = self.attributes(tag)
        return b" ".join([given.get(name, b"") for name in names]).lower()

    cdef int _look_at_tags(self) except -1:
        cdef Tags tags = self.tags
        cdef Markup markup = self.markup
        cdef Py_ssize_t tag, metas = 0, links = 0, most_metas = MOST_METAS, most = MOST_FINDS
        cdef uint64_t name
        cdef int said, kinds
        cdef bint has_base = False, has_html = False
        cdef list seconds = []
        for tag in range(tags.count):
            name, said = tags.name[tag], markup.said[tag]
            if markup.roles[tag] == EMPTY:
                if name == META:
                    metas += 1
                    if metas <= most_metas:
                        self._read_meta(tag)
                elif name == LINK:
                    links += 1
                    if links <= most_metas:
                        self._read_link(tag)
                elif name == BASE and not has_base:
                    has_base = True
                    self.base = rendered(self.attributes(tag).get(b"href", b"")) or None
                if tags.stop[tag] - tags.start[tag] >= SHORTEST and not tags.kind[tag] & END:
                    self._read_attributes(tag)
                continue
            if tags.kind[tag] & END:
                continue
            if name == TIME:
                _note(self.times, tag, most)
            elif name == H1:
                _note(self.headings, tag, HEADINGS)
            elif name == H2:
                _note(seconds, tag, HEADINGS)
            elif name == HTML and not has_html:
                has_html = True
                self.language = self.attributes(tag).get(b"lang", b"")
            if said & (HAS_ID | HAS_ITEMPROP | HAS_NAMES):
                self._read_attributes(tag)
                continue
            kinds = self._kinds_of_class(tag) if said & HAS_CLASS else 0
            if kinds or name == BLOCKQUOTE:
                self._note_kinds(tag, kinds, 0)
        self.headings += seconds
        return 0

    cdef int _kinds_of_class(self, Py_ssize_t tag) except -1:
        """What the words in the `class` of a tag speak of, which may have been met before."""
        cdef AttributeScanner scanner = self.scanner
        cdef int64_t value = self.markup.classes[tag]
        cdef Py_ssize_t slot = value & KNOWN - 1
        if self.classes[slot] != value:
            scanner.open(self.tags.start[tag], self.tags.stop[tag])
            while scanner.advance() and scanner.name != CLASS:
                pass
            self.classes[slot], self.kinds[slot] = value, _kinds_of(scanner, scanner.start, scanner.stop)
        return self.kinds[slot]

    cdef int _read_attributes(self, Py_ssize_t tag) except -1:
        """Note a start tag for what its attributes speak of: the first of each name."""
        cdef AttributeScanner scanner = self.scanner
        cdef int of_class = 0, of_id = 0, of_item = 0, of_property = 0, of_rel = 0
        scanner.open(self.tags.start[tag], self.tags.stop[tag])
        while scanner.advance():
            if scanner.name == CLASS:
                of_class = of_class or SEEN | _kinds_of(scanner, scanner.start, scanner.stop)
            elif scanner.name == ID:
                of_id = of_id or SEEN | _kinds_of(scanner, scanner.start, scanner.stop)
            elif scanner.name == REL:
                of_rel = of_rel or SEEN | _kinds_of(scanner, scanner.start, scanner.stop)
            elif scanner.name == ITEMPROP and scanner.size() == 8 and not of_item:
                self.items += 1
                of_item = SEEN
                if self.items <= MOST_FINDS:
                    of_item |= _kinds_of(scanner, scanner.start, scanner.stop)
            elif scanner.name == PROPERTY and scanner.size() == 8:
                of_property = of_property or SEEN | _kinds_of(scanner, scanner.start, scanner.stop)
        if of_property & DATES:
            of_item |= DATES
        if of_rel & AUTHORS:
            _note(self.by_authors, tag, MOST_FINDS)
        if of_rel & LICENCES:
            _note(self.to_licences, tag, MOST_FINDS)
        return self._note_kinds(tag, of_class | of_id, of_item)

    cdef int _note_kinds(self, Py_ssize_t tag, int of_class, int of_item) except -1:
        """Note a start tag for what its class and its id, and its `itemprop`, speak of."""
        if (of_class | of_item) & DATES:
            _note(self.dated, tag, MOST_MARKED)
        if of_class & AUTHORS:
            _note(self.signed, tag, MOST_MARKED)
        if of_class & CHANGED:
            _note(self.changed, tag, MOST_FINDS)
        if (of_class | of_item) & ASIDES or self.tags.name[tag] == BLOCKQUOTE:
            _note(self.asides, tag, MOST_FINDS)
        if of_item & AUTHORS:
            _note(self.authored, tag, MOST_FINDS)
        if of_item & PUBLISHED:
            _note(self.published, tag, MOST_FINDS)
        if of_item & MODIFIED:
            _note(self.modified, tag, MOST_FINDS)
        return 0

    cdef int _look_for_commons(self) except -1:
        """Note the start tags of the last quarter whose `href` names an address of Creative Commons."""
        cdef Tags tags = self.tags
        cdef const unsigned char* html = &self.scanner.html[0] if self.html else NULL
        cdef Py_ssize_t size = len(self.html), tag = tags.count, looked = -1, at
        while tag and 4 * tags.start[tag - 1] >= 3 * size:
            tag -= 1
        at = tags.start[tag] if tag < tags.count else size
        while at + 4 <= size:
            # Of the runs of four letters in such an address one is looked at, wherever it begins.
            if FOURS[_hash_of(html + at)] & OF_COMMONS:
                while tag + 1 < tags.count and tags.start[tag + 1] <= at:
                    tag += 1
                if tag != looked and at < tags.stop[tag]:
                    looked = tag
                    if not tags.kind[tag] & END and COMMONS in self.attributes(tag).get(b"href", b""):
                        _note(self.to_commons, tag, MOST_FINDS)
            at += STRIDE
        return 0

    cdef int _read_meta(self, Py_ssize_t tag) except -1:
        """Note what a `<meta>` says by the first of its names that is not empty, if that is read."""
        cdef AttributeScanner scanner = self.scanner
        cdef Py_ssize_t[6] starts, stops  # of content and value, and of the names in their order
        cdef Py_ssize_t i
        cdef int which, content = 0, named = 2
        for i in range(6):
            starts[i] = stops[i] = -1
        scanner.open(self.tags.start[tag], self.tags.stop[tag])
        while scanner.advance():
            which = 6
            if scanner.name == CONTENT:
                which = 0
            elif scanner.name == VALUE:
                which = 1
            elif scanner.name == PROPERTY and scanner.size() == 8:
                which = 2
            elif scanner.name == NAME:
                which = 3
            elif scanner.name == ITEMPROP and scanner.size() == 8:
                which = 4
            elif scanner.name == HTTP_EQUIV and scanner.size() == 10:
                which = 5
            if which < 6 and starts[which] < 0:
                starts[which], stops[which] = scanner.start, scanner.stop
        if starts[0] == stops[0]:
            content = 1
        while named < 6 and starts[named] == stops[named]:
            named += 1
        if starts[content] == stops[content] or named == 6:
            return 0
        name = self.html[starts[named] : stops[named]].decode("utf-8", "replace").strip().lower()
        if name in ALL:
            text = rendered(self.html[starts[content] : stops[content]])
            if text:
                self.metas.setdefault(name, []).append(text)
        return 0

    cdef int _read_link(self, Py_ssize_t tag) except -1:
        """Note a `<link>`, if its `rel` speaks of the page's own address or of a licence."""
        cdef AttributeScanner scanner = self.scanner
        cdef bytes rel = None, href = None
        scanner.open(self.tags.start[tag], self.tags.stop[tag])
        while scanner.advance():
            if scanner.name == REL and rel is None:
                if not _kinds_of(scanner, scanner.start, scanner.stop) & (CANONICAL | LICENCES):
                    return 0
                rel = self.html[scanner.start : scanner.stop]
            elif scanner.name == HREF and href is None:
                href = self.html[scanner.start : scanner.stop]
        if rel and href:
            self.links.append((rel.decode("utf-8", "replace").lower(), rendered(href)))
        return 0


cdef inline int _note(list found, Py_ssize_t tag, Py_ssize_t most) except -1:
    if len(found) < most:
        found.append(tag)
    return 0


cdef int _kinds_of(AttributeScanner scanner, Py_ssize_t start, Py_ssize_t stop) noexcept nogil:
    """What the words in the bytes [start, stop) of a scanner's page speak of, wherever they begin."""
    cdef int kinds = 0, number
    cdef Py_ssize_t at
    cdef uint64_t letters
    for at in range(start, stop - 3):
        if not FOURS[_hash_of(&scanner.html[at])] & WORD:
            continue
        letters = word(scanner.html, at) | eight(0x20)
        for number in range(WORDS):
            if not (letters ^ TABLE[number].letters) & TABLE[number].mask and at + TABLE[number].size <= stop:
                kinds |= TABLE[number].kinds
    return kinds
