# cython: wraparound=True, boundscheck=True
"""Place inserts, formulas and images, among the kept blocks: they have no text of their own.

An insert between two blocks stays if the blocks before and after it stay, in the innermost element around it that has
blocks. The same holds for an insert that is a whole dropped block. A formula that is rendered as blocks stays in their
place.
"""

from bisect import bisect_right

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memcmp, strlen

from cedar.transforms.extractors.html._bytes cimport find
from cedar.transforms.extractors.html._tags cimport END, Tags
from cedar.transforms.extractors.markdown._reading cimport reaches_over
from cedar.transforms.extractors.segments._blocks cimport Blocks
from cedar.transforms.extractors.segments._elements cimport Elements
from cedar.transforms.extractors.segments._page cimport SegmentedPage

from cedar.transforms.extractors.html._attributes import attributes
from cedar.transforms.extractors.html._tags import key
from cedar.transforms.extractors.html._text import rendered
from cedar.transforms.extractors.markdown._escaping import described
from cedar.transforms.extractors.markdown.lines import Insert, web_address
from cedar.transforms.extractors.markdown.tex import Delimiters
from cedar.transforms.extractors.segments.names import CODE

cdef const char** PROGRAMS = [b"katex", b"athjax", b"athJax"]
cdef uint64_t IMAGE = key("img"), ANCHOR = key("a")
_LATE = (b"data-src", b"data-original", b"data-lazy-src", b"src")
_SETS = (b"data-srcset", b"srcset")


def images(base, SegmentedPage page not None, Py_ssize_t first, Py_ssize_t last):
    """Find the images of the web among the tags [first, last), in order; their addresses are relative to `base`."""
    cdef Tags tags = page.markup.tags
    cdef Py_ssize_t tag, link = -1
    found = []
    for tag in range(first, last):
        if not page.markup.shown[tag]:
            continue
        if tags.name[tag] == ANCHOR:
            link = -1 if tags.kind[tag] & END else tag
        if tags.name[tag] != IMAGE or tags.kind[tag] & END:
            continue
        given = attributes(page.markup.html, tags.start[tag], tags.stop[tag])
        if given.get(b"width") in (b"0", b"1") or given.get(b"height") in (b"0", b"1"):
            continue  # it is not shown
        address = _address(base, given)
        if address is not None:
            description = described(rendered(given.get(b"alt", b"")))
            found.append(Insert(tag, tag, f"![{description}]({address})", link))
    return found


cdef object _address(base, given):
    """The address of an image: the one that scripts load in the end; None if it is no address of the web."""
    addresses = [given[name] for name in _LATE if name in given]
    # Of a set, the first: an address, a blank, and how large it is.
    addresses += [(given[name].split() or (b"",))[0].rstrip(b",") for name in _SETS if name in given]
    return next(filter(None, [web_address(base, written) for written in addresses]), None)


cdef enum:
    MAX_LEVELS = 200  # of elements that are looked through
    MAX_CAPTION_BLOCKS = 3

cdef int64_t CAPTION = CODE["figcaption"]


class Placed:
    """The inserts that stay.

    `inside` has the inserts of each block, `between` the inserts between blocks: the element around each, the insert,
    and the block after it. `items` are blocks and inserts in order, inserts by their number, from -1 down.
    `delimiters` set formulas apart in text; None: the text has no formulas.
    """

    __slots__ = ("between", "delimiters", "has_tex", "inside", "items")

    def __init__(self, items):
        self.inside, self.between, self.items = {}, [], items
        self.has_tex, self.delimiters = False, None


def placed(SegmentedPage page not None, kept not None, finders not None, shown=None):
    """Find the inserts within the blocks `kept`, bool (n,), and between them.

    If two finders find inserts over the same tags, the insert of the earlier finder stays. All inserts in elements
    `shown`, bool (e,), stay; without `shown`, inserts with kept neighbours do.
    """
    cdef Blocks blocks = page.blocks
    cdef Py_ssize_t block, after, number, after_captions = 0
    numbers = kept.nonzero()[0].tolist()
    placed = Placed(numbers)
    if shown is not None:
        first, last = 0, page.markup.tags.count
    elif not numbers:
        return placed
    else:
        # Inserts near the first block and the last one may belong to them.
        first = max(blocks.first_gaps[numbers[0]] - MAX_LEVELS, 0)
        last = min(blocks.last_gaps[numbers[-1]] + MAX_LEVELS, page.markup.tags.count)
    found = []
    for finder in finders:
        found = _merged(found, finder(page, first, last))
    if not found:
        return placed
    begins = blocks.first_gaps
    out, gone, between = [], set(), []
    for formula in found:
        block = bisect_right(begins, formula.first) - 1
        after = block + 1
        while (
            after < blocks.count and begins[after] <= formula.last
            and reaches_over(blocks, after, formula.first, formula.last)
        ):
            after += 1
        rendered = range(block + 1, after)
        shows = any([kept[each] for each in rendered])
        before = block
        if block >= 0 and formula.first < blocks.last_gaps[block] + (formula.last < formula.first):
            if kept[block]:
                placed.inside.setdefault(block, []).append(formula)
                gone.update(rendered)
                continue
            if not shows and not reaches_over(blocks, block, formula.first, formula.last):
                continue
            before = block - 1
        element = _around(page.elements, formula.first)
        if shown is None:
            before, after_captions = _beside_captions(page, kept, before, -1), _beside_captions(page, kept, after, 1)
        if shows or (
            _stays(page.elements, element, before, after_captions, kept) if shown is None else shown[element]
        ):
            between.append((after, element, formula))
            gone.update(rendered)
    placed.items = [block for block in numbers if block not in gone] if gone else numbers
    if between:
        placed.between = [(element, formula, after) for after, element, formula in between]
        merged = [(block, 1, block) for block in placed.items]
        merged += [(after, 0, -1 - number) for number, (after, _, _) in enumerate(between)]
        merged.sort(key=lambda item: (item[0], item[1], abs(item[2])))
        placed.items = [item for _, _, item in merged]
    return placed


def delimiters_of(SegmentedPage page not None, kept not None):
    """Find the delimiters of formulas in the text of the blocks `kept`, bool (n,), of a page of n blocks."""
    cdef Blocks blocks = page.blocks
    numbers = kept.nonzero()[0]
    if not len(numbers):
        return None
    cdef int64_t start = blocks.starts[numbers[0]], stop = blocks.stops[numbers[-1]]
    cdef bytes text = PyBytes_FromStringAndSize(<const char *>&blocks.text[start], stop - start)
    return Delimiters.of(page.source.original, text, names_program)


def names_program(const unsigned char[::1] html not None):
    """Tell whether a page names MathJax or KaTeX, which set formulas. The search is for the last letters."""
    cdef Py_ssize_t at = find(html, c"x", 0, html.shape[0]), before
    cdef int program
    while at >= 0:
        for program in range(3):
            before = strlen(PROGRAMS[program]) - 1
            if at >= before and memcmp(&html[at - before], PROGRAMS[program], before) == 0:
                return True
        at = find(html, c"x", at + 1, html.shape[0])
    return False


cdef list _merged(list one, list other):
    """Merge two lists of inserts by their tags, without inserts of the second that one of the first covers."""
    cdef Py_ssize_t place = 0, end = -1
    if not one or not other:
        return one or other
    out = []
    for each in other:
        while place < len(one) and one[place].first <= each.first:
            end = max(end, one[place].last)
            out.append(one[place])
            place += 1
        if each.first > end and (place == len(one) or each.last < one[place].first):
            out.append(each)
    return out + one[place:]


cdef Py_ssize_t _around(Elements elements, Py_ssize_t tag):
    """The innermost element around a tag."""
    cdef Py_ssize_t element = bisect_right(elements.opens, tag) - 1
    while element > 0 and elements.closes[element] <= tag:
        element = elements.parents[element]
    return max(element, 0)


cdef Py_ssize_t _beside_captions(SegmentedPage page, kept, Py_ssize_t block, int step):
    """The first block from one on, by steps of 1 or -1, that stays or is no caption."""
    cdef Tags tags = page.markup.tags
    cdef Py_ssize_t element, tag
    for _ in range(MAX_CAPTION_BLOCKS):
        if not 0 <= block < page.blocks.count or kept[block]:
            return block
        element = page.elements.nearest[block]
        if page.elements.codes[page.elements.parents[element]] == CAPTION:
            element = page.elements.parents[element]
        tag = page.elements.opens[element]
        if not element or page.elements.codes[element] != CAPTION and (
            b"caption" not in page.markup.html[tags.start[tag] : tags.stop[tag]]
        ):
            return block
        block += step
    return block


cdef bint _stays(Elements elements, Py_ssize_t element, Py_ssize_t before, Py_ssize_t after, kept):
    """Whether the blocks next to a formula stay, in the innermost element around it that has blocks."""
    cdef bint has_before, has_after
    for _ in range(MAX_LEVELS):
        has_before = elements.first[element] <= before < elements.last[element]
        has_after = elements.first[element] <= after < elements.last[element]
        if has_before or has_after:
            return (not has_before or bool(kept[before])) and (not has_after or bool(kept[after]))
        if not element:
            return False
        element = elements.parents[element]
    return False
