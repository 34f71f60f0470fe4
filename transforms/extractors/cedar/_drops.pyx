"""What goes of what was chosen: what the article that a page states lacks; forms, buttons, insets, what a class hides.

Frameworks hide elements by a class, of which only their style sheets say so. The article stated is the `articleBody` of
JSON-LD. The rules are ours; docs/cedar.md says what they gain. Captions are known here, too, by the classes they have.
"""

import html
import json
import re

import numpy as np

from libc.stdint cimport int64_t, uint64_t

from transforms.extractors.html._bytes cimport GOLDEN_RATIO
from transforms.extractors.html._growing cimport Records, Room
from transforms.extractors.segments._arithmetic cimport find_firsts
from transforms.extractors.segments._elements cimport Elements
from transforms.extractors.segments._page cimport SegmentedPage, put_words

from transforms.extractors.cedar import model
from transforms.extractors.segments.names import CODE, GROUPS

cdef enum:
    SCRIPTS = 16
    MOST_BYTES = 1 << 20
    FEWEST = 40  # rows of words of a text that is believed
    LONGEST_TAG = 2000
    LONGEST_CAPTION = 600  # tenths of words
    WHOLE = 11  # more tenths of a page's words than any element holds
    PART = 3
    FEW = 4  # blocks of dates, tags and writers at most

cdef enum:  # kinds of what goes
    NONE = -1
    FURNITURE
    INSET
    ROW
    KINDS

_TEXT = re.compile(rb'"articleBody"\s*+:\s*+("(?:[^"\\]++|\\.)*+")', re.DOTALL)
_TAG = re.compile(r"<[^<>]*+>")
_SAYING = re.compile(rb"""\s(?:class|id)\s*+=\s*+(?:"([^"]*+)|'([^']*+)|([^\s"'>]++))""", re.IGNORECASE)
_HIDING = frozenset((b"hidden", b"hide", b"is-hidden", b"visually-hidden"))
_INSETS = (
    "ads? adverts? advertisement advertising byline consent cookies? cta dialog gdpr modal newsletters?"
    " onetrust overlay popup promos? promotion related share sharing signup social sponsor(?:ed)? subscribe"
)
_ROWS = "authors? bio date meta tags?"
_ANY = (
    "area article banner bar blog block body bottom box buttons? component container content entry footer"
    " form group header holder info inline inner items? links? list message module news notice outer page"
    " panel policy post row sdk section settings slot story text top unit widget wrap(?:per)?"
)
NAME = re.compile(
    r"(?<!\S)(?:(?:{0})[-_]+)*+(?:(?P<row>{1})|{2})(?:[-_]+(?:{0}|{1}|{2}))*+(?!\S)".format(
        *(words.replace(" ", "|") for words in (_ANY, _ROWS, _INSETS))
    ).encode()
)
"""What names an inset: one of the names, alone or with words that are said of any element."""

cdef int64_t FORM, CAPTION, NAMED, BUTTON = CODE["button"], ASIDE = CODE["aside"], UNIT = model.UNIT
FORM, CAPTION = (1 << list(GROUPS).index(group) for group in ("form", "caption"))
NAMED = sum(1 << list(GROUPS).index(group) for group in ("about", "advert", "form", "modal", "related", "share"))
cdef int64_t[KINDS] SURE = [UNIT, 3 * UNIT, 3 * UNIT]  # the score from which a block stays, by what it stands in


def drop_unstated(SegmentedPage page not None, const int64_t[::1] scores not None, kept not None):
    """Drop doubtful blocks of `kept`, bool (n,), that the stated text lacks, after the first that it has.

    `scores` are those of `model`, int64 (n,); blocks of twice `UNIT` are content, whatever the page says. Rows of three
    words are compared. The text is believed if three fifths of it were chosen, and they are half of what was. What stands
    before it may be a standfirst, a block of fewer than two rows a heading.
    """
    cdef unsigned char[::1] stays = kept.view(np.uint8)
    cdef Py_ssize_t count = page.blocks.count, block, i, given, begin = count
    cdef int64_t stated = 0, chosen = 0, whole = 0
    cdef Records rows = Records(1)
    cdef Room room = page.markup.room
    if stays.shape[0] != count or scores.shape[0] != count:
        raise ValueError("scores or a choice of another page")
    for start, stop, _ in page.source.noted[:SCRIPTS]:
        for text in _TEXT.findall(page.source.original, start, min(stop, start + MOST_BYTES)):
            try:
                text = json.loads(text, strict=False)
            except ValueError:
                continue
            _put_rows(_TAG.sub(" ", html.unescape(text)), rows)
    given = rows.count
    if given < FEWEST:
        return
    cdef int64_t[::1] stops = room.take(count), own = room.zeros(count), shared = room.zeros(count)
    for block in range(count):
        if stays[block]:
            _put_rows(page.blocks.read(block), rows)
        stops[block] = rows.count
    cdef int64_t[::1] first = room.take(rows.count), met = room.zeros(rows.count)
    find_firsts(rows.numbers[: rows.count], first, room)
    for i in range(given):
        stated += first[i] == i
    i = given
    for block in range(count):
        while i < stops[block]:
            # A row counts once a block.
            if met[first[i]] <= block:
                met[first[i]] = block + 1
                own[block] += 1
                shared[block] += first[i] < given
            i += 1
        whole += own[block]
        if own[block] > 1 and <double>shared[block] / <double>own[block] >= 0.8:
            chosen += own[block]
            begin = min(begin, block)
    if stated < FEWEST or 5 * chosen < 3 * stated or 2 * chosen < whole:
        return
    for block in range(begin + 1, count):
        if own[block] > 1 and <double>shared[block] / <double>own[block] < 0.2 and scores[block] < 2 * UNIT:
            stays[block] = False


cdef int _put_rows(str text, Records rows) except -1:
    """Add the rows of three words of a text, in which `_` is a letter: numbers, hardly ever the same for others."""
    cdef Records words = Records(1)
    cdef Py_ssize_t i
    cdef uint64_t row
    put_words(text, words, True)
    for i in range(2, words.count):
        row = <uint64_t>words.numbers[i - 2] * GOLDEN_RATIO ^ <uint64_t>words.numbers[i - 1]
        rows.put(<int64_t>((row * GOLDEN_RATIO ^ <uint64_t>words.numbers[i]) * GOLDEN_RATIO))
    return 0


def drop_furniture(SegmentedPage page not None, const int64_t[::1] scores not None, kept not None):
    """Drop doubtful blocks of `kept`, bool (n,), in forms, buttons, insets, and in what a class hides.

    `scores` are those of `model`, int64 (n,). A form or an inset is what its names say is one, with less than a third of
    the page's words. What holds the headline is neither, and nothing goes if a third of the text stands in such elements.
    Dates, tags and writers go where they are few blocks: many are those of entries.
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
        before[block + 1] = before[block] + (stays[block] & (scores[block] < SURE[INSET]))
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
        if (kind != ROW or there <= FEW) and PART * words_there < whole:
            for block in range(count):
                stays[block] &= not turns[row + block] or scores[block] >= SURE[kind]


cdef int _kind(SegmentedPage page, Py_ssize_t element, const int64_t[::1] links) except -2:
    """What an element is of what goes, or `NONE`."""
    cdef Elements elements = page.elements
    cdef const int64_t[::1] sums = page.blocks.word_sums, chars = page.blocks.char_sums
    cdef int64_t group = elements.groups[element] & NAMED, code = elements.codes[element]
    cdef int64_t begin = elements.first[element], end = elements.last[element]
    cdef bint is_part = PART * (sums[end] - sums[begin]) < sums[page.blocks.count]
    if not (group or code == BUTTON or code == ASIDE) or begin <= page.headline.block < end:
        return NONE
    said = _said_of(page, element) if group else b""
    name = NAME.search(said) if is_part and group else None
    if name:
        return ROW if name["row"] else INSET
    if code == ASIDE and is_part and PART * (links[end] - links[begin]) >= chars[end] - chars[begin]:
        return INSET
    if code == BUTTON or is_part and group & FORM or b":" not in said and not _HIDING.isdisjoint(said.split()):
        return FURNITURE
    return NONE


def captions(SegmentedPage page not None):
    """Mark the blocks of captions, bool (n,): of elements of that name, and short ones of such a class."""
    cdef Elements elements = page.elements
    cdef const int64_t[::1] sums = page.blocks.word_sums, first = elements.first, last = elements.last
    cdef Py_ssize_t element
    marks = np.isin(elements.codes, (CODE["figcaption"], CODE["caption"]))
    for element in range(elements.count):
        if elements.groups[element] & CAPTION and sums[last[element]] - sums[first[element]] <= LONGEST_CAPTION:
            marks[element] |= b"caption" in _said_of(page, element)
    return elements.inside(marks, page.blocks, WHOLE)


cdef bytes _said_of(SegmentedPage page, Py_ssize_t element):
    """What `class` and `id` say of an element, in small letters."""
    cdef Py_ssize_t tag = page.elements.opens[element]
    cdef int64_t start = page.markup.tags.start[tag], stop = page.markup.tags.stop[tag]
    found = _SAYING.findall(page.markup.html, start, min(stop, start + LONGEST_TAG))
    return b" ".join(map(b"".join, found)).lower()
