"""Complete a choice: keep tables of data, `pre` and lists whole, and the headings above kept text.

Each block is scored for itself, and a cell of one word or a line of code is hard to tell from a label next to the
text; the table around it tells more. So an element is kept whole if half of its words or more were chosen, or if it
belongs to the text. It belongs to the text if the text right before and after it was chosen, and an element near
around it holds all three; or if it stands after the text of its article or section, half of that text was chosen, and
it has few links.

A table of data has two rows of two cells or more, and one block in a cell, on the mean; up to two if it belongs to the
text. Code belongs to the text wherever it stands in the element of the text. Lists are lists with items of one block
each, and series: like elements of a few words, for example ingredients, or terms and descriptions. Of both, items that
are mostly link stay out. On a page of one text, a series between two parts of the text is kept, too, if little else
stands between; a list of terms at the end; and a paragraph between two that are sure. A term is kept above a kept
description, a heading above its kept section unless it is a link, and the title of a box if the rest of the box is
kept. If most lines of a PDF that was made into HTML were chosen, all are kept.
"""

import numpy as np

from libc.stdint cimport int64_t, uint64_t

from cedar.transforms.extractors.html._growing cimport IntArena
from cedar.transforms.extractors.html._tags cimport END, Tags
from cedar.transforms.extractors.segments._blocks cimport STOP, Blocks
from cedar.transforms.extractors.segments._elements cimport Elements
from cedar.transforms.extractors.segments._page cimport SegmentedPage

from cedar.transforms.extractors.cedar.model import UNIT
from cedar.transforms.extractors.html._elements import key
from cedar.transforms.extractors.segments.names import CODE, GROUPS, is_note

cdef enum:
    MIN_ROWS = 2  # of a table of data at least, with as many cells each, on the mean
    MAX_BLOCKS_PER_CELL = 2  # blocks a cell, on the mean, up to which a table that belongs to the text is one of data
    MAX_LEVELS_TO_TEXT = 4  # elements from a table, `pre` or list to the one that holds the text before and after
    LINKED_ONE_IN = 4  # at most one in four characters may stand in links, and one in four items be a link alone
    MAX_LEVELS_FROM_CODE = 6  # elements from code to the one that holds it and the text
    MAX_LEVELS_FROM_HEADING = 2  # elements from the text below a heading to the one that holds both
    MAX_SKIPPED_BLOCKS = 6  # blocks of a card between a heading and the text below it, at most
    MAX_TITLE_WORDS = 80  # tenths of words of the title of a box, at most
    MIN_BOX_WORDS = 30  # tenths of words of the rest of a box, at least
    MAX_BOX_WORDS = 1500  # tenths of words of the rest of a box, at most
    MIN_SECTION_WORDS = 100  # tenths of words chosen below a heading, or before a table in its section, at least
    MIN_SERIES_TENTHS = 7  # tenths of the blocks of a series that like elements hold at least
    MIN_ALIKE = 3  # elements of one kind in a series, at least
    MAX_ITEM_BLOCKS = 3  # blocks in each, on the mean, at most
    MAX_ITEM_WORDS = 150  # tenths of words in each, on the mean, at most
    MAX_LEVELS_FROM_SERIES = 16  # elements from a series to the one that holds half of the text
    MAX_BLOCKS_BETWEEN = 20  # blocks in a row between two parts of the text, besides series, at most
    MAX_LINKED_ITEM_WORDS = 60  # tenths of words in each of its elements at most, on the mean, if more is linked
    MIN_PARAGRAPH_WORDS = 100  # tenths of words of a paragraph between two others, at least
    MIN_LINES = 5  # lines of a page that a PDF was made into, at least
    MIN_CHOSEN_TENTHS = 8  # tenths of the words of such lines with which all of the lines stay

cdef enum:  # how a series may be kept
    KEPT_WHOLE = 1  # if most of it was chosen, or it stands amid the text
    KEPT_AMONG = 2  # also between two parts of the text

cdef enum:  # rows of sums
    ALL
    CHOSEN
    LINKED
    SCORES
    CODES
    CHOSEN_CODES
    SUMS

cdef int64_t TABLE = CODE["table"], ROW = CODE["tr"], CELL = CODE["td"], HEADER = CODE["th"], PRE = CODE["pre"]
cdef int64_t PAGE = -1, BODY = CODE["body"]
cdef int64_t UNORDERED = CODE["ul"], ORDERED = CODE["ol"], ITEM = CODE["li"], TERMS = CODE["dl"]
cdef int64_t TERM = CODE["dt"], DESCRIPTION = CODE["dd"], TITLE = 1 << list(GROUPS).index("title")
cdef uint64_t CODE_TAG = key("code"), IMAGE = key("img"), INPUT = key("input")
cdef int64_t PARAGRAPH = CODE["p"], SURE = 2 * UNIT, POSSIBLE = -UNIT
cdef int64_t UNLIKELY = -2 * UNIT  # headings of this score are not looked at
cdef int64_t DOUBTFUL = -7 * UNIT // 4  # less likely series, on the mean, do not stay between parts of the text


def complete(SegmentedPage page not None, const int64_t[::1] scores not None, chosen not None, *, bint one_text):
    """Return a completed copy of the choice among the n blocks of a page: bool (n,), as `chosen`.

    `scores` are int64 (n,). `one_text` says whether the page is likely one text, not posts or a listing.
    """
    if scores.shape[0] != page.blocks.count or chosen.shape != (page.blocks.count,):
        raise ValueError("scores or a choice of another page")
    kept = chosen.copy()
    cdef unsigned char[::1] stays = kept.view(np.uint8)
    cdef const unsigned char[::1] series
    cdef const int64_t[:, ::1] sums = _sum_up(page, scores, stays)
    series = _find_series(page, sums)
    _complete_elements(page, sums, series, stays, one_text)
    if one_text:
        _keep_series(page, sums, series, stays)
        _complete_notes(page, stays)
        _complete_paragraphs(page, scores, stays)
    _complete_code(page, sums, stays)
    _complete_terms(page, stays)
    _complete_lines(page, sums, stays)
    _complete_headings(page, scores, stays)
    return kept


cdef int64_t[:, ::1] _sum_up(SegmentedPage page, const int64_t[::1] scores, const unsigned char[::1] chosen):
    """Sum words, chosen words, linked characters and so on over the blocks before each, a row of sums each."""
    cdef Blocks blocks = page.blocks
    cdef Py_ssize_t count = blocks.count, block
    cdef int64_t mass
    cdef int64_t[:, ::1] sums = np.zeros((SUMS, count + 1), np.int64)
    for block in range(count):
        mass = max(blocks.word_tenths[block], <int64_t>1)
        sums[ALL, block + 1] = sums[ALL, block] + mass
        sums[CHOSEN, block + 1] = sums[CHOSEN, block] + (mass if chosen[block] else 0)
        sums[LINKED, block + 1] = sums[LINKED, block] + blocks.linked[block]
        sums[SCORES, block + 1] = sums[SCORES, block] + mass * scores[block]
        mass = mass if _is_code(page, block) else 0
        sums[CODES, block + 1] = sums[CODES, block] + mass
        sums[CHOSEN_CODES, block + 1] = sums[CHOSEN_CODES, block] + (mass if chosen[block] else 0)
    return sums


cdef const unsigned char[::1] _find_series(SegmentedPage page, const int64_t[:, ::1] sums):
    """Return for each element, uint8 (e,), 0, `KEPT_WHOLE` or `KEPT_AMONG`: if it is a series, and how it may be kept.

    A series is an element of little but children alike, of a few words each.
    """
    cdef Elements elements = page.elements
    cdef const int64_t[::1] first = elements.first, last = elements.last, first_alike = elements.first_alike
    cdef const int64_t[::1] chars = page.blocks.char_sums
    cdef Py_ssize_t element, parent, kind
    cdef int64_t size, words, links
    cdef bint is_short
    cdef IntArena room = page.markup.room
    cdef int64_t[::1] alike = room.zeros(elements.count), held = room.zeros(elements.count)
    cdef int64_t[::1] plain = room.zeros(elements.count)
    cdef int64_t[::1] terms = room.zeros(elements.count), term = room.zeros(elements.count)
    cdef unsigned char[::1] found = np.zeros(elements.count, np.uint8)
    for element in range(1, elements.count):
        if elements.codes[element] == TERM and first[element] < last[element]:
            terms[elements.parents[element]] += 1
            term[elements.parents[element]] = first_alike[element]
    for element in range(1, elements.count):
        if first[element] < last[element]:
            kind, parent = first_alike[element], elements.parents[element]
            if elements.codes[element] == DESCRIPTION and terms[parent] >= MIN_ALIKE:
                kind = term[parent]  # a list of facts: terms and descriptions are one series
            links = sums[LINKED, last[element]] - sums[LINKED, first[element]]
            alike[kind] += 1
            held[kind] += last[element] - first[element]
            plain[kind] += links < chars[last[element]] - chars[first[element]]
    for element in range(1, elements.count):
        parent = elements.parents[element]
        size = last[parent] - first[parent]
        if alike[element] < MIN_ALIKE or elements.codes[parent] in (PAGE, BODY):
            continue
        if 10 * held[element] < MIN_SERIES_TENTHS * size or size > MAX_ITEM_BLOCKS * alike[element]:
            continue
        words = sums[ALL, last[parent]] - sums[ALL, first[parent]]
        if words > MAX_ITEM_WORDS * alike[element]:
            continue
        found[parent] = KEPT_WHOLE
        links = sums[LINKED, last[parent]] - sums[LINKED, first[parent]]
        is_short = words <= MAX_LINKED_ITEM_WORDS * alike[element]
        if LINKED_ONE_IN * (alike[element] - plain[element]) <= alike[element] and (
            is_short or LINKED_ONE_IN * links <= chars[last[parent]] - chars[first[parent]]
        ):
            found[parent] = KEPT_AMONG
    return found


cdef int _complete_elements(
    SegmentedPage page, const int64_t[:, ::1] sums, const unsigned char[::1] series, unsigned char[::1] stays,
    bint one_text
) except -1:
    """Keep tables of data, `pre`, lists and series whole, and lists of terms that come last in one text."""
    cdef Blocks blocks = page.blocks
    cdef Elements elements = page.elements
    cdef const int64_t[::1] codes = elements.codes, first = elements.first, last = elements.last
    cdef Py_ssize_t count = blocks.count, element, block
    cdef int64_t code, mass, whole, size, depth = 0, lists = 0
    cdef bint is_list, is_kept, is_mostly_chosen
    cdef int64_t[:, ::1] counts = _count_parts(elements)
    cdef const int64_t[::1] rows = counts[0], cells = counts[1], items = counts[2]
    # Where elements that stay begin, less those that end.
    cdef int64_t[::1] turns = page.markup.room.zeros(count + 1), list_turns = page.markup.room.zeros(count + 1)
    for element in range(1, elements.count):
        code = codes[element]
        if first[element] == last[element] or not (
            series[element] or code in (TABLE, PRE, UNORDERED, ORDERED, TERMS)
        ):
            continue
        whole = sums[ALL, last[element]] - sums[ALL, first[element]]
        mass = sums[CHOSEN, last[element]] - sums[CHOSEN, first[element]]
        size = last[element] - first[element]
        if mass == whole:
            continue
        is_mostly_chosen = 2 * mass >= whole
        is_list = (code == UNORDERED or code == ORDERED) and size <= items[element]
        if series[element] or is_list:
            is_kept = is_mostly_chosen or _belongs(page, element, sums, stays)
        else:
            is_kept = code == TERMS and one_text and _belongs(page, element, sums, stays, only_after=True)
        if is_kept:
            list_turns[first[element]] += 1
            list_turns[last[element]] -= 1
        is_kept = False
        if code == PRE:
            is_kept = is_mostly_chosen or _belongs(page, element, sums, stays)
            is_kept = is_kept or _stands_with_text(page, element, first[element], last[element], sums)
        elif code == TABLE and rows[element] >= MIN_ROWS and cells[element] >= MIN_ROWS * rows[element]:
            is_kept = is_mostly_chosen and size <= cells[element]
            if not is_kept and size <= MAX_BLOCKS_PER_CELL * cells[element]:
                is_kept = _belongs(page, element, sums, stays)
        if is_kept:
            turns[first[element]] += 1
            turns[last[element]] -= 1
    for block in range(count):
        depth += turns[block]
        lists += list_turns[block]
        if depth or (lists and 2 * blocks.linked[block] <= blocks.chars[block]):
            stays[block] = True
    return 0


cdef int _complete_code(SegmentedPage page, const int64_t[:, ::1] sums, unsigned char[::1] stays) except -1:
    """Keep blocks that are one `code`, if they stand with the text."""
    cdef Py_ssize_t block
    for block in range(page.blocks.count):
        if not stays[block] and sums[CODES, block + 1] > sums[CODES, block]:
            if not page.markup.preformatted_gaps[page.blocks.first_gaps[block]]:
                stays[block] = _stands_with_text(page, page.elements.nearest[block], block, block + 1, sums)
    return 0


cdef bint _stands_with_text(
    SegmentedPage page, int64_t element, Py_ssize_t begin, Py_ssize_t end, const int64_t[:, ::1] sums
) noexcept:
    """Whether code, blocks [begin, end) in an element, stands with the text, and is not a list of links.

    An element near around it, not the page, holds the text: half of its words besides code were chosen.
    """
    cdef Elements elements = page.elements
    cdef int64_t first, last, others, chosen, chars
    cdef Py_ssize_t step
    chars = page.blocks.char_sums[end] - page.blocks.char_sums[begin]
    if LINKED_ONE_IN * (sums[LINKED, end] - sums[LINKED, begin]) > chars:
        return False
    for step in range(MAX_LEVELS_FROM_CODE):
        element = elements.parents[element]
        if elements.codes[element] == PAGE or elements.codes[element] == BODY:
            return False
        first, last = elements.first[element], elements.last[element]
        others = sums[ALL, last] - sums[ALL, first] - (sums[CODES, last] - sums[CODES, first])
        chosen = sums[CHOSEN, last] - sums[CHOSEN, first] - (sums[CHOSEN_CODES, last] - sums[CHOSEN_CODES, first])
        if chosen >= MIN_SECTION_WORDS and 2 * chosen >= others:
            return True
    return False


cdef bint _is_code(SegmentedPage page, Py_ssize_t block) except -1:
    """Whether a block stands in `pre`, or is one `code`."""
    cdef Tags tags = page.markup.tags
    cdef Py_ssize_t first = page.blocks.first_gaps[block], last = page.blocks.last_gaps[block]
    if page.markup.preformatted_gaps[first]:
        return True
    if last - first < 2 or tags.name[first] != CODE_TAG or tags.name[last - 1] != CODE_TAG:
        return False
    if tags.kind[first] & END or not tags.kind[last - 1] & END:
        return False
    before = page.markup.html[tags.stop[first - 1] if first else 0 : tags.start[first]]
    return not before.strip()


cdef int _complete_terms(SegmentedPage page, unsigned char[::1] stays) except -1:
    """Keep the terms right before a description if half of the description is kept; terms that are links are not."""
    cdef Blocks blocks = page.blocks
    cdef Elements elements = page.elements
    cdef Py_ssize_t element, block
    cdef int64_t parent, mass, whole, kept
    cdef int64_t[::1] terms = page.markup.room.zeros(elements.count)  # one more than the first block of such terms
    for element in range(1, elements.count):
        parent = elements.parents[element]
        if elements.first[element] == elements.last[element]:
            continue
        if elements.codes[element] == TERM and not terms[parent]:
            terms[parent] = elements.first[element] + 1
        elif elements.codes[element] == DESCRIPTION and terms[parent]:
            whole = kept = 0
            for block in range(elements.first[element], elements.last[element]):
                mass = max(blocks.word_tenths[block], <int64_t>1)
                whole += mass
                kept += mass if stays[block] else 0
            for block in range(terms[parent] - 1, elements.first[element] if 2 * kept >= whole else 0):
                stays[block] |= 2 * blocks.linked[block] <= blocks.chars[block]
            terms[parent] = 0
    return 0


cdef int _complete_paragraphs(SegmentedPage page, const int64_t[::1] scores, unsigned char[::1] stays) except -1:
    """Keep a doubtful paragraph of sentences right between two sure ones: one that cites others is mostly links."""
    cdef Elements elements = page.elements
    cdef Blocks blocks = page.blocks
    cdef Py_ssize_t block, near
    cdef int64_t around
    cdef bint stands
    for block in range(1, blocks.count - 1):
        if stays[block] or scores[block] < POSSIBLE or blocks.word_tenths[block] < MIN_PARAGRAPH_WORDS:
            continue
        stands = blocks.last_kinds[block] == STOP
        around = elements.parents[elements.nearest[block]]
        for near in range(block - 1, block + 2):
            stands &= elements.codes[elements.nearest[near]] == PARAGRAPH
            stands &= elements.parents[elements.nearest[near]] == around
            stands &= near == block or (stays[near] and scores[near] >= SURE)
        if stands:
            stays[block] = True
    return 0


cdef int _complete_notes(SegmentedPage page, unsigned char[::1] stays) except -1:
    """Keep notes (tips, warnings), one or several in a row, that stand between two parts of the text."""
    cdef Elements elements = page.elements
    cdef Py_ssize_t count = page.blocks.count, element, block, begin = 0, end
    cdef int64_t around
    cdef int64_t[::1] begins = page.markup.room.zeros(count), ends = page.markup.room.zeros(count)
    cdef unsigned char[::1] noted = np.zeros(count, np.uint8)
    for block in range(count):  # where the run of blocks around each, all kept or all not, begins and ends
        begin = begin if block and stays[block] == stays[block - 1] else block
        begins[block] = begin
    end = count
    for block in range(count - 1, -1, -1):
        end = end if block < count - 1 and stays[block] == stays[block + 1] else block + 1
        ends[block] = end
    for element in range(1, elements.count):
        block, around = elements.first[element], elements.parents[element]
        if block == elements.last[element] or stays[block] or not begins[block] or ends[block] == count:
            continue
        if ends[block] - begins[block] <= MAX_SKIPPED_BLOCKS and elements.last[element] <= ends[block]:
            if elements.first[around] < begins[block] and elements.last[around] > ends[block]:
                if _is_note(page, element):
                    noted[block : elements.last[element]] = True
    for block in range(count):
        if noted[block] and np.asarray(noted[begins[block] : ends[block]]).all():
            stays[block] = True
    return 0


cdef bint _is_note(SegmentedPage page, Py_ssize_t element) except -1:
    """Whether a class names an element a note, and the element has no field or image and is not mostly links."""
    cdef Tags tags = page.markup.tags
    cdef Py_ssize_t opens = page.elements.opens[element], tag, block
    cdef int64_t linked = 0, chars = 0
    given = page.markup.attributes_of(opens)
    if not is_note(given.get(b"class", b"").lower().split()):
        return False
    for tag in range(opens, page.elements.closes[element]):
        if tags.name[tag] == IMAGE or tags.name[tag] == INPUT:
            return False
    for block in range(page.elements.first[element], page.elements.last[element]):
        linked += page.blocks.linked[block]
        chars += page.blocks.chars[block]
    return 2 * linked <= chars


cdef int _keep_series(
    SegmentedPage page, const int64_t[:, ::1] sums, const unsigned char[::1] series, unsigned char[::1] stays
) except -1:
    """Keep series that stand between the headline or text and other text, with little else between."""
    cdef Elements elements = page.elements
    cdef const int64_t[::1] first = elements.first, last = elements.last
    cdef Py_ssize_t count = stays.shape[0], element, block, other, begin = -1
    cdef int64_t depth = 0, run = 0
    cdef int64_t[::1] turns = page.markup.room.zeros(count + 1)
    for element in range(1, elements.count):
        if series[element] == KEPT_AMONG and _is_among(page, element, sums):
            turns[first[element]] += 1
            turns[last[element]] -= 1
    # `begin`: the last block that stays; -1 once more than MAX_BLOCKS_BETWEEN blocks outside of series follow it.
    for block in range(count):
        depth += turns[block]
        turns[block] = depth
        if stays[block] or block == page.title_match.block:
            for other in range(begin + 1, block if begin >= 0 else 0):
                if turns[other]:
                    stays[other] = True
            begin, run = block, 0
        elif depth:
            run = 0
        else:
            run += 1
            if run > MAX_BLOCKS_BETWEEN:
                begin = -1
    return 0


cdef bint _is_among(SegmentedPage page, Py_ssize_t element, const int64_t[:, ::1] sums) noexcept:
    """Whether half of the words beside a series were chosen, in the nearest element with half of the text."""
    cdef Elements elements = page.elements
    cdef const int64_t[::1] first = elements.first, last = elements.last
    cdef int64_t begin = first[element], end = last[element], around = element
    cdef int64_t words = sums[ALL, end] - sums[ALL, begin], own = sums[CHOSEN, end] - sums[CHOSEN, begin], chosen
    cdef Py_ssize_t step
    if sums[SCORES, end] - sums[SCORES, begin] < DOUBTFUL * words:
        return False
    for step in range(MAX_LEVELS_FROM_SERIES):
        around = elements.parents[around]
        chosen = sums[CHOSEN, last[around]] - sums[CHOSEN, first[around]] - own
        if 2 * (chosen + own) >= sums[CHOSEN, page.blocks.count]:
            return 2 * chosen >= sums[ALL, last[around]] - sums[ALL, first[around]] - words
    return False


cdef int64_t[:, ::1] _count_parts(Elements elements):
    """Count the parts with text: rows and cells of each table (-1 rows if a table is in it), items in each element."""
    cdef const int64_t[::1] codes = elements.codes, parents = elements.parents
    cdef const int64_t[::1] first = elements.first, last = elements.last
    cdef Py_ssize_t count = elements.count, element
    cdef int64_t[:, ::1] counts = np.zeros((4, count), np.int64)
    cdef int64_t[::1] rows = counts[0], cells = counts[1], items = counts[2]
    cdef int64_t[::1] tables = counts[3]  # the table each element stands in
    for element in range(1, count):
        tables[element] = parents[element] if codes[parents[element]] == TABLE else tables[parents[element]]
        if first[element] == last[element]:
            continue
        if codes[element] == ROW and rows[tables[element]] >= 0:
            rows[tables[element]] += 1
        elif codes[element] == CELL or codes[element] == HEADER:
            cells[tables[element]] += 1
        elif codes[element] == TABLE:
            rows[tables[element]] = -1
    # Elements come after those they stand in.
    for element in range(count - 1, 0, -1):
        if codes[element] == ITEM and first[element] < last[element]:
            items[element] += 1
        items[parents[element]] += items[element]
    return counts


cdef bint _belongs(
    SegmentedPage page, Py_ssize_t element, const int64_t[:, ::1] sums, const unsigned char[::1] chosen,
    bint only_after=False
) noexcept:
    """Whether a table, `pre`, list or series stands after the chosen text of its section, or amid chosen text.

    `only_after` says that amid text is not enough.
    """
    cdef Elements elements = page.elements
    cdef const int64_t[::1] headings = elements.headings
    cdef int64_t first = elements.first[element], last = elements.last[element], before = first - 1, after = last
    cdef int64_t around = element, holder = 0, links, chars, words_before, begin
    cdef Py_ssize_t step
    cdef bint is_list = elements.codes[element] != TABLE and elements.codes[element] != PRE
    # A heading between the two that was not chosen does not part them.
    if before > 0 and headings[before] and not chosen[before]:
        before -= 1
    if after < chosen.shape[0] - 1 and headings[after] and not chosen[after]:
        after += 1
    if before < 0 or not chosen[before]:
        return False
    links = sums[LINKED, last] - sums[LINKED, first]
    chars = page.blocks.char_sums[last] - page.blocks.char_sums[first]
    if is_list and 2 * links > chars:
        return False
    for step in range(MAX_LEVELS_TO_TEXT):
        around = elements.parents[around]
        if elements.first[around] <= before:
            if after < chosen.shape[0] and chosen[after] and elements.last[around] > after:
                return not only_after
            if not holder:
                holder = around
    if elements.codes[element] not in (TABLE, PRE, UNORDERED, ORDERED, TERMS):
        return False
    if elements.codes[holder] == PAGE or elements.codes[holder] == BODY:
        return False
    # A table may be one of documents, with a link in each row.
    if LINKED_ONE_IN * links > (3 * chars if elements.codes[element] == TABLE else chars):
        return False
    if is_list and elements.last[holder] > last:
        return False
    begin = elements.first[holder]
    words_before = sums[CHOSEN, first] - sums[CHOSEN, begin]
    return words_before >= MIN_SECTION_WORDS and 2 * words_before >= sums[ALL, first] - sums[ALL, begin]


cdef int _complete_lines(SegmentedPage page, const int64_t[:, ::1] sums, unsigned char[::1] stays) except -1:
    """Keep all lines of a page that a program made of a PDF, if most were chosen.

    Such lines are the children of one element, a block each, without links; they have one name, and one first class
    or a `style` that places them. The last line of a paragraph may have few words, and a low score.
    """
    cdef Elements elements = page.elements
    cdef const int64_t[::1] first = elements.first, last = elements.last, parents = elements.parents
    cdef Py_ssize_t element, block
    cdef int64_t begin, end, words, code
    cdef int64_t[::1] lines
    cdef list found = []
    for element in range(1, elements.count):
        begin, end = first[element], last[element]
        if end - begin >= MIN_LINES and sums[LINKED, end] == sums[LINKED, begin]:
            words = sums[ALL, end] - sums[ALL, begin]
            if MIN_CHOSEN_TENTHS * words <= 10 * (sums[CHOSEN, end] - sums[CHOSEN, begin]) < 10 * words:
                found.append(element)
    if not found:
        return 0
    lines = page.markup.room.zeros(elements.count)  # children of a block each; -1: other children
    for element in range(1, elements.count):
        if first[element] == last[element] or lines[parents[element]] < 0:
            continue
        code = elements.codes[elements.nearest[first[parents[element]]]]  # the code of the first child
        if last[element] - first[element] > 1 or elements.nearest[first[element]] != element or (
            lines[parents[element]] and elements.codes[element] != code
        ):
            lines[parents[element]] = -1
        else:
            lines[parents[element]] += 1
    for element in found:
        begin, end = first[element], last[element]
        if lines[element] == end - begin and _are_placed(page, begin, end):
            for block in range(begin, end):
                stays[block] = True
    return 0


cdef bint _are_placed(SegmentedPage page, Py_ssize_t begin, Py_ssize_t end) except -1:
    """Whether the elements of blocks [begin, end) begin with one class, or all have a `style` that places them."""
    cdef Py_ssize_t block, tag
    cdef bytes named, common = None
    cdef bint are_named = True, are_placed = True
    for block in range(begin, end):
        tag = page.elements.opens[page.elements.nearest[block]]
        given = page.markup.attributes_of(tag)
        named = given.get(b"class", b"").split(b" ", 1)[0]
        common = named if common is None else common
        are_named &= named == common != b""
        are_placed &= b"absolute" in given.get(b"style", b"")
    return are_named or are_placed


cdef int _complete_headings(SegmentedPage page, const int64_t[::1] scores, unsigned char[::1] stays) except -1:
    """Keep headings, but for `h1`, above kept sections, and titles of boxes if the rest of the box is kept.

    A class names a title. In a card, one of several like boxes, a linked title or any heading is a title, too.
    """
    cdef Blocks blocks = page.blocks
    cdef Elements elements = page.elements
    cdef const int64_t[::1] headings = elements.headings
    cdef Py_ssize_t count = blocks.count, block
    cdef Py_ssize_t element
    cdef int64_t[::1] kept = page.markup.room.zeros(count + 1)  # blocks that stay before each
    cdef int64_t[::1] alike = page.markup.room.zeros(elements.count)  # with a text, of the first of like elements
    for block in range(count):
        kept[block + 1] = kept[block] + stays[block]
    for element in range(1, elements.count):
        alike[elements.first_alike[element]] += elements.first[element] < elements.last[element]
    for block in range(count):
        if stays[block] or scores[block] <= UNLIKELY:
            continue
        if _is_title_of_box(page, block, kept, alike):
            stays[block] = True
        elif headings[block] > 1 and not _is_link(blocks, block):
            stays[block] = _has_kept_section(page, block, stays)
    return 0


cdef bint _is_title_of_box(
    SegmentedPage page, Py_ssize_t block, const int64_t[::1] kept, const int64_t[::1] alike
) noexcept:
    """Whether a block is the title of a box and the rest is kept; `kept` and `alike` are sums over the page."""
    cdef Blocks blocks = page.blocks
    cdef Elements elements = page.elements
    cdef int64_t nearest = elements.nearest[block], box = elements.parents[elements.outer[nearest]]
    cdef int64_t first = elements.first[box], last = elements.last[box], rest
    cdef bint is_named = elements.groups[nearest] & TITLE != 0, is_card = alike[elements.first_alike[box]] >= MIN_ALIKE
    if not is_named and elements.headings[block] < 2:
        return False
    # Outside of cards a heading may be any heading, and a link lead elsewhere.
    if not is_card and (not is_named or _is_link(blocks, block)):
        return False
    if blocks.word_tenths[block] > MAX_TITLE_WORDS or kept[last] - kept[first] != last - first - 1:
        return False
    rest = blocks.word_sums[last] - blocks.word_sums[first] - blocks.word_tenths[block]
    if not MIN_BOX_WORDS <= rest <= MAX_BOX_WORDS:
        return False
    return _is_near(elements, block + 1 if block + 1 < last else block - 1, box)


cdef inline bint _is_link(Blocks blocks, Py_ssize_t block) noexcept:
    return 2 * blocks.linked[block] > blocks.chars[block]


cdef bint _is_near(Elements elements, Py_ssize_t block, int64_t holder) noexcept:
    """Whether an element is one of the nearest around a block, up to the one `MAX_LEVELS_FROM_HEADING` levels up."""
    cdef int64_t around = elements.nearest[block]
    cdef Py_ssize_t step
    for step in range(MAX_LEVELS_FROM_HEADING):
        if around != holder:
            around = elements.parents[around]
    return around == holder


cdef bint _has_kept_section(SegmentedPage page, Py_ssize_t heading, const unsigned char[::1] stays) noexcept:
    """Whether most of the section below a heading is kept, a card right below the heading not counted."""
    cdef Blocks blocks = page.blocks
    cdef Elements elements = page.elements
    cdef const int64_t[::1] headings = elements.headings
    cdef Py_ssize_t begin = heading + 1, block
    cdef int64_t holder = elements.parents[elements.outer[elements.nearest[heading]]]
    cdef int64_t mass, whole = 0, kept = 0
    while begin < elements.last[holder] and not stays[begin]:
        if begin > heading + MAX_SKIPPED_BLOCKS or headings[begin] and not _is_link(blocks, begin):
            return False
        begin += 1
    if begin >= elements.last[holder] or headings[begin]:
        return False
    if not _is_near(elements, begin, holder):
        return False
    for block in range(begin, elements.last[holder]):
        if headings[block]:
            break
        mass = max(blocks.word_tenths[block], <int64_t>1)
        whole += mass
        kept += mass if stays[block] else 0
    return kept >= MIN_SECTION_WORDS and 2 * kept >= whole
