"""What the options say of a choice: of the headline, of comments, captions, and of what the page hides."""

import numpy as np

from libc.stdint cimport int64_t

from cedar.transforms.extractors.html._tags cimport Tags
from cedar.transforms.extractors.segments._blocks cimport Blocks
from cedar.transforms.extractors.segments._elements cimport Elements
from cedar.transforms.extractors.segments._page cimport SegmentedPage

from cedar.transforms.extractors.cedar._drops import captions
from cedar.transforms.extractors.segments.names import CODE, GROUPS

cdef enum:
    ENOUGH = 1000  # tenths of words without which an article is none but for its comments
    PART = 9  # tenths of a page's words: elements that hold as much are not part of it
    WHOLE = 11  # more tenths of a page's words than any element holds
    SHORT = 30  # tenths of words: blocks of comment sections up to twice this are names, dates and buttons
    HIDDEN_SHARE = 3  # hidden parts are dropped where they hold less than one of this many words of what is kept
    LABELS = 2  # blocks that the line above a fold has at most,
    LABEL = 200  # and tenths of words
    HEADLINE_REACH = 20  # how many blocks before the text the headline may stand
    REQUEST = 1000  # bytes of what asks for JavaScript, at most
    HEADINGS = 16  # how many headings of each of the first two levels may be the headline

cdef Py_ssize_t COMMENT = list(GROUPS).index("comment"), NOSCRIPT = CODE["noscript"]


def do_as_asked(SegmentedPage page not None, kept not None, options not None, *, bint apart):
    """Changes a choice, bool (n,), after what `CedarOptions` say; comments may stand `apart`."""
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
    _place_headline(page, stays, options.title == "keep")
    _drop_hidden(page, stays)


cdef int _place_comments(SegmentedPage page, unsigned char[::1] stays, str asked, bint apart) except -1:
    """Keep or drop readers' comments; `auto` drops those that stand apart from enough text.

    What holds the headline is none: themes say of articles that comments are open, or turned off.
    """
    cdef Elements elements = page.elements
    cdef const int64_t[::1] words = page.blocks.word_tenths
    cdef Py_ssize_t element, block
    cdef int64_t others = 0, head = page.headline.block
    cdef bint some = False
    for element in range(elements.count):
        some |= elements.groups[element] >> COMMENT & 1
    if not some:
        return 0
    said = (np.asarray(elements.groups) >> COMMENT & 1).astype(bool)
    cdef unsigned char[::1] marks = said.view(np.uint8)
    for element in range(elements.count):
        marks[element] &= not elements.first[element] <= head < elements.last[element]
    cdef const unsigned char[::1] comments = page.elements.inside(said, page.blocks, PART).view(np.uint8)
    for block in range(stays.shape[0]):
        if stays[block] and not comments[block]:
            others += words[block]
    for block in range(stays.shape[0]):
        if comments[block]:
            if asked == "keep":
                stays[block] |= words[block] > 2 * SHORT
            elif asked == "drop" or apart and others >= ENOUGH:
                stays[block] = False
    return 0


cdef int _place_headline(SegmentedPage page, unsigned char[::1] stays, bint keep) except -1:
    """Drop the headline, or keep the last of those before the text, if no other is kept."""
    cdef Py_ssize_t block, first = 0, found = -1
    cdef list headlines = _headlines(page)
    while first < stays.shape[0] and not stays[first]:
        first += 1
    for block in headlines:
        if not keep:
            stays[block] = False
        elif stays[block]:
            return 0
        elif 0 < first - block <= HEADLINE_REACH:
            found = block
    if keep and found >= 0 and first < stays.shape[0]:
        stays[found] = True
    return 0


cdef list _headlines(SegmentedPage page):
    """The blocks that are the page's headline: headings that read as its title does, or its only `h1`."""
    cdef Blocks blocks = page.blocks
    cdef const int64_t[::1] headings = page.elements.headings
    cdef Py_ssize_t block, level, count, top = -1, tops = 0
    cdef str title = (page.markup.title or "").casefold()
    cdef list alike = []
    for level in range(1, 3):
        count = 0
        for block in range(blocks.count):
            if headings[block] != level or count == HEADINGS:
                continue
            count += 1
            if level == 1:
                top, tops = block, count
            # Folding makes no text shorter.
            if blocks.word_tenths[block] >= SHORT and blocks.chars[block] <= len(title):
                if blocks.read(block).casefold() in title:
                    alike.append(block)
    return alike or [top] * (tops == 1)


cdef int _drop_hidden(SegmentedPage page, unsigned char[::1] stays) except -1:
    """Drop hidden parts of what is kept, unless a script shows them: folds, and what is much of the page.

    Where scripts run, what asks for them is hidden, too.
    """
    cdef Elements elements = page.elements
    cdef const int64_t[::1] words = page.blocks.word_tenths
    cdef Py_ssize_t element, block
    cdef int64_t kept = 0, lost = 0
    cdef unsigned char[::1] marks = np.array(elements.hidden)
    for element in range(elements.count):
        if marks[element]:
            marks[element] = not _is_fold(page, stays, element)
        elif elements.codes[element] == NOSCRIPT:
            marks[element] = _asks_for_scripts(page, element)
    cdef const unsigned char[::1] hidden = page.elements.inside(np.asarray(marks), page.blocks, WHOLE).view(np.uint8)
    for block in range(stays.shape[0]):
        kept += words[block] if stays[block] else 0
        lost += words[block] if stays[block] and hidden[block] else 0
    if HIDDEN_SHARE * lost < kept:
        for block in range(stays.shape[0]):
            stays[block] &= not hidden[block]
    return 0


cdef bint _asks_for_scripts(SegmentedPage page, Py_ssize_t element) except -1:
    """Whether a `noscript` asks for JavaScript, which has the same name in all languages."""
    cdef Tags tags = page.markup.tags
    cdef int64_t start = tags.stop[page.elements.opens[element]], end = page.elements.closes[element]
    if end == tags.count or tags.start[end] - start > REQUEST:
        return False
    return b"javascript" in page.markup.html[start : tags.start[end]].lower()


cdef bint _is_fold(SegmentedPage page, const unsigned char[::1] stays, Py_ssize_t element) noexcept:
    """Whether a hidden element is what a line above it unfolds: all that the element around both holds."""
    cdef Elements elements = page.elements
    cdef int64_t around = elements.parents[element], first = elements.first[element], begin, block
    begin = elements.first[around]
    if not first - LABELS <= begin < first or elements.last[around] != elements.last[element]:
        return False
    for block in range(begin, first):
        if not stays[block]:
            return False
    return page.blocks.word_sums[first] - page.blocks.word_sums[begin] <= LABEL
