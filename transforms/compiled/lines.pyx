"""Twins of `transforms.extractors.lines`: text and lines in one go through the page, and ratios."""

import cython
import numpy as np

from libc.stdint cimport int64_t, uint64_t

from transforms.compiled.scanning cimport (
    below,
    bits_set,
    doubled,
    eight,
    find,
    is_ascii_blank,
    lowest,
    put_word,
    wide_blank,
    word,
    zero_bytes,
)

cdef enum:
    SPACE = 0x20
    LINK = 0x61  # the key of the name `a`
    OVERHANG = 8  # bytes that may be written behind the text


@cython.final
cdef class Growing:
    """Offsets, as many as come."""

    cdef object array
    cdef int64_t[::1] values
    cdef Py_ssize_t count

    def __cinit__(self, Py_ssize_t room):
        self.array = self.values = np.empty(room, np.int64)

    cdef inline int append(self, int64_t value) except -1:
        if self.count == self.values.shape[0]:
            self.array = self.values = doubled(self.array)
        self.values[self.count] = value
        self.count += 1
        return 0

    cdef object made(self):
        return self.array[: self.count]


@cython.final
cdef class Rows:
    """The columns of `Lines` while they are filled, in order.

    Attributes:
        columns: int64 (4, n), starts, stops, characters and tags.
        count: number of lines.
        begin: where the next line begins in the text.
        tags_before: number of tags before it.
        crossed: the tags of the next line in which lines end.
        last_stop: where the last line stops that is not blank.
        continuations: where code points go on.
        inner: how many of these are before the last position that was asked for.
    """

    cdef const unsigned char[::1] html, coded
    cdef const int64_t[::1] tag_starts, tag_stops, placeholders
    cdef object table
    cdef int64_t[:, ::1] columns
    cdef Py_ssize_t count, inner, begin, tags_before, last_stop
    cdef Growing continuations, crossed
    cdef bint keep_blank

    def __cinit__(self, html, coded, tag_starts, tag_stops, placeholders, bint keep_blank):
        self.html, self.coded, self.placeholders = html, coded, placeholders
        self.tag_starts, self.tag_stops = tag_starts, tag_stops
        self.table = self.columns = np.empty((4, len(coded) // 32 + 16), np.int64)
        self.continuations, self.crossed = Growing(len(coded) // 64 + 64), Growing(16)
        self.keep_blank = keep_blank

    cdef inline int add(
        self, Py_ssize_t start, Py_ssize_t stop, Py_ssize_t tags, Py_ssize_t inside
    ) except -1:
        """Adds a line with `tags` tags and `inside` placeholders in its text."""
        cdef Py_ssize_t at = self.count, inner = self.inner_before(start), characters = 0
        if at == self.columns.shape[1]:
            self.table = self.columns = np.concatenate((self.table, self.table), axis=1)
        if start < stop:
            characters = stop - start - inside - (self.inner_before(stop) - inner)
        self.columns[0, at] = start
        self.columns[1, at] = stop
        self.columns[2, at] = characters
        self.columns[3, at] = tags
        self.count += 1
        return 0

    cdef inline Py_ssize_t inner_before(self, Py_ssize_t position) noexcept:
        """Continuation bytes before a position, none of which is less than the last."""
        while self.inner < self.continuations.count and self.continuations.values[self.inner] < position:
            self.inner += 1
        return self.inner

    cdef int end_line(self, Py_ssize_t end, Py_ssize_t tag) except -1:
        """Adds the line up to `end` in the text and to `tag` of the tags, or those that tags part it into."""
        cdef Py_ssize_t begin = self.begin, tags_before = self.tags_before, i, start, last, stop
        # Blanks go, save for those that are placeholders.
        start = after_spaces(self.coded, begin, self.placeholders[tags_before] if tags_before < tag else end)
        last = self.placeholders[tag - 1] + 1 if tags_before < tag else start
        stop = before_spaces(self.coded, last, end)
        self.begin, self.tags_before = end, tag
        if start < stop:
            self.last_stop = stop
            for i in range(self.crossed.count):
                self.part(self.crossed.values[i], &start, &tags_before)
            self.add(start, stop, tag - tags_before, tag - tags_before)
        elif self.keep_blank:
            self.add(self.last_stop, self.last_stop, 0, 0)
        self.crossed.count = 0
        return 0

    cdef int part(self, Py_ssize_t tag, Py_ssize_t* start, Py_ssize_t* tags_before) except -1:
        """Adds the lines from `start` on that end inside of a tag; others may begin there as well."""
        cdef Py_ssize_t _, placeholder = self.placeholders[tag]
        cdef Py_ssize_t begun = begun_lines(
            self.html[self.tag_starts[tag] : self.tag_stops[tag]], self.keep_blank
        )
        if begun:
            # Behind the tag's placeholder, which takes the place of the line end, a line begins.
            self.add(start[0], placeholder, tag + 1 - tags_before[0], tag - tags_before[0])
            start[0], tags_before[0] = placeholder + 1, tag + 1
            for _ in range(begun - 1):
                self.add(start[0], placeholder, 0, 0)
        return 0


def _read_lines(
    const unsigned char[::1] html not None,
    const int64_t[::1] starts not None,
    const int64_t[::1] stops not None,
    const uint64_t[::1] keys not None,
    ends,
    blocks,
    bint keep_blank,
):
    """Text and lines, run by run of text, each with the tag behind it."""
    cdef Py_ssize_t size = html.shape[0], tags = starts.shape[0], tag, at, stop, here, after = 0, less = 0
    cdef const unsigned char[::1] is_end = ends.view(np.uint8), is_block = blocks.view(np.uint8)
    if not tags == stops.shape[0] == keys.shape[0] == is_end.shape[0] == is_block.shape[0]:
        raise ValueError("arrays of different sizes")
    cdef Py_ssize_t length = text_length(size, starts, stops)
    coded_made, placeholders_made = np.empty(length + OVERHANG, np.uint8), np.empty(tags, np.int64)
    cdef unsigned char[::1] coded = coded_made
    cdef int64_t[::1] placeholders = placeholders_made
    cdef Rows rows = Rows(html, coded_made, starts, stops, placeholders_made, keep_blank)
    cdef Py_ssize_t link_chars = 0, line_ends = 0, found
    cdef bint linked = False, wide

    for tag in range(tags + 1):
        at, stop = after, starts[tag] if tag < tags else size
        while at < stop:
            wide = False
            here = code(html, coded, at, stop, less, &wide)
            if wide:
                code_wide(html, coded, at, here, less, rows.continuations)
            if here < stop:
                rows.end_line(here - less, tag)
                line_ends += 1
                if html[here] == c"\r" and here + 1 < stop and html[here + 1] == c"\n":
                    here += 1
                    coded[here - less] = SPACE
            at = here + 1
        if linked:
            link_chars += solid_characters(coded, after - less, stop - less)
        if tag < tags:
            placeholders[tag] = stop - less
            coded[stop - less] = is_block[tag] * SPACE
            after = stops[tag]
            less += after - stop - 1
            if keys[tag] == LINK:
                linked = not is_end[tag]
            if holds_line_end(html, stop, after):
                rows.crossed.append(tag)
                line_ends += line_ends_within(html, stop, after)
    coded[length - 1] = SPACE
    if size and html[size - 1] != c"\n" and html[size - 1] != c"\r":
        rows.end_line(length - 1, tags)
        line_ends += 1
    found = rows.count
    return (
        coded_made[:length],
        rows.continuations.made(),
        link_chars,
        placeholders_made,
        line_ends,
        rows.table[0, :found],
        rows.table[1, :found],
        rows.table[2, :found],
        rows.table[3, :found],
    )


cdef Py_ssize_t text_length(
    Py_ssize_t size, const int64_t[::1] starts, const int64_t[::1] stops
) except -1:
    """The bytes of a page's text, with one for each tag and one for its end; its tags do not overlap."""
    cdef Py_ssize_t length = size + 1, after = 0, tag
    cdef bint apart = True
    for tag in range(starts.shape[0]):
        apart &= (after <= starts[tag]) & (starts[tag] < stops[tag])
        after = stops[tag]
        length -= after - starts[tag] - 1
    if not apart or after > size:
        raise ValueError("tags that overlap")
    return length


cdef inline Py_ssize_t code(
    const unsigned char[::1] html,
    unsigned char[::1] coded,
    Py_ssize_t start,
    Py_ssize_t stop,
    Py_ssize_t less,
    bint* wide,
) noexcept nogil:
    """Copies bytes from `start` through the next line end, or up to `stop`; blanks of ASCII as spaces.

    Up to seven bytes behind them in `coded` are overwritten, for which it has room: `OVERHANG` bytes.

    Returns:
        Where the line end is, or `stop`. `wide` is false only if all bytes are ASCII.
    """
    cdef uint64_t letters, ends, all_bits = 0
    while start < stop:
        letters = word(html, start)
        all_bits |= letters
        if not below(letters, SPACE):
            put_word(coded, start - less, letters)
        else:
            put_word(coded, start - less, ascii_blanks_as_spaces(letters))
            ends = line_end_marks(letters)
            if ends:
                stop = min(stop, start + lowest(ends))
        start += 8
    wide[0] = (all_bits & eight(0x80)) != 0
    return stop


cdef inline uint64_t line_end_marks(uint64_t letters) noexcept nogil:
    """Marks, in its high bit, the first CR or LF of eight bytes; marks above may be wrong."""
    return zero_bytes(letters ^ eight(c"\n")) | zero_bytes(letters ^ eight(c"\r"))


cdef inline bint holds_line_end(
    const unsigned char[::1] html, Py_ssize_t start, Py_ssize_t stop
) noexcept nogil:
    """Whether there is a CR or LF in [start, stop), a range of the page."""
    cdef uint64_t some = 0
    while start + 8 < stop:
        some |= line_end_marks(word(html, start))
        start += 8
    # The last eight bytes or fewer; those behind them are NUL.
    return (some | line_end_marks(word(html, start) & ~<uint64_t> 0 >> 8 * (8 - (stop - start)))) != 0


cdef Py_ssize_t line_ends_within(
    const unsigned char[::1] html, Py_ssize_t start, Py_ssize_t stop
) noexcept nogil:
    """Number of line ends in the tag [start, stop) of the page; CR LF is one."""
    cdef Py_ssize_t ends = 0, feed = find(html, c"\n", start, stop), back = find(html, c"\r", start, stop)
    while feed >= 0:
        ends += html[feed - 1] != c"\r"  # within bounds: a tag begins with `<`
        feed = find(html, c"\n", feed + 1, stop)
    while back >= 0:
        ends += 1
        back = find(html, c"\r", back + 1, stop)
    return ends


cdef inline uint64_t ascii_blanks_as_spaces(uint64_t letters) noexcept nogil:
    """Eight bytes in which those of the blanks of ASCII are spaces."""
    cdef uint64_t low = letters & eight(0x7F)
    # The high bit of each byte: whether it is at least as great as the number.
    cdef uint64_t blank = (
        at_least(low, 0x09) & ~at_least(low, 0x0E) | at_least(low, 0x1C) & ~at_least(low, 0x20)
    )
    cdef uint64_t mask = ((blank & ~letters & eight(0x80)) >> 7) * 0xFF
    return letters & ~mask | mask & eight(SPACE)


cdef inline uint64_t at_least(uint64_t low, unsigned char bound) noexcept nogil:
    return low + eight(0x80 - bound)


cdef int code_wide(
    const unsigned char[::1] html,
    unsigned char[::1] coded,
    Py_ssize_t begin,
    Py_ssize_t stop,
    Py_ssize_t less,
    Growing continuations,
) except -1:
    """Makes spaces of blanks beyond ASCII, and keeps where code points go on."""
    cdef Py_ssize_t i, k
    for i in range(begin, stop):
        if html[i] < 0x80:
            continue
        if html[i] < 0xC0:
            continuations.append(i - less)
        else:
            for k in range(i, min(stop, i + wide_blank(html, i))):
                coded[k - less] = SPACE
    return 0


cdef inline Py_ssize_t solid_characters(
    const unsigned char[::1] coded, Py_ssize_t start, Py_ssize_t stop
) noexcept nogil:
    """Code points in [start, stop) that are no blanks."""
    cdef Py_ssize_t found = 0
    cdef uint64_t letters, leads
    while start < stop:
        letters = word(coded, start)
        if stop - start < 8:
            letters &= ~<uint64_t> 0 >> 8 * (8 - (stop - start))
        # High bits: of the bytes beyond ASCII that begin a code point, or of those of ASCII above the space.
        leads = letters & letters << 1
        found += bits_set((leads | ~letters & at_least(letters & eight(0x7F), SPACE + 1)) & eight(0x80))
        start += 8
    return found


cdef inline Py_ssize_t after_spaces(
    const unsigned char[::1] coded, Py_ssize_t start, Py_ssize_t stop
) noexcept nogil:
    """The first byte of [start, stop) that is no space; `stop` if all are."""
    while start + 8 <= stop and word(coded, start) == eight(SPACE):
        start += 8
    while start < stop and coded[start] == SPACE:
        start += 1
    return start


cdef inline Py_ssize_t before_spaces(
    const unsigned char[::1] coded, Py_ssize_t start, Py_ssize_t stop
) noexcept nogil:
    """The byte after the last one of [start, stop) that is no space; `start` if all are."""
    while start < stop and coded[stop - 1] == SPACE:
        stop -= 1
    return stop


cdef Py_ssize_t begun_lines(const unsigned char[::1] tag, bint keep_blank) noexcept:
    """How many lines begin inside of a tag."""
    cdef Py_ssize_t size = tag.shape[0], i = 0, blank, begun = 0
    cdef bint inside = False, counts = False
    while i < size:
        blank = 1
        if tag[i] == c"\n" or tag[i] == c"\r":
            begun += inside and counts
            # A CR LF is one line end; a line begins only with what is behind it.
            blank = 2 if tag[i] == c"\r" and i + 1 < size and tag[i + 1] == c"\n" else 1
            inside, counts = i + blank < size, keep_blank
        elif not counts:
            blank = is_ascii_blank(tag[i]) if tag[i] < 0x80 else wide_blank(tag, i)
            counts = not blank
        i += max(blank, 1)
    return begun + (inside and counts)


def ratios(const int64_t[:] characters not None, const int64_t[:] tags not None):
    """Text-to-tag ratios."""
    cdef Py_ssize_t size = characters.shape[0], i
    if tags.shape[0] != size:
        raise ValueError("lines without tags")
    made = np.empty(size)
    cdef double[::1] quotients = made
    for i in range(size):
        quotients[i] = <double> characters[i] / <double> max(tags[i], <int64_t> 1)
    return made


def differ(const double[:] ratios not None):
    """Whether two of the ratios are not the same."""
    cdef Py_ssize_t i
    for i in range(1, ratios.shape[0]):
        if ratios[i] != ratios[0]:
            return True
    return False
