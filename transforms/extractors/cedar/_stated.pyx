"""Content that a page states of itself: its description, ingredients, steps, answers to questions.

The description stands in `<meta>`, the others in JSON-LD (schema.org), ingredients also in microdata.
A block that reads like one of them is likelier content. The rules are ours; docs/cedar.md says what they gain.
"""

import html
import json
import re

import numpy as np

from libc.stdint cimport int64_t, uint64_t

from cedar.transforms.extractors.html._bytes cimport GOLDEN_RATIO
from cedar.transforms.extractors.html._growing cimport IntArena, Records
from cedar.transforms.extractors.html._tags cimport END, Tags
from cedar.transforms.extractors.segments._arithmetic cimport Run, extend, find_firsts, no_run
from cedar.transforms.extractors.segments._markup cimport HAS_ITEMPROP
from cedar.transforms.extractors.segments._page cimport SegmentedPage, put_words

from cedar.transforms.extractors.cedar import model
from cedar.transforms.extractors.html._attributes import attributes
from cedar.transforms.extractors.html._tags import key

cdef enum:
    MAX_SCRIPTS = 16
    MAX_BYTES = 1 << 20
    MAX_METAS = 100
    MAX_LISTS = 8  # of ingredients
    MIN_LIST_WORDS = 4  # words of a list of ingredients at least
    MIN_ROWS = 3  # of a block that reads as a text does, at least
    OTHER_WORD_WEIGHT = 2  # what any other word weighs against one of an ingredient

cdef int64_t UNIT = model.UNIT, SURE = 3 * UNIT, LIKELIER = 2 * UNIT
cdef int64_t UNLIKELY = -4 * UNIT  # blocks of this score are not compared with the description
cdef uint64_t META = key("meta")

_STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+"', re.DOTALL)
_STATED = {
    name: re.compile(rb'%s"\s*+:\s*+(\[(?:\s*+%s\s*+,?)*+|%s)' % (name, _STRING.pattern, _STRING.pattern), re.DOTALL)
    for name in (b'"text', b"ngredients?", b"ecipeInstructions")
}
_TAG = re.compile(r"<[^<>]*+>")
_DIGITS = re.compile(r"\d+")


def keep_stated(SegmentedPage page not None, int64_t[::1] scores not None, kept not None, *, bint one_text):
    """Raise the scores of blocks that the page states are content, and keep those that are above 0 then.

    `scores`, int64 (n,), come from `model`; `kept`, bool (n,), was chosen by them. Scores of ingredients and of steps
    become three times `UNIT`. A block that was not chosen and has the words of the page's description, or of an answer
    on a page of one text, gets twice `UNIT` more, up to three times.
    """
    cdef unsigned char[::1] stays = kept.view(np.uint8)
    cdef Py_ssize_t count = page.blocks.count, block
    if stays.shape[0] != count or scores.shape[0] != count:
        raise ValueError("scores or a choice of another page")
    if not count:
        return
    cdef int64_t[::1] before = page.markup.room.take(count)
    before[:] = scores
    _raise_marked(page, scores)
    _raise_described(page, scores, stays)
    if page.source.noted:
        _raise_lists(page, scores)
        _raise_steps(page, scores, stays)
        answers = _texts(page, b'"text', b"acceptedAnswer") if one_text else None
        if answers:
            _raise_said(page, answers, scores, np.logical_not(kept).view(np.uint8))
    for block in range(count):
        stays[block] |= scores[block] > max(before[block], <int64_t>0)


cdef list _texts(SegmentedPage page, bytes name, bytes word):
    """The values of a key of `_STATED` in scripts of JSON-LD that have a word; a list has one line per text."""
    cdef bytes original = page.source.original
    cdef list found = [], texts
    for start, stop, _ in page.source.noted[:MAX_SCRIPTS]:
        stop = min(stop, start + MAX_BYTES)
        if original.find(word, start, stop) < 0:
            continue
        for stated in _STATED[name].findall(original, start, stop):
            texts = []
            for text in _STRING.findall(stated) if stated.startswith(b"[") else (stated,):
                try:
                    texts.append(_TAG.sub(" ", html.unescape(json.loads(text, strict=False))))
                except ValueError:
                    pass  # not JSON
            found.append("\n".join(texts))
    return found


cdef int _raise_lists(SegmentedPage page, int64_t[::1] scores) except -1:
    """Raise the run of blocks that reads most like a stated list of ingredients, whatever their order and numbers.

    The run has the most words of the list, less its other words times `OTHER_WORD_WEIGHT` (BTE), and half the
    words of the list.
    """
    cdef list lists = _texts(page, b"ngredients?", b"ngredient")[:MAX_LISTS]
    cdef Py_ssize_t count = page.blocks.count, block, i, begin
    cdef int64_t found
    cdef Records words = Records(1)
    cdef Run run
    cdef IntArena room = page.markup.room
    if not lists:
        return 0
    cdef int64_t[::1] stops = room.zeros(count + 1), like = room.take(count), first, known
    for block in range(count):
        put_words(_DIGITS.sub(" ", page.blocks.read(block).lower()), words)
        stops[block + 1] = words.count
    begin = words.count
    for text in lists:
        words.count = begin
        put_words(_DIGITS.sub(" ", text.lower()), words)
        first, known = room.take(words.count), room.zeros(words.count)
        find_firsts(words.numbers[: words.count], first, room)
        for i in range(begin, words.count):
            known[first[i]] = 1
        run, found = no_run(), 0
        for block in range(count):
            like[block] = 0
            for i in range(stops[block], stops[block + 1]):
                like[block] += known[first[i]]
            extend(&run, like[block] - OTHER_WORD_WEIGHT * (stops[block + 1] - stops[block] - like[block]), block)
        for block in range(run.start, run.stop):
            found += like[block]
        if words.count - begin < MIN_LIST_WORDS or 2 * found < words.count - begin:
            continue
        for block in range(run.start, run.stop):
            if 2 * like[block] >= stops[block + 1] - stops[block]:
                scores[block] = max(scores[block], SURE)
    return 0


cdef int _raise_steps(SegmentedPage page, int64_t[::1] scores, const unsigned char[::1] stays) except -1:
    """Raise the blocks that are steps of a recipe and were not chosen; of blocks with one text, the first."""
    cdef Py_ssize_t count = page.blocks.count, block
    cdef list texts = _texts(page, b"ecipeInstructions", b"ecipeInstructions") + _texts(page, b'"text', b"HowToStep")
    if not texts:
        return 0
    cdef int64_t[::1] own = page.markup.room.zeros(count), shared = page.markup.room.zeros(count)
    _compare(page, texts, np.logical_not(stays).view(np.uint8), own, shared)
    cdef set known = {page.blocks.read(block) for block in range(count) if stays[block]}
    for block in range(count):
        if own[block] >= MIN_ROWS and 5 * shared[block] >= 4 * own[block]:
            text = page.blocks.read(block)
            if text not in known:
                known.add(text)
                scores[block] = max(scores[block], SURE)
    return 0


cdef int _raise_marked(SegmentedPage page, int64_t[::1] scores) except -1:
    """Raise the blocks that a tag of microdata, inside of the block or right before it, marks as ingredients."""
    cdef Tags tags = page.markup.tags
    cdef const unsigned char[::1] said = page.markup.said
    cdef Py_ssize_t block, tag = page.blocks.first_gaps[0]
    cdef bytes source = page.markup.html
    for block in range(page.blocks.count):
        while tag < page.blocks.last_gaps[block]:
            if said[tag] & HAS_ITEMPROP and not tags.kind[tag] & END and tags.name[tag] != META:
                if source.find(b"ngredient", tags.start[tag], tags.stop[tag]) >= 0:
                    if b"ngredient" in attributes(source, tags.start[tag], tags.stop[tag]).get(b"itemprop", b""):
                        scores[block] = max(scores[block], SURE)
            tag += 1
    return 0


cdef int _raise_described(SegmentedPage page, int64_t[::1] scores, const unsigned char[::1] stays) except -1:
    """Raise blocks after the headline that were not chosen and are half or more of the page's description."""
    cdef Tags tags = page.markup.tags
    cdef const int64_t[::1] chars = page.blocks.chars
    cdef Py_ssize_t count = page.blocks.count, head = page.title_match.block, tag, block, metas = 0
    cdef int64_t shortest = 0, longest = 0, size
    cdef bint some = False
    cdef bytes source = page.markup.html
    cdef list texts = []
    for tag in range(page.blocks.first_gaps[head] if head >= 0 else 0):
        if tags.name[tag] != META or tags.kind[tag] & END or metas == MAX_METAS:
            continue
        metas += 1
        if source.find(b"escription", tags.start[tag], tags.stop[tag]) < 0:
            continue
        said = attributes(source, tags.start[tag], tags.stop[tag])
        if (said.get(b"name", b"") + said.get(b"property", b"")).lower().endswith(b"description"):
            text = said.get(b"content", b"").decode("utf-8", "replace")
            text = html.unescape(text) if "&" in text else text
            if text and text not in texts:
                texts.append(text)
                size = len(text) - text.count(" ")
                shortest, longest = min(shortest or size, size), max(longest, size)
    if not longest:
        return 0
    cdef unsigned char[::1] asked = np.zeros(count, np.uint8)
    for block in range(head + 1, count):
        asked[block] = (
            not stays[block] and scores[block] > UNLIKELY and shortest <= 2 * chars[block] <= 3 * longest
            and 2 * page.blocks.linked[block] <= chars[block]
        )
        some |= asked[block]
    return _raise_said(page, texts, scores, asked) if some else 0


cdef int _raise_said(SegmentedPage page, list texts, int64_t[::1] scores, const unsigned char[::1] asked) except -1:
    """Raise the blocks asked for if the texts have four fifths of their rows, and they have five words."""
    cdef Py_ssize_t count = page.blocks.count, block
    cdef int64_t[::1] own = page.markup.room.zeros(count), shared = page.markup.room.zeros(count)
    _compare(page, texts, asked, own, shared)
    for block in range(count):
        if own[block] >= MIN_ROWS and 5 * shared[block] >= 4 * own[block] and scores[block] < SURE:
            scores[block] = min(SURE, scores[block] + LIKELIER)
    return 0


cdef int64_t _compare(
    SegmentedPage page, list texts, const unsigned char[::1] asked, int64_t[::1] own, int64_t[::1] shared
) except -1:
    """Count the rows of three words of each block that is asked for (`own`), and how many the texts have (`shared`).

    A row counts once a block. Returns the number of different rows in all texts.
    """
    cdef Py_ssize_t count = page.blocks.count, block, i, given
    cdef int64_t stated = 0
    cdef IntArena room = page.markup.room
    cdef Records words = Records(1), rows = Records(1)
    cdef int64_t[::1] stops = room.take(count), first, met
    for text in texts:
        _put_rows(text, words, rows)
    given = rows.count
    if not given:
        return 0
    for block in range(count):
        if asked[block]:
            _put_rows(page.blocks.read(block), words, rows)
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


cdef int _put_rows(str text, Records words, Records rows) except -1:
    """Add a number for each row of three words in a text: two rows hardly ever have one number; `_` is a letter.

    `words` is scratch space.
    """
    cdef Py_ssize_t i
    cdef uint64_t row
    words.count = 0
    put_words(text, words, True)
    for i in range(2, words.count):
        row = <uint64_t>words.numbers[i - 2] * GOLDEN_RATIO ^ <uint64_t>words.numbers[i - 1]
        rows.put(<int64_t>((row * GOLDEN_RATIO ^ <uint64_t>words.numbers[i]) * GOLDEN_RATIO))
    return 0
