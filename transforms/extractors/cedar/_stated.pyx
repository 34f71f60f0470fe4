"""What a page states of its content: its description, its ingredients, answers to questions, and its article.

The description is that of `<meta>`; the others are in JSON-LD (schema.org), ingredients in microdata, too. What reads
as stated is likelier content, and what the article lacks is less likely. The rules are ours; docs/cedar.md says what they gain.
"""

import html
import json
import re

import numpy as np

from libc.stdint cimport int64_t, uint64_t

from transforms.extractors.html._bytes cimport GOLDEN_RATIO
from transforms.extractors.html._growing cimport Records, Room
from transforms.extractors.html._tags cimport END, Tags
from transforms.extractors.segments._arithmetic cimport Run, extend, find_firsts, no_run
from transforms.extractors.segments._markup cimport HAS_ITEMPROP
from transforms.extractors.segments._page cimport SegmentedPage, put_words

from transforms.extractors.cedar import model
from transforms.extractors.html._attributes import attributes
from transforms.extractors.html._tags import key

cdef enum:
    SCRIPTS = 16
    MOST_BYTES = 1 << 20
    METAS = 100
    FEWEST = 40  # rows of words of an article that is believed
    LISTS = 8  # of ingredients
    FEW = 4  # words of a list of ingredients at least
    ROWS = 3  # of a block that reads as a text does, at least
    STRANGE = 2  # what a word that is no ingredient's weighs against one that is

cdef int64_t UNIT = model.UNIT, SURE = 3 * UNIT, LIKELIER = 2 * UNIT, UNLIKELY = -4 * UNIT
cdef uint64_t META = key("meta")

_STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+"', re.DOTALL)
_STATED = {
    name: re.compile(rb'"%s"\s*+:\s*+(\[(?:\s*+%s\s*+,?)*+|%s)' % (name, _STRING.pattern, _STRING.pattern), re.DOTALL)
    for name in (b"articleBody", b"text", b"recipeIngredient", b"ingredients")
}
_INGREDIENT = re.compile(rb"\b(?:recipeIngredient|ingredients?)\b", re.IGNORECASE)
_TAG = re.compile(r"<[^<>]*+>")
_DIGITS = re.compile(r"\d+")


def keep_stated(SegmentedPage page not None, int64_t[::1] scores not None, kept not None, *, bint one_text):
    """Keep blocks that the page states are content: of `kept`, bool (n,), those whose score is above 0 then.

    `scores` are those of `model`, int64 (n,). They become three times `UNIT` for ingredients; for what the page's description
    says, and the answers that a page of one text states, twice `UNIT` more, and not more than that.
    """
    cdef unsigned char[::1] stays = kept.view(np.uint8)
    cdef Py_ssize_t count = page.blocks.count, block
    if stays.shape[0] != count or scores.shape[0] != count:
        raise ValueError("scores or a choice of another page")
    cdef int64_t[::1] before = page.markup.room.take(count)
    before[:] = scores
    _raise_marked(page, scores)
    _raise_described(page, scores)
    if page.source.noted:
        _raise_lists(page, scores)
        answers = _texts(page, b"text", b"acceptedAnswer") if one_text else None
        if answers:
            _raise_said(page, answers, scores, np.ones(count, np.uint8))
    for block in range(count):
        stays[block] |= scores[block] > max(before[block], <int64_t>0)


cdef list _texts(SegmentedPage page, bytes name, bytes besides):
    """What JSON-LD states under a name, in scripts that have another, too: a text of each value, its lines those of a list."""
    cdef bytes original = page.source.original
    cdef list found = [], texts
    for start, stop, _ in page.source.noted[:SCRIPTS]:
        stop = min(stop, start + MOST_BYTES)
        if original.find(besides, start, stop) < 0:
            continue
        for stated in _STATED[name].findall(original, start, stop):
            texts = []
            for text in _STRING.findall(stated) if stated.startswith(b"[") else (stated,):
                try:
                    texts.append(_TAG.sub(" ", html.unescape(json.loads(text, strict=False))))
                except ValueError:
                    continue
            found.append("\n".join(texts))
    return found


cdef int _raise_lists(SegmentedPage page, int64_t[::1] scores) except -1:
    """Raise the run of blocks that reads most like a list of ingredients, whatever their order and numbers.

    It is the one with the most words of the list, less `STRANGE` times other words (BTE), and has half as many as the list.
    """
    cdef list lists = _texts(page, b"recipeIngredient", b"recipeIngredient") or _texts(page, b"ingredients", b"recipeInstructions")
    cdef Py_ssize_t count = page.blocks.count, block, i, given
    cdef int64_t begin, own, found
    cdef Records words
    cdef Run run
    cdef Room room = page.markup.room
    cdef int64_t[::1] stops, known, first, like
    if not lists:
        return 0
    words, stops, like = Records(1), room.zeros(count + 1), room.take(count)
    for block in range(count):
        _put_letters(page.blocks.read(block), words)
        stops[block + 1] = words.count
    begin = words.count
    for text in lists[:LISTS]:
        words.count = begin
        _put_letters(text, words)
        given = words.count - begin
        if given < FEW:
            continue
        first, known = room.take(words.count), room.zeros(words.count)
        find_firsts(words.numbers[: words.count], first, room)
        for i in range(begin, words.count):
            known[first[i]] = 1
        run = no_run()
        for block in range(count):
            like[block] = 0
            for i in range(stops[block], stops[block + 1]):
                like[block] += known[first[i]]
            own = stops[block + 1] - stops[block]
            extend(&run, like[block] - STRANGE * (own - like[block]), block)
        found = 0
        for block in range(run.start, run.stop):
            found += like[block]
        for block in range(run.start, run.stop if 2 * found >= given else run.start):
            if 2 * like[block] >= stops[block + 1] - stops[block]:
                scores[block] = max(scores[block], SURE)
    return 0


cdef int _put_letters(str text, Records words) except -1:
    """Add the words of a text without its digits, in small letters."""
    return put_words(_DIGITS.sub(" ", text.lower()), words)


cdef int _raise_marked(SegmentedPage page, int64_t[::1] scores) except -1:
    """Raise what is marked as an ingredient: the block that a tag stands in or before, and all that its element holds."""
    cdef Tags tags = page.markup.tags
    cdef const unsigned char[::1] said = page.markup.said
    cdef const int64_t[::1] gaps = page.blocks.last_gaps, opens = page.elements.opens
    cdef Py_ssize_t tag, block = 0, element = 1, other
    cdef bytes source = page.markup.html
    for tag in range(page.blocks.first_gaps[0], tags.count):
        if not said[tag] & HAS_ITEMPROP or tags.kind[tag] & END:
            continue
        if source.find(b"ngredient", tags.start[tag], tags.stop[tag]) < 0 or not _INGREDIENT.search(
            attributes(source, tags.start[tag], tags.stop[tag]).get(b"itemprop", b"")
        ):
            continue
        while block < gaps.shape[0] and gaps[block] <= tag:
            block += 1
        while element < page.elements.count and opens[element] < tag:
            element += 1
        if block < gaps.shape[0]:
            scores[block] = max(scores[block], SURE)
        if element < page.elements.count and opens[element] == tag:
            for other in range(page.elements.first[element], page.elements.last[element]):
                scores[other] = max(scores[other], SURE)
    return 0


cdef int _raise_described(SegmentedPage page, int64_t[::1] scores) except -1:
    """Raise doubtful blocks after the headline that are the page's description, or half of it or more."""
    cdef Tags tags = page.markup.tags
    cdef const int64_t[::1] chars = page.blocks.chars
    cdef Py_ssize_t count = page.blocks.count, head = page.headline.block, tag, block, metas = 0
    cdef int64_t shortest = 0, longest = 0, size
    cdef bint some = False
    cdef bytes source = page.markup.html
    cdef list texts = []
    for tag in range(page.blocks.first_gaps[head] if head >= 0 else 0):
        if tags.name[tag] != META or tags.kind[tag] & END or metas == METAS:
            continue
        metas += 1
        if source.find(b"escription", tags.start[tag], tags.stop[tag]) < 0:
            continue
        said = attributes(source, tags.start[tag], tags.stop[tag])
        if any(said.get(name, b"").lower().endswith(b"description") for name in (b"name", b"property", b"itemprop")):
            text = html.unescape(said.get(b"content", b"").decode("utf-8", "replace"))
            if text not in texts:
                texts.append(text)
                size = len("".join(text.split()))
                shortest, longest = min(shortest or size, size), max(longest, size)
    if not longest:
        return 0
    cdef unsigned char[::1] asked = np.zeros(count, np.uint8)
    for block in range(head + 1, count):
        asked[block] = UNLIKELY < scores[block] < SURE and shortest <= 2 * chars[block] <= 3 * longest
        some |= asked[block]
    return _raise_said(page, texts, scores, asked) if some else 0


cdef int _raise_said(SegmentedPage page, list texts, int64_t[::1] scores, const unsigned char[::1] asked) except -1:
    """Raise the blocks, of those that are asked for, that texts have: of five words or more, four fifths of their rows."""
    cdef Py_ssize_t count = page.blocks.count, block
    cdef int64_t[::1] own = page.markup.room.zeros(count), shared = page.markup.room.zeros(count)
    _compare(page, texts, asked, own, shared)
    for block in range(count):
        if own[block] >= ROWS and 5 * shared[block] >= 4 * own[block] and scores[block] < SURE:
            scores[block] = min(SURE, scores[block] + LIKELIER)
    return 0


def drop_unstated(SegmentedPage page not None, const int64_t[::1] scores not None, kept not None):
    """Drop doubtful blocks of `kept`, bool (n,), that the stated article lacks, after the first that it has.

    `scores` are those of `model`, int64 (n,); blocks of twice `UNIT` are content, whatever the page says. Rows of three
    words are compared. The text is believed if three fifths of it were chosen, and they are half of what was. What stands
    before it may be a standfirst, a block of fewer than two rows a heading.
    """
    cdef unsigned char[::1] stays = kept.view(np.uint8)
    cdef Py_ssize_t count = page.blocks.count, block, begin = count
    cdef int64_t stated, chosen = 0, whole = 0
    cdef list texts
    if stays.shape[0] != count or scores.shape[0] != count:
        raise ValueError("scores or a choice of another page")
    texts = _texts(page, b"articleBody", b"articleBody")
    if not texts:
        return
    cdef int64_t[::1] own = page.markup.room.zeros(count), shared = page.markup.room.zeros(count)
    stated = _compare(page, texts, stays, own, shared)
    for block in range(count):
        whole += own[block]
        if own[block] > 1 and <double>shared[block] / <double>own[block] >= 0.8:
            chosen += own[block]
            begin = min(begin, block)
    if stated < FEWEST or 5 * chosen < 3 * stated or 2 * chosen < whole:
        return
    for block in range(begin + 1, count):
        if own[block] > 1 and <double>shared[block] / <double>own[block] < 0.2 and scores[block] < 2 * UNIT:
            stays[block] = False


cdef int64_t _compare(
    SegmentedPage page, list texts, const unsigned char[::1] asked, int64_t[::1] own, int64_t[::1] shared
) except -1:
    """Count the rows of words of each block that is asked for, and those that texts have; return how many texts have.

    A row counts once a block, and once in all texts.
    """
    cdef Py_ssize_t count = page.blocks.count, block, i, given
    cdef int64_t stated = 0
    cdef Room room = page.markup.room
    cdef Records rows = Records(1)
    cdef int64_t[::1] stops = room.take(count), first, met
    for text in texts:
        _put_rows(text, rows)
    given = rows.count
    if not given:
        return 0
    for block in range(count):
        if asked[block]:
            _put_rows(page.blocks.read(block), rows)
        stops[block] = rows.count
    first, met = room.take(rows.count), room.zeros(rows.count)
    find_firsts(rows.numbers[: rows.count], first, room)
    for i in range(given):
        stated += first[i] == i
    i = given
    for block in range(count):
        while i < stops[block]:
            if met[first[i]] <= block:
                met[first[i]] = block + 1
                own[block] += 1
                shared[block] += first[i] < given
            i += 1
    return stated


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
