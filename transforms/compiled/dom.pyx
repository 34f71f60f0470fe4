"""Twins of `transforms.extractors.dom`."""

import numpy as np

from libc.stdint cimport int64_t, uint64_t
from transforms.compiled.markup cimport ends_name, find, find_before, key_of, name_key

cdef uint64_t _HTML = key_of(b"html")
cdef uint64_t _BODY = key_of(b"body")
cdef uint64_t _SCRIPT = key_of(b"script")
cdef uint64_t _STYLE = key_of(b"style")
cdef uint64_t _TITLE = key_of(b"title")
cdef uint64_t _IFRAME = key_of(b"iframe")
cdef uint64_t _NOFRAMES = key_of(b"noframes")
cdef uint64_t _NOEMBED = key_of(b"noembed")
cdef uint64_t _XMP = key_of(b"xmp")
cdef uint64_t _TEMPLATE = key_of(b"template")


def _has_controls(const unsigned char[::1] html not None):
    """Whether a page has bytes below the space that are no blanks of HTML, or a form feed."""
    cdef Py_ssize_t i
    cdef unsigned char found = 0
    for i in range(html.shape[0]):
        found |= (html[i] < 0x20) & (html[i] != c'\t') & (html[i] != c'\n') & (html[i] != c'\r')
    return found != 0


def seen_arrays(bytes xml not None, Py_ssize_t max_depth, bint keep_hidden):
    """The fields of a `Tree`: one sweep over the tags with a stack of the elements that are open."""
    cdef const unsigned char[::1] data = xml
    cdef Py_ssize_t most = _count(data, c'<')
    starts_array = np.empty(most, np.int64)
    stops_array = np.empty(most, np.int64)
    keys_array = np.empty(most, np.uint64)
    is_end_array = np.empty(most, np.uint8)
    inside_array = np.empty(most, np.int64)
    opens_array = np.empty(most, np.int64)
    closes_array = np.empty(most, np.int64)
    parents_array = np.empty(most, np.int64)
    ends_array = np.empty(most, np.int64)
    cdef int64_t[::1] starts = starts_array, stops = stops_array, inside = inside_array
    cdef int64_t[::1] opens = opens_array, closes = closes_array, parents = parents_array, ends = ends_array
    cdef uint64_t[::1] keys = keys_array
    cdef unsigned char[::1] is_end = is_end_array
    cdef int64_t[::1] stack = np.full(max_depth + 1, -1, np.int64)
    cdef Py_ssize_t level = 0, deepest = 0  # open elements; stack[level] is the innermost
    cdef Py_ssize_t going = -1, going_from = 0  # the level at which an element was open that goes
    cdef Py_ssize_t shift = 0  # bytes that went
    cdef Py_ssize_t tag = 0, element = 0, body = -1, start, stop = 0
    cdef int64_t closed
    cdef uint64_t key
    cdef bint ending, empty
    pieces = []
    cdef Py_ssize_t kept_to = 0
    while True:
        start = find(data, c'<', stop)
        if start < 0:
            break
        stop = find(data, c'>', start) + 1
        if stop <= 0:
            break
        ending = data[start + 1] == c'/'
        empty = not ending and data[stop - 2] == c'/'
        if ending:
            level = max(level - 1, 0)
            if level >= max_depth:
                continue
            if going >= 0:
                if level == going:
                    pieces.append(xml[kept_to:going_from])
                    kept_to = stop
                    shift += stop - going_from
                    going = -1
                continue
            closed = stack[level + 1]
            if closed >= 0:
                closes[closed] = tag
                ends[closed] = element
            key = name_key(data, start + 2)
        else:
            if not empty:
                level += 1
                deepest = max(deepest, level)
            if going >= 0 or level > max_depth:
                continue
            key = name_key(data, start + 1)
            if is_unseen(data, start + 1, key) or (not keep_hidden and is_hidden(data, start, stop, key)):
                if empty:
                    pieces.append(xml[kept_to:start])
                    kept_to = stop
                    shift += stop - start
                else:
                    going = level - 1
                    going_from = start
                continue
            if key == _BODY and body < 0:
                body = element
            opens[element] = closes[element] = tag
            ends[element] = element + 1
            if empty:
                parents[element] = stack[level]
            else:
                parents[element] = stack[level - 1]
                stack[level] = element
            element += 1
        starts[tag] = start - shift
        stops[tag] = stop - shift
        keys[tag] = key
        is_end[tag] = ending
        inside[tag] = stack[level]
        tag += 1
    if deepest > max_depth:
        # Not at import: this module is loaded while those that use it are.
        from transforms.extractors.tree.dom_limits import TooDeepError

        raise TooDeepError(f"{deepest} open elements")
    if pieces:
        pieces.append(xml[kept_to:])
        xml = b"".join(pieces)
    return (
        xml,
        starts_array[:tag],
        stops_array[:tag],
        keys_array[:tag],
        is_end_array[:tag].view(np.bool_),
        inside_array[:tag],
        opens_array[:element],
        closes_array[:element],
        parents_array[:element],
        ends_array[:element],
        max(body, 0),
    )


cdef Py_ssize_t _count(const unsigned char[::1] data, unsigned char byte) noexcept nogil:
    cdef Py_ssize_t i, count = 0
    for i in range(data.shape[0]):
        count += data[i] == byte
    return count


cdef bint is_unseen(const unsigned char[::1] data, Py_ssize_t name, uint64_t key) noexcept nogil:
    """Whether the name that begins at `name` is that of an element which no browser shows as text."""
    if (
        key != _SCRIPT and key != _STYLE and key != _TITLE and key != _IFRAME
        and key != _NOFRAMES and key != _NOEMBED and key != _XMP and key != _TEMPLATE
    ):
        return False
    # Of a name of eight bytes, the key is that of longer ones, too.
    return (key >> 56) == 0 or (name + 8 < data.shape[0] and ends_name(data[name + 8]))


cdef bint is_hidden(
    const unsigned char[::1] data, Py_ssize_t start, Py_ssize_t stop, uint64_t key
) noexcept nogil:
    """Whether an attribute in the start tag [start, stop) hides its element."""
    cdef Py_ssize_t quote = find_before(data, c'"', start, stop)
    if key == _HTML or key == _BODY:
        return False
    while quote >= 0:
        if quote - 8 >= start and data[quote - 1] == c'=':
            if data[quote - 2] == c'n' and data[quote - 8] == c' ' and _is(data, quote - 7, b"hidden="):
                return True
            if data[quote - 2] == c'e' and _is(data, quote - 7, b" style=") and _none(data, quote + 1, stop):
                return True
        quote = find_before(data, c'"', quote + 1, stop)
    return False


cdef inline bint _is(const unsigned char[::1] data, Py_ssize_t at, const char *word) noexcept nogil:
    """Whether a word of seven bytes is at `at`; as many bytes are there."""
    cdef Py_ssize_t i
    for i in range(7):
        if data[at + i] != <unsigned char>word[i]:
            return False
    return True


cdef bint _none(const unsigned char[::1] data, Py_ssize_t start, Py_ssize_t stop) noexcept nogil:
    """Whether the value that begins at `start`, in a tag up to `stop`, sets `display` to `none`."""
    cdef Py_ssize_t at = start, behind
    stop = find_before(data, c'"', start, stop)
    while at < stop:
        behind = _behind(data, at, stop, b"display")
        if behind < 0 or _goes_on(data[at - 1]):
            at += 1
            continue
        at = behind
        behind = _behind_gap(data, behind, stop)
        if behind < stop and data[behind] == c':':
            behind = _behind(data, _behind_gap(data, behind + 1, stop), stop, b"none")
            if behind == stop or (behind > 0 and not _goes_on(data[behind])):
                return True
    return False


cdef inline bint _goes_on(unsigned char byte) noexcept nogil:
    """Whether a byte is part of a word of CSS."""
    return (
        c'a' <= (byte | 0x20) <= c'z' or c'0' <= byte <= c'9' or byte == c'_' or byte == c'-'
    )


cdef inline Py_ssize_t _behind(
    const unsigned char[::1] data, Py_ssize_t at, Py_ssize_t stop, const char *word
) noexcept nogil:
    """The byte after a word in lower case, if it stands at `at` in any case, up to `stop`; else -1."""
    cdef Py_ssize_t i = 0
    while word[i]:
        if at + i >= stop or (data[at + i] | 0x20) != <unsigned char>word[i]:
            return -1
        i += 1
    return at + i


cdef inline Py_ssize_t _behind_gap(
    const unsigned char[::1] data, Py_ssize_t at, Py_ssize_t stop
) noexcept nogil:
    """The first byte from `at` on that is no blank, written as it is or as a reference; `stop` at most."""
    cdef Py_ssize_t i
    while at < stop:
        if data[at] == c' ' or data[at] == c'\t' or data[at] == c'\n':
            at += 1
            continue
        # &#9; &#10; &#13;
        if stop - at < 4 or data[at] != c'&' or data[at + 1] != c'#':
            return at
        i = at + 2
        if data[i] == c'9':
            i += 1
        elif data[i] == c'1' and (data[i + 1] == c'0' or data[i + 1] == c'3'):
            i += 2
        if i == at + 2 or i >= stop or data[i] != c';':
            return at
        at = i + 1
    return at


def _text_sums(
    const int64_t[::1] values not None, const int64_t[::1] opens not None, const int64_t[::1] closes not None
):
    """Sums of the values of the tags [opens, closes) of each element."""
    cdef Py_ssize_t tag, element
    sums_array = np.empty(values.shape[0] + 1, np.int64)
    found_array = np.empty(opens.shape[0], np.int64)
    cdef int64_t[::1] sums = sums_array, found = found_array
    sums[0] = 0
    for tag in range(values.shape[0]):
        sums[tag + 1] = sums[tag] + values[tag]
    for element in range(opens.shape[0]):
        found[element] = sums[closes[element]] - sums[opens[element]]
    return found_array


def _named(const uint64_t[::1] keys not None, const int64_t[::1] opens not None, tuple wanted not None):
    """Marks the elements whose names have one of the keys."""
    cdef Py_ssize_t element
    cdef uint64_t one
    marks_array = np.zeros(opens.shape[0], np.uint8)
    cdef unsigned char[::1] marks = marks_array
    for one in wanted:
        for element in range(opens.shape[0]):
            marks[element] |= keys[opens[element]] == one
    return marks_array.view(np.bool_)


def _with_attribute(
    const unsigned char[::1] xml not None,
    const int64_t[::1] starts not None,
    const int64_t[::1] stops not None,
    const int64_t[::1] opens not None,
    elements not None,
    const unsigned char[::1] written not None,
):
    """Marks those of the elements marked whose start tags hold some bytes."""
    cdef const unsigned char[::1] marked = elements.view(np.uint8)
    cdef Py_ssize_t element, at, last, i, size = written.shape[0]
    found_array = np.zeros(opens.shape[0], np.uint8)
    cdef unsigned char[::1] found = found_array
    for element in range(opens.shape[0]):
        if not marked[element]:
            continue
        last = stops[opens[element]] - size
        for at in range(starts[opens[element]], last + 1):
            i = 0
            while i < size and xml[at + i] == written[i]:
                i += 1
            if i == size:
                found[element] = True
                break
    return found_array.view(np.bool_)


def covered(elements not None, const int64_t[::1] ends not None):
    """Marks the elements that are marked, and their descendants."""
    cdef const unsigned char[::1] marked = elements.view(np.uint8)
    cdef Py_ssize_t element, reached = 0
    marks_array = np.empty(ends.shape[0], np.uint8)
    cdef unsigned char[::1] marks = marks_array
    for element in range(ends.shape[0]):
        if marked[element]:
            reached = max(reached, ends[element])
        marks[element] = element < reached
    return marks_array.view(np.bool_)
