"""The lines of a page, for other compiled modules."""

cimport cython
from libc.stdint cimport int64_t, uint64_t

from cedar.transforms.extractors.html._bytes cimport is_ascii_blank, lowest_bit, sixty_four, which_are, wide_blank
from cedar.transforms.extractors.html._growing cimport Records
from cedar.transforms.extractors.html._text cimport Text

cdef enum:  # columns of `Lines`
    START, STOP, CHARACTERS, TAGS, COLUMNS


cdef struct LineEnds:
    # The line ends of a page, one after another; CR LF is one.
    const unsigned char* html
    Py_ssize_t size
    Py_ssize_t block
    uint64_t marks  # which of the 64 bytes at `block` are line ends to come, a bit each
    uint64_t carried  # whether the last byte before these is a CR
    Py_ssize_t count  # of those before `at`
    Py_ssize_t at


@cython.final
cdef class Lines:
    cdef readonly Text text
    cdef readonly bint keep_blank
    cdef readonly tuple broken
    cdef readonly object table, parts
    cdef int64_t[:, ::1] rows


cdef inline int put_row(
    Records rows, Py_ssize_t start, Py_ssize_t stop, Py_ssize_t characters, Py_ssize_t tags
) except -1:
    cdef Py_ssize_t at = rows.add()
    rows.numbers[at + START], rows.numbers[at + STOP] = start, stop
    rows.numbers[at + CHARACTERS], rows.numbers[at + TAGS] = characters, tags
    return 0


cdef inline Py_ssize_t after_blanks(
    const unsigned char[::1] html, Py_ssize_t start, Py_ssize_t stop
) noexcept nogil:
    """The first byte of [start, stop) that is of no blank; `stop` if there is none."""
    cdef Py_ssize_t blank = 1
    while blank and start < stop:
        blank = is_ascii_blank(html[start]) if html[start] < 0x80 else wide_blank(html, start)
        start += blank
    return start


cdef inline LineEnds first_line_end(const unsigned char[::1] html) noexcept nogil:
    """Begin with the first line end of a page."""
    cdef LineEnds ends = LineEnds(NULL, html.shape[0], -64, 0, 0, -1, -1)
    if html.shape[0]:
        ends.html = &html[0]
    go_on(&ends)
    return ends


cdef inline void go_on(LineEnds* ends) noexcept nogil:
    """Go to the next line end."""
    cdef const unsigned char* block
    cdef unsigned char[64] room
    cdef uint64_t back
    ends.count += 1
    while not ends.marks:
        ends.block += 64
        if ends.block >= ends.size:
            ends.at = ends.size
            return
        # Within bounds: up to the page's end.
        block = sixty_four(ends.html + ends.block, ends.size - ends.block, room)
        back = which_are(block, c"\r")
        ends.marks = which_are(block, c"\n") & ~(back << 1 | ends.carried) | back
        ends.carried = back >> 63
    ends.at = ends.block + lowest_bit(ends.marks)
    ends.marks &= ends.marks - 1
