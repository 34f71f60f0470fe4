"""Twins of `transforms.extractors.reflow`."""

import numpy as np

from libc.stdint cimport int64_t

from transforms.compiled.scanning cimport find_or_size, inner_bytes, is_ascii_blank, wide_blank


def _single_line(
    const unsigned char[::1] html not None, Py_ssize_t line_ends, bint keep_blank, double share
):
    """Index, first byte and stop of the line that is the page, or None."""
    cdef Py_ssize_t size = html.shape[0], middle = size // 2, begin = middle, end
    cdef Py_ssize_t index = 0, found = 0, start = 0, stop = 0, longest = -1, total = 0, count, first
    cdef Py_ssize_t feed = -1, back = -1  # the next ones
    if 8 * line_ends <= size:
        end = min(find_or_size(html, c"\n", middle), find_or_size(html, c"\r", middle))
        while 2 * (end - begin) <= size:
            if begin == 0 or html[begin - 1] == c"\n" or html[begin - 1] == c"\r":
                return None  # the definition says why
            begin -= 1
    begin = 0
    while begin < size:
        if feed < begin:
            feed = find_or_size(html, c"\n", begin)
        if back < begin:
            back = find_or_size(html, c"\r", begin)
        end = min(feed, back)
        count = end - begin - inner_bytes(html, begin, end)
        total += count
        first = after_blanks(html, begin, end)
        if count > longest:
            longest, found, start, stop = count, index, first, end
        index += keep_blank or first < end
        begin = end + (2 if end == back and feed == end + 1 else 1)
    if start == stop or longest < share * total:
        return None
    return found, start, before_blanks(html, start, stop)


cdef inline Py_ssize_t after_blanks(
    const unsigned char[::1] html, Py_ssize_t start, Py_ssize_t stop
) noexcept nogil:
    """The first byte of [start, stop) that is of no blank; `stop` if there is none."""
    cdef Py_ssize_t blank = 1
    while blank and start < stop:
        blank = is_ascii_blank(html[start]) if html[start] < 0x80 else wide_blank(html, start)
        start += blank
    return start


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


def _break_offsets(
    const unsigned char[::1] html not None,
    const int64_t[::1] tag_starts not None,
    const int64_t[::1] tag_stops not None,
    Py_ssize_t start,
    Py_ssize_t stop,
    Py_ssize_t width,
    bint before_text,
):
    """The bytes before which a line is broken."""
    cdef Py_ssize_t tags = tag_starts.shape[0], tag = 0, count = 0, position = start, after
    cdef Py_ssize_t room = (stop - start) // width + 1
    if not (0 <= start <= stop <= html.shape[0] and tag_stops.shape[0] == tags and width > 0):
        raise ValueError("a line outside of the page")
    breaks_made = np.empty(room, np.int64)
    cdef int64_t[::1] breaks = breaks_made
    while (after := after_characters(html, position, stop, width)) < stop:
        # Tags begin and end at characters: where the last character is in one, it ends at `after` or later.
        while tag < tags and tag_stops[tag] < after:
            tag += 1
        if tag < tags and tag_starts[tag] < after:
            after = tag_stops[tag]
            while before_text and tag + 1 < tags and tag_starts[tag + 1] == after:
                tag += 1
                after = tag_stops[tag]
        if not position < after < stop:
            break
        breaks[count] = position = after
        count += 1
    return breaks_made[:count]


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
