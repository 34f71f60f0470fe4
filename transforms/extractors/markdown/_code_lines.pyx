"""Lines of code without `pre`: blocks that are all `code`, one below the other."""

from libc.stdint cimport int64_t, uint64_t

from cedar.transforms.extractors.html._bytes cimport SPACE
from cedar.transforms.extractors.html._tags cimport END, Tags
from cedar.transforms.extractors.segments._blocks cimport BREAK, INLINE, Blocks
from cedar.transforms.extractors.segments._elements cimport Elements
from cedar.transforms.extractors.segments._page cimport SegmentedPage

from cedar.transforms.extractors.html._tags import key
from cedar.transforms.extractors.segments.names import CODE

cdef enum:
    MAX_NUMBER_CHARS = 6  # of the number of a line, with the stop after it

cdef uint64_t CODE_ELEMENT = key("code")
cdef int64_t CELL = CODE["td"], ROW = CODE["tr"]


cdef class CodeLines:
    """The code without `pre` of a page: `tags` has the first tag of each block's code, `numbers` the numbers of lines.

    Lines stand in elements of one kind, or are parted by line breaks. They are of one `code`, or of two or more each,
    as highlighters make them, or they are numbered. Each is all `code`.
    """

    def __init__(self, SegmentedPage page not None, kept not None):
        self.page = page
        self.tags, self.numbers = {}, set()
        if page.markup.tags.first("code") >= 0:
            self._find(kept.view("u1"))

    cdef int _find(self, const unsigned char[::1] stays) except -1:
        cdef Tags tags = self.page.markup.tags
        cdef Blocks blocks = self.page.blocks
        cdef Elements elements = self.page.elements
        cdef Py_ssize_t block, tag = 0, first, depth = 0, begun, row, opened = -1
        cdef int64_t number, around
        cdef bint continues, is_line
        cdef Run run
        run.lines = 0
        self._begin(&run)
        for block in range(blocks.count):
            while tag < blocks.first_gaps[block]:
                self._turn(tag, &depth, &opened)
                tag += 1
            continues, first, begun = depth > 0, opened, 0
            is_line = stays[block] and self._is_code(block, depth)
            while tag < blocks.last_gaps[block]:
                if self._turn(tag, &depth, &opened):
                    first = opened if first < 0 else first
                    begun += 1
                tag += 1
            if not stays[block]:
                continue
            row = elements.nearest[block]
            around = elements.parents[row]
            if elements.codes[row] == CELL:
                row, around = around, elements.parents[around]
            number = self._number(block, is_line or elements.codes[row] != ROW)
            if number >= 0 and self._may_number(&run, number, around):
                if not run.lines:
                    self._begin(&run)
                run.number, run.row, run.around = number, row, around
                self.found_numbers.append(block)
                continue
            if not (is_line and (continues or self._may_follow(&run, row, around))):
                self._end(&run)
            if is_line:
                run.tag = run.tag if run.lines else first
                run.lines += 1
                run.elements += begun
                run.numbers += run.number >= 0
                run.last_number = run.number if run.number >= 0 else run.last_number
                run.number, run.row, run.around = -1, row, around
                self.found.append(block)
        return self._end(&run)

    cdef bint _may_number(self, const Run *run, int64_t number, int64_t around) noexcept:
        """Whether a number may stand before the first line of a run, or before its next one."""
        return not run.lines or around == run.around and run.number < 0 and number == run.last_number + 1

    cdef bint _may_follow(self, const Run *run, Py_ssize_t row, int64_t around) noexcept:
        """Whether a line may be the next of a run: in another row, or after its own number."""
        return around == run.around and (row != run.row or run.number >= 0)

    cdef bint _turn(self, Py_ssize_t tag, Py_ssize_t *depth, Py_ssize_t *opened) except -1:
        """Count a tag of `code`; whether it opens one."""
        cdef Tags tags = self.page.markup.tags
        if tags.name[tag] != CODE_ELEMENT or not self.page.markup.shown[tag]:
            return False
        if self.page.markup.preformatted_gaps[tag + 1] or self.page.markup.preformatted_gaps[tag]:
            return False
        if tags.kind[tag] & END:
            depth[0] = max(depth[0] - 1, <Py_ssize_t>0)
            if not depth[0]:
                opened[0] = -1
            return False
        depth[0] += 1
        if depth[0] == 1:
            opened[0] = tag
        return True

    cdef bint _is_code(self, Py_ssize_t block, Py_ssize_t depth) except -1:
        """Whether all of a block is in `code`; `depth` elements `code` are open before it."""
        cdef Tags tags = self.page.markup.tags
        cdef const unsigned char[::1] text = self.page.blocks.text
        cdef Py_ssize_t i, tag = self.page.blocks.first_gaps[block]
        if self.page.elements.headings[block] or self.page.markup.preformatted_gaps[tag]:
            return False
        for i in range(self.page.blocks.starts[block], self.page.blocks.stops[block]):
            if text[i] == INLINE or text[i] == BREAK:
                if tags.name[tag] == CODE_ELEMENT:
                    depth += -1 if tags.kind[tag] & END else 1
                tag += 1
            elif text[i] > SPACE and depth <= 0:
                return False
        return True

    cdef int64_t _number(self, Py_ssize_t block, bint may_be_bare) except -2:
        """The number that is all of a block: bare, after a zero, or before a full stop; -1 if it is no number."""
        cdef const unsigned char[::1] text = self.page.blocks.text
        cdef int64_t number = -1
        cdef Py_ssize_t i
        cdef bint ended = False, is_marked = may_be_bare
        if self.page.blocks.chars[block] > MAX_NUMBER_CHARS:
            return -1
        for i in range(self.page.blocks.starts[block], self.page.blocks.stops[block]):
            if c"0" <= text[i] <= c"9" and not ended:
                is_marked |= number < 0 and text[i] == c"0"
                number = max(number, <int64_t>0) * 10 + text[i] - c"0"
            elif text[i] == c"." and number >= 0 and not ended:
                ended = is_marked = True
            elif text[i] > SPACE and text[i] != INLINE:
                return -1
        return number if is_marked else -1

    cdef int _begin(self, Run *run) except -1:
        run.lines = run.elements = run.numbers = 0
        run.row = run.tag = run.number = run.last_number = run.around = -1
        self.found, self.found_numbers = [], []
        return 0

    cdef int _end(self, Run *run) except -1:
        """End a run; take its lines if they are code."""
        if run.lines > 1 and (run.elements == 1 or run.elements >= 2 * run.lines or run.numbers == run.lines):
            self.tags.update(dict.fromkeys(self.found, run.tag))
            self.numbers.update(self.found_numbers)
        return self._begin(run)
