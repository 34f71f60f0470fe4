"""Which element each tag opens and closes: a stack over block-level tags, with HTML's implied end tags.

It is not a parser: inline elements are not in the tree, and what stands in the wrong place stays where it is. An
end tag closes the nearest open element of its name, a heading's the nearest heading, if that is among the
`SEARCH` innermost and in the same table cell; else it closes nothing.

Documentation and wikis make the `id` of a section out of its heading: `CommentsOnCloth`, `discussion`. Words of such an
`id` say nothing of the element.
"""

import re

import numpy as np

from libc.stdint cimport int64_t, uint64_t

from cedar.transforms.extractors.html._bytes cimport GOLDEN_RATIO
from cedar.transforms.extractors.html._growing cimport IntArena
from cedar.transforms.extractors.segments._arithmetic cimport find_firsts
from cedar.transforms.extractors.segments._blocks cimport Blocks
from cedar.transforms.extractors.segments._headline cimport squashed
from cedar.transforms.extractors.segments._markup cimport FIRST_HEADING, HAS_ID, NO_CODE, Markup, groups_of
from cedar.transforms.extractors.html._tags cimport END, Tags

from cedar.transforms.extractors.segments import names as vocabulary

cdef enum:
    SEARCH = 24  # open elements that an end tag looks at
    ANY_SHARE = 11  # more tenths of a page's words than any element holds
    MIN_ALIKE = 2  # other elements of one kind whose `id` repeats their heading, from which all do
    MAX_HEADING = 100  # characters of a heading that is compared with an `id`,
    MAX_SOURCE = 1000  # and bytes of both
    MIN_PART = 4  # letters of a heading or an `id` that is a part of the other
    EXACTLY = 1  # how an `id` repeats a heading
    IN_PART = 2
    CLOSES = 1  # as in `names`
    STOPS = 2
    ENDS = 4

cdef const unsigned char[::1] RULES = vocabulary.RULES
cdef Py_ssize_t PAGE = len(vocabulary.ELEMENTS)
cdef int64_t FORM = vocabulary.CODE["form"], REMARKS, BESIDES
REMARKS, BESIDES = (
    sum(1 << list(vocabulary.GROUPS).index(group) for group in groups.split())
    for groups in ("comment form", "advert comment form modal related share")
)
_OF_REMARKS = frozenset(("comment", "comments", "disqus", "replies", "reply", "respond"))
"""Words that name readers' remarks, whatever the other sections are called."""
_ID_WORD = re.compile("[A-Z]*[a-z]+|[A-Z]+")

assert (vocabulary.CLOSES, vocabulary.STOPS, vocabulary.ENDS) == (CLOSES, STOPS, ENDS)
assert [vocabulary.CODE[f"h{level}"] - FIRST_HEADING for level in range(1, 7)] == list(range(6))


cdef class Elements:
    """The e block-level elements of a page of n blocks, in the order of their start tags; element 0 is the page.

    Attributes:
        codes: int64 (e,), index of the name in `names.ELEMENTS`; -1 for the page.
        parents: int64 (e,), the element around each; 0 for the page.
        opens: int64 (e,), index of the start tag; -1 for the page.
        closes: int64 (e,), index of the tag that ends it; the number of tags where the page's end does.
        first, last: int64 (e,), the blocks [first, last) inside of each.
        outer: int64 (e,), of the elements around each that hold the same blocks, the outermost.
        first_alike: int64 (e,), the first child of the same parent that has the same name and class.
        nearest: int64 (n,), the innermost element around each block.
        headings: int64 (n,), 1 to 6 for blocks in a heading, 0 for others.
        around: int64 (ANCESTORS, n), the nearest elements that hold more blocks than the one before.
        groups: int64 (e,), bit g is set where a word of group g of `names.GROUPS` is said of the element.
        signatures: int64 (e,), equal for elements of one name and one `class`.
        hidden: uint8 (e,), whether the markup hides the element.
    """

    def __init__(self, Markup markup not None, Blocks blocks not None):
        """Find the elements that tags open, and where blocks lie in them."""
        cdef int64_t[::1] turns = markup.room.take(markup.tags.count + 1)
        cdef int64_t[::1] inside = markup.room.take(markup.tags.count + 1)
        cdef Py_ssize_t found = self._open(markup, turns, inside)
        self._take_hints(markup)
        self._place(markup, blocks, turns[:found], inside[:found])
        self._lay_out(markup.room)
        self._ignore_ids_of_headings(markup, blocks)

    cdef Py_ssize_t _open(self, Markup markup, int64_t[::1] turns, int64_t[::1] inside) except -1:
        """Walk through the tags; note those that open or close something, and the innermost element after each."""
        cdef const unsigned char[::1] codes_of_tags = markup.codes, shown = markup.shown
        cdef Tags tags = markup.tags
        cdef Py_ssize_t size = tags.count, tag, count = 0, element = 0, top = 0, depth
        cdef int64_t code, row
        # One element for each tag at most, and the page.
        cdef IntArena room = markup.room
        cdef int64_t[::1] codes = room.take(size + 1), parents = room.take(size + 1)
        cdef int64_t[::1] opens = room.take(size + 1), closes = room.take(size + 1)
        cdef int64_t[::1] stack = room.take(size + 1), codes_in_stack = room.take(size + 1)
        codes[0], parents[0], opens[0], closes[0] = -1, 0, -1, size
        stack[0], codes_in_stack[0] = 0, PAGE
        for tag in range(size):
            code = codes_of_tags[tag]
            if code == NO_CODE or not shown[tag]:
                continue
            row = (PAGE + 1) * code
            if tags.kind[tag] & END:
                depth = _depth(codes_in_stack, top, code)
                if depth:
                    while top >= depth:
                        closes[stack[top]] = tag
                        top -= 1
            else:
                # The page, at the bottom, is closed by nothing.
                while top and RULES[row + codes_in_stack[top]] & CLOSES:
                    closes[stack[top]] = tag
                    top -= 1
                element += 1
                codes[element], parents[element], opens[element] = code, stack[top], tag
                closes[element] = size
                top += 1
                stack[top], codes_in_stack[top] = element, code
            turns[count], inside[count] = tag, stack[top]
            count += 1
        element += 1
        self.count = element
        self.codes, self.parents = codes[:element], parents[:element]
        self.opens, self.closes = opens[:element], closes[:element]
        return count

    cdef int _take_hints(self, Markup markup) except -1:
        """Read the start tags of the elements: groups of their names, and whether they are hidden."""
        cdef Py_ssize_t element, tag
        self.groups, self.signatures = markup.room.zeros(self.count), markup.room.take(self.count)
        self.hidden = np.zeros(self.count, np.uint8)
        self.signatures[0] = self.codes[0] + 2
        for element in range(1, self.count):
            tag = self.opens[element]
            self.signatures[element] = self.codes[element] + 2 ^ markup.classes[tag]
            self.groups[element], self.hidden[element] = markup.groups[tag], markup.hiding[tag]
        return 0

    cdef int _place(self, Markup markup, Blocks blocks, const int64_t[::1] turns, const int64_t[::1] inside) except -1:
        """Find the innermost element around each block, and the blocks inside of each element."""
        cdef const int64_t[::1] gaps = blocks.first_gaps, opens = self.opens, closes = self.closes
        cdef Py_ssize_t count = blocks.count, size = closes[0], block = 0, turn = 0, gap, element
        cdef int64_t[::1] before = markup.room.take(size + 2)  # blocks that begin before each gap
        self.nearest, self.headings = markup.room.take(count), markup.room.take(count)
        self.first, self.last = markup.room.take(self.count), markup.room.take(self.count)
        for gap in range(size + 2):
            while block < count and gaps[block] < gap:
                block += 1
            before[gap] = block
        for block in range(count):
            while turn < turns.shape[0] and turns[turn] < gaps[block]:
                turn += 1
            self.nearest[block] = inside[turn - 1] if turn else 0
        for element in range(self.count):
            self.first[element] = before[opens[element] + 1]
            self.last[element] = before[closes[element] + 1]
        return 0

    cdef int _lay_out(self, IntArena room) except -1:
        """Look at the elements around each block, at headings, and at which elements are alike."""
        cdef const int64_t[::1] codes = self.codes, parents = self.parents, first = self.first, last = self.last
        cdef int64_t[::1] outer = room.take(self.count), keys = room.take(self.count)
        cdef Py_ssize_t count = self.nearest.shape[0], element, block, level
        cdef int64_t parent, current, code
        cdef int64_t[:, ::1] around = np.empty((<Py_ssize_t>ANCESTORS, count), np.int64)
        self.around, self.outer, self.first_alike = around, outer, room.take(self.count)
        for element in range(self.count):
            parent = parents[element]
            outer[element] = element
            if first[parent] == first[element] and last[parent] == last[element]:
                outer[element] = outer[parent] if parent < element else parent
            keys[element] = <int64_t>(<uint64_t>self.signatures[element] * GOLDEN_RATIO + <uint64_t>parent)
        find_firsts(keys, self.first_alike, room)
        for block in range(count):
            current = self.nearest[block]
            code = codes[current] - FIRST_HEADING
            self.headings[block] = code + 1 if 0 <= code < 6 else 0
            current = outer[current]
            if last[current] - first[current] <= 1:
                current = outer[parents[current]]
            around[0, block] = current
            for level in range(1, ANCESTORS):
                current = outer[parents[current]]
                around[level, block] = current
        return 0

    cdef int _ignore_ids_of_headings(self, Markup markup, Blocks blocks) except -1:
        """Take the groups that an `id` says from elements whose `id` repeats their heading.

        An `id` repeats the heading if it has the heading's letters, and three words or more, or two of which the last
        is no word of things beside a text (comments, forms, adverts). Any other `id` is likely a name
        (`reader-comments` above the comments), unless `MIN_ALIKE` elements of the same name and class, without such
        a word, have an `id` that repeats their heading, too.

        An element keeps its groups if it holds a form or an element named as comments are, or is called comments or
        replies.
        """
        cdef Py_ssize_t element
        cdef list named = []  # elements in groups whose `id` repeats their heading
        cdef dict alike = {}  # how many there are, by signature, that say nothing of things beside a text
        cdef list words
        cdef bint is_name
        for element in range(1, self.count):
            if self.groups[element] and markup.said[self.opens[element]] & HAS_ID:
                if self._repeats_heading(element, markup, blocks):
                    named.append(element)
        if not named:
            return 0
        for element in range(1, self.count):
            if not self.groups[element] & BESIDES and markup.said[self.opens[element]] & HAS_ID:
                if self._repeats_heading(element, markup, blocks):
                    alike[self.signatures[element]] = alike.get(self.signatures[element], 0) + 1
        cdef const int64_t[::1] remarks = self._remarks_inside(markup.room)
        for element in named:
            words = _ID_WORD.findall(markup.id_of(self.opens[element]).decode("latin-1"))
            is_name = len(words) < 2 or len(words) == 2 and _groups_of_word(words[1]) & BESIDES
            if is_name and words and words[len(words) - 1].lower() in _OF_REMARKS:
                continue
            if is_name or self._repeats_heading(element, markup, blocks) != EXACTLY:
                if alike.get(self.signatures[element], 0) < MIN_ALIKE:
                    continue
            if not remarks[element]:
                self.groups[element] = markup.groups_besides_id(self.opens[element])
        return 0

    cdef int _repeats_heading(self, Py_ssize_t element, Markup markup, Blocks blocks) except -1:
        """How the `id` of an element repeats its first heading: `EXACTLY`, `IN_PART`, or 0 for not at all."""
        cdef int64_t first = self.first[element]
        cdef str heading, id
        if first == self.last[element] or not self.headings[first] or blocks.chars[first] > MAX_HEADING:
            return 0
        if blocks.stops[first] - blocks.starts[first] > MAX_SOURCE:
            return 0
        heading = squashed(blocks.read(first), False)
        id = squashed(markup.id_of(self.opens[element])[:MAX_SOURCE].decode("utf-8", "replace"), False)
        if heading == id:
            return EXACTLY if heading else 0
        if len(heading) < MIN_PART or len(id) < MIN_PART:
            return 0
        return IN_PART if heading.endswith(id) or id.endswith(heading) else 0

    cdef int64_t[::1] _remarks_inside(self, IntArena room):
        """Count the elements inside of each that are forms, or have a name of comments or forms: int64 (e,)."""
        cdef int64_t[::1] found = room.zeros(self.count)
        cdef Py_ssize_t element
        for element in range(self.count - 1, 0, -1):
            found[self.parents[element]] += found[element] + (
                self.codes[element] == FORM or self.groups[element] & REMARKS != 0
            )
        return found

    def inside(self, marks not None, Blocks blocks not None, int64_t tenths=ANY_SHARE):
        """The blocks inside of marked elements, bool (e,), that hold under `tenths` of the page's words: bool (n,)."""
        cdef const unsigned char[::1] marked = marks.view(np.uint8)
        cdef const int64_t[::1] sums = blocks.word_sums
        cdef Py_ssize_t count = blocks.count, element, block
        cdef int64_t depth = 0, whole = max(sums[count], <int64_t>1)
        cdef int64_t[::1] steps = np.zeros(count + 1, np.int64)
        if marked.shape[0] != self.count or count != self.nearest.shape[0]:
            raise ValueError("marks of other elements, or blocks of another page")
        found = np.empty(count, bool)
        cdef unsigned char[::1] inside = found.view(np.uint8)
        for element in range(self.count):
            if marked[element] and 10 * (sums[self.last[element]] - sums[self.first[element]]) < tenths * whole:
                steps[self.first[element]] += 1
                steps[self.last[element]] -= 1
        for block in range(count):
            depth += steps[block]
            inside[block] = depth > 0
        return found


cdef int64_t _groups_of_word(str word):
    cdef bytes written = word.encode()
    return groups_of(written, 0, len(written))


cdef inline Py_ssize_t _depth(const int64_t[::1] codes, Py_ssize_t top, int64_t code) noexcept nogil:
    """The depth of the innermost open element that an end tag ends; 0 if none of the last `SEARCH` is one."""
    cdef Py_ssize_t depth = top
    cdef Py_ssize_t last = max(<Py_ssize_t>0, top - SEARCH)
    cdef int64_t row = (PAGE + 1) * code
    while depth > last:
        if RULES[row + codes[depth]] & ENDS:
            return depth
        if RULES[row + codes[depth]] & STOPS:
            return 0
        depth -= 1
    return 0
