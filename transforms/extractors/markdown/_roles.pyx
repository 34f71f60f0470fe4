"""Roles that elements have by their attributes: notes, posts, headings, names of authors in headings."""

import re

from libc.stdint cimport int64_t
from libc.string cimport memset

from cedar.transforms.extractors.html._tags cimport Tags
from cedar.transforms.extractors.markdown._reading cimport speaks
from cedar.transforms.extractors.segments._elements cimport Elements
from cedar.transforms.extractors.segments._markup cimport FIRST_HEADING, HAS_CLASS, HAS_ROLE
from cedar.transforms.extractors.segments._page cimport SegmentedPage

from cedar.transforms.extractors.html._attributes import attributes
from cedar.transforms.extractors.segments.names import CODE, PLAIN_NOTES, is_note

cdef enum:
    DEFAULT_LEVEL = 2  # WAI-ARIA 1.2, `heading`
    MAX_HEADING_BLOCKS = 3
    MAX_NOTE_BLOCKS = 20  # of a note that holds more than half of the page
    KNOWN = 256  # classes that are kept in mind
    LAST = 4  # letters at the end of each name of a heading
    # The roles that a class says, as bits.
    IS_NOTE = 1
    IS_POST = 2
    IS_SUBHEADING = 4
    IS_BYLINE = 8
    MAY_BE_SUBHEADING = 16

cdef int64_t ASIDE = CODE["aside"], SECTION = CODE["section"], PARAGRAPH = CODE["p"], DIVISION = CODE["div"]
cdef int64_t QUOTE = CODE["blockquote"]

# Four letters of each word: a class without any of them has no role.
cdef const char *WORDS_OF_NOTES = "calladmoalerhint"
cdef const char *WORDS_OF_KINDS = "notewarninsecaut"
cdef const char *WORDS_OF_BOXES = "custasidpostmess"
cdef const char *WORDS_OF_SUBHEADINGS = "headtertrlinssen"
cdef const char *FOREIGN_WORDS_OF_SUBHEADINGS = "chenadilmellchen"
cdef const char *WORDS_OF_TITLES = "titltituotsibold"
cdef const char *FOREIGN_WORDS_OF_TITLES = "titotytuzagostro"
cdef const char *WORDS_OF_BYLINES = "authylinserne-na"
cdef const char *WORDS_OF_ROLES = "eadieadieadieadi"  # the last of `heading`

_POSTS = frozenset((b"postcontent", b"messagetext", b"post-content", b"post_body", b"postbody"))
_SUBHEADINGS = (
    b"crosshead", b"subhead", b"crossheading", b"subheading", b"interline", b"intertitre", b"intertitle", b"intertitel",
    b"intertitulo", b"crossheads", b"subheads", b"crossheadings", b"subheadings", b"intertitres", b"intertitles",
    b"intertitels", b"intertitulos", b"zwischentitel", b"zwischenueberschrift", "zwischenüberschrift".encode(),
    b"zwischenheadline", b"tussenkop", b"tussenkopje", b"ladillo",
    *(
        f"mell{vowel}{ending}{noun}".encode()
        for vowel in "aeo" for ending in "nm" for noun in ("rubrik", "titel", "tittel")
    ),
)
"""The ends of class names of headings between paragraphs, in the words of newspapers of several languages."""

_PERHAPS_SUBHEADINGS = (
    b"subtitle", b"sectiontitle", b"sectionheading", b"paragraphheading", b"paragraphtitle", b"articleheading",
    b"sottotitolo", b"subtitulo", b"mezititulek", b"srodtytul", b"valiotsikko", "väliotsikko".encode(),
    b"podzagolovok", b"bold", b"strong", b"bolder",
)
"""The ends of class names of paragraphs that are headings between others if a page has several of them."""

_LAST_LETTERS = frozenset(name[len(name) - LAST :] for name in _SUBHEADINGS + _PERHAPS_SUBHEADINGS)
_LEVELS = (b"2", b"3", b"4", b"5", b"6")
_LEVEL = re.compile(rb"h[2-6]|(?:heading|title)[-_]?[2-6]")
_END_OF_BYLINES = (b"line", b"author", b"name")
_BYLINE = re.compile(rb"(?:^|[-_])(?:byline|author(?:[-_]?(?:line|name))?|user-?name|message-name)$")


def roles(SegmentedPage page not None, const int64_t[::1] sums not None):
    """Find the elements with another role than their name's; `sums`, int64 (n + 1,), as in `Containers`.

    Returns the sets of notes, tips and warnings, which are quotes, and of block quotes that a forum has for its posts,
    which are none; the levels of headings; the headings that are names of authors, which are none; the elements
    whose class says that they are headings between paragraphs; and those whose class says so of several.
    """
    cdef Elements elements = page.elements
    cdef Tags tags = page.markup.tags
    cdef const unsigned char[::1] html = page.markup.html
    cdef Py_ssize_t element, tag, kept
    cdef int64_t code
    cdef int said
    cdef bint is_heading
    cdef int64_t[KNOWN] classes
    cdef unsigned char[KNOWN] meanings
    if sums.shape[0] != page.blocks.count + 1:
        raise ValueError(f"{page.blocks.count + 1} sums are wanted, {sums.shape[0]} are given")
    memset(classes, 0, sizeof(classes))  # an empty class has no signature, and says nothing
    memset(meanings, 0, sizeof(meanings))
    notes, posts, titles, bylines, subheadings, perhaps = set(), set(), {}, set(), set(), set()
    for element in range(1, elements.count):
        code = elements.codes[element]
        is_heading = FIRST_HEADING < code < FIRST_HEADING + 6
        if not is_heading and code not in (DIVISION, ASIDE, SECTION, PARAGRAPH, QUOTE):
            continue
        kept = sums[elements.last[element]] - sums[elements.first[element]]
        tag = elements.opens[element]
        said = page.markup.said[tag]
        if not kept or not said & (HAS_CLASS | HAS_ROLE):
            continue
        if said & HAS_CLASS:
            said = _meaning(page, html, tag, classes, meanings)
            if code == QUOTE:
                if said & IS_POST:
                    posts.add(element)
            elif is_heading:
                if said & IS_BYLINE:
                    bylines.add(element)
            elif said & IS_NOTE and code != PARAGRAPH and (
                kept <= MAX_NOTE_BLOCKS or 2 * kept <= sums[page.blocks.count]  # not what the page is about
            ):
                notes.add(element)
                continue
            elif said & IS_SUBHEADING and kept == 1:
                subheadings.add(element)
            elif said & MAY_BE_SUBHEADING and kept == 1:
                perhaps.add(element)
        if (
            page.markup.said[tag] & HAS_ROLE and not is_heading and code != QUOTE and kept <= MAX_HEADING_BLOCKS
            and speaks(html, tags.start[tag], tags.stop[tag], WORDS_OF_ROLES)
        ):
            given = attributes(page.markup.html, tags.start[tag], tags.stop[tag])
            if given.get(b"role", b"").strip().lower() == b"heading":
                level = given.get(b"aria-level", b"").strip()
                titles[element] = min(max(int(level[:9]), 1), 6) if level.isdigit() else DEFAULT_LEVEL
    return notes, posts, titles, bylines, subheadings, perhaps


cdef int _meaning(
    SegmentedPage page, const unsigned char[::1] html, Py_ssize_t tag, int64_t *classes, unsigned char *meanings
) except -1:
    """The roles that the class of a tag says; a class that comes often is read once."""
    cdef int64_t signature = page.markup.classes[tag]
    cdef Py_ssize_t place = signature & (KNOWN - 1)
    if classes[place] != signature:
        classes[place], meanings[place] = signature, <unsigned char>_said(page, html, tag)
    return meanings[place]


cdef int _said(SegmentedPage page, const unsigned char[::1] html, Py_ssize_t tag) except -1:
    """The roles that the class of a tag says."""
    cdef Py_ssize_t start = page.markup.tags.start[tag], stop = page.markup.tags.stop[tag]
    cdef int said = 0
    if not (
        speaks(html, start, stop, WORDS_OF_NOTES) or speaks(html, start, stop, WORDS_OF_KINDS)
        or speaks(html, start, stop, WORDS_OF_BOXES)
        or speaks(html, start, stop, WORDS_OF_SUBHEADINGS) or speaks(html, start, stop, FOREIGN_WORDS_OF_SUBHEADINGS)
        or speaks(html, start, stop, WORDS_OF_BYLINES) or speaks(html, start, stop, WORDS_OF_TITLES)
        or speaks(html, start, stop, FOREIGN_WORDS_OF_TITLES) or _has_level(html, start, stop)
    ):
        return 0
    names = page.markup.class_of(tag).lower().split()
    said |= IS_NOTE * (is_note(names) or PLAIN_NOTES.issuperset(names) and names != [])
    for name in names:
        said |= IS_POST * (name in _POSTS)
        if name.endswith(_END_OF_BYLINES) and _BYLINE.search(name) is not None:
            said |= IS_BYLINE
        if name.endswith(_LEVELS) and _LEVEL.fullmatch(name) is not None:
            said |= MAY_BE_SUBHEADING
        plain = name.replace(b"-", b"").replace(b"_", b"")
        if plain[max(len(plain) - LAST, 0) :] in _LAST_LETTERS:  # most names end otherwise
            said |= IS_SUBHEADING * plain.endswith(_SUBHEADINGS)
            said |= MAY_BE_SUBHEADING * plain.endswith(_PERHAPS_SUBHEADINGS)
    return said


cdef bint _has_level(const unsigned char[::1] html, Py_ssize_t start, Py_ssize_t stop) noexcept nogil:
    """Whether a word of a tag may be the level of a heading, as `h2` is."""
    cdef Py_ssize_t at
    for at in range(start + 1, stop - 2):
        if html[at] == c"h" and c"2" <= html[at + 1] <= c"6" and html[at - 1] in b"\"' =" and html[at + 2] in b"\"' >":
            return True
    return False
