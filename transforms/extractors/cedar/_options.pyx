"""Apply the options to a choice: to the headline, to comments, captions, and hidden parts."""

import re

import numpy as np

from libc.stdint cimport int64_t

from cedar.transforms.extractors.html._tags cimport Tags
from cedar.transforms.extractors.segments._blocks cimport Blocks
from cedar.transforms.extractors.segments._elements cimport Elements
from cedar.transforms.extractors.segments._headline cimport squashed
from cedar.transforms.extractors.segments._page cimport SegmentedPage

from cedar.transforms.extractors.cedar._drops import captions
from cedar.transforms.extractors.segments.names import CODE, GROUPS, SCHEMAS

cdef enum:
    MIN_OTHER_WORDS = 1000  # tenths of words outside of links: a shorter article is mostly its comments
    MAX_PART_TENTHS = 9  # tenths of a page's words: elements that hold as much are not part of it
    MAX_NAME_WORDS = 30  # tenths of unlinked words: up to twice as much in a comment section are names, dates, buttons
    MIN_VISIBLE_WORDS = 600  # tenths of words around the headline from which hidden parts elsewhere are dropped
    HIDDEN_ONE_IN = 3  # hidden parts are dropped if they hold less than one of this many kept words
    MAX_LABEL_BLOCKS = 2  # blocks that the line above a fold has at most,
    MAX_LABEL_WORDS = 200  # and tenths of words
    MAX_TAG_BYTES = 2000
    MAX_REQUEST_BYTES = 1000  # bytes of a request for JavaScript, at most

_SHOWN_LATER = re.compile(
    rb"""\srole\s*=\s*["']?tabpanel|\sid\s*=\s*["']?S:|\btab[-_]?(?:pane|panel|content)|accordion|collaps""",
    re.IGNORECASE,
)
"""Panels of tabs, folds, and the parts that React streams behind a page."""

cdef int64_t COMMENT, REVIEW
COMMENT, REVIEW = (1 << list(GROUPS).index(group) for group in ("comment", "review"))
cdef Py_ssize_t ARTICLE, PRODUCT, NOSCRIPT = CODE["noscript"], BODY = CODE["body"]
ARTICLE, PRODUCT = (list(SCHEMAS).index(schema) for schema in ("article", "product"))
cdef int64_t DIALOG = CODE["dialog"], NOTICES
NOTICES = sum(1 << list(GROUPS).index(group) for group in ("legal", "modal"))


def apply_options(SegmentedPage page not None, kept not None, options not None, *, bint apart):
    """Change a choice, bool (n,), as `CedarOptions` say; comments may stand `apart`."""
    cdef unsigned char[::1] stays = kept.view(np.uint8)
    if stays.shape[0] != page.blocks.count:
        raise ValueError("a choice of another page")
    _place_comments(page, stays, options.comments, apart)
    if options.captions != "auto":
        of_captions = captions(page)
        if options.captions == "drop":
            kept &= ~of_captions
        elif kept.any():
            first, last = kept.nonzero()[0][[0, -1]]
            kept[first:last] |= of_captions[first:last]
    same, variants = _headlines(page)
    _place_headline(page, same, variants, stays, None, options.title == "keep")
    hidden = _drop_hidden(page, stays)
    if hidden is not None:
        _place_headline(page, same, variants, stays, hidden, options.title == "keep")


cdef int _place_comments(SegmentedPage page, unsigned char[::1] stays, str asked, bint apart) except -1:
    """Keep or drop readers' comments; `auto` drops those that stand apart from enough text.

    Reviews are the comments of a page that says of itself that it is a product, and no article; they stand apart.
    An element with the headline is no comment: themes name articles by whether their comments are open.
    """
    cdef Elements elements = page.elements
    cdef const int64_t[::1] plain = page.blocks.plain
    cdef Py_ssize_t element, block
    cdef bint is_product = page.schemas[PRODUCT] and not page.schemas[ARTICLE]
    cdef int64_t others = 0, head = page.title_match.block, named = COMMENT | REVIEW if is_product else COMMENT
    cdef bint some = False
    for element in range(elements.count):
        some |= elements.groups[element] & named != 0
    if not some:
        return 0
    said = np.asarray(elements.groups) & named != 0
    cdef unsigned char[::1] marks = said.view(np.uint8)
    for element in range(elements.count):
        marks[element] &= not elements.first[element] <= head < elements.last[element]
    cdef const unsigned char[::1] comments = page.elements.inside(said, page.blocks, MAX_PART_TENTHS).view(np.uint8)
    for block in range(stays.shape[0]):
        if stays[block] and not comments[block]:
            others += plain[block]
    for block in range(stays.shape[0]):
        if comments[block]:
            if asked == "keep":
                stays[block] |= plain[block] > 2 * MAX_NAME_WORDS
            elif asked == "drop" or (apart or is_product) and others >= MIN_OTHER_WORDS:
                stays[block] = False
    return 0


cdef int _place_headline(
    SegmentedPage page, list same, list variants, unsigned char[::1] stays, const unsigned char[::1] hidden, bint keep
) except -1:
    """Drop the headline wherever it stands; or keep it if the page has a text and no heading with its words is kept.

    A headline among `hidden` blocks is not kept. `variants` are dropped beside a kept headline.
    """
    cdef Py_ssize_t block
    if not keep:
        for block in same + variants:
            stays[block] = False
        return 0
    if not np.asarray(stays).any():
        return 0
    if not any([stays[block] for block in same]):
        for block in range(page.headline_start, page.headline_stop):
            stays[block] = hidden is None or not hidden[block]
    if any([stays[block] for block in same]):
        for block in variants:
            stays[block] = False
    return 0


cdef tuple _headlines(SegmentedPage page):
    """The blocks of the headline and of headings with its text; and blocks of headings that differ in signs only."""
    cdef Blocks blocks = page.blocks
    cdef const int64_t[::1] headings = page.elements.headings
    cdef Py_ssize_t block, start = page.headline_start, stop = page.headline_stop
    cdef list same = list(range(start, stop)), variants = []
    cdef str text
    cdef int64_t size = 0
    if stop == start:
        return same, variants
    cdef str headline = " ".join([blocks.read(block) for block in same])
    letters = squashed(headline)
    for block in range(start, stop):
        size += blocks.chars[block]
    for block in range(blocks.count):
        # Blanks and punctuation are less than half of a text.
        if headings[block] > 0 and not start <= block < stop and size <= 2 * blocks.chars[block] <= 4 * size:
            text = blocks.read(block)
            if text == headline:
                same.append(block)
            elif squashed(text) == letters:
                variants.append(block)
    return same, variants


cdef const unsigned char[::1] _drop_hidden(SegmentedPage page, unsigned char[::1] stays):
    """Drop kept blocks in hidden parts, unless a script shows the part: a fold, or much of the page.

    An element around the headline that has half of the visible words, and `MIN_VISIBLE_WORDS`, is the text. Then a part
    that is hidden outside of it is dropped, however large, and inside of it agreements and dialogs, by their names.
    Names also tell panels of tabs and the parts that React streams, which stay. A request for JavaScript is hidden.

    Returns the hidden blocks, uint8 (n,), if some of them may have been dropped, else None.
    """
    cdef Elements elements = page.elements
    cdef const int64_t[::1] words = page.blocks.word_tenths
    cdef Py_ssize_t element, block
    cdef int64_t kept = 0, lost = 0, home
    cdef const unsigned char[::1] unseen, notices
    cdef unsigned char[::1] marks = np.array(elements.hidden)
    for element in range(elements.count):
        if marks[element]:
            marks[element] = not _is_fold(page, stays, element)
        elif elements.codes[element] == NOSCRIPT:
            marks[element] = _asks_for_scripts(page, element)
    cdef const unsigned char[::1] hidden = page.elements.inside(np.asarray(marks), page.blocks).view(np.uint8)
    for block in range(stays.shape[0]):
        kept += words[block] if stays[block] else 0
        lost += words[block] if stays[block] and hidden[block] else 0
    if not lost:
        return None
    home = _home(page, stays, hidden, kept - lost)
    if home:
        for element in range(elements.count):
            if marks[element] and elements.first[element] < elements.last[element]:
                marks[element] = not _is_shown_later(page, element)
        unseen = page.elements.inside(np.asarray(marks), page.blocks).view(np.uint8)
        for element in range(elements.count):
            marks[element] &= elements.codes[element] == DIALOG or elements.groups[element] & NOTICES != 0
        notices = page.elements.inside(np.asarray(marks), page.blocks).view(np.uint8)
        for block in range(stays.shape[0]):
            if stays[block] and unseen[block] and (
                elements.codes[home] == BODY or not elements.first[home] <= block < elements.last[home]
                or notices[block]
            ):
                stays[block] = False
                kept -= words[block]
                lost -= words[block]
    if HIDDEN_ONE_IN * lost < kept:
        for block in range(stays.shape[0]):
            stays[block] &= not hidden[block]
    elif not home:
        return None
    return hidden


cdef bint _is_shown_later(SegmentedPage page, Py_ssize_t element) except -1:
    """Whether the names of a hidden element say that a script shows it in its place."""
    cdef Tags tags = page.markup.tags
    cdef Py_ssize_t tag = page.elements.opens[element]
    cdef int64_t start, stop
    if tag < 0:
        return False
    start, stop = tags.start[tag], min(tags.stop[tag], tags.start[tag] + MAX_TAG_BYTES)
    return _SHOWN_LATER.search(page.markup.html, start, stop) is not None


cdef int64_t _home(
    SegmentedPage page, const unsigned char[::1] stays, const unsigned char[::1] hidden, int64_t visible
) except -1:
    """The innermost element that holds the headline and half of the words that stay and are visible, if these are
    `MIN_VISIBLE_WORDS` or more; else 0.
    """
    cdef Elements elements = page.elements
    cdef const int64_t[::1] words = page.blocks.word_tenths
    cdef Py_ssize_t head = page.title_match.block, block
    cdef int64_t element, seen = 0, first, last
    if head < 0 or hidden[head]:
        return 0
    element, first, last = elements.nearest[head], head, head
    while element:
        # Each element holds the blocks of the one before: a block is counted once.
        for block in range(elements.first[element], first):
            seen += words[block] if stays[block] and not hidden[block] else 0
        for block in range(last, elements.last[element]):
            seen += words[block] if stays[block] and not hidden[block] else 0
        first, last = elements.first[element], elements.last[element]
        if 2 * seen >= visible:
            return element if seen >= MIN_VISIBLE_WORDS else 0
        element = elements.parents[element]
    return 0


cdef bint _asks_for_scripts(SegmentedPage page, Py_ssize_t element) except -1:
    """Whether a `noscript` asks for JavaScript, which has the same name in all languages."""
    cdef Tags tags = page.markup.tags
    cdef int64_t start = tags.stop[page.elements.opens[element]], end = page.elements.closes[element]
    if end == tags.count or tags.start[end] - start > MAX_REQUEST_BYTES:
        return False
    return b"javascript" in page.markup.html[start : tags.start[end]].lower()


cdef bint _is_fold(SegmentedPage page, const unsigned char[::1] stays, Py_ssize_t element) noexcept:
    """Whether a hidden element is what a line above it unfolds: all that the element around both holds."""
    cdef Elements elements = page.elements
    cdef int64_t around = elements.parents[element], first = elements.first[element], begin, block
    begin = elements.first[around]
    if not first - MAX_LABEL_BLOCKS <= begin < first or elements.last[around] != elements.last[element]:
        return False
    for block in range(begin, first):
        if not stays[block]:
            return False
    return page.blocks.word_sums[first] - page.blocks.word_sums[begin] <= MAX_LABEL_WORDS
