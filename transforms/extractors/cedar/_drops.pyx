"""Drop chosen blocks that are no content: forms, buttons, insets, elements that a class hides.

Frameworks hide elements by a class, and only their style sheets say that the class hides. The rules are ours;
docs/cedar.md says what they gain. Captions are found here, too, by their classes.
"""

import re

import numpy as np

from libc.stdint cimport int64_t, uint64_t

from cedar.transforms.extractors.html._bytes cimport key_at
from cedar.transforms.extractors.html._elements cimport Lookup, find
from cedar.transforms.extractors.html._tags cimport Tags
from cedar.transforms.extractors.segments._blocks cimport Blocks
from cedar.transforms.extractors.segments._elements cimport Elements
from cedar.transforms.extractors.segments._markup cimport ANCHOR, HAS_TARGET
from cedar.transforms.extractors.segments._page cimport SegmentedPage

from cedar.transforms.extractors.cedar import model
from cedar.transforms.extractors.html._elements import key
from cedar.transforms.extractors.segments.names import CODE, GROUPS

cdef enum:
    MAX_TAG_BYTES = 2000
    MAX_CAPTION_WORDS = 600  # tenths of words
    MAX_FURNITURE_TENTHS = 6  # of a page's words: larger elements hold the posts
    PART_ONE_IN = 3  # a part of a page holds less than one in so many of its words
    MAX_CARD_BLOCKS = 4  # blocks of a card of another story, at most
    MIN_PROSE_WORDS = 80  # tenths of words of each of the paragraphs before and after a card, at least
    MAX_ROW_BLOCKS = 4  # blocks of dates, tags and writers at most

cdef enum:  # kinds of elements that are dropped
    NONE = -1
    FORM_OR_HIDDEN
    INSET
    ROW
    KINDS

cdef enum:
    MAX_CONTROL_WORDS = 45  # tenths of words of a control, at most
    MAX_TOOL_BLOCKS = 2  # blocks after a heading in its row, at most
    MIN_TOOL_ROWS = 3  # rows of headings with the same tool, at least
    MAX_LEVELS_AROUND = 4  # elements around a control whose names are looked at, at most
    LETTER_BITS = 31  # the bits of an ASCII letter that tell it from the others

_HIDING = frozenset((b"hidden", b"hide", b"is-hidden", b"visually-hidden"))
INSET_WORDS = frozenset(
    b"ad ads advert adverts advertisement advertising byline consent cookie cookies cta dialog gdpr modal newsletter"
    b" newsletters onetrust overlay popup promo promos promotion related share sharing signup social sponsor sponsored"
    b" subscribe".split()
)
ROW_WORDS = frozenset(b"author authors bio date meta tag tags".split())
"""Words that name lines of dates, tags and writers."""
COMMON_WORDS = frozenset(
    b"area article banner bar blog block body bottom box button buttons component container content entry footer form"
    b" group header holder info inline inner item items link links list message module news notice outer page panel"
    b" policy post row sdk section settings slot story text top unit widget wrap wrapper".split()
)
"""Words in the names of any element, besides the word for the element itself."""

_POST_FURNITURE = re.compile(
    rb"signature|user-?(?:extras|info|rank|stats?|title)|post-?profile|\brelated\b|recommended"
    rb"|similar-?(?:question|thread|topic)"
)
"""Names of what stands around the posts of a thread: the same below each, on its writer, other threads."""

_CONTROL = re.compile(rb"button|\bbtn\b|\bcta\b|(?<=[a-z])btn\b|(?<=[a-z])cta\b", re.IGNORECASE)
_UNFOLDING = re.compile(rb"accordion|collaps|toggle|dropdown|\btabs?\b", re.IGNORECASE)
_STATES = frozenset((b"aria-controls", b"aria-expanded", b"aria-selected", b"data-bs-toggle", b"data-toggle"))
"""Attributes of a control that unfolds a part of the page: its words may be the heading of that part."""

_STARTS = [start.encode() for start in (
    "cook cons gdpr onet qc-c cmpl dido user trus osan iube term klar evid tart axep".split()
)]
"""The first letters of the words that `notices` looks for in names."""

cdef Lookup NOTICE_STARTS = Lookup({int.from_bytes(start, "little"): 1 for start in _STARTS})
cdef bint NOTICE_PAIRS[LETTER_BITS + 1][LETTER_BITS + 1]
for _first in range(LETTER_BITS + 1):
    for _second in range(LETTER_BITS + 1):
        NOTICE_PAIRS[_first][_second] = any([
            start[0] & LETTER_BITS == _first and start[1] & LETTER_BITS == _second for start in _STARTS
        ])

cdef int64_t FORM, CAPTION, NAMED, BUTTON = CODE["button"], ASIDE = CODE["aside"], MAIN = CODE["main"]
cdef int64_t ARTICLE = CODE["article"], TABLE_ROW = CODE["tr"], UNIT = model.UNIT
FORM, CAPTION = (1 << list(GROUPS).index(group) for group in ("form", "caption"))
cdef int64_t AROUND_POSTS = sum(1 << list(GROUPS).index(group) for group in ("related", "user"))
NAMED = sum(1 << list(GROUPS).index(group) for group in ("about", "advert", "form", "modal", "related", "share"))
cdef int64_t PAGE = -1, BODY = CODE["body"], PARAGRAPH = CODE["p"]
cdef uint64_t IMAGE = key("img")
cdef int64_t SURE = 3 * UNIT  # the score from which a block stays wherever it stands
cdef int64_t[KINDS] SURE_IN = [UNIT, SURE, SURE]  # the score from which a block stays in each kind of element


def drop_furniture(SegmentedPage page not None, const int64_t[::1] scores not None, kept not None):
    """Drop doubtful blocks of `kept`, bool (n,), in forms, buttons, insets, and in what a class hides.

    `scores` come from `model`, int64 (n,). Names tell forms and insets, which have less than a third of the page's
    words and do not hold the headline. If a third of the kept words stands in elements of one kind, none of that kind
    is dropped. Dates, tags and writers are dropped if they are few blocks: many belong to the entries of a list.
    """
    cdef unsigned char[::1] stays = kept.view(np.uint8)
    cdef const int64_t[::1] words = page.blocks.word_tenths, first = page.elements.first, last = page.elements.last
    cdef Py_ssize_t count = page.blocks.count, block, element, row
    cdef int kind
    cdef int64_t inside, there, whole, words_there
    if stays.shape[0] != count or scores.shape[0] != count:
        raise ValueError("scores or a choice of another page")
    # The doubtful blocks, and linked characters, before each; and for each kind where it begins, less where it ends.
    cdef int64_t[::1] before = page.markup.room.zeros(count + 1), links = page.markup.room.zeros(count + 1)
    cdef int64_t[::1] turns = page.markup.room.zeros(KINDS * (count + 1))
    for block in range(count):
        links[block + 1] = links[block] + page.blocks.linked[block]
        before[block + 1] = before[block] + (stays[block] & (scores[block] < SURE))
    for element in range(1, page.elements.count):
        if before[last[element]] > before[first[element]]:
            kind = _kind(page, element, links)
            if kind != NONE:
                turns[kind * (count + 1) + first[element]] += 1
                turns[kind * (count + 1) + last[element]] -= 1
    for kind in range(KINDS):
        row = kind * (count + 1)
        inside = there = whole = words_there = 0
        for block in range(count):
            inside += turns[row + block]
            turns[row + block] = inside
            if stays[block]:
                whole += words[block]
                there += inside > 0
                words_there += words[block] if inside else 0
        if (kind != ROW or there <= MAX_ROW_BLOCKS) and PART_ONE_IN * words_there < whole:
            for block in range(count):
                stays[block] &= not turns[row + block] or scores[block] >= SURE_IN[kind]


def drop_post_furniture(SegmentedPage page not None, kept not None):
    """Drop from `kept`, bool (n,), signatures, ranks of writers and links to other threads, by their names."""
    cdef Elements elements = page.elements
    cdef Py_ssize_t element, head = page.title_match.block
    if kept.size != page.blocks.count:
        raise ValueError("a choice of another page")
    marks = np.zeros(elements.count, bool)
    for element in range(1, elements.count):
        if elements.groups[element] & AROUND_POSTS and not elements.first[element] <= head < elements.last[element]:
            marks[element] = _POST_FURNITURE.search(names_of(page, element)) is not None
    kept &= ~elements.inside(marks, page.blocks, MAX_FURNITURE_TENTHS)


def drop_teasers(SegmentedPage page not None, const int64_t[::1] scores not None, kept not None):
    """Drop from `kept`, bool (n,), cards of other stories amid paragraphs: a few blocks, or one and a picture.

    Their heading is all link, doubtful by its score, and leads elsewhere. `scores` are int64 (n,).
    """
    cdef unsigned char[::1] stays = kept.view(np.uint8)
    cdef Blocks blocks = page.blocks
    cdef Elements elements = page.elements
    cdef Py_ssize_t block, other
    cdef int64_t card, around
    if stays.shape[0] != blocks.count or scores.shape[0] != blocks.count:
        raise ValueError("scores or a choice of another page")
    for block in range(blocks.count):
        if not stays[block] or not elements.headings[block] or blocks.linked[block] < blocks.chars[block]:
            continue
        card = around = elements.nearest[block]
        while (
            elements.last[around] - elements.first[around] <= MAX_CARD_BLOCKS
            and elements.codes[around] not in (PAGE, BODY)
        ):
            card, around = around, elements.parents[around]
        if scores[block] < SURE and _is_amid_paragraphs(page, card, stays) and _is_teaser(page, card):
            for other in range(elements.first[card], elements.last[card]):
                stays[other] = False


cdef bint _is_amid_paragraphs(SegmentedPage page, int64_t card, const unsigned char[::1] stays) noexcept:
    """Whether kept paragraphs, siblings of an element, stand right before and after the element."""
    cdef Elements elements = page.elements
    cdef Py_ssize_t beside
    cdef int64_t around = elements.parents[card], paragraph
    for beside in (elements.first[card] - 1, elements.last[card]):
        if not 0 <= beside < page.blocks.count or not stays[beside]:
            return False
        if page.blocks.word_tenths[beside] < MIN_PROSE_WORDS:
            return False
        paragraph = elements.outer[elements.nearest[beside]]
        if elements.codes[elements.nearest[beside]] != PARAGRAPH or elements.parents[paragraph] != around:
            return False
    return True


cdef bint _is_teaser(SegmentedPage page, int64_t card) except -1:
    """Whether an element has several blocks or a picture, and its links lead elsewhere."""
    cdef Elements elements = page.elements
    cdef Tags tags = page.markup.tags
    cdef Py_ssize_t tag
    cdef bint is_card = elements.last[card] - elements.first[card] > 1
    for tag in range(elements.opens[card], elements.closes[card]):
        is_card |= tags.name[tag] == IMAGE
        if page.markup.roles[tag] == ANCHOR and page.markup.said[tag] & HAS_TARGET:
            given = page.markup.attributes_of(tag)
            if given.get(b"href", b"").startswith(b"#"):
                return False
    return is_card


cdef int _kind(SegmentedPage page, Py_ssize_t element, const int64_t[::1] links) except -2:
    """The kind of an element that is dropped, or `NONE`."""
    cdef Elements elements = page.elements
    cdef const int64_t[::1] sums = page.blocks.word_sums, chars = page.blocks.char_sums
    cdef int64_t group = elements.groups[element] & NAMED, code = elements.codes[element]
    cdef int64_t begin = elements.first[element], end = elements.last[element]
    cdef bint is_part = PART_ONE_IN * (sums[end] - sums[begin]) < sums[page.blocks.count]
    cdef int kind
    if not (group or code == BUTTON or code == ASIDE) or begin <= page.title_match.block < end:
        return NONE
    said = names_of(page, element) if group else b""
    kind = _named_kind(said) if is_part else NONE
    if kind != NONE:
        return kind
    if code == ASIDE and is_part and PART_ONE_IN * (links[end] - links[begin]) >= chars[end] - chars[begin]:
        return INSET
    # Code that notebooks call input is no form.
    if group & FORM and page.markup.preformatted_gaps[page.blocks.first_gaps[begin]]:
        return NONE
    if code == BUTTON or (is_part and group & FORM):
        return FORM_OR_HIDDEN
    # `md:hidden` hides on some screens only.
    return NONE if b":" in said or _HIDING.isdisjoint(said.split()) else FORM_OR_HIDDEN


cdef int _named_kind(bytes said) except -2:
    """`ROW` or `INSET` by the first name that has such a word and no unknown one, else `NONE`."""
    cdef int kind
    for name in said.replace(b"_", b"-").split():
        kind = NONE
        if name.startswith(b"-") or name.endswith(b"-"):
            continue  # a hash, as programs give them to styles
        for word in name.split(b"-"):
            if word in INSET_WORDS or word in ROW_WORDS:
                if kind == NONE:
                    kind = ROW if word in ROW_WORDS else INSET
            elif word and word not in COMMON_WORDS:
                kind = NONE
                break
        if kind != NONE:
            return kind
    return NONE


def drop_controls(SegmentedPage page not None, const int64_t[::1] scores not None, kept not None):
    """Drop buttons of up to four words from `kept`, bool (n,): elements, and links that are all of their block.

    A link is a button by its `role` or a class (`btn`, `button`, `cta`) of the link or of an element that holds
    nothing else. Three kinds of buttons stay: those that unfold a part of the page; those with a sure score, as
    ingredients may be buttons; and all buttons of a page if a third of its text stands in them.
    """
    cdef unsigned char[::1] stays = kept.view(np.uint8)
    cdef Blocks blocks = page.blocks
    cdef Elements elements = page.elements
    cdef const unsigned char[::1] html = page.markup.html
    cdef Py_ssize_t block
    cdef int64_t whole = 0, there = 0
    cdef list found = []
    if stays.shape[0] != blocks.count or scores.shape[0] != blocks.count:
        raise ValueError("scores or a choice of another page")
    for block in range(blocks.count):
        if not stays[block]:
            continue
        whole += blocks.word_tenths[block]
        if elements.headings[block] or scores[block] >= SURE:
            continue
        if blocks.word_tenths[block] <= MAX_CONTROL_WORDS:
            if elements.codes[elements.nearest[block]] == BUTTON or blocks.linked[block] == blocks.chars[block]:
                if _is_control(page, html, block):
                    found.append(block)
                    there += blocks.word_tenths[block]
    if PART_ONE_IN * there < whole:
        for block in found:
            stays[block] = False


def drop_tools(SegmentedPage page not None, kept not None):
    """Drop from `kept`, bool (n,), tools that most headings have, such as "edit", after them in their rows.

    A row is an element of one heading, which is no link, and a block or two of a few words, the same in all rows.
    """
    cdef unsigned char[::1] stays = kept.view(np.uint8)
    cdef Blocks blocks = page.blocks
    cdef Elements elements = page.elements
    cdef Py_ssize_t block, other, headings = 0
    cdef int64_t row
    cdef dict found = {}
    if stays.shape[0] != blocks.count:
        raise ValueError("a choice of another page")
    for block in range(blocks.count):
        if not stays[block] or not elements.headings[block]:
            continue
        headings += 1
        row = elements.parents[elements.outer[elements.nearest[block]]]
        if elements.first[row] != block or elements.last[row] > block + 1 + MAX_TOOL_BLOCKS or blocks.linked[block]:
            continue
        for other in range(block + 1, elements.last[row]):
            if not elements.headings[other] and blocks.word_tenths[other] <= MAX_CONTROL_WORDS:
                found.setdefault(blocks.read(other), []).append(other)
    for places in found.values():
        if len(places) >= MIN_TOOL_ROWS and 4 * len(places) >= 3 * headings:
            for other in places:
                stays[other] = False


cdef bint _is_control(SegmentedPage page, const unsigned char[::1] html, Py_ssize_t block) except -1:
    """Whether the elements that hold a block alone, or the links in it, make it a button."""
    cdef Elements elements = page.elements
    cdef Tags tags = page.markup.tags
    cdef Py_ssize_t tag, step
    cdef int64_t element = elements.nearest[block], stop = html.shape[0]
    cdef bint is_named = False, is_button
    if page.blocks.last_gaps[block] < tags.count:
        stop = tags.start[page.blocks.last_gaps[block]]
    if not _may_say_control(html, _start_of_elements_around(page, block), stop):
        return False  # most links: their attributes need not be read
    for step in range(MAX_LEVELS_AROUND):
        if not element or elements.last[element] - elements.first[element] != 1:
            break
        tag = elements.opens[element]
        given = page.markup.attributes_of(tag)
        if _unfolds(given):
            return False
        is_named |= elements.codes[element] == BUTTON or _is_called_button(given)
        element = elements.parents[element]
    if elements.codes[element] == TABLE_ROW:
        return False  # one of several cells: it may name the row
    for tag in range(page.blocks.first_gaps[block], page.blocks.last_gaps[block]):
        if page.markup.roles[tag] == ANCHOR and page.markup.said[tag] & HAS_TARGET:
            given = page.markup.attributes_of(tag)
            is_button = _is_called_button(given)
            if _unfolds(given) or not (is_named or is_button):
                return False
            is_named |= is_button
    return is_named


cdef int64_t _start_of_elements_around(SegmentedPage page, Py_ssize_t block) noexcept:
    """Where the outermost of the elements that hold a block alone begins in the page, in bytes; else the block."""
    cdef Elements elements = page.elements
    cdef Tags tags = page.markup.tags
    cdef Py_ssize_t step
    cdef int64_t element = elements.nearest[block], gap = page.blocks.first_gaps[block], start
    start = tags.start[gap] if gap < tags.count else 0
    for step in range(MAX_LEVELS_AROUND):
        if not element or elements.last[element] - elements.first[element] != 1:
            break
        start = tags.start[elements.opens[element]]
        element = elements.parents[element]
    return start


cdef bint _may_say_control(const unsigned char[::1] html, int64_t start, int64_t stop) noexcept nogil:
    """Whether `utt`, `btn` or `cta` stands in bytes [start, stop), in any case: else `_CONTROL` finds nothing."""
    cdef int64_t at
    cdef unsigned char before, after
    for at in range(start + 1, stop - 1):
        if html[at] | 0x20 != c"t":
            continue
        before, after = html[at - 1] | 0x20, html[at + 1] | 0x20
        if before == c"u" and after == c"t" or before == c"b" and after == c"n" or before == c"c" and after == c"a":
            return True
    return False


def possible_notices(SegmentedPage page not None, int64_t group, Py_ssize_t max_elements):
    """Find the elements that may be notices of consent, among the first `max_elements` with a name of a group.

    `group` is the group's bit. A notice has a block and one of the words of notices in its tag; it does not hold the
    headline, and does not begin in `main` or an article. Many elements of most pages fail this, so that few names are
    read.
    """
    cdef Elements elements = page.elements
    cdef Tags tags = page.markup.tags
    cdef const unsigned char[::1] html = page.markup.html
    cdef Py_ssize_t element, tag, seen = 0
    cdef int64_t first, last
    cdef list found = []
    for element in range(1, elements.count):
        if not elements.groups[element] & group:
            continue
        if seen == max_elements:
            break
        seen += 1
        first, last = elements.first[element], elements.last[element]
        if first == last or first <= page.title_match.block < last:
            continue
        tag = elements.opens[element]
        if not _is_in_text(elements, first):
            if _may_name_notice(html, tags.start[tag], min(tags.stop[tag], tags.start[tag] + MAX_TAG_BYTES)):
                found.append(element)
    return found


cdef bint _is_in_text(Elements elements, Py_ssize_t block) noexcept:
    """Whether a block stands in `main` or an article."""
    cdef int64_t element = elements.nearest[block]
    while element:
        if elements.codes[element] == MAIN or elements.codes[element] == ARTICLE:
            return True
        element = elements.parents[element]
    return False


cdef bint _may_name_notice(const unsigned char[::1] html, Py_ssize_t start, Py_ssize_t stop) noexcept nogil:
    """Whether one of `NOTICE_STARTS` stands in bytes [start, stop), in any case."""
    cdef Py_ssize_t at
    for at in range(start, stop - 3):
        # Two letters first, which most bytes fail.
        if NOTICE_PAIRS[html[at] & LETTER_BITS][html[at + 1] & LETTER_BITS]:
            if find(NOTICE_STARTS, key_at(html, at, at + 4)) >= 0:
                return True
    return False


cdef bint _is_called_button(dict given) except -1:
    """Whether the `role` or the class among some attributes is a button's."""
    return given.get(b"role", b"").lower() == b"button" or _CONTROL.search(given.get(b"class", b"")) is not None


cdef bint _unfolds(dict given) except -1:
    """Whether some attributes belong to a control that unfolds a part of the page."""
    return not _STATES.isdisjoint(given) or _UNFOLDING.search(given.get(b"class", b"")) is not None


def captions(SegmentedPage page not None):
    """Mark the blocks of captions, bool (n,): elements `caption`, `figcaption`, and short ones with such a class."""
    cdef Elements elements = page.elements
    cdef const int64_t[::1] sums = page.blocks.word_sums, first = elements.first, last = elements.last
    cdef Py_ssize_t element
    marks = np.isin(elements.codes, (CODE["figcaption"], CODE["caption"]))
    for element in range(elements.count):
        if elements.groups[element] & CAPTION and sums[last[element]] - sums[first[element]] <= MAX_CAPTION_WORDS:
            marks[element] |= b"caption" in names_of(page, element)
    return elements.inside(marks, page.blocks)


cpdef bytes names_of(SegmentedPage page, Py_ssize_t element):
    """Return the names of an element, its `class` and `id`, in small letters; raise IndexError for the root or none."""
    if not 0 < element < page.elements.count:
        raise IndexError(f"no element {element} with a tag")
    cdef Py_ssize_t tag = page.elements.opens[element]
    return (page.markup.class_of(tag)[:MAX_TAG_BYTES] + b" " + page.markup.id_of(tag)[:MAX_TAG_BYTES]).lower()
