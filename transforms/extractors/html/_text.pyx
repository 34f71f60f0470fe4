"""The text of a page outside of its tags, and how it reads in the output.

Tags leave one placeholder byte each: a blank for `br` and for start and end tags of block-level elements,
nothing (NUL, dropped in the end) for the others, so that words neither fuse nor break. Lines are ranges of
this shorter text. How they are rendered: see `_writer`.
"""

import numpy as np

from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport int64_t
from libc.stdlib cimport free

from cedar.transforms.extractors.html._bytes cimport count_below, inner_bytes
from cedar.transforms.extractors.html._growing cimport BESIDES, ByteBuffer, Records, grown
from cedar.transforms.extractors.html._references cimport Decoded, decode, written_stop
from cedar.transforms.extractors.html._writer cimport append, room_for, write

cdef enum:
    LINE_FEED = 0x0A
    DELETE = 0x7F
    COUNTED = 192  # counts of this many bytes are bytes
    MAX_REFERENCE = 40
    SHORT_LINE = 1024  # bytes of a line that is rendered in place


def count(const unsigned char[::1] text not None):
    """Number of code points in UTF-8."""
    return text.shape[0] - inner_bytes(text, 0, text.shape[0])


def count_words(const unsigned char[::1] text not None):
    """Number of words in UTF-8 in which one space or line feed parts two of them, and none is at an end."""
    return blanks(text, 0, text.shape[0]) + (text.shape[0] > 0)


cdef Py_ssize_t blanks(const unsigned char[::1] text, Py_ssize_t start, Py_ssize_t stop) noexcept nogil:
    """Number of bytes in [start, stop) up to the space."""
    cdef Py_ssize_t i, found = 0
    cdef unsigned char counted
    while start < stop:
        counted = 0
        for i in range(start, min(start + COUNTED, stop)):
            counted += text[i] <= SPACE
        found += counted
        start += COUNTED
    return found


cdef class Text:
    """A page's text outside of its tags, with a placeholder of one byte for each of these.

    Attributes:
        tags: the page's tags; t of them.
        coded: uint8 (m,), the text: every byte of a blank is a space, tags are a space or NUL; its last byte
            stands for the end of the page.
        placeholders: int64 (t,), where each tag's placeholder is in `coded`.
        link_chars: code points, not blanks, whose last `a` tag before them is a start tag.
        line_ends: number of line ends of the page, in tags and out of them; CR LF counts for one, and so does
            the end of the page, unless a line end is before it.
    """

    def __cinit__(self, Tags tags not None):
        self.tags = tags

    cdef Py_ssize_t code_points(self, Py_ssize_t start, Py_ssize_t stop) noexcept nogil:
        """Number of code points, placeholders included, in [start, stop)."""
        cdef Py_ssize_t points = stop - start
        if self.is_wide and start < stop:
            points -= inner_bytes(self.byte, start, stop)
            if self.inner is not None:
                points -= count_below(self.inner.numbers[: self.inner.count], stop)
                points += count_below(self.inner.numbers[: self.inner.count], start)
        return points

    cdef int add_inner(self, Py_ssize_t offset) except -1:
        """Note where a blank continues, in order."""
        if self.inner is None:
            self.inner = Records(1)
        return self.inner.put(offset)

    cdef int check(self, Py_ssize_t start, Py_ssize_t stop) except -1:
        """Refuse ranges that end outside of the text; those that end before they begin are empty."""
        if start < stop and not (0 <= start and stop <= self.byte.shape[0]):
            raise IndexError(f"[{start}, {stop}) of a text of {self.byte.shape[0]} bytes")
        return 0

    cdef Py_ssize_t tags_before(self, Py_ssize_t offset) noexcept nogil:
        """How many placeholders are before an offset."""
        return count_below(self.placeholder, offset)

    def lengths(self, const int64_t[:] starts not None, const int64_t[:] stops not None):
        """Count the code points, placeholders included, of ranges [start, stop) of `coded`. int64 (m,)."""
        cdef Py_ssize_t i
        found = np.empty(starts.shape[0], np.int64)
        cdef int64_t[::1] points = found
        if stops.shape[0] != starts.shape[0]:
            raise ValueError("ranges without a stop")
        for i in range(starts.shape[0]):
            self.check(starts[i], stops[i])
            points[i] = self.code_points(starts[i], stops[i])
        return found

    def page_offsets(self, const int64_t[:] offsets not None):
        """Where bytes of `coded` that belong to no tag, int64 (m,), stand in the page; int64 (m,)."""
        cdef Py_ssize_t i, tag
        found = np.empty(offsets.shape[0], np.int64)
        cdef int64_t[::1] places = found
        for i in range(offsets.shape[0]):
            tag = self.tags_before(offsets[i]) - 1
            places[i] = offsets[i]
            if tag >= 0:
                places[i] += self.tags.stop[tag] - self.placeholder[tag] - 1
        return found

    def after_reference(self, Py_ssize_t offset):
        """The end of the character reference that an offset cuts in two; the offset itself if none.

        A reference belongs to the line in which it begins, and comes out whole.
        """
        cdef Py_ssize_t start, first, stop
        cdef Decoded decoded
        if not 0 <= offset <= self.byte.shape[0]:
            raise IndexError(f"byte {offset} of a text of {self.byte.shape[0]} bytes")
        start, first = offset - 1, max(0, offset - MAX_REFERENCE)
        while start >= first and self.byte[start] != c"&":
            start -= 1
        if start < first:
            return offset
        # Within bounds: up to the end of the text.
        stop = written_stop(&self.byte[0], start, min(self.byte.shape[0], offset + MAX_REFERENCE))
        return stop if stop > offset and decode(&self.byte[0], start, stop, &decoded) else offset

    def kept_text(self, const int64_t[:, :] lines not None, kept not None):
        """Render the lines that are kept, as `line_texts` does; and count their words, and what all lines would take.

        Lines, int64 (n, 2) or wider, have their start and stop in `coded`; bool (n,) says which are kept. Those in
        which anything is visible are joined by line feeds. What all would take is code points, with a line feed after
        each line.
        """
        cdef Py_ssize_t row, at = 0, stop
        cdef int continues = -1  # whether the row before was kept
        cdef const unsigned char[:] marks = kept.view(np.uint8)
        cdef ByteBuffer page = ByteBuffer(room_for(self.byte.shape[0]) + 1)
        cdef ByteBuffer others = ByteBuffer(room_for(self.byte.shape[0]) + 1)
        if lines.shape[1] < 2 or marks.shape[0] != lines.shape[0]:
            raise ValueError("lines without a start, a stop, or a mark")
        begin(page)  # a blank is after each word
        begin(others)
        for row in range(lines.shape[0]):
            # Before a line are blanks, and text of lines that are not wanted.
            at = lines[row, 0] if marks[row] != continues else max(at, lines[row, 0])
            continues, stop = marks[row], lines[row, 1]
            if at <= stop:
                add_line(page if marks[row] else others, self.byte, at, stop)
                at = stop + 1
        return text_of(page), blanks(page.bytes, 1, page.size), points_of(page) + points_of(others)

    def line_texts(self, const int64_t[:] stops not None):
        """Render the whole page, cut into lines that end at int64 (n,), ascending, of `coded`; "" where none is seen.

        The byte there is no part of a line; a line begins after the one before.
        """
        cdef Py_ssize_t row, start = 0
        cdef ByteBuffer page = ByteBuffer(room_for(self.byte.shape[0]) + 1)
        cdef list lines = []
        for row in range(stops.shape[0]):
            begin(page)
            if start <= stops[row]:
                add_line(page, self.byte, start, stops[row])
                start = stops[row] + 1
            lines.append(text_of(page))
        return lines

    def range_text(self, Py_ssize_t start, Py_ssize_t stop):
        """Render the range [start, stop) of `coded` as one line."""
        cdef ByteBuffer page
        self.check(start, stop)
        page = ByteBuffer(room_for(max(stop - start, 0)) + 1)
        begin(page)
        add_line(page, self.byte, start, stop)
        return text_of(page)


cpdef str rendered(bytes text):
    """Render UTF-8 text without tags as one line: references decoded, blanks collapsed, controls dropped."""
    return rendered_range(text, 0, len(text))


cdef str rendered_range(bytes html, Py_ssize_t start, Py_ssize_t stop):
    """Render the bytes [start, stop) of a page, without tags, as `rendered` does."""
    cdef unsigned char[SHORT_LINE] line
    cdef const unsigned char* text = html
    cdef unsigned char* to = line
    cdef Py_ssize_t room = room_for(stop - start) + BESIDES, size
    if not 0 <= start <= stop <= len(html):
        raise IndexError("the line is outside of the text")
    if reads_as_written(text + start, stop - start):
        return PyUnicode_DecodeUTF8(<const char*>text + start, stop - start, NULL)
    if room > SHORT_LINE:
        to = <unsigned char*>grown(NULL, room)
    try:
        to[0] = LINE_FEED
        size = append(to, 1, text + start, len(html) - start, stop - start, True, False)
        size -= to[size - 1] == SPACE
        return PyUnicode_DecodeUTF8(<const char*>to + 1, size - 1, NULL)
    finally:
        if to != line:
            free(to)


cdef bint reads_as_written(const unsigned char* text, Py_ssize_t size) noexcept nogil:
    """Whether a text is ASCII, not empty, that has words with single spaces between them and no references."""
    cdef Py_ssize_t at
    cdef unsigned char byte, before = SPACE
    for at in range(size):
        byte = text[at]
        if byte >= DELETE or byte == c"&" or byte < SPACE or byte == SPACE and before == SPACE:
            return False
        before = byte
    return before != SPACE


cdef inline void begin(ByteBuffer page) noexcept:
    """Begin again with a line feed, which is not part of the text: a space is not written after one."""
    page.bytes[0] = LINE_FEED
    page.size = 1


cdef inline int add_line(ByteBuffer page, const unsigned char[::1] text, Py_ssize_t start, Py_ssize_t stop) except -1:
    """Add [start, stop) of a text, closed by a line feed if anything of it is visible."""
    if start < 0 or stop > text.shape[0]:
        raise IndexError("the line is outside of the text")
    cdef Py_ssize_t before = page.size
    page.reserve(room_for(stop - start))
    if start < stop:
        write(page, &text[start], text.shape[0] - start, stop - start, True)
    if page.size > before:
        page.size -= page.bytes[page.size - 1] == SPACE
        page.put_byte(LINE_FEED)
    return 0


cdef text_of(ByteBuffer page):
    """The lines, without the first line feed and the last."""
    # Within the written text, of two bytes or more.
    return PyUnicode_DecodeUTF8(<char*> &page.bytes[1], page.size - 2, NULL) if page.size > 1 else ""


cdef Py_ssize_t points_of(ByteBuffer page) noexcept:
    """Number of code points after the first line feed."""
    return page.size - 1 - inner_bytes(page.bytes, 1, page.size)
