"""Words among the tags of a page, and the stretch of a sequence with the largest sum.

A word is a run of characters between blanks and tags; `&nbsp;` and its numeric forms are blanks. Scripts that
are written without blanks (Han, kana, Thai) give a word a character, or a paragraph would count as one.
"""

import numpy as np

from libc.stdint cimport int64_t
from libc.string cimport memcmp
from cedar.transforms.extractors.html._bytes cimport inner_bytes
from cedar.transforms.extractors.html._growing cimport Records
from cedar.transforms.extractors.html._tags cimport BLOCK, Tags
from cedar.transforms.extractors.html._text cimport SPACE, Text

cdef enum:  # columns of the words
    TOKEN, START, STOP, PARTED, FUSED, COLUMNS


cdef class Words:
    """The words of a page; w of them. All arrays are int64 (w,) but `fused`.

    `tokens` is which token each word is, [starts, stops) its bytes in the text, `blocks` the number of block-level tags
    before it; `fused`, bool (w,), marks those that follow on the one before with nothing between them.
    """

    cdef Records rows
    cdef readonly object tokens, starts, stops, blocks, fused

    def __cinit__(self):
        self.rows = Records(COLUMNS)

    cdef int begin(self, Py_ssize_t start, Py_ssize_t tags, Py_ssize_t parted, bint fused) except -1:
        """Add a word that begins after this many tags; a word that continues up to there ends."""
        cdef Py_ssize_t at = self.rows.add()
        self.rows.numbers[at + TOKEN], self.rows.numbers[at + START] = tags + self.rows.count - 1, start
        self.rows.numbers[at + PARTED], self.rows.numbers[at + FUSED] = parted, fused
        if fused:
            self.rows.numbers[at - COLUMNS + STOP] = start
        return 0

    cdef void end(self, Py_ssize_t stop) noexcept:
        """End the last word."""
        self.rows.numbers[(self.rows.count - 1) * COLUMNS + STOP] = stop

    def __len__(self):
        return self.rows.count


def words_of(Text text not None):
    """Find the words of a page's text."""
    cdef Py_ssize_t tags = text.tags.count, tag, at = 0, stop, blank, parted = 0
    cdef const unsigned char[::1] byte = text.byte
    cdef Words words = Words()
    cdef bint inside
    for tag in range(tags + 1):
        inside = False
        stop = text.placeholder[tag] if tag < tags else byte.shape[0]
        while at < stop:
            blank = 1 if byte[at] == SPACE else blank_reference(byte, at, stop)
            if blank:
                if inside:
                    words.end(at)
                inside = False
                at += blank
                continue
            if not inside or is_unspaced(byte, at):
                words.begin(at, tag, parted, inside)
                inside = True
            at += 1
        if inside:
            words.end(stop)
        at = stop + 1
        parted += tag < tags and text.tags.kind[tag] & BLOCK != 0
    words.tokens, words.starts, words.stops, words.blocks, fused = words.rows.rows().T
    words.fused = fused.astype(np.bool_)
    return words


cdef inline Py_ssize_t blank_reference(
    const unsigned char[::1] byte, Py_ssize_t at, Py_ssize_t stop
) noexcept nogil:
    """The length of a reference to a space or a no-break space at `at`; 0 if there is none."""
    if byte[at] != c"&" or at + 5 > stop:
        return 0
    # Five bytes or six, all of them before `stop`.
    if memcmp(&byte[at], b"&#32;", 5) == 0:
        return 5
    if at + 6 > stop:
        return 0
    if (
        memcmp(&byte[at], b"&nbsp;", 6) == 0
        or memcmp(&byte[at], b"&#160;", 6) == 0
        or byte[at + 1] == c"#"
        and byte[at + 2] | 0x20 == c"x"
        and byte[at + 3] | 0x20 == c"a"
        and byte[at + 4] == c"0"
        and byte[at + 5] == c";"
        and not (byte[at + 2] == c"X" and byte[at + 3] == c"a")
    ):
        return 6
    return 0


cdef inline bint is_unspaced(const unsigned char[::1] byte, Py_ssize_t at) noexcept nogil:
    """Whether a character begins here that is a word of its own: Thai; kana; Han and its extensions."""
    cdef unsigned int pair
    if byte[at] < 0xE0 or at + 1 >= byte.shape[0]:
        return False
    pair = byte[at] << 8 | byte[at + 1]
    return (
        0xE0B8 <= pair <= 0xE0B9
        or 0xE381 <= pair <= 0xE383
        or 0xE390 <= pair <= 0xE9BF
        or 0xEFA4 <= pair <= 0xEFAB
        or 0xF0A0 <= pair <= 0xF0BF
    )


def tag_lengths(const unsigned char[::1] html not None, Tags tags not None):
    """Number of code points of each tag of a page, int64 (t,)."""
    cdef Py_ssize_t i
    cdef int64_t[::1] lengths = np.empty(tags.count, np.int64)
    if tags.count and tags.stop[tags.count - 1] > html.shape[0]:
        raise ValueError("tags of another page")
    for i in range(tags.count):
        lengths[i] = tags.stop[i] - tags.start[i] - inner_bytes(html, tags.start[i], tags.stop[i])
    return np.asarray(lengths)


def maximum_subsequence(const double[:] values not None):
    """The half-open run of values, float64 (n,), whose sum is largest; of equal sums the earliest start, then end.

    Empty if no sum is above 0. Partial sums are exact, or the ties are not.
    """
    cdef Py_ssize_t i, lowest_at = 0, start = 0, stop = 0
    cdef double total = 0.0, lowest = 0.0, best = 0.0
    for i in range(values.shape[0]):
        total += values[i]
        if total - lowest > best:
            best = total - lowest
            start, stop = lowest_at, i + 1
        if total < lowest:
            lowest, lowest_at = total, i + 1
    return start, stop
