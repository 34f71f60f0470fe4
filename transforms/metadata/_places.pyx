"""Find the tags that may hold metadata: one pass over all tags, and one over the tags of a part that is asked for.

The key of a tag tells its element; `Markup` has noted its attributes, and the tags that share a `class`. Words of
dates, authors and licences are found in the attributes by their first letters; the caller then reads the whole tag.
"""

from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.string cimport memcpy

from cedar.transforms.extractors.html._attributes cimport AttributeScanner
from cedar.transforms.extractors.html._bytes cimport below, eight, word
from cedar.transforms.extractors.html._elements cimport Lookup, find
from cedar.transforms.extractors.html._tags cimport END, Tags, is_heading
from cedar.transforms.extractors.html._text cimport rendered, rendered_range
from cedar.transforms.extractors.segments._markup cimport EMPTY, HAS_CLASS, HAS_ID, HAS_ITEMPROP, HAS_NAMES, Markup

from cedar.transforms.extractors.html._tags import key
from cedar.transforms.metadata.meta_names import ALL

MAX_METAS = 500  # tags of `<meta>`, and of `<link>`, that are read
MAX_FINDS = 200  # tags of any other kind that are noted

cdef enum:
    HEADINGS = 8  # of each level
    MAX_ALIKE = 30  # tags of one name and class
    KNOWN = 512  # values of `class` that are kept in mind

# The subjects that a word in an attribute may speak of.
cdef enum:
    DATES = 1
    AUTHORS = 2
    ASIDES = 4
    CHANGED = 8
    OTHERS = 16  # things with a date that is not the date of publication
    THINGS = 32  # articles and the like, which have a date
    OF_TAG = DATES | AUTHORS | ASIDES | CHANGED | OTHERS | THINGS
    SEEN_TAG = 64
    PUBLISHED = 128
    MODIFIED = 256
    CANONICAL = 512
    LICENCES = 1024
    SEEN = 2048

cdef enum:
    MAX_WORDS = 96
    SHIFT = 20  # leaves twelve bits
    STRIDE = 17  # runs of four letters in `creativecommons.org/`
    OF_COMMONS = 128  # what four letters may be: such a run; one more than the number of the first word they begin


cdef struct Word:
    # A word in lower case, its first eight bytes at most, as one little-endian number, and what it speaks of.
    uint64_t letters
    uint64_t mask
    uint32_t hash  # of its first four letters: words of one hash stand side by side
    int size
    int kinds


COMMONS = b"creativecommons.org/"

cdef Word[MAX_WORDS] TABLE
cdef int WORDS = 0
cdef unsigned char[1 << 12] FOURS  # what four letters may be, by their hash


cdef inline uint32_t _hash_of(const unsigned char* letters) noexcept nogil:
    """A number of twelve bits of four letters in any case (Knuth, TAOCP 3, section 6.4)."""
    cdef uint32_t four
    memcpy(&four, letters, 4)  # in the order of the machine, here and in the table
    return ((four | <uint32_t>0x20202020) * <uint32_t>0x9E3779B1) >> SHIFT


cdef _make_table():
    global WORDS
    cdef Word* entry
    spoken = {}
    for kinds, words in (
        (DATES, "date datum data fech publi posted byline time created meta info authored"),
        (AUTHORS, "byline by-line author autor auteur postedby posted-b written writer creator journali reporter"
            " username user-nam user_nam nickname"),
        (PUBLISHED, "datepubl"),
        (MODIFIED, "datemodi"),
        (CANONICAL, "canonica"),
        (LICENCES, "licen"),
        (CHANGED, "updat modif"),
        (ASIDES, "comment related recommen sidebar quote discussi response replies teaser widget card footer reviews"
            " caption hentry weather"),
        (OTHERS, "modif updat comment related sidebar widget footer expire event copyrigh"),
        (OTHERS, "startdat start-da start_da enddate end-date end_date duedate due-date"),
        (THINGS, "article entry post news page story publi blog asset pubdate"),
    ):
        for written in words.split():
            spoken[written] = spoken.get(written, 0) | kinds
    for written in sorted(spoken, key=lambda word: _hash_of(word.encode())):
        entry = &TABLE[WORDS]
        entry.letters, entry.size, entry.kinds = key(written), len(written), spoken[written]
        entry.mask = ~(<uint64_t>0) >> (64 - 8 * entry.size)
        entry.hash = _hash_of(written.encode())
        WORDS += 1
        FOURS[entry.hash] = FOURS[entry.hash] or WORDS
    for at in range(STRIDE):
        FOURS[_hash_of(COMMONS[at:])] |= OF_COMMONS


_make_table()

# The first eight bytes of names of `<meta>` that are read, `~` after shorter ones, with the bit of small letters set.
cdef Lookup NAMES = Lookup(dict.fromkeys((key(name.ljust(8, "~")) | 0x2020202020202020 for name in ALL), 0))
cdef uint64_t META = key("meta"), LINK = key("link"), BASE = key("base"), HTML = key("html"), TIME = key("time")
cdef uint64_t TIME_AGO = key("time-ago"), RELATIVE_TIME = key("relative-time"), LOCAL_TIME = key("local-time")
cdef uint64_t BLOCKQUOTE = key("blockquote"), ASIDE = key("aside"), FOOTER = key("footer"), ARTICLE = key("article")
cdef uint64_t FIGCAPTION = key("figcaption"), NAV = key("nav")
cdef uint64_t H1 = key("h1"), H2 = key("h2")
cdef uint64_t ITEMPROP = key("itemprop")
cdef uint64_t REL = key("rel"), HREF = key("href")


def _in_order(names):
    """Names of attributes by their keys: the place of each, and its size above three bits."""
    return Lookup({key(name): number | len(name) << 3 for number, name in enumerate(names.split())})


# What holds the content of a `<meta>`, then its names in their order.
cdef Lookup OF_METAS = _in_order("content value property name itemprop http-equiv")
cdef Lookup MARKS = _in_order("class id itemprop property")
cdef int* OF_MARKS = [~0, ~0, DATES | ASIDES | OTHERS | THINGS, DATES | OTHERS | THINGS]  # what each may speak of
cdef uint64_t DATA = key("data")


cdef class Places:
    """The tags of a page that may hold metadata: numbers of start tags, ascending.

    Attributes:
        metas: the contents of `<meta>` by the names in `meta_names.ALL`; in order, none empty.
        links: `rel`, in lower case, and `href` of each `<link>` to the page's own address or to a licence.
        base: the `href` of the first `<base>`; None if it has none.
        language: the `lang` of the page as written; empty if it has none.
        times: `<time>`.
        headings: the first eight `h1`, then the first eight `h2`.
        any_headings: the headings of all levels.
        published, modified, authored: tags whose `itemprop` speaks of the date of publication, the last change,
            the author; `<meta>` is the only tag without content among them.
        by_authors, to_licences: likewise, tags whose `rel` speaks of the author, of a licence.
        to_commons: tags in the last quarter of the page whose `href` is an address of Creative Commons.
    """

    cdef readonly dict metas
    cdef readonly list links, times, headings, any_headings, published, modified, authored, by_authors
    cdef readonly list to_licences, to_commons
    cdef readonly object base
    cdef readonly bytes language
    cdef bytes html
    cdef Markup markup
    cdef Tags tags
    cdef AttributeScanner scanner
    cdef bytearray looked_at  # what was found of each tag, and `SEEN_TAG`
    cdef int64_t[KNOWN] classes  # values of `class` that were met, as in `Markup`, and what their words speak of
    cdef int[KNOWN] kinds

    def __init__(self, Markup markup not None):
        self.html, self.markup, self.tags = markup.reading.source.html, markup, markup.tags
        if self.tags.count and self.tags.stop[self.tags.count - 1] > len(self.html):
            raise ValueError("tags of another page")
        self.scanner = AttributeScanner(self.html)
        self.metas, self.language = {}, b""
        self.links, self.times, self.headings, self.any_headings = [], [], [], []
        self.published, self.modified, self.authored, self.by_authors = [], [], [], []
        self.to_licences, self.to_commons = [], []
        self._look_at_tags()
        self._look_for_commons()

    def attributes(self, Py_ssize_t tag):
        """The attributes of a tag; see `html._attributes.attributes`."""
        return self._opened(tag).read()

    def target(self, Py_ssize_t tag):
        """The `href` of a tag; empty without one."""
        cdef AttributeScanner scanner = self._opened(tag)
        while scanner.advance():
            if scanner.name == HREF:
                return self.html[scanner.start : scanner.stop]
        return b""

    def marks(self, Py_ssize_t tag, Py_ssize_t count=4):
        """The values of class, id, `itemprop`, `property`, the first `count` of these, in lower case, with blanks."""
        cdef AttributeScanner scanner = self._opened(tag)
        cdef list values = [None] * count
        cdef int64_t mark
        while scanner.advance():
            mark = find(MARKS, scanner.name)
            if mark >> 3 == scanner.size() and mark & 7 < count and values[mark & 7] is None:
                values[mark & 7] = self.html[scanner.start : scanner.stop]
        return b" ".join([value or b"" for value in values]).lower()

    def kind_of(self, Py_ssize_t tag):
        """The name and the class of a tag, as numbers, and whether it is an end tag."""
        if not 0 <= tag < self.tags.count:
            raise IndexError("no such tag")
        return self.tags.name[tag], self.markup.classes[tag], self.tags.kind[tag] & END != 0

    def alike(self, Py_ssize_t tag):
        """The first `MAX_ALIKE` start tags with the name and the class of a tag."""
        cdef Tags tags = self.tags
        cdef Py_ssize_t other
        cdef list found = []
        if not 0 <= tag < tags.count:
            raise IndexError("no such tag")
        for other in range(tags.count):
            if tags.kind[other] & END or tags.name[other] != tags.name[tag]:
                continue
            if self.markup.classes[other] == self.markup.classes[tag]:
                found.append(other)
                if len(found) == MAX_ALIKE:
                    break
        return found

    cdef AttributeScanner _opened(self, Py_ssize_t tag):
        if not 0 <= tag < self.tags.count:
            raise IndexError("no such tag")
        self.scanner.open(self.tags.start[tag], self.tags.stop[tag])
        return self.scanner

    def marked(self, str what not None, Py_ssize_t first, Py_ssize_t last):
        """The start tags in [first, last) whose attributes have a word of `dates`, `authors` or `changes`.

        The attributes are class and id, for dates also `itemprop` and `property`. A tag of `dates` has no word of
        another date than the date of publication; a tag of `things` also has a word of a thing with a date.
        """
        cdef int kinds = {"dates": DATES, "things": DATES | THINGS, "authors": AUTHORS, "changes": CHANGED}[what]
        return self._marked(kinds, OTHERS if kinds & DATES else 0, first, last, last)

    def asides(self, Py_ssize_t first, Py_ssize_t last, Py_ssize_t max_tags):
        """The first `max_tags` tags in [first, last) of quotes, asides, navigation, articles, related things, ...

        A class, id or `itemprop` names them, or their element; tags without content are left out.
        """
        return self._marked(ASIDES, 0, first, last, max_tags)

    cdef list _marked(self, int kinds, int others, Py_ssize_t first, Py_ssize_t last, Py_ssize_t max_tags):
        """The first start tags in [first, last) whose attributes speak of all of some kinds and of none of others."""
        cdef Py_ssize_t tag
        cdef list marked = []
        if self.looked_at is None:
            self.looked_at = bytearray(self.tags.count)
        cdef unsigned char[::1] found = self.looked_at
        for tag in range(max(first, 0), min(last, self.tags.count)):
            if self.tags.kind[tag] & END or kinds == ASIDES and self.markup.roles[tag] == EMPTY:
                continue
            if not found[tag]:
                found[tag] = <unsigned char>(self._kinds_of_tag(tag) & OF_TAG | SEEN_TAG)
            if found[tag] & (kinds | others) == kinds or kinds == ASIDES and _is_apart(self.tags.name[tag]):
                if len(marked) == max_tags:
                    break
                marked.append(tag)
        return marked

    cdef int _look_at_tags(self) except -1:
        cdef Tags tags = self.tags
        cdef Markup markup = self.markup
        cdef Py_ssize_t tag, metas = 0, links = 0, max_metas = MAX_METAS, max_finds = MAX_FINDS
        cdef uint64_t name
        cdef bint has_base = False, has_html = False
        cdef list seconds = []
        for tag in range(tags.count):
            name = tags.name[tag]
            if markup.roles[tag] == EMPTY:
                if name == META:
                    metas += 1
                    if metas <= max_metas:
                        self._read_meta(tag)
                elif name == LINK:
                    links += 1
                    if links <= max_metas:
                        self._read_link(tag)
                elif name == BASE and not has_base:
                    has_base = True
                    self.base = rendered(self.attributes(tag).get(b"href", b"")) or None
                continue
            if tags.kind[tag] & END:
                continue
            if markup.said[tag] & (HAS_ITEMPROP | HAS_NAMES):
                self._read_names(tag)
            if is_heading(name):
                _note(self.any_headings, tag, max_finds)
            if name == TIME or name == TIME_AGO or name == RELATIVE_TIME or name == LOCAL_TIME:
                _note(self.times, tag, max_finds)
            elif name == H1:
                _note(self.headings, tag, HEADINGS)
            elif name == H2:
                _note(seconds, tag, HEADINGS)
            elif name == HTML and not has_html:
                has_html = True
                self.language = self.attributes(tag).get(b"lang", b"")
        self.headings += seconds
        return 0

    cdef int _kinds_of_class(self, Py_ssize_t tag) noexcept:
        """What the words in the `class` of a tag speak of, which may have been met before."""
        cdef Markup markup = self.markup
        cdef int64_t value = markup.classes[tag]
        cdef Py_ssize_t slot = value & KNOWN - 1
        if self.classes[slot] != value:
            self.classes[slot] = value
            self.kinds[slot] = _kinds_of(self.scanner.html, markup.class_starts[tag], markup.class_stops[tag])
        return self.kinds[slot]

    cdef int _kinds_of_tag(self, Py_ssize_t tag) noexcept:
        """What the attributes of a start tag speak of, the first of each name."""
        cdef AttributeScanner scanner = self.scanner
        cdef Markup markup = self.markup
        cdef int kinds = 0, seen = 0, said = markup.said[tag]
        cdef int64_t mark
        if markup.classes[tag]:
            kinds = self._kinds_of_class(tag)
        if said & HAS_ID:
            kinds |= _kinds_of(scanner.html, markup.id_starts[tag], markup.id_stops[tag])
        if markup.roles[tag] != EMPTY and not said & (HAS_ITEMPROP | HAS_NAMES):
            return kinds
        scanner.open(self.tags.start[tag], self.tags.stop[tag])
        while scanner.advance():
            mark = find(MARKS, scanner.name)
            if mark >> 3 == scanner.size() and not seen >> (mark & 7) & 1:
                seen |= 1 << (mark & 7)
                kinds |= OF_MARKS[mark & 7] & _kinds_of(scanner.html, scanner.start, scanner.stop)
        return kinds

    cdef int _read_names(self, Py_ssize_t tag) except -1:
        """Note a start tag for what its `itemprop` and its `rel` speak of, the first of each."""
        cdef AttributeScanner scanner = self.scanner
        cdef int of_item = 0, of_rel = 0
        scanner.open(self.tags.start[tag], self.tags.stop[tag])
        while scanner.advance():
            if scanner.name == ITEMPROP and scanner.size() == 8:
                of_item = of_item or SEEN | _kinds_of(scanner.html, scanner.start, scanner.stop)
            elif scanner.name == REL:
                of_rel = of_rel or SEEN | _kinds_of(scanner.html, scanner.start, scanner.stop)
        if of_item & AUTHORS:
            _note(self.authored, tag, MAX_FINDS)
        if of_item & PUBLISHED:
            _note(self.published, tag, MAX_FINDS)
        if of_item & MODIFIED:
            _note(self.modified, tag, MAX_FINDS)
        if of_rel & AUTHORS:
            _note(self.by_authors, tag, MAX_FINDS)
        if of_rel & LICENCES:
            _note(self.to_licences, tag, MAX_FINDS)
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
            if (
                FOURS[_hash_of(html + at)] & OF_COMMONS
                and self.html.find(COMMONS, max(at - STRIDE, 0), at + STRIDE + 4) >= 0
            ):
                while tag + 1 < tags.count and tags.start[tag + 1] <= at:
                    tag += 1
                if tag != looked and at < tags.stop[tag]:
                    looked = tag
                    if not tags.kind[tag] & END and COMMONS in self.attributes(tag).get(b"href", b""):
                        _note(self.to_commons, tag, MAX_FINDS)
            at += STRIDE
        return 0

    cdef int _read_meta(self, Py_ssize_t tag) except -1:
        """Note what a `<meta>` says by the first of its names that is not empty, if that is read."""
        cdef AttributeScanner scanner = self.scanner
        cdef Py_ssize_t[6] starts, stops  # as `OF_METAS` has them
        cdef Py_ssize_t i
        cdef uint64_t letters
        cdef int64_t which
        cdef int content = 0, named = 2
        for i in range(6):
            starts[i] = stops[i] = -1
        scanner.open(self.tags.start[tag], self.tags.stop[tag])
        while scanner.advance():
            which = find(OF_METAS, scanner.name)
            if which >> 3 == scanner.size() and starts[which & 7] < 0:
                starts[which & 7], stops[which & 7] = scanner.start, scanner.stop
        if starts[4] < stops[4] and not self.tags.kind[tag] & END:
            self._read_names(tag)
        if starts[0] == stops[0]:
            content = 1
        while named < 6 and starts[named] == stops[named]:
            named += 1
        if starts[content] == stops[content] or named == 6:
            return 0
        letters = word(scanner.html, starts[named])
        i = 8 * (stops[named] - starts[named])
        if i < 64:
            letters = letters & (<uint64_t>1 << i) - 1 | eight(c"~") << i
        # Blanks and characters beyond ASCII are left to `str`.
        if not (letters & eight(0x80) or below(letters, 0x21)) and find(NAMES, letters | eight(0x20)) < 0:
            return 0
        name = self.html[starts[named] : stops[named]].decode("utf-8", "replace").strip().lower()
        if name in ALL:
            text = rendered_range(self.html, starts[content], stops[content])
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
                if not _kinds_of(scanner.html, scanner.start, scanner.stop) & (CANONICAL | LICENCES):
                    return 0
                rel = self.html[scanner.start : scanner.stop]
            elif scanner.name == HREF and href is None:
                href = self.html[scanner.start : scanner.stop]
        if rel and href:
            self.links.append((rel.decode("utf-8", "replace").lower(), rendered(href)))
        return 0


cdef inline bint _is_apart(uint64_t name) noexcept nogil:
    """Whether an element of this name may hold texts that are not the page's own."""
    return name == BLOCKQUOTE or name == ASIDE or name == FOOTER or name == ARTICLE or name == FIGCAPTION or name == NAV


cdef inline int _note(list found, Py_ssize_t tag, Py_ssize_t max_finds) except -1:
    if len(found) < max_finds:
        found.append(tag)
    return 0


cdef int _kinds_of(const unsigned char[::1] html, Py_ssize_t start, Py_ssize_t stop) noexcept nogil:
    """The subjects of the words in a value, bytes [start, stop), wherever they begin; `data` only as a word's end."""
    cdef int kinds = 0, number
    cdef uint32_t hash
    cdef Py_ssize_t at, end
    cdef uint64_t letters
    for at in range(start, stop - 3):
        hash = _hash_of(&html[at])
        number = (FOURS[hash] & ~OF_COMMONS) - 1
        if number < 0:
            continue
        letters = word(html, at) | eight(0x20)
        while number < WORDS and TABLE[number].hash == hash:
            end = at + TABLE[number].size
            if not (letters ^ TABLE[number].letters) & TABLE[number].mask and end <= stop:
                if TABLE[number].letters != DATA or end == stop or not _is_of_word(html[end]):
                    kinds |= TABLE[number].kinds
            number += 1
    return kinds


cdef inline bint _is_of_word(unsigned char byte) noexcept nogil:
    return c"a" <= byte | 0x20 <= c"z" or c"0" <= byte <= c"9" or byte == c"_"
