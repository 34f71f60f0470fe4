"""Lines, their characters and tags, and the text-to-tag ratio (Algorithm 1 of TTR 2008 and of CETR 2010).

The page without comments, scripts and styles is cut at CR LF, LF and CR; each line is trimmed of Unicode
blanks, and empty ones are dropped. For line i, x_i is the number of its code points outside of tags,
entities and inner blanks as written, and y_i the number of tags that start on it; what continues from a tag of
an earlier line is neither. T_i = x_i / max(1, y_i).

Text and lines are found in one go through the page.
"""

import numpy as np

from libc.stdint cimport int64_t, uint64_t
from transforms.extractors.html._bytes cimport (
    below, bits_set, eight, find, is_ascii_blank, lowest, put_word, wide_blank, word, zero_bytes,
)
from transforms.extractors.html._growing cimport Records
from transforms.extractors.html._tags cimport BLOCK, END, Tags
from transforms.extractors.html._text cimport SPACE, Text

cdef enum:
    LINK = 0x61  # the key of the name `a`
    OVERHANG = 8  # bytes that may be written after the text


cdef class Lines:
    """The lines of a page; n of them, in order, all arrays int64 (n,) but `parts`.

    Attributes:
        text: the page's text.
        keep_blank: whether blank lines count, as empty ones.
        text_starts: where each line's text begins in `text.coded`.
        text_stops: where it ends; the byte there belongs to no line's text, unless the next line was broken
            off from this one. Less than `text_starts` for a line that lies inside of a tag.
        characters: x_i.
        tags: y_i.
        broken: first and one past the last of the lines that one overlong source line was broken into;
            they join with nothing between them. Both 0 if absent.
        parts: int64, the byte of the page where each of these lines starts, and where the last one stops.
    """

    def __init__(self, Text text not None, table not None, bint keep_blank):
        """Take rows, int64 (n, 4), of text starts, text stops, characters and tags."""
        self.text, self.keep_blank, self.table, self.rows = text, keep_blank, table, table
        self.text_starts, self.text_stops, self.characters, self.tags = table.T
        self.broken, self.parts = (0, 0), np.empty(0, np.int64)

    def __len__(self):
        return self.rows.shape[0]

    def ratios(self, characters=None):
        """T_i = x_i / max(1, y_i), float64 (n,), with other characters, int64 (n,), if they are given."""
        cdef const int64_t[:] counts = self.rows[:, CHARACTERS] if characters is None else characters
        cdef Py_ssize_t i
        if counts.shape[0] != self.rows.shape[0]:
            raise ValueError("characters of other lines")
        made = np.empty(self.rows.shape[0])
        cdef double[::1] ratios = made
        for i in range(self.rows.shape[0]):
            ratios[i] = <double>counts[i] / <double>max(self.rows[i, TAGS], <int64_t>1)
        return made


cdef class Reader:
    # Cuts the text of a page into lines as it is taken out of it. begin: where the next line begins in the text.
    # tags_before: number of tags before it. crossed: the tags of the next line in which lines end.
    # last_stop: where the last line stops that is not blank.

    cdef const unsigned char[::1] html
    cdef Text text
    cdef Tags tags
    cdef bint keep_blank
    cdef Py_ssize_t begin, tags_before, last_stop
    cdef Records crossed, lines

    def __cinit__(self, html, Text text not None, bint keep_blank):
        self.html, self.text, self.tags, self.keep_blank = html, text, text.tags, keep_blank
        self.crossed, self.lines = Records(1), Records(COLUMNS)

    cdef inline int add(
        self, Py_ssize_t start, Py_ssize_t stop, Py_ssize_t tags, Py_ssize_t inside
    ) except -1:
        """Add a line with `tags` tags and `inside` placeholders in its text."""
        cdef Py_ssize_t characters = self.text.code_points(start, stop) - inside if start < stop else 0
        return put_row(self.lines, start, stop, characters, tags)

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
            for i in range(self.crossed.count):
                self.part(self.crossed.numbers[i], &start, &tags_before)
            self.add(start, stop, tag - tags_before, tag - tags_before)
        elif self.keep_blank:
            self.add(self.last_stop, self.last_stop, 0, 0)
        self.crossed.count = 0
        return 0

    cdef int part(self, Py_ssize_t tag, Py_ssize_t* start, Py_ssize_t* tags_before) except -1:
        """Add the lines from `start` on that end inside of a tag; others may begin there as well."""
        cdef Py_ssize_t _, placeholder = self.text.placeholder[tag]
        cdef Py_ssize_t begun = begun_lines(
            self.html[self.tags.start[tag] : self.tags.stop[tag]], self.keep_blank
        )
        if begun:
            # After the tag's placeholder, which takes the place of the line end, a line begins.
            self.add(start[0], placeholder, tag + 1 - tags_before[0], tag - tags_before[0])
            start[0], tags_before[0] = placeholder + 1, tag + 1
            for _ in range(begun - 1):
                self.add(start[0], placeholder, 0, 0)
        return 0


def read_lines(const unsigned char[::1] html not None, Tags tags not None, *, bint keep_blank):
    """Take the text out of a page of valid UTF-8, find its lines, and count their characters and tags."""
    cdef Py_ssize_t size = html.shape[0], tag, at, stop, here, after = 0, less = 0
    cdef Py_ssize_t length = text_length(size, tags)
    cdef Text text = Text(tags)
    coded = np.empty(length + OVERHANG, np.uint8)
    text.coded, text.placeholders = coded[:length], np.empty(tags.count, np.int64)
    text.byte, text.placeholder = coded, text.placeholders
    cdef unsigned char[::1] byte = text.byte
    cdef Reader reader = Reader(html, text, keep_blank)
    cdef Py_ssize_t link_chars = 0, line_ends = 0
    cdef bint linked = False, wide

    for tag in range(tags.count + 1):
        at, stop = after, tags.start[tag] if tag < tags.count else size
        while at < stop:
            wide = False
            here = code(html, byte, at, stop, less, &wide)
            if wide:
                text.is_wide = True
                code_wide(html, at, here, less, text)
            if here < stop:
                reader.end_line(here - less, tag)
                line_ends += 1
                if html[here] == c"\r" and here + 1 < stop and html[here + 1] == c"\n":
                    here += 1
                    byte[here - less] = SPACE
            at = here + 1
        if linked:
            link_chars += solid_characters(byte, after - less, stop - less)
        if tag < tags.count:
            text.placeholder[tag] = stop - less
            byte[stop - less] = SPACE if tags.kind[tag] & BLOCK else 0
            after = tags.stop[tag]
            less += after - stop - 1
            if tags.name[tag] == LINK:
                linked = not tags.kind[tag] & END
            if holds_line_end(html, stop, after):
                reader.crossed.put(tag)
                line_ends += line_ends_within(html, stop, after)
    byte[length - 1] = SPACE
    if size and html[size - 1] != c"\n" and html[size - 1] != c"\r":
        reader.end_line(length - 1, tags.count)
        line_ends += 1
    text.byte = text.coded
    text.link_chars, text.line_ends = link_chars, line_ends
    return Lines(text, reader.lines.rows(), keep_blank)


cdef Py_ssize_t text_length(Py_ssize_t size, Tags tags) except -1:
    """The bytes of a page's text, with one for each tag and one for its end."""
    cdef Py_ssize_t length = size + 1, tag
    for tag in range(tags.count):
        length -= tags.stop[tag] - tags.start[tag] - 1
    if tags.count and tags.stop[tags.count - 1] > size:
        raise ValueError("tags of another page")
    return length


cdef inline Py_ssize_t code(
    const unsigned char[::1] html, unsigned char[::1] coded, Py_ssize_t start, Py_ssize_t stop, Py_ssize_t less,
    bint* wide,
) noexcept nogil:
    """Copy bytes from `start` through the next line end, or up to `stop`; blanks of ASCII as spaces.

    Returns where the line end is, or `stop`. Up to seven bytes after them in `coded` are overwritten, for which it has
    room: `OVERHANG` bytes. `wide` is false only if all bytes are ASCII.
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
    """Mark, in its high bit, the first CR or LF of eight bytes; marks above may be wrong."""
    return zero_bytes(letters ^ eight(c"\n")) | zero_bytes(letters ^ eight(c"\r"))


cdef inline bint holds_line_end(
    const unsigned char[::1] html, Py_ssize_t start, Py_ssize_t stop
) noexcept nogil:
    """Whether there is a CR or LF in [start, stop), a range of the page."""
    cdef uint64_t some = 0
    cdef Py_ssize_t at = start
    # Whether there are control characters at all, as in few tags; what comes after the tag is made other bytes.
    while at + 8 < stop:
        some |= below(word(html, at), SPACE)
        at += 8
    some |= below(word(html, at) | ~(~<uint64_t>0 >> 8 * (8 - (stop - at))), SPACE)
    return some and (find(html, c"\n", start, stop) >= 0 or find(html, c"\r", start, stop) >= 0)


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
    const unsigned char[::1] html, Py_ssize_t begin, Py_ssize_t stop, Py_ssize_t less, Text text
) except -1:
    """Make spaces of blanks beyond ASCII."""
    cdef Py_ssize_t i, k
    for i in range(begin, stop):
        if html[i] >= 0xC2:
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
        # High bits: of the bytes beyond ASCII that begin a code point, or of those of ASCII above the space.
        leads = letters & letters << 1
        found += bits_set((leads | ~letters & at_least(letters & eight(0x7F), SPACE + 1)) & eight(0x80))
        start += 8
    return found


cdef inline Py_ssize_t after_spaces(
    const unsigned char[::1] coded, Py_ssize_t start, Py_ssize_t stop
) noexcept nogil:
    """The first byte of [start, stop) that is not a space; `stop` if all are."""
    while start + 8 <= stop and word(coded, start) == eight(SPACE):
        start += 8
    while start < stop and coded[start] == SPACE:
        start += 1
    return start


cdef inline Py_ssize_t before_spaces(
    const unsigned char[::1] coded, Py_ssize_t start, Py_ssize_t stop
) noexcept nogil:
    """The byte after the last one of [start, stop) that is not a space; `start` if all are."""
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
            # A CR LF is one line end; a line begins only with what is after it.
            blank = 2 if tag[i] == c"\r" and i + 1 < size and tag[i + 1] == c"\n" else 1
            inside, counts = i + blank < size, keep_blank
        elif not counts:
            blank = is_ascii_blank(tag[i]) if tag[i] < 0x80 else wide_blank(tag, i)
            counts = not blank
        i += max(blank, 1)
    return begun + (inside and counts)
