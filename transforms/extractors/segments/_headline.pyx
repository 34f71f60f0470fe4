"""The headline of a page, found once for its text, its Markdown and its metadata.

A headline is what the page shows of its title. The title is cut at its separators into parts, and parts that name the
site are left out: `og:site_name` and the links to the start page tell. The headline is the heading that is most like
what is left. If no heading is, it is another line that is equal to a part; if there is none, the first `h1`, or one
that follows it right above the first prose, or the same of a few `h2` of a page with little prose if no
`h1` will do. Names of
parts of a site (`News`, `Menu`) are headlines only if they are like the title.

What the page hides is no headline. Nor is a heading in a footer, an aside, a navigation, a form, a dialog or a
notice, or one after most of the prose, unless it is equal to a part of the title, in a notice like it; nor is a
button, nor a copyright line.
"""

import re

from libc.stdint cimport int64_t, uint64_t

from cedar.transforms.extractors.html._attributes cimport AttributeScanner
from cedar.transforms.extractors.html._tags cimport END, Tags, is_heading
from cedar.transforms.extractors.html._text cimport rendered
from cedar.transforms.extractors.segments._markup cimport ANCHOR, HAS_TARGET, NO_CODE, Markup

from cedar.transforms.extractors.html._attributes import attributes
from cedar.transforms.extractors.html._tags import key
from cedar.transforms.extractors.segments.names import CODE, GROUPS

cdef enum:
    MAX_METAS = 100
    MAX_HEADINGS = 16  # of each of the first two levels, and of the other four together
    MAX_TAGS = 64  # of a headline
    MAX_BYTES = 2000  # of a headline's source
    MAX_CHARS = 300
    MAX_LINKS = 48  # links that are looked at for the site's name
    LONGEST_ROOT = 80  # bytes of the address of a start page
    MAX_PARTS = 8  # of a title
    MAX_LINES = 64  # lines that are compared with the title
    SHORT = 6  # letters and digits up to which a heading that is only a piece of a part is not like it
    MAX_SECONDS = 3  # `h2` of a page of which one may be the headline though it is not like the title
    LONG_LINK = 15  # characters from which a link that is a line may be the headline
    LONG = 8  # letters and digits of a part from which a heading that holds it is like it
    MIN_PROSE = 80  # bytes of a text between two tags that is prose
    ENOUGH_PROSE = 320  # bytes of prose from which a heading after half of it is no headline
    MAX_LARGE = 16  # elements of such names that hold half of the page and are passed by

cdef enum:  # how like the title a heading is, with what its level adds
    SAME = 60
    SAME_AS_LATER = 45
    INSIDE = 35
    AROUND = 30
    ALIKE = 20  # the share of its words
    TOP = 8
    SECOND = 2
    DOUBT = 25  # less, of a heading that stands where headlines do not
    LEAST = 8
    NONE = -10

_WORDS_OF_LABELS = (
    "menu mainmenu navigation sitenavigation search searchresults news home archive archives categories contents"
    " language languages login advertisement sitemap share hauptmenü menü suche suchen inhalt inhaltsverzeichnis"
    " nachrichten startseite anmelden werbung rubriken recherche rechercher actualités accueil publicité sommaire"
    " buscar búsqueda noticias inicio menú publicidad menuprincipal cerca ricerca notizie zoeken nieuws hledat vyhledávání"
    " szukaj wyszukiwarka aktualności menuglówne sök meny nyheter søg søk nyheder haku uutiset меню поиск новости главноеменю"
    " навігація пошук новини ara menü haberler 菜单 导航 搜索 新闻 主菜单 検索 メニュー ニュース 메뉴 검색 뉴스 قائمة بحث القائمةالرئيسية"
)
cdef frozenset LABELS = frozenset(_WORDS_OF_LABELS.split())  # headings of parts of a site, squashed

cdef str LOOSE_SIGNS = "-–—―－/~:<>_", SIGNS = LOOSE_SIGNS + "|｜¦«»‹›•·", AROUND_SIGNS = " " + LOOSE_SIGNS
cdef bytes NO_LETTERS = bytes([byte for byte in range(128) if not chr(byte).isalnum()])
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


cpdef str squashed(str text):
    """The letters and digits of a text, in one case."""
    cdef str folded
    cdef Py_UCS4 character
    if text.isascii():
        return text.encode().lower().translate(None, NO_LETTERS).decode()
    folded = text.casefold()
    return "".join([character for character in folded if character.isalnum()])


def title_parts(str title not None):
    """The parts of a title, `MAX_PARTS` at most, the last with the rest.

    A bar, an angle or a bullet always parts it; a dash, a slash or a colon if blanks stand around it, a colon also
    before a blank, and a hyphen or an underscore also beside an ideograph.
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
    """The headline of a page, and what names its site.

    Attributes:
        text: how it reads, blanks collapsed; None if the page has none.
        first, last: the tag before it and the tag after it; -1 without one.
        site_names: what links to the start page show, squashed.
    """

    def __init__(self, Markup markup not None):
        """Find the headline."""
        self.first = self.last = -1
        self.site_names = set()
        cdef list titles = [markup.title] if markup.title else [], headings = [], hidden = []
        cdef dict prose_before = {}
        cdef dict doubtful = _look_at_tags(markup, titles, headings, hidden, prose_before, self.site_names)
        cdef dict parts = _parts(titles, self.site_names)
        cdef int best = self._take_heading(markup, headings, doubtful, prose_before, titles, parts)
        if best < AROUND:
            # Below an `h1` that is not like the title, a line of the title is a footer's, or a link's.
            is_top = self.text is not None and markup.tags.name[self.first] == H1
            self._take_line(markup, parts, hidden, self.first if is_top else markup.tags.count)

    cdef int _take_heading(
        self, Markup markup, list headings, dict doubtful, dict prose_before, list titles, dict parts
    ) except -1:
        """Take the heading that is most like the title, and return how like it is."""
        cdef int likeness, more, best = LEAST - 1
        cdef Py_ssize_t tag, stop
        cdef str text, letters
        cdef list whole = [squashed(title) for title in titles]
        cdef set words = None
        # In an article, or with prose below them, `h2` are sections.
        cdef int seconds = sum([markup.tags.name[tag] == H2 for tag in headings])
        is_short = max([prose for _, prose in prose_before.values()], default=0) < ENOUGH_PROSE
        is_short = is_short and titles and markup.tags.first("article") < 0
        for tag in headings:
            more = TOP if markup.tags.name[tag] == H1 else SECOND if markup.tags.name[tag] == H2 else 0
            if best >= SAME + more:
                break  # those that follow are of the same level, or of a lower one
            stop = _heading_stop(markup, tag)
            text = _text(markup, tag, stop)
            if text is None or text[0] == u"©":
                continue
            if tag in doubtful:
                more -= DOUBT
            letters = squashed(text)
            likeness = _likeness(letters, parts, whole, self.site_names)
            if not likeness and ALIKE + more > best:
                words = words or set(_WORD.findall(" ".join(titles).casefold()))
                likeness = _shared_words(text, words)
            if likeness < doubtful.get(tag, 0) or not likeness and letters in LABELS:
                continue
            if (
                is_short and not likeness and best < LEAST and more == SECOND and seconds <= MAX_SECONDS
                and not letters.isdecimal()
            ):
                more = TOP
            likeness += more
            if likeness < best or likeness == best and not (
                best == TOP and _stands_nearer(prose_before, self.first, tag)
            ):
                continue
            if not _leads_home(markup, tag, stop) and not _is_button(markup, tag, stop):
                best = likeness
                self.text, self.first, self.last = text, tag, stop
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
            if linked and (tags.name[start] == LI or len(text) < LONG_LINK):
                continue
            rank = 1 + 2 * (not linked) + 4 * (markup.groups[start] & TITLE_GROUP != 0)
            if rank > best:
                best = rank
                self.text, self.first, self.last = text, start, stop
        return 0


cdef dict _look_at_tags(
    Markup markup, list titles, list headings, list hidden, dict prose_before, set site_names
):
    """Note the headings of a page by level, its other titles, and what names its site.

    `hidden`: the elements that are hidden, [first, last) tags each, if less than half of the prose stands in them.
    `prose_before`: the bytes of prose before each heading and before the next one. Returned: how like the title a
    heading has to be that stands where headlines do not.
    """
    cdef Tags tags = markup.tags
    cdef Py_ssize_t tag, metas = 0, links = 0, large = 0, hidden_stop = 0, beside_stop = 0, stop, before = -1
    cdef Py_ssize_t prose = 0, hidden_prose = 0, size
    cdef uint64_t name
    cdef list seconds = [], others = []
    cdef set unseen = set()
    cdef dict doubtful = {}
    cdef int least = 0
    cdef AttributeScanner scanner = AttributeScanner(markup.html)
    for tag in range(tags.count):
        name = tags.name[tag]
        size = _prose(markup, tag)
        if tags.kind[tag] & END:
            prose += size
            hidden_prose += size if tag < hidden_stop else 0
            continue
        if markup.hiding[tag] and tag >= hidden_stop and markup.codes[tag] != NO_CODE and name != BODY:
            hidden_stop = _element_stop(tags, tag)
            hidden.append((tag, hidden_stop))
        if tag >= beside_stop and large < MAX_LARGE and (BESIDE[markup.codes[tag]] or markup.groups[tag] & MODAL_GROUP):
            stop = _element_stop(tags, tag)
            if 2 * (stop - tag) < tags.count:
                beside_stop = stop
                least = SAME_AS_LATER if BESIDE[markup.codes[tag]] else 1
            else:
                large += 1
        prose += size
        hidden_prose += size if tag < hidden_stop else 0
        if name == META:
            metas += 1
            if metas <= MAX_METAS:
                _read_meta(markup, scanner, tag, titles, site_names)
        elif is_heading(name):
            found = headings if name == H1 else seconds if name == H2 else others
            if len(found) < MAX_HEADINGS:
                found.append(tag)
                prose_before[tag] = prose - size, prose - size
                if before >= 0:
                    prose_before[before] = prose_before[before][0], prose - size
                before = tag
                if tag < hidden_stop:
                    unseen.add(tag)
                if tag < beside_stop:
                    doubtful[tag] = least
        elif markup.roles[tag] == ANCHOR and links < MAX_LINKS and markup.said[tag] & HAS_TARGET:
            links += 1
            if _leads_to_root(markup, scanner, tag):
                _note_link(markup, tag, site_names)
    if before >= 0:
        prose_before[before] = prose_before[before][0], prose
    headings += seconds
    headings += others
    if 2 * hidden_prose > prose:
        hidden.clear()
    else:
        headings[:] = [tag for tag in headings if tag not in unseen]
    if prose >= ENOUGH_PROSE:
        doubtful.update({tag: SAME_AS_LATER for tag in headings if 2 * prose_before[tag][0] > prose})
    site_names.discard("")
    return doubtful


cdef bint _stands_nearer(dict prose_before, Py_ssize_t first, Py_ssize_t tag) except -1:
    """Whether a heading stands right above prose, and none is between another heading and it."""
    return prose_before[first][0] == prose_before[tag][0] < prose_before[tag][1]


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
    """Note what a `<meta>` says of the page's title or of its site's name."""
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
        titles.append(rendered(markup.html[begin:end])[:MAX_BYTES])
    elif name == b"og:site_name" or name == b"application-name":
        site_names.add(squashed(rendered(markup.html[begin:end])))
    return 0


cdef bint _leads_to_root(Markup markup, AttributeScanner scanner, Py_ssize_t link) except -1:
    """Whether a link leads to the start page of a site."""
    cdef Py_ssize_t at, last
    cdef int slashes
    scanner.open(markup.tags.start[link], markup.tags.stop[link])
    while scanner.advance():
        if scanner.name == HREF:
            if scanner.stop == scanner.start or scanner.stop - scanner.start > LONGEST_ROOT:
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
    """Note what a link shows: its text, and what a picture in it stands for."""
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
    """Read the text between two tags, blanks collapsed; None if there is none, or too much."""
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
    """Whether a text between two tags begins in a link."""
    cdef Py_ssize_t tag
    for tag in range(first, last):
        if markup.linked_gaps[tag + 1]:
            return True
    return False


cdef int _note_begins(dict parts, unsigned char* begins) except -1:
    """Note the bytes with which a line may begin that is equal to a part of a title."""
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
    cdef const unsigned char[::1] html = markup.html
    cdef Py_ssize_t tag, at, stop
    for tag in range(first, last):
        at, stop = tags.stop[tag], tags.start[tag + 1] if tag + 1 < tags.count else html.shape[0]
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


cdef int _likeness(str letters, dict parts, list whole, set site_names) except -1:
    """How like the title a heading of these letters and digits is; 0 if its words must tell."""
    if not letters or letters in site_names and letters not in whole:
        return NONE
    if letters in parts:
        return SAME if not parts[letters] else SAME_AS_LATER
    if len(letters) >= SHORT:
        for title in whole:
            if letters in title:
                return INSIDE
    for part, before in parts.items():
        if not before and len(part) >= LONG and part in letters:
            return AROUND
    return 0


cdef int _shared_words(str text, set words) except -1:
    """How like the title a heading is that has half of its words, and two or more; else 0."""
    cdef Py_ssize_t shared = 0
    own = _WORD.findall(text.casefold())
    for word in own:
        shared += word in words
    return ALIKE * shared // len(own) if shared > 1 and 2 * shared >= len(own) else 0
