"""The headline of a page, found once for its text, its Markdown and its metadata.

A headline is what the page shows of its title. The title is cut at its separators into parts, and parts that name the
site are left out: `og:site_name` and the links to the start page tell. The headline is the first of these:

1. the heading that is most like what is left of the title;
2. another line that is equal to a part of the title;
3. the first `h1`; or one after it that stands right above prose, if no prose stands between the two;
4. the like of the `h2`, if no `h1` will do, there are `MAX_H2` at most, and the page has little prose.

Names of parts of a site (`News`, `Menu`) are headlines only if they are like the title.

What the page hides is no headline. Nor is a heading in a footer, an aside, a navigation, a form, a dialog or a
notice, or one after most of the prose, unless it is equal to a part of the title, in a notice like it; nor is a
button, nor a copyright line.
"""

import re

from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.unicode cimport PyUnicode_DecodeASCII
from libc.stdint cimport int64_t, uint64_t

from cedar.transforms.extractors.html._attributes cimport AttributeScanner
from cedar.transforms.extractors.html._tags cimport END, Tags, is_heading
from cedar.transforms.extractors.html._text cimport rendered, rendered_range
from cedar.transforms.extractors.segments._markup cimport ANCHOR, HAS_TARGET, NO_CODE, Markup

from cedar.transforms.extractors.html._attributes import attributes
from cedar.transforms.extractors.html._tags import key
from cedar.transforms.extractors.segments.names import CODE, GROUPS

cdef enum:
    MAX_METAS = 100
    MAX_TAGS = 64  # of a headline
    MAX_BYTES = 2000  # of a headline's source
    MAX_CHARS = 300
    MAX_LINKS = 48  # links that are looked at for the site's name
    MAX_ROOT = 80  # bytes of the address of a start page
    MAX_PARTS = 8  # of a title
    MAX_LINES = 64  # lines that are compared with the title
    MIN_PIECE = 6  # letters and digits from which a heading that is a piece of a title is like it
    MIN_WHOLE = 8  # letters and digits of a part from which a heading that holds it is like it
    MAX_H2 = 3  # `h2` of a page, up to which one may be the headline though it is not like the title
    MIN_LINK_CHARS = 15  # characters from which a link that is a line may be the headline
    MIN_PROSE = 80  # bytes of a text between two tags that is prose
    MIN_PROSE_BYTES = 320  # bytes of prose from which a heading after half of it is no headline
    MAX_LARGE = 16  # elements of names that hold no headline, each half of the page or more, that are passed by

# A heading's score is its likeness to the title, plus points of its level, less `MISPLACED` in a place of no headline.
# The first heading with the best score is the headline, if it has `MIN_SCORE`: so an `h1` that is not like the title
# is one where no heading is like it, and if there is none, an `h2` of a few is. Of such headings one right above prose
# goes before the others.
cdef enum:  # likeness to the title: the first that holds
    UNLIKE = -1  # it names the site
    FIRST_PART = 60  # the title's first part, alone or with those after it
    LATER_PART = 45  # another part
    PIECE = 35  # a piece of a title
    HOLDS_FIRST_PART = 30
    SAME_WORDS = 20  # times the share of its words that the titles have, if that is half or more; else 0
cdef enum:
    MIN_SCORE = 8
    MISPLACED = 25  # for a heading in a place where no headline stands
cdef int[LEVELS] LEVEL_SCORES = [8, 2, 0]

_WORDS_OF_LABELS = (
    "menu mainmenu navigation sitenavigation search searchresults news home archive archives categories contents"
    " language languages login advertisement sitemap share hauptmenü menü suche suchen inhalt inhaltsverzeichnis"
    " nachrichten startseite anmelden werbung rubriken recherche rechercher actualités accueil publicité sommaire"
    " buscar búsqueda noticias inicio menú publicidad menuprincipal cerca ricerca notizie zoeken nieuws hledat"
    " vyhledávání szukaj wyszukiwarka aktualności menuglówne sök meny nyheter søg søk nyheder haku uutiset"
    " меню поиск новости главноеменю навігація пошук новини ara haberler 菜单 导航 搜索 新闻 主菜单"
    " 検索 メニュー ニュース 메뉴 검색 뉴스 قائمة بحث القائمةالرئيسية"
)
cdef frozenset LABELS = frozenset(_WORDS_OF_LABELS.split())  # headings of parts of a site, squashed

cdef str LOOSE_SIGNS = "-–—―－/~:<>_", SIGNS = LOOSE_SIGNS + "|｜¦«»‹›•·", AROUND_SIGNS = " " + LOOSE_SIGNS
cdef unsigned char[128] ALPHANUMERIC  # the small letter of a letter, and the digit of a digit; 0 for other characters
for _number in range(128):
    ALPHANUMERIC[_number] = ord(chr(_number).lower()) if chr(_number).isalnum() else 0

_ROOT = re.compile(
    rb"(?:(?:https?:)?//[^/?#]+)?(?:\.{0,2}/|(?:\.{0,2}/)?(?:index|default|home)(?:\.\w{2,5})?)?",
    re.IGNORECASE,
)
_WORD = re.compile(r"[\u3040-\u9fff]|[^\W_\u3040-\u9fff]+")

_APART = bytearray(256)
for _name in "pre p ul ol li dl dt dd table tr td th blockquote".split():
    _APART[CODE[_name]] = True
cdef const unsigned char[::1] APART = bytes(_APART)

_BESIDE = bytearray(256)
for _name in "footer aside nav form button dialog".split():
    _BESIDE[CODE[_name]] = True
cdef const unsigned char[::1] BESIDE = bytes(_BESIDE)  # elements that hold no headline

cdef uint64_t META = key("meta"), H1 = key("h1"), H2 = key("h2"), IMG = key("img"), BODY = key("body"), LI = key("li")
cdef uint64_t NAME = key("name"), PROPERTY = key("property"), CONTENT = key("content"), HREF = key("href")
cdef int64_t TITLE_GROUP = 1 << list(GROUPS).index("title"), MODAL_GROUP = 1 << list(GROUPS).index("modal")
cdef unsigned char BUTTON = CODE["button"]


cpdef str squashed(str text, bint digits=True):
    """Return the letters of a text, and its digits if asked, in small letters."""
    cdef Py_ssize_t size = 0
    cdef unsigned char byte
    cdef bytes kept
    cdef unsigned char *out
    if not text.isascii():
        text = text.casefold()
        return "".join([character for character in text if (character.isalnum() if digits else character.isalpha())])
    kept = PyBytes_FromStringAndSize(NULL, len(text))
    out = <unsigned char *>kept
    for byte in text.encode():
        if ALPHANUMERIC[byte] and (digits or byte > c"9"):
            out[size] = ALPHANUMERIC[byte]
            size += 1
    return PyUnicode_DecodeASCII(<const char *>out, size, NULL)


def title_parts(str title not None):
    """The parts of a title, `MAX_PARTS` at most, the last with the rest.

    A bar, a guillemet or a bullet always parts it. A dash, a tilde, a slash, a colon, an underscore, `<` or `>` does if
    a blank, or another of them, stands on either side; a colon also before a blank, and a hyphen or an underscore
    also beside an ideograph.
    """
    cdef Py_ssize_t at, start = 0, size = len(title)
    cdef Py_UCS4 sign, before, after
    cdef bint parts
    cdef list found = []
    for at in range(size):
        sign = title[at]
        if sign.isalnum() or sign == u" " or sign not in SIGNS:
            continue
        before, after = title[at - 1] if at else u" ", title[at + 1] if at + 1 < size else u" "
        if sign in LOOSE_SIGNS:
            parts = before in AROUND_SIGNS and after in AROUND_SIGNS or sign == u":" and after == u" "
            parts |= sign in u"-_" and (is_ideograph(before) or is_ideograph(after))
        else:
            parts = True
        if parts and len(found) + 1 < MAX_PARTS:
            if title[start:at].strip():
                found.append(title[start:at].strip())
            start = at + 1
    if title[start:].strip():
        found.append(title[start:].strip())
    return found


cdef inline bint is_ideograph(Py_UCS4 character) noexcept:
    """Whether a character is of Chinese, Japanese or Korean, whose words no blanks part."""
    return 0x3040 <= character <= 0x9FFF or 0xAC00 <= character <= 0xD7AF


cpdef Headline headline_of(Markup markup):
    """The headline of a page, which is looked for once."""
    if markup is None:
        raise TypeError("a page is a Markup, not None")
    if markup.headline is None:
        markup.headline = Headline(markup)
    return markup.headline


cdef class Headline:
    """The headline of a page, and the names of its site.

    Attributes:
        text: how it reads, blanks collapsed; None if the page has none.
        first, last: the tag before it and the tag after it; -1 without one.
        site_names: what links to the start page show, squashed.
    """

    def __init__(self, Markup markup not None):
        """Find the headline."""
        cdef Headings headings
        cdef list titles = [markup.title] if markup.title else [], hidden = []
        self.first = self.last = -1
        self.site_names = set()
        _look_at_tags(markup, titles, &headings, hidden, self.site_names)
        cdef dict parts = _parts(titles, self.site_names)
        cdef int score = self._take_heading(markup, &headings, titles, parts)
        if score < HOLDS_FIRST_PART:
            # Below an `h1` that is not like the title, a line of the title is a footer's, or a link's.
            is_top = self.text is not None and markup.tags.name[self.first] == H1
            self._take_line(markup, parts, hidden, self.first if is_top else markup.tags.count)

    cdef int _take_heading(self, Markup markup, Headings *headings, list titles, dict parts) except -1:
        """Take the heading of the best score, and return the score."""
        cdef int level, i, likeness, score, best = 0, seconds = 0
        cdef Py_ssize_t stop
        cdef str text, letters
        cdef list whole = [squashed(title) for title in titles]
        cdef set words = None
        cdef Heading *heading
        cdef Heading *taken = NULL
        cdef Py_ssize_t prose = 0
        for level in range(LEVELS):
            for i in range(headings.counts[level]):
                prose = max(prose, headings.noted[level][i].prose_until_next)
                seconds += level == 1 and not headings.noted[level][i].hidden
        # In an article, or with prose below them, `h2` are sections.
        takes_second = titles and prose < MIN_PROSE_BYTES and seconds <= MAX_H2
        takes_second = takes_second and markup.tags.first("article") < 0
        for level in range(LEVELS):
            for i in range(headings.counts[level]):
                if best >= FIRST_PART + LEVEL_SCORES[level]:
                    return best  # those that follow are of the same level, or of a lower one
                heading = &headings.noted[level][i]
                if heading.hidden:
                    continue
                stop = _heading_stop(markup, heading.tag)
                text = _text(markup, heading.tag, stop)
                if text is None or text[0] == u"©":
                    continue
                letters = squashed(text)
                score = LEVEL_SCORES[level] - (MISPLACED if heading.min_likeness else 0)
                likeness = _likeness(letters, parts, whole, self.site_names)
                if not likeness and SAME_WORDS + score > best:
                    words = words or set(_WORD.findall(" ".join(titles).casefold()))
                    likeness = _shared_words(text, words)
                if likeness < heading.min_likeness or not likeness and letters in LABELS:
                    continue
                if takes_second and level == 1 and not likeness and not best and not letters.isdecimal():
                    score = LEVEL_SCORES[0]
                score += likeness
                if score < max(best, MIN_SCORE) or score == best and not (
                    best == LEVEL_SCORES[0] and _stands_nearer(taken, heading)
                ):
                    continue
                if not _leads_home(markup, heading.tag, stop) and not _is_button(markup, heading.tag, stop):
                    best, taken = score, heading
                    self.text, self.first, self.last = text, heading.tag, stop
        return best

    cdef int _take_line(self, Markup markup, dict parts, list hidden, Py_ssize_t last) except -1:
        """Take a line before a tag that is equal to a part of the title: best one that its class calls a title."""
        cdef Tags tags = markup.tags
        cdef Py_ssize_t tag = 0, start, stop, at, compared = 0
        cdef int rank, best = 0
        cdef unsigned char[256] begins
        cdef bint linked
        cdef str text
        if not parts:
            return 0
        _note_begins(parts, begins)
        cdef set letters = {part[0] for part in parts}
        while tag < last and compared < MAX_LINES:
            start = tag
            tag += 1
            while tag < tags.count and not markup.parting[tag]:
                tag += 1
            stop = tag
            at = -1 if markup.codes[start] == BUTTON else _beginning(markup, start, stop, begins)
            if at < 0:
                continue
            compared += 1
            if markup.html[at] >= 0x80 and not _may_begin(markup.html[at : at + 4], letters):
                continue
            text = _text(markup, start, stop)
            if text is None or text[0] == u"©" or squashed(text) not in parts:
                continue
            if any([before <= start < after for before, after in hidden]):
                continue
            linked = _is_linked(markup, start, stop)
            if linked and (tags.name[start] == LI or len(text) < MIN_LINK_CHARS):
                continue
            rank = 1 + 2 * (not linked) + 4 * (markup.groups[start] & TITLE_GROUP != 0)
            # Where the name of the site comes first, the headline is the longer part.
            if rank > best or rank == best and len(text) >= 2 * len(self.text):
                best = rank
                self.text, self.first, self.last = text, start, stop
        return 0


cdef int _look_at_tags(
    Markup markup, list titles, Headings *headings, list hidden, set site_names
) except -1:
    """Note the headings of a page, its other titles, and the names of its site.

    `hidden`: the elements that are hidden, [first, last) tags each, if less than half of the prose stands in them.
    """
    cdef Tags tags = markup.tags
    cdef Py_ssize_t tag, metas = 0, links = 0, large = 0, hidden_stop = 0, beside_stop = 0, stop, size
    cdef Py_ssize_t prose = 0, hidden_prose = 0
    cdef uint64_t name
    cdef int level, i, min_likeness = 0
    cdef Heading *heading
    cdef Heading *before = NULL
    cdef AttributeScanner scanner = AttributeScanner(markup.html)
    for level in range(LEVELS):
        headings.counts[level] = 0
    for tag in range(tags.count):
        if not tags.kind[tag] & END:
            name = tags.name[tag]
            if markup.hiding[tag] and tag >= hidden_stop and markup.codes[tag] != NO_CODE and name != BODY:
                hidden_stop = _element_stop(tags, tag)
                hidden.append((tag, hidden_stop))
            if tag >= beside_stop and large < MAX_LARGE and (
                BESIDE[markup.codes[tag]] or markup.groups[tag] & MODAL_GROUP
            ):
                stop = _element_stop(tags, tag)
                if 2 * (stop - tag) < tags.count:
                    beside_stop = stop
                    min_likeness = LATER_PART if BESIDE[markup.codes[tag]] else 1
                else:
                    large += 1
            if name == META:
                metas += 1
                if metas <= MAX_METAS:
                    _read_meta(markup, scanner, tag, titles, site_names)
            elif is_heading(name):
                level = 0 if name == H1 else 1 if name == H2 else 2
                if headings.counts[level] < MAX_HEADINGS:
                    heading = &headings.noted[level][headings.counts[level]]
                    headings.counts[level] += 1
                    heading.tag, heading.prose_before, heading.hidden = tag, prose, tag < hidden_stop
                    heading.min_likeness = min_likeness if tag < beside_stop else 0
                    if before != NULL:
                        before.prose_until_next = prose
                    before = heading
            elif markup.roles[tag] == ANCHOR and links < MAX_LINKS and markup.said[tag] & HAS_TARGET:
                links += 1
                if _leads_to_root(markup, scanner, tag):
                    _note_link(markup, tag, site_names)
        size = _prose(markup, tag)
        prose += size
        hidden_prose += size if tag < hidden_stop else 0
    if before != NULL:
        before.prose_until_next = prose
    if 2 * hidden_prose > prose:
        hidden.clear()
    for level in range(LEVELS):
        for i in range(headings.counts[level]):
            heading = &headings.noted[level][i]
            heading.hidden = heading.hidden and len(hidden) > 0
            if prose >= MIN_PROSE_BYTES and 2 * heading.prose_before > prose:
                heading.min_likeness = LATER_PART
    site_names.discard("")
    return 0


cdef bint _stands_nearer(const Heading *taken, const Heading *heading) noexcept nogil:
    """Whether a heading stands right above prose, and no prose is between the heading that is taken and it."""
    return taken.prose_before == heading.prose_before < heading.prose_until_next


cdef Py_ssize_t _prose(Markup markup, Py_ssize_t tag) noexcept:
    """The bytes of prose between a tag and the next one."""
    cdef Tags tags = markup.tags
    cdef Py_ssize_t at = tags.stop[tag], stop = tags.start[tag + 1] if tag + 1 < tags.count else len(markup.html)
    if stop - at < MIN_PROSE or markup.hidden_gaps[tag + 1] or markup.linked_gaps[tag + 1]:
        return 0
    cdef const unsigned char *html = markup.html
    while at < stop and html[at] <= 0x20:
        at += 1
    return stop - at if stop - at >= MIN_PROSE else 0


cdef bint _is_button(Markup markup, Py_ssize_t tag, Py_ssize_t stop) except -1:
    """Whether a heading begins with a button."""
    cdef Py_ssize_t at
    for at in range(tag, stop - 1):
        if markup.html[markup.tags.stop[at] : markup.tags.start[at + 1]].strip():
            return False
        if markup.codes[at + 1] == BUTTON:
            return True
    return False


cdef int _read_meta(
    Markup markup, AttributeScanner scanner, Py_ssize_t tag, list titles, set site_names
) except -1:
    """Note the title of the page, or the name of its site, that a `<meta>` states."""
    cdef Py_ssize_t start = 0, stop = 0, begin = 0, end = 0
    scanner.open(markup.tags.start[tag], markup.tags.stop[tag])
    while scanner.advance():
        if scanner.name == NAME or scanner.name == PROPERTY:
            start, stop = scanner.start, scanner.stop
        elif scanner.name == CONTENT:
            begin, end = scanner.start, scanner.stop
    if stop - start not in (8, 12, 16) or begin == end:
        return 0
    name = markup.html[start:stop].lower()
    if name == b"og:title":
        titles.append(rendered_range(markup.html, begin, end)[:MAX_BYTES])
    elif name == b"og:site_name" or name == b"application-name":
        site_names.add(squashed(rendered_range(markup.html, begin, end)))
    return 0


cdef bint _leads_to_root(Markup markup, AttributeScanner scanner, Py_ssize_t link) except -1:
    """Whether a link leads to the start page of a site."""
    cdef Py_ssize_t at, last
    cdef int slashes
    scanner.open(markup.tags.start[link], markup.tags.stop[link])
    while scanner.advance():
        if scanner.name == HREF:
            if scanner.stop == scanner.start or scanner.stop - scanner.start > MAX_ROOT:
                return False
            # Most links lead deeper than `https://host/`.
            slashes, last = 0, scanner.start
            for at in range(scanner.start, scanner.stop):
                if scanner.html[at] == c"/":
                    slashes += 1
                    last = at + 1
            if slashes > 3 or last < scanner.stop and scanner.html[last] | 0x20 not in b"ihd":
                return False
            return _ROOT.fullmatch(markup.html, scanner.start, scanner.stop) is not None
    return False


cdef int _note_link(Markup markup, Py_ssize_t link, set site_names) except -1:
    """Note the text of a link, and the alternative text of a picture in it."""
    cdef Tags tags = markup.tags
    cdef Py_ssize_t stop = link + 1
    while stop < tags.count and stop < link + MAX_TAGS and markup.roles[stop] != ANCHOR:
        if tags.name[stop] == IMG:
            alternative = attributes(markup.html, tags.start[stop], tags.stop[stop]).get(b"alt", b"")
            site_names.add(squashed(rendered(alternative)[:MAX_CHARS]))
        stop += 1
    site_names.add(squashed(_text(markup, link, stop) or ""))
    return 0


cdef bint _leads_home(Markup markup, Py_ssize_t tag, Py_ssize_t stop) except -1:
    """Whether a heading stands in a link to the start page, or has one in it."""
    cdef Py_ssize_t link = tag
    if markup.linked_gaps[tag]:
        while link and not (markup.roles[link] == ANCHOR and not markup.tags.kind[link] & END):
            link -= 1
        return _leads_to_root(markup, AttributeScanner(markup.html), link)
    while link < stop:
        if markup.roles[link] == ANCHOR and not markup.tags.kind[link] & END and markup.said[link] & HAS_TARGET:
            return _leads_to_root(markup, AttributeScanner(markup.html), link)
        link += 1
    return False


cdef Py_ssize_t _heading_stop(Markup markup, Py_ssize_t tag) except -1:
    """The tag that ends a heading: the next tag of one; or, after words of it, a block that no heading holds."""
    cdef Tags tags = markup.tags
    cdef Py_ssize_t stop = tag + 1
    while stop < tags.count and stop < tag + MAX_TAGS and not is_heading(tags.name[stop]):
        if APART[markup.codes[stop]] and _text(markup, tag, stop) is not None:
            break
        stop += 1
    return stop


cdef str _text(Markup markup, Py_ssize_t first, Py_ssize_t last):
    """Read the text between two tags, blanks collapsed; None if it is empty or too long."""
    cdef Tags tags = markup.tags
    cdef Py_ssize_t tag, stop
    cdef list pieces = []
    stop = tags.start[last] if last < tags.count else len(markup.html)
    if last - first > MAX_TAGS or stop - tags.stop[first] > MAX_BYTES:
        return None
    for tag in range(first, last):
        if markup.hidden_gaps[tag + 1]:
            continue
        stop = tags.start[tag + 1] if tag + 1 < tags.count else len(markup.html)
        if tag > first and markup.parting[tag]:
            pieces.append(b" ")
        if stop > tags.stop[tag]:
            pieces.append(markup.html[tags.stop[tag] : stop])
    if not pieces:
        return None
    cdef str text = rendered(b"".join(pieces)).strip()
    return text if 0 < len(text) <= MAX_CHARS else None


cdef Py_ssize_t _element_stop(Tags tags, Py_ssize_t tag) noexcept:
    """The tag that ends the element that a tag starts; the number of tags if none does."""
    cdef Py_ssize_t stop, depth = 1
    for stop in range(tag + 1, tags.count):
        if tags.name[stop] == tags.name[tag]:
            depth += -1 if tags.kind[stop] & END else 1
            if not depth:
                return stop
    return tags.count


cdef bint _is_linked(Markup markup, Py_ssize_t first, Py_ssize_t last) noexcept:
    """Whether any of the text between two tags stands in a link."""
    cdef Py_ssize_t tag
    for tag in range(first, last):
        if markup.linked_gaps[tag + 1]:
            return True
    return False


cdef int _note_begins(dict parts, unsigned char* begins) except -1:
    """Note the first bytes that a line equal to a part of a title may have."""
    cdef Py_ssize_t byte
    for byte in range(256):
        # What stands before the first letter, and any byte of another script, is left to the comparison.
        begins[byte] = not chr(byte).isalnum() or byte >= 0x80
    for part in parts:
        for letter in part[0], part[0].upper():
            if letter.isascii():
                begins[ord(letter)] = True
    return 0


cdef bint _may_begin(bytes beginning, set letters) except -1:
    """Whether a text of these bytes, perhaps cut, may begin with one of some letters in one case."""
    cdef str folded = beginning.decode("utf-8", "replace")[0].casefold()[0]
    return not folded.isalnum() or folded in letters


cdef Py_ssize_t _beginning(
    Markup markup, Py_ssize_t first, Py_ssize_t last, const unsigned char* begins
) except -2:
    """Where the text of a line, between two tags, begins; -1 if it has none that may be like a part of the title."""
    cdef Tags tags = markup.tags
    cdef const unsigned char *html = markup.html
    cdef Py_ssize_t tag, at, stop
    for tag in range(first, last):
        at, stop = tags.stop[tag], tags.start[tag + 1] if tag + 1 < tags.count else len(markup.html)
        while at < stop and html[at] <= 0x20:
            at += 1
        if at < stop:
            return at if begins[html[at]] and not markup.hidden_gaps[tag + 1] else -1
    return -1


cdef dict _parts(list titles, set site_names):
    """The squashed parts of titles, alone and with those after them, and how many parts stand before each."""
    cdef dict parts = {}
    cdef Py_ssize_t first, last
    for title in titles:
        squeezed = [one for one in map(squashed, title_parts(title)) if one]
        own = [one for one in squeezed if one not in site_names] or squeezed
        for first in range(len(own)):
            for last in range(first + 1, len(own) + 1):
                part = "".join(own[first:last])
                parts[part] = min(parts.get(part, MAX_PARTS), first)
    return parts


cdef int _likeness(str letters, dict parts, list whole, set site_names) except -2:
    """The likeness to the title of a heading with these letters and digits; 0 if its words must tell."""
    if not letters or letters in site_names and letters not in whole:
        return UNLIKE
    if letters in parts:
        return LATER_PART if parts[letters] else FIRST_PART
    if len(letters) >= MIN_PIECE:
        for title in whole:
            if letters in title:
                return PIECE
    for part, before in parts.items():
        if not before and len(part) >= MIN_WHOLE and part in letters:
            return HOLDS_FIRST_PART
    return 0


cdef int _shared_words(str text, set words) except -1:
    """The likeness of a heading if half of its words, and two or more, are words of the titles; else 0."""
    cdef Py_ssize_t shared = 0
    own = _WORD.findall(text.casefold())
    for word in own:
        shared += word in words
    return SAME_WORDS * shared // len(own) if shared > 1 and 2 * shared >= len(own) else 0
