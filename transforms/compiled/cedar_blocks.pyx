"""Twins of `transforms.extractors.cedar_blocks`."""

import numpy as np

from libc.stdint cimport int64_t, uint64_t

from transforms.compiled.cedar_lookup cimport checked_shift, find
from transforms.compiled.cedar_text cimport (
    BREAK, DIGIT, IDEOGRAPH, INLINE, INNER, KINDS, LETTER, OTHER, SPACE, UNSPACED, UPPER, clean,
)

cdef enum:
    ANCHOR = 0
    PREFORMATTED = 1
    UNSEEN = 2
    WORD = 10
    HAN = 6
    THAI = 2
    PART = 256  # bytes that are looked at in one go


def _type_mentions(const unsigned char[::1] html not None, tuple marks not None, Py_ssize_t most):
    """Where the marks stand, each of them `most` times at most, ascending."""
    cdef Py_ssize_t size = html.shape[0], part = 0, stop, i, tail = len(b"pe=")
    cdef list found = []
    cdef list counts = [0] * len(marks)
    while part < size - 1:
        stop = min(part + PART, size - 1)
        if _has_pair(&html[part], stop - part):  # which are followed by one byte or more
            for i in range(part, stop):
                if html[i] == c"y" and html[i + 1] == c"p" and i + tail < size and html[i + 2] == c"e":
                    _take_mention(html, i + tail, marks, most, counts, found)
        part = stop
    return found


cdef inline unsigned char _has_pair(const unsigned char *bytes, Py_ssize_t count) noexcept nogil:
    """Whether `yp` begins at one of the first `count` bytes, behind which there is another one."""
    cdef unsigned char seen = 0
    cdef Py_ssize_t i
    for i in range(count):
        seen |= <unsigned char>(bytes[i] == c"y") & <unsigned char>(bytes[i + 1] == c"p")
    return seen


cdef int _take_mention(
    const unsigned char[::1] html, Py_ssize_t last, tuple marks, Py_ssize_t most, list counts, list found
) except -1:
    """Adds the place of the mark whose last byte is at `last`, if there is one."""
    cdef Py_ssize_t number, length, i
    cdef const unsigned char[::1] mark
    for number in range(len(marks)):
        mark = marks[number]
        length = mark.shape[0]
        if last + 1 < length or counts[number] >= most:
            continue
        i = 0
        while i < length and html[last + 1 - length + i] == mark[i]:
            i += 1
        if i == length:
            counts[number] += 1
            found.append(last + 1 - length)
    return 0


cdef inline bint _spells_href(const unsigned char[::1] html, Py_ssize_t at) noexcept nogil:
    """Whether `href` stands at `at`, in any case."""
    return (
        at + 4 <= html.shape[0]
        and html[at] | 0x20 == c"h"
        and html[at + 1] | 0x20 == c"r"
        and html[at + 2] | 0x20 == c"e"
        and html[at + 3] | 0x20 == c"f"
    )


cdef bint _has_target(const unsigned char[::1] html, Py_ssize_t start, Py_ssize_t stop) noexcept nogil:
    """Whether `href` stands in the tag [start, stop)."""
    cdef Py_ssize_t at
    if _spells_href(html, start + 3):  # most begin `<a href`
        return True
    for at in range(start, stop - 3):
        if _spells_href(html, at):
            return True
    return False


def _gaps(
    const unsigned char[::1] html not None,
    const int64_t[::1] starts not None,
    const int64_t[::1] stops not None,
    const uint64_t[::1] keys not None,
    ends,
    block_level,
    classes,
):
    """Marks tags that are shown and that part blocks; gaps that are not shown, in links, and in `pre`."""
    cdef const unsigned char[::1] is_end = ends.view(np.uint8), is_block = block_level.view(np.uint8)
    cdef const uint64_t[::1] table_keys = classes.keys
    cdef const int64_t[::1] table_values = classes.values
    cdef uint64_t multiplier = classes.multiplier
    cdef int shift = checked_shift(table_keys, table_values, classes.shift)
    cdef Py_ssize_t size = keys.shape[0], tag
    cdef int64_t kind, depth = 0
    cdef bint in_link = False, in_pre = False
    if starts.shape[0] != size or stops.shape[0] != size:
        raise IndexError("tags of different numbers")
    if is_end.shape[0] != size or is_block.shape[0] != size:
        raise IndexError("tags of different numbers")
    shown, parting = np.empty((2, size), bool)
    hidden, links, lines = np.empty((3, size + 1), bool)
    cdef unsigned char[::1] alive = shown.view(np.uint8), parts = parting.view(np.uint8)
    cdef unsigned char[::1] dead = hidden.view(np.uint8), linked = links.view(np.uint8)
    cdef unsigned char[::1] preformatted = lines.view(np.uint8)
    cdef int64_t[::1] found = np.empty(size, np.int64)
    cdef int64_t[::1] change = np.zeros(size + 2, np.int64)
    # For each name that is not shown, one more than the last tag of it, if that is a start tag.
    cdef int64_t[::1] opened = np.zeros(classes.limit, np.int64)
    with nogil:
        for tag in range(size):
            kind = found[tag] = find(table_keys, table_values, multiplier, shift, keys[tag])
            if UNSEEN <= kind < opened.shape[0]:
                if is_end[tag]:
                    if opened[kind]:
                        change[opened[kind]] += 1
                        change[tag + 1] -= 1
                    opened[kind] = 0
                else:
                    opened[kind] = tag + 1
        dead[0] = linked[0] = preformatted[0] = False
        for tag in range(size):
            depth += change[tag + 1]
            dead[tag + 1] = depth > 0
            alive[tag] = not (dead[tag] and dead[tag + 1])
            parts[tag] = alive[tag] and is_block[tag]
            kind = found[tag]
            if kind == ANCHOR and alive[tag]:
                in_link = not is_end[tag] and _has_target(html, starts[tag], stops[tag])
            elif kind == PREFORMATTED:
                in_pre = not is_end[tag]
            linked[tag + 1] = in_link
            preformatted[tag + 1] = in_pre
    return shown, parting, hidden, links, lines


def _shown(
    const unsigned char[::1] html not None,
    const int64_t[::1] starts not None,
    const int64_t[::1] stops not None,
    parts,
    dead,
    preformatted,
):
    """The text of the page with a placeholder before the first tag and for each."""
    cdef const unsigned char[::1] parting = parts.view(np.uint8), hidden = dead.view(np.uint8)
    cdef const unsigned char[::1] hard = preformatted.view(np.uint8)
    cdef Py_ssize_t size = starts.shape[0], gap, at = 1, behind = 0, start
    if stops.shape[0] != size or parting.shape[0] != size:
        raise IndexError("tags of different numbers")
    if hidden.shape[0] != size + 1 or hard.shape[0] != size + 1:
        raise IndexError("gaps of different numbers")
    # Each byte of text gives one byte at most, and so does each tag, which has two or more.
    buffer = np.empty(html.shape[0] + 1, np.uint8)
    cdef unsigned char[::1] out = buffer
    out[0] = BREAK
    with nogil:
        for gap in range(size + 1):
            start = starts[gap] if gap < size else html.shape[0]
            if not hidden[gap]:
                at = clean(html, behind, start, hard[gap], out, at)
            if gap < size:
                out[at] = BREAK if parting[gap] else INLINE
                at += 1
                behind = stops[gap]
    return buffer[:at].tobytes()


cdef inline unsigned char _has_run(const unsigned char *bytes, Py_ssize_t count) noexcept nogil:
    """Whether one of the first `count` bytes, behind which there is another one, begins a run of spaces."""
    cdef unsigned char seen = 0
    cdef Py_ssize_t i
    for i in range(count):
        seen |= <unsigned char>(bytes[i] == SPACE) & <unsigned char>(bytes[i + 1] == SPACE)
    return seen


cdef Py_ssize_t _shrink(const unsigned char[::1] text, unsigned char[::1] coded) noexcept nogil:
    """Writes text with one space for each run of them; how many bytes these are."""
    cdef Py_ssize_t i, at = 0, size = text.shape[0]
    for i in range(size):
        if text[i] != SPACE or i + 1 == size or text[i + 1] != SPACE:
            coded[at] = text[i]
            at += 1
    return at


cdef inline Py_ssize_t _kind(
    const unsigned char[::1] coded, Py_ssize_t at, const unsigned char[::1] code_points, Py_ssize_t *length
) noexcept nogil:
    """The kind of the code point whose first byte, beyond ASCII, is at `at`, and its length in bytes."""
    cdef Py_ssize_t size = coded.shape[0]
    cdef unsigned char first = coded[at]
    cdef unsigned int second = coded[at + 1] & 0x3F if at + 1 < size else 0
    cdef unsigned int third = coded[at + 2] & 0x3F if at + 2 < size else 0
    if first < 0xE0:
        length[0] = 2
        return code_points[(first & 0x1F) << 6 | second]
    if first < 0xF0:
        length[0] = 3
        return code_points[(first & 0x0F) << 12 | second << 6 | third]
    length[0] = 4
    return IDEOGRAPH if first == 0xF0 and second >= 0x20 else OTHER  # planes 2 and 3


cdef inline uint64_t _word(const unsigned char[::1] coded, Py_ssize_t at) noexcept nogil:
    """The eight bytes at `at` as one little-endian number, NUL behind the end."""
    cdef uint64_t word = 0
    cdef Py_ssize_t i
    for i in range(min(<Py_ssize_t>8, coded.shape[0] - at)):
        word |= <uint64_t>coded[at + i] << 8 * i
    return word


def _measured(
    const unsigned char[::1] text not None, in_links, const unsigned char[::1] code_points not None,
    Py_ssize_t max_blocks,
):
    """Finds the blocks of a text, and counts what is in each."""
    cdef const unsigned char[::1] in_link = in_links.view(np.uint8)
    cdef Py_ssize_t i, size, breaks = 0, block = 0
    if code_points.shape[0] != 0x10000:
        raise IndexError("kinds of other code points than those of the basic plane")
    if text.shape[0] > 1 and not _has_run(&text[0], text.shape[0] - 1):
        buffer = np.asarray(text)
    else:
        buffer = np.empty(text.shape[0], np.uint8)
        buffer = buffer[:_shrink(text, buffer)]
    cdef const unsigned char[::1] coded = buffer
    size = coded.shape[0]
    for i in range(size):
        breaks += coded[i] == BREAK
    most = min(breaks, max_blocks)
    numbers = np.empty((7, most), np.int64)
    cdef int64_t[:, ::1] measures = numbers
    counted = np.empty((most, <Py_ssize_t>KINDS), np.int64)
    cdef int64_t[:, ::1] kinds = counted
    ends_with = np.empty(most, np.uint8)
    cdef unsigned char[::1] last_kinds = ends_with
    first_words, last_words = np.empty((2, most), np.uint64)
    cdef uint64_t[::1] heads = first_words, tails = last_words
    cdef int64_t counts[256]
    cdef unsigned char ascii_kinds[256]  # beyond ASCII: none
    cdef Py_ssize_t gap = -1, first_gap, start, chars, linked, first, last, words, letters, place, length
    cdef Py_ssize_t kind, last_kind, inner, begin
    cdef unsigned char byte
    cdef bint is_linked, was_inside
    for i in range(256):
        ascii_kinds[i] = code_points[i] if i < 0x80 else 255
    i = 0
    with nogil:
        while i < size and block < most:
            # A block begins behind a placeholder that parts blocks; the text begins with one.
            i += 1
            gap += 1
            start, first_gap = i, gap
            chars = linked = words = letters = 0
            first = last = last_kind = 0
            was_inside = False
            is_linked = gap < in_link.shape[0] and in_link[gap]
            for place in range(KINDS):
                counts[place] = 0
            while i < size and coded[i] != BREAK:
                begin = i
                while i < size and ascii_kinds[coded[i]] == LETTER:
                    i += 1
                if i > begin:
                    letters += i - begin
                    words += not was_inside
                    was_inside = True
                    last_kind = LETTER
                elif coded[i] < 0x80:
                    byte = coded[i]
                    kind = ascii_kinds[byte]
                    i += 1
                    counts[kind] += 1
                    if UPPER <= kind <= DIGIT:
                        words += not was_inside
                        was_inside = True
                    else:
                        was_inside = False
                    if byte <= SPACE:
                        if byte == INLINE:
                            gap += 1
                            is_linked = gap < in_link.shape[0] and in_link[gap]
                        continue
                    last_kind = kind
                else:
                    byte = coded[i]
                    length = 1
                    kind = inner = OTHER
                    if byte >= 0xC2:
                        kind = _kind(coded, i, code_points, &length)
                        inner = INNER if kind == LETTER or kind == DIGIT else OTHER
                    length = min(length, size - i)
                    i += length
                    counts[kind] += 1
                    counts[inner] += length - 1
                    if LETTER <= kind <= DIGIT:
                        words += not was_inside
                        was_inside = True
                    else:
                        was_inside = False
                    if byte < 0xC0:
                        continue
                    last_kind = kind
                    last = begin
                    if not chars:
                        first = begin
                    chars += 1
                    linked += is_linked
                    continue
                # A run of letters, or another character of ASCII.
                last = i - 1
                if not chars:
                    first = begin
                chars += i - begin
                if is_linked:
                    linked += i - begin
            if not chars:
                continue
            counts[LETTER] += letters
            for place in range(KINDS):
                kinds[block, place] = counts[place]
            measures[0, block], measures[1, block] = start, i
            measures[2, block], measures[3, block] = first_gap, gap
            measures[4, block] = WORD * words + HAN * counts[IDEOGRAPH] + THAI * counts[UNSPACED]
            measures[5, block], measures[6, block] = chars, linked
            last_kinds[block] = <unsigned char>last_kind
            heads[block] = _word(coded, first)
            tails[block] = _word(coded, max(last - 5, first))
            block += 1
    starts, stops, first_gaps, last_gaps, units, all_chars, all_linked = numbers[:, :block]
    return (
        buffer,
        starts,
        stops,
        first_gaps,
        last_gaps,
        counted[:block],
        units,
        all_chars,
        all_linked,
        ends_with[:block],
        first_words[:block],
        last_words[:block],
    )
