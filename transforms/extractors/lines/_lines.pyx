"""Lines, their characters and tags, and the text-to-tag ratio (Algorithm 1 of TTR 2008 and of CETR 2010).

The page without comments, scripts and styles is cut at CR LF, LF and CR; each line is trimmed of Unicode
blanks, and empty ones are dropped. For line i, x_i is the number of its code points outside of tags,
entities and inner blanks as written, and y_i the number of tags that start on it; what continues from a tag of
an earlier line is neither. T_i = x_i / max(1, y_i).

Text and lines are found in one go through the page.
"""

import numpy as np

cimport cython

from libc.stdint cimport int64_t, uint64_t
from cedar.transforms.extractors.html._bytes cimport (
    Sixteen, bits_set, eight, equal, lowest_bit, sixteen, sixty_four, which_are, wide_blank, word,
)
from cedar.transforms.extractors.html._growing cimport Records
from cedar.transforms.extractors.html._tags cimport BLOCK, END, Tags
from cedar.transforms.extractors.html._text cimport SPACE, Text
from cedar.transforms.extractors.lines._smoothing cimport deviation, pairwise_sum

cdef extern from *:
    """
    static int put_blanked(const unsigned char *from, Py_ssize_t there, unsigned char *to, Py_ssize_t size) {
        Sixteen all = {0};
        for (Py_ssize_t at = 0; at < size; at += 16) {
            Sixteen bytes = sixteen(from + at, there - at);
            Sixteen blank = (Sixteen)(bytes - 0x09 < 5) | (Sixteen)(bytes - 0x1C < 4);
            all |= bytes;
            bytes = (bytes & ~blank) | (blank & ' ');
            memcpy(to + at, &bytes, 16);
        }
        return MARKS(all) != 0;
    }
    static inline uint64_t which_lead(Sixteen bytes) { return MARKS((bytes == 0xC2) | (bytes - 0xE1 < 3)); }
    """
    # Copies `size` bytes of those that are there, blanks of ASCII as spaces, and writes up to fifteen bytes more.
    # Whether any of them is beyond ASCII.
    bint put_blanked(const unsigned char* start, Py_ssize_t there, unsigned char* to, Py_ssize_t size) nogil
    # Which of sixteen bytes may begin a blank beyond ASCII, a bit each.
    uint64_t which_lead(Sixteen bytes) nogil

cdef enum:
    LINK = 0x61  # the key of the name `a`
    OVERHANG = 16  # bytes that may be written after the text
    LONG = 40  # bytes of a line, about, by which room is made at first


cdef object NO_PARTS = np.empty(0, np.int64)


cdef class Lines:
    """The lines of a page; n of them, in order, all arrays int64 (n,) but `parts`.

    Attributes:
        text: the page's text.
        keep_blank: whether blank lines count, as empty ones.
        table: int64 (n, 4), where each line's text begins in `text.coded`, where it ends, x_i and y_i. The byte at its
            end belongs to no line's text, unless the next line was broken off from this one. It is less than the
            beginning for a line that lies inside of a tag.
        broken: first and one past the last of the lines that one overlong source line was broken into;
            they join with nothing between them. Both 0 if there is no such line.
        parts: int64, the byte of the page where each of these lines starts, and where the last one stops.
    """

    def __init__(self, Text text not None, table not None, bint keep_blank):
        """Take rows, int64 (n, 4), of text starts, text stops, characters and tags."""
        self.text, self.keep_blank, self.table, self.rows = text, keep_blank, table, table
        self.broken, self.parts = (0, 0), NO_PARTS

    def __len__(self):
        return self.rows.shape[0]

    def ratios(self, characters=None):
        """T_i = x_i / max(1, y_i), float64 (n,), with other characters, int64 (n,), if they are given.

        And their mean and population standard deviation, None without lines, and whether any two differ.
        """
        cdef Py_ssize_t size = self.rows.shape[0], i
        cdef const int64_t[:] counts
        if characters is None:
            counts = self.rows[:, CHARACTERS]
        else:
            counts = characters
        if counts.shape[0] != size:
            raise ValueError("characters of other lines")
        made = np.empty((2, size))
        cdef double[:, ::1] rows = made
        cdef double mean
        cdef bint differ = False
        for i in range(size):
            rows[0, i] = <double>counts[i] / <double>max(self.rows[i, TAGS], <int64_t>1)
            differ |= rows[0, i] != rows[0, 0]
        if not size:
            return made[0], None, None, False
        mean = pairwise_sum(rows[0]) / size
        return made[0], mean, deviation(rows[0], mean, rows[1]), differ


@cython.final
cdef class Reader:
    # Cuts the text of a page into lines as it is taken out of it. begin: where the next line begins in the text.
    # tags_before: number of tags before it. crossed: the tags of the next line in which lines end, and how many begin
    # there. last_stop: where the last line stops that is not blank. wide_stop: after it the text so far is ASCII.

    cdef Text text
    cdef bint keep_blank
    cdef Py_ssize_t begin, tags_before, last_stop, wide_stop
    cdef Records crossed, lines

    def __cinit__(self, Text text not None, bint keep_blank, Py_ssize_t room):
        self.text, self.keep_blank = text, keep_blank
        self.crossed, self.lines = Records(2), Records(COLUMNS, room)

    cdef inline int add(
        self, Py_ssize_t start, Py_ssize_t stop, Py_ssize_t tags, Py_ssize_t inside
    ) except -1:
        """Add a line with `tags` tags and `inside` placeholders in its text."""
        cdef Py_ssize_t points = stop - start
        if start < self.wide_stop:
            points = self.text.code_points(start, stop)
        return put_row(self.lines, start, stop, points - inside if start < stop else 0, tags)

    cdef int end_line(self, Py_ssize_t end, Py_ssize_t tag) except -1:
        """Add the line up to `end` in the text and to `tag` of the tags, or those that tags part it into."""
        cdef Py_ssize_t begin = self.begin, tags_before = self.tags_before, i, start, last, stop
        # Blanks go, save for those that are placeholders.
        start = after_spaces(
            self.text.byte, begin, self.text.placeholder[tags_before] if tags_before < tag else end
        )
        last = self.text.placeholder[tag - 1] + 1 if tags_before < tag else start
        stop = before_spaces(self.text.byte, last, end)
        self.begin, self.tags_before = end, tag
        if start < stop:
            self.last_stop = stop
            for i in range(0, 2 * self.crossed.count, 2):
                self.part(self.crossed.numbers[i], self.crossed.numbers[i + 1], &start, &tags_before)
            self.add(start, stop, tag - tags_before, tag - tags_before)
        elif self.keep_blank:
            self.add(self.last_stop, self.last_stop, 0, 0)
        self.crossed.count = 0
        return 0

    cdef int part(self, Py_ssize_t tag, Py_ssize_t begun, Py_ssize_t* start, Py_ssize_t* tags_before) except -1:
        """Add the lines from `start` on that end inside of a tag; others may begin there as well."""
        cdef Py_ssize_t _, placeholder = self.text.placeholder[tag]
        # After the tag's placeholder, which takes the place of the line end, a line begins.
        self.add(start[0], placeholder, tag + 1 - tags_before[0], tag - tags_before[0])
        start[0], tags_before[0] = placeholder + 1, tag + 1
        for _ in range(begun - 1):
            self.add(start[0], placeholder, 0, 0)
        return 0


def read_lines(const unsigned char[::1] html not None, Tags tags not None, *, bint keep_blank):
    """Take the text out of a page of valid UTF-8, find its lines, and count their characters and tags."""
    cdef Py_ssize_t size = html.shape[0], tag, begin, stop, begun, after = 0, less = 0
    if tags.count and tags.stop[tags.count - 1] > size:
        raise ValueError("tags of another page")
    cdef Text text = Text(tags)
    coded = np.empty(size + 1 + OVERHANG, np.uint8)
    text.byte, text.placeholders = coded, np.empty(tags.count, np.int64)
    text.placeholder = text.placeholders
    cdef unsigned char[::1] byte = text.byte
    cdef Reader reader = Reader(text, keep_blank, size // LONG + 16)
    cdef LineEnds ends = first_line_end(html)
    cdef Py_ssize_t link_chars = 0
    cdef bint linked = False

    for tag in range(tags.count + 1):
        stop = tags.start[tag] if tag < tags.count else size
        if after < stop:
            # Within both: no more than there is of the page, and up to `OVERHANG` bytes that are overwritten.
            if put_blanked(&html[after], size - after, &byte[after - less], stop - after):
                text.is_wide, reader.wide_stop = True, stop - less
                part_wide(html, after, stop, less, text)
            while ends.at < stop:
                reader.end_line(ends.at - less, tag)
                go_on(&ends)
            if linked:
                link_chars += solid_characters(byte, after - less, stop - less)
        if tag < tags.count:
            text.placeholder[tag] = stop - less
            byte[stop - less] = SPACE if tags.kind[tag] & BLOCK else 0
            after = tags.stop[tag]
            less += after - stop - 1
            if tags.name[tag] == LINK:
                linked = not tags.kind[tag] & END
            if ends.at < after:
                begun = 1  # with the `>` or before it
                while True:
                    begin = ends.at + 1
                    go_on(&ends)
                    if ends.at >= after:
                        break
                    begun += keep_blank or after_blanks(html, begin, ends.at) < ends.at
                begin = reader.crossed.add()
                reader.crossed.numbers[begin], reader.crossed.numbers[begin + 1] = tag, begun
    byte[size - less] = SPACE
    if size and html[size - 1] != c"\n" and html[size - 1] != c"\r":
        reader.end_line(size - less, tags.count)
        ends.count += 1
    text.coded, text.byte = coded[: size + 1 - less], byte[: size + 1 - less]
    text.link_chars, text.line_ends = link_chars, ends.count
    return Lines(text, reader.lines.rows(), keep_blank)


cdef int part_wide(
    const unsigned char[::1] html, Py_ssize_t begin, Py_ssize_t stop, Py_ssize_t less, Text text
) except -1:
    """Make spaces of blanks beyond ASCII."""
    cdef Py_ssize_t block, i, k
    cdef uint64_t leads
    for block in range(begin, stop, 16):
        leads = which_lead(sixteen(&html[block], html.shape[0] - block))
        while leads:
            i = block + lowest_bit(leads)
            leads &= leads - 1
            for k in range(i, min(stop, i + wide_blank(html, i))):
                text.byte[k - less] = SPACE
                if k > i:
                    text.add_inner(k - less)
    return 0


cdef inline Py_ssize_t solid_characters(
    const unsigned char[::1] coded, Py_ssize_t start, Py_ssize_t stop
) noexcept nogil:
    """Code points in [start, stop) that are not blanks."""
    cdef Py_ssize_t found = 0
    cdef uint64_t letters, leads
    while start < stop:
        letters = word(coded, start)
        if stop - start < 8:
            letters &= ~<uint64_t> 0 >> 8 * (8 - (stop - start))
        # High bits: of bytes beyond ASCII that begin a code point, or of ASCII bytes above the space.
        leads = letters & letters << 1
        found += bits_set((leads | ~letters & (letters & eight(0x7F)) + eight(0x7F - SPACE)) & eight(0x80))
        start += 8
    return found


cdef inline Py_ssize_t after_spaces(
    const unsigned char[::1] coded, Py_ssize_t start, Py_ssize_t stop
) noexcept nogil:
    """The first byte of [start, stop) that is not a space; `stop` if all are."""
    cdef uint64_t others
    while start < stop:
        others = ~equal(sixteen(&coded[start], coded.shape[0] - start), SPACE) & 0xFFFF
        if others:
            return min(start + lowest_bit(others), stop)
        start += 16
    return stop


cdef inline Py_ssize_t before_spaces(
    const unsigned char[::1] coded, Py_ssize_t start, Py_ssize_t stop
) noexcept nogil:
    """The byte after the last one of [start, stop) that is not a space; `start` if all are."""
    while start < stop and coded[stop - 1] == SPACE:
        stop -= 1
    return stop
