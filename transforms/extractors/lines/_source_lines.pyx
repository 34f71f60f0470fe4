"""Lines as they stand in the page as written: where they are, what they hold, where an overlong one is broken."""

import numpy as np

from libc.stdint cimport int64_t
from cedar.transforms.extractors.html._bytes cimport count_below, find_or_size, inner_bytes, is_ascii_blank, wide_blank
from cedar.transforms.extractors.html._growing cimport Records
from cedar.transforms.extractors.html._tags cimport Tags
from cedar.transforms.extractors.html._text cimport Text
from cedar.transforms.extractors.lines._lines cimport (
    CHARACTERS, COLUMNS, START, STOP, TAGS, LineEnds, Lines, after_blanks, first_line_end, go_on, put_row,
)

cdef double SHARE = 0.9


cdef struct Line:
    # A source line: its bytes up to the line end, and those that are left when it is trimmed.
    Py_ssize_t begin
    Py_ssize_t end
    Py_ssize_t start
    Py_ssize_t stop
    Py_ssize_t after  # where the next line begins


cdef class Cutter:
    """Goes through the lines of a page."""

    cdef const unsigned char[::1] html
    cdef LineEnds ends
    cdef Line line

    def __cinit__(self, const unsigned char[::1] html not None):
        self.html, self.ends = html, first_line_end(html)

    cdef bint next(self) noexcept:
        """Move to the next line; False at the end."""
        cdef Py_ssize_t begin = self.line.after, end = self.ends.at, size = self.html.shape[0]
        if begin >= size:
            return False
        self.line.begin, self.line.end = begin, end
        self.line.start = after_blanks(self.html, begin, end)
        self.line.stop = before_blanks(self.html, self.line.start, end) if self.line.start < end else end
        self.line.after = end + 1
        if self.line.after < size and self.html[end] == c"\r" and self.html[end + 1] == c"\n":
            self.line.after += 1
        go_on(&self.ends)
        return True


def source_ranges(const unsigned char[::1] html not None, *, bint keep_blank):
    """First byte of each trimmed line of a page of UTF-8, and the byte after its last. int64 (n,) each."""
    cdef Cutter cutter = Cutter(html)
    cdef list starts = [], stops = []
    while cutter.next():
        if cutter.line.start < cutter.line.end:
            starts.append(cutter.line.start)
            stops.append(cutter.line.stop)
        elif keep_blank:
            starts.append(cutter.line.begin)
            stops.append(cutter.line.begin)
    return np.array(starts, np.int64), np.array(stops, np.int64)


cdef inline Py_ssize_t characters(const unsigned char[::1] html, Py_ssize_t start, Py_ssize_t stop) noexcept:
    return stop - start - inner_bytes(html, start, stop)


def single_line(const unsigned char[::1] html not None, Lines lines not None):
    """The line that is the page: which one, its first byte, trimmed, and the byte after its last.

    None if no line holds `SHARE` of the page's code points, or it is blank.
    """
    cdef Py_ssize_t size = html.shape[0], middle = size // 2, begin = middle, end
    cdef Py_ssize_t index = 0, found = 0, start = 0, stop = 0, longest = -1, total = 0, count
    cdef Cutter cutter
    # A code point has one to four bytes, so nine tenths of the characters are nine thirteenths of the bytes
    # or more, line ends apart. Where these are at most a quarter of the page, that is over half of it, and
    # so the line that holds the middle byte.
    if 8 * lines.text.line_ends <= size:
        end = min(find_or_size(html, c"\n", middle), find_or_size(html, c"\r", middle))
        while 2 * (end - begin) <= size:
            if begin == 0 or html[begin - 1] == c"\n" or html[begin - 1] == c"\r":
                return None
            begin -= 1
    cutter = Cutter(html)
    while cutter.next():
        count = characters(html, cutter.line.begin, cutter.line.end)
        total += count
        if count > longest:
            longest, found, start, stop = count, index, cutter.line.start, cutter.line.stop
        index += lines.keep_blank or cutter.line.start < cutter.line.end
    return None if start == stop or longest < SHARE * total else (found, start, stop)


def break_line(
    const unsigned char[::1] html not None, Lines lines not None, tuple single not None, *, Py_ssize_t width,
    bint before_text
):
    """Break one line of a page, which `single_line` found, every `width` characters.

    A break inside of tags goes after all that have nothing between them, if `before_text`. Returns all lines, with the
    parts in the place of the line; as they are if it is too short to be broken.
    """
    cdef Py_ssize_t index, start, stop, tag, edge, before, offset, chars
    index, start, stop = single
    if not 0 <= index < len(lines) or not 0 <= start <= stop <= html.shape[0]:
        raise IndexError(f"line {index} of {len(lines)}, [{start}, {stop}) of {html.shape[0]} bytes")
    cdef list edges = break_offsets(html, lines.text.tags, start, stop, width, before_text)
    if not edges:
        return lines
    cdef Text text = lines.text
    cdef const int64_t[::1] starts = text.tags.start[: text.tags.count]
    cdef Py_ssize_t at = lines.rows[index, START], characters_left = lines.rows[index, CHARACTERS]
    cdef Py_ssize_t tags_left = lines.rows[index, TAGS]
    cdef Records parts = Records(COLUMNS)
    tag = count_below(starts, start)
    for edge in edges:
        before = count_below(starts, edge)
        offset = edge
        if before:
            # What is inside of a tag stands after its placeholder.
            offset = max(edge, text.tags.stop[before - 1])
            offset -= text.tags.stop[before - 1] - text.placeholder[before - 1] - 1
        text.check(at, offset)
        chars = text.code_points(at, offset) - (before - tag)
        put_row(parts, at, offset, chars, before - tag)
        characters_left -= chars
        tags_left -= before - tag
        at, tag = offset, before
    # The line's own count says whether the placeholder of a tag that continues after it is in its text.
    put_row(parts, at, lines.rows[index, STOP], characters_left, tags_left)
    cdef Lines broken = Lines(
        text, np.concatenate((lines.table[:index], parts.rows(), lines.table[index + 1 :])), lines.keep_blank
    )
    broken.broken = (index, index + len(edges) + 1)
    broken.parts = np.array([start, *edges, stop], np.int64)
    return broken


cdef list break_offsets(
    const unsigned char[::1] html, Tags tags, Py_ssize_t start, Py_ssize_t stop, Py_ssize_t width,
    bint before_text
):
    """The bytes before which the line [start, stop) is broken, none of them an end of it."""
    cdef Py_ssize_t tag = 0, position = start, after
    cdef list breaks = []
    if width < 1:
        raise ValueError("no width")
    while tag < tags.count and tags.stop[tag] <= start:
        tag += 1
    while (after := after_characters(html, position, stop, width)) < stop:
        # Tags begin and end at characters: where the last character is in one, it ends at `after` or later.
        while tag < tags.count and tags.stop[tag] < after:
            tag += 1
        if tag < tags.count and tags.start[tag] < after:
            after = tags.stop[tag]
            while before_text and tag + 1 < tags.count and tags.start[tag + 1] == after:
                tag += 1
                after = tags.stop[tag]
        if not position < after < stop:
            break
        breaks.append(after)
        position = after
    return breaks


cdef inline Py_ssize_t before_blanks(
    const unsigned char[::1] html, Py_ssize_t start, Py_ssize_t stop
) noexcept nogil:
    """The byte after the last one of [start, stop) that is of no blank; `start` is of none."""
    cdef Py_ssize_t blank = 1
    while blank:
        if html[stop - 1] < 0x80:
            blank = is_ascii_blank(html[stop - 1])
        elif stop - 2 > start and wide_blank(html, stop - 2) == 2:
            blank = 2
        else:
            blank = 3 if stop - 3 > start and wide_blank(html, stop - 3) == 3 else 0
        stop -= blank
    return stop


cdef inline Py_ssize_t after_characters(
    const unsigned char[::1] html, Py_ssize_t start, Py_ssize_t stop, Py_ssize_t count
) noexcept nogil:
    """The byte after `count` characters, or `stop`."""
    cdef Py_ssize_t piece
    while count and start < stop:
        piece = min(count, stop - start)
        count -= piece - inner_bytes(html, start, start + piece)
        start += piece
    while start < stop and (html[start] & 0xC0) == 0x80:
        start += 1
    return start
