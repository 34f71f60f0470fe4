# cython: wraparound=True, boundscheck=True
"""What has no text of its own: formulas, images and footnotes; which stay, and where.

A formula or an image between two blocks stays if the blocks before and after it do, of those in the innermost element
around it that has any; so does one that is all of a dropped block. One that is rendered as blocks stays in their place.

A reference to a footnote is a link with a number or a sign to a place further down in the page, if it is raised or its
class, or the name of the place, says so. Its note is what stays of the element there; of an inline element, the block
that begins with it. Numbers and signs at the beginning of a note go, as links back do.
"""

import re
from bisect import bisect_left, bisect_right
from operator import attrgetter
from urllib.parse import unquote

from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memcmp, strlen

from cedar.transforms.extractors.html._bytes cimport find
from cedar.transforms.extractors.html._tags cimport END, Tags
from cedar.transforms.extractors.html._writer cimport SPACE
from cedar.transforms.extractors.markdown._reading cimport reaches_over
from cedar.transforms.extractors.segments._blocks cimport BREAK, INLINE, Blocks
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
cdef uint64_t IMAGE = key("img"), ANCHOR = key("a"), RAISED = key("sup"), SPAN = key("span")
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
    """The address of an image, of those that it has the one that is shown at last; None if it is not of the web."""
    addresses = [given[name] for name in _LATE if name in given]
    # Of a set, the first: an address, a blank, and how large it is.
    addresses += [(given[name].split() or (b"",))[0].rstrip(b",") for name in _SETS if name in given]
    return next(filter(None, [web_address(base, written) for written in addresses]), None)


cdef enum:
    MOST_LEVELS = 200  # of elements that are looked through


class Placed:
    """What has no text, of what stays.

    `inside` has those in each block, `between` those between blocks: the element around each, itself, and the block
    after it. `items` are what stays in order: blocks, and what stands between them by number, from -1 down.
    `delimiters` set formulas in text apart; None: nothing does.
    """

    __slots__ = ("between", "delimiters", "has_notes", "has_tex", "inside", "items")

    def __init__(self, items):
        self.inside, self.between, self.items = {}, [], items
        self.has_notes, self.has_tex, self.delimiters = False, False, None


def placed(SegmentedPage page not None, kept not None, finders not None, shown=None):
    """Find what has no text, within the blocks `kept`, bool (n,), and between them.

    Of what two finders find over the same tags, that of the earlier one stays. In elements `shown`, bool (e,), all
    stays; without it, what has neighbours that do.
    """
    cdef Blocks blocks = page.blocks
    cdef Py_ssize_t block, after, number
    numbers = kept.nonzero()[0].tolist()
    placed = Placed(numbers)
    if shown is not None:
        first, last = 0, page.markup.tags.count
    elif not numbers:
        return placed
    else:
        # What is before the first block and after the last one may belong to them, what is far away does not.
        first = max(blocks.first_gaps[numbers[0]] - MOST_LEVELS, 0)
        last = min(blocks.last_gaps[numbers[-1]] + MOST_LEVELS, page.markup.tags.count)
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
        while after < blocks.count and begins[after] <= formula.last:
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
        if shows or (
            _stays(page.elements, element, before, after, kept) if shown is None else shown[element]
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
    """Find what sets formulas apart in the text of the blocks `kept`, bool (n,), of a page of n blocks."""
    cdef Blocks blocks = page.blocks
    numbers = kept.nonzero()[0]
    if not len(numbers):
        return None
    text = bytes(blocks.text[blocks.starts[numbers[0]] : blocks.stops[numbers[-1]]])
    return Delimiters.of(page.source.original, text, names_program)


def names_program(const unsigned char[::1] html not None):
    """Tell whether a page names MathJax or KaTeX, which set formulas; all are looked for by their last letter."""
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
    """Two lists in the order of their tags; what is in the reach of one of the first list is left out of the other."""
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


cdef bint _stays(Elements elements, Py_ssize_t element, Py_ssize_t before, Py_ssize_t after, kept):
    """Whether the blocks next to a formula stay, of those in the innermost element around it that has some."""
    cdef bint has_before, has_after
    for _ in range(MOST_LEVELS):
        has_before = elements.first[element] <= before < elements.last[element]
        has_after = elements.first[element] <= after < elements.last[element]
        if has_before or has_after:
            return (not has_before or bool(kept[before])) and (not has_after or bool(kept[after]))
        if not element:
            return False
        element = elements.parents[element]
    return False


cdef enum:
    MOST_TAGS = 24  # of a reference
    MOST_BYTES = 400
    MOST_BLOCKS = 40  # of a note

_SIGN = re.compile(
    r"[\[(]? ?(?:\d{1,4}|[A-Za-z]|[ivx]{1,6}|[*†‡§¶]{1,4}|(?:note|nb|n) ?\d{1,3}) ?[\])]?", re.IGNORECASE
)
_BACK = re.compile(r"[\s\[\](){}↩↑⤴⏎↵←⬆⇑⇧^\ufe0e\ufe0f]+")
_SAYS_REFERENCE = re.compile(rb"noteref|footnote-?ref|fnref|footnote-link|footnote_ref|doc-noteref")
_NAMED = re.compile(r"(?:^|[^a-z])(?:fn|ftn|foot-?note|end-?note|note|cite[_-]?note|ref)[^a-z]*\d", re.IGNORECASE)
_SAYS_BACK = re.compile(rb"backlink|backref|footnote-back|reversefootnote")
_PLACES = re.compile(b"[\x1c\x1d]")  # of tags, in the text of blocks
_TAGS = re.compile(rb"<[^<>]*>")
_NO_NOTES = frozenset(CODE[name] for name in "h1 h2 h3 h4 h5 h6 table thead tbody tfoot tr td th ol ul body".split())


class Note:
    """A footnote: its number, from 1 on, the element that it is, or its block is in, and the tag with its name."""

    __slots__ = ("blocks", "element", "number", "tag")

    def __init__(self, element, tag, blocks):
        self.element, self.tag, self.blocks, self.number = element, tag, blocks, 0


class _Link:
    """A link to a place in the page: the tags that it reaches over, and where it leads to."""

    __slots__ = ("block", "first", "is_back", "last", "says_so", "target", "text")

    def __init__(self, block, first, last, given, text):
        self.block, self.first, self.last, self.text = block, first, last, text
        self.target = unquote(rendered(given.get(b"href", b""))[1:])
        said = b" ".join([given.get(b"class", b""), given.get(b"role", b""), given.get(b"rel", b"")]).lower()
        self.says_so = _SAYS_REFERENCE.search(said) is not None or _NAMED.search(self.target) is not None
        self.is_back = _SAYS_BACK.search(said) is not None


def footnotes(SegmentedPage page not None, kept not None):
    """Find the footnotes of the blocks that stay: `kept`, bool (n,), of a page of n blocks.

    Returns what is written for references to them and links back, in order, and the notes, in that of the references.
    """
    stays = kept.nonzero()[0].tolist()
    links = _links(page, stays)
    inserts, found = [], []
    if not links:
        return inserts, found
    targets = _targets(page, {link.target for link in links})
    notes, taken, leads = {}, set(), {}
    for link in links:
        target = targets.get(link.target, -1)
        if target <= link.last or not link.says_so or _SIGN.fullmatch(link.text) is None:
            continue
        if target not in notes:
            note = notes[target] = _note(page, leads, stays, target, taken)
            if note is not None and link.block in note.blocks:
                notes[target] = None  # the text continues in it
            elif note is not None:
                found.append(note)
                note.number = len(found)
                taken.update(note.blocks)
        if notes[target] is not None:
            inserts.append(Insert(link.first, link.last, f"[^{notes[target].number}]"))
    references = {insert.first for insert in inserts}
    note_of = {block: note for note in found for block in note.blocks}
    for link in links:
        note = note_of.get(link.block)
        if note is None or link.first in references or targets.get(link.target, -1) > note.tag:
            continue
        is_first = _SIGN.fullmatch(link.text) is not None and _begins(page, leads, link.block, link.first)
        if link.is_back or is_first or _BACK.fullmatch(link.text):
            inserts.append(Insert(link.first, link.last, ""))
    covered = {tag for insert in inserts for tag in range(insert.first, insert.last + 1)}
    for note in found:
        label = _label(page, leads, note.blocks[0])
        if label is not None and covered.isdisjoint(range(label[0], label[1] + 1)):
            inserts.append(Insert(label[0], label[1], ""))
    inserts.sort(key=attrgetter("first"))
    return inserts, found


cdef object _label(SegmentedPage page, dict leads, Py_ssize_t block):
    """The tags of a raised number or sign at the beginning of a block; None if absent."""
    cdef Tags tags = page.markup.tags
    cdef Py_ssize_t tag, last
    for tag in range(page.blocks.first_gaps[block], page.blocks.last_gaps[block] - 1):
        if tags.name[tag] == RAISED and not tags.kind[tag] & END:
            last = tag + 1
            if not _begins(page, leads, block, tag) or tags.name[last] != RAISED:
                return None
            if last >= page.blocks.last_gaps[block]:
                return None
            text = rendered(page.markup.html[tags.stop[tag] : min(tags.start[last], tags.stop[tag] + MOST_BYTES)])
            return (tag, last) if _SIGN.fullmatch(text) else None
    return None


cdef list _links(SegmentedPage page, list blocks):
    """The links of blocks to places in the page, in order, none of code."""
    cdef Tags tags = page.markup.tags
    cdef Blocks table = page.blocks
    cdef Py_ssize_t block, tag, first, last, end = -1, raised, stop
    html = page.markup.html
    found = []
    for block in blocks:
        raised = -1
        stop = table.last_gaps[block]
        for tag in range(table.first_gaps[block], stop):
            if tag <= end:
                continue
            if tags.name[tag] == RAISED:
                raised = -1 if tags.kind[tag] & END else tag
            is_span = tags.name[tag] == SPAN and b"backlink" in html[tags.start[tag] : tags.stop[tag]]
            if tags.kind[tag] & END or page.markup.preformatted_gaps[tag] or not is_span and tags.name[tag] != ANCHOR:
                continue
            given = attributes(html, tags.start[tag], tags.stop[tag])
            if not is_span and not given.get(b"href", b"").strip().startswith(b"#"):
                continue
            last = tag + 1
            while last < stop and last < tag + MOST_TAGS:
                if tags.name[last] == tags.name[tag] and tags.kind[last] & END:
                    break
                last += 1
            if last >= stop or last == tag + MOST_TAGS or tags.start[last] - tags.stop[tag] > MOST_BYTES:
                continue
            text = rendered(_TAGS.sub(b"", html[tags.stop[tag] : tags.start[last]]))
            link = _Link(block, tag, last, given, text)
            link.is_back |= is_span
            link.says_so |= raised >= 0 or tags.name[tag + 1] == RAISED
            # What raises it goes with it if it holds nothing else but brackets.
            if raised == tag - 1 and last + 1 < stop and tags.name[last + 1] == RAISED:
                outside = html[tags.stop[raised] : tags.start[tag]] + html[tags.stop[last] : tags.start[last + 1]]
                if not outside.strip(b" \t\n[]()"):
                    link.first, link.last = raised, last + 1
            end = last
            found.append(link)
    return found


cdef dict _targets(SegmentedPage page, set names):
    """The start tag of each place that has a name."""
    cdef Tags tags = page.markup.tags
    cdef Py_ssize_t tag
    html = page.markup.html
    found = {}
    for tag in range(tags.count):
        if tags.kind[tag] & END:
            continue
        written = html[tags.start[tag] : tags.stop[tag]].lower()
        if b"id" not in written and b"name" not in written:
            continue
        given = attributes(html, tags.start[tag], tags.stop[tag])
        for name in (b"id", b"name"):
            name = rendered(given.get(name, b""))
            if name and (name in names or unquote(name) in names):
                found.setdefault(unquote(name), tag)
    return found


cdef object _note(SegmentedPage page, dict leads, list stays, Py_ssize_t target, set taken):
    """The note at a start tag; None if nothing stays there, or too much, or no text of its own."""
    cdef Elements elements = page.elements
    cdef Blocks table = page.blocks
    cdef Py_ssize_t element = bisect_left(elements.opens, target), block
    if element < elements.count and elements.opens[element] == target:
        blocks = _between(stays, elements.first[element], elements.last[element])
    else:
        block = bisect_right(table.first_gaps, target) - 1
        block += block < 0 or target >= table.last_gaps[block]
        if block >= table.count or not _between(stays, block, block + 1) or not _begins(page, leads, block, target):
            return None
        element, blocks = elements.nearest[block], [block]
        last = elements.last[element]
        if last - elements.first[element] <= MOST_BLOCKS and block == elements.first[element] and _is_sign(page, block):
            blocks = _between(stays, block, last)
    if not blocks or len(blocks) > MOST_BLOCKS or not taken.isdisjoint(blocks):
        return None
    if elements.codes[element] in _NO_NOTES or any([elements.headings[each] for each in blocks]):
        return None
    return Note(element, target, blocks)


cdef list _between(list stays, Py_ssize_t first, Py_ssize_t last):
    """The blocks in [first, last) that stay, as many as a note may have, and one."""
    cdef Py_ssize_t begin = bisect_left(stays, first), end = bisect_left(stays, last)
    return stays[begin : min(end, begin + MOST_BLOCKS + 1)]


cdef bint _is_sign(SegmentedPage page, Py_ssize_t block):
    """Whether all text of a block is a number or a sign."""
    cdef Blocks blocks = page.blocks
    if blocks.stops[block] - blocks.starts[block] > MOST_BYTES:
        return False
    text = bytes(blocks.text[blocks.starts[block] : blocks.stops[block]])
    return _SIGN.fullmatch(_PLACES.sub(b"", text).decode("utf-8", "replace").strip()) is not None


cdef bint _begins(SegmentedPage page, dict leads, Py_ssize_t block, Py_ssize_t target):
    """Whether no text of a block stands before a tag; `leads` has the tags before the text of blocks asked before."""
    cdef Blocks blocks = page.blocks
    cdef Py_ssize_t tag, i
    if block not in leads:
        tag = blocks.first_gaps[block]
        for i in range(blocks.starts[block], blocks.stops[block]):
            if blocks.text[i] == INLINE or blocks.text[i] == BREAK:
                tag += 1
            elif blocks.text[i] > SPACE:
                break
        leads[block] = tag
    return target < leads[block]
