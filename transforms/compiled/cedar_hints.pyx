"""Twin of `transforms.extractors.cedar_hints`."""

import numpy as np

from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memcmp

from transforms.compiled.cedar_lookup cimport checked_shift, find

cdef enum:
    SHORTEST = 8  # bytes of the shortest tag with an attribute that is looked at
    NOT_LOOKED_AT = 8  # bytes at the begin of a page whose attributes are not heard
    LIMIT = 8  # letters by which words are told apart

cdef uint64_t HEAD_FACTOR = 0x9E3779B97F4A7C15
cdef uint64_t TAIL_FACTOR = 0xC2B2AE3D27D4EB4F


cdef struct Tag:
    Py_ssize_t start  # its `<`
    Py_ssize_t stop  # the byte behind its `>`
    Py_ssize_t element


cdef inline bint _stands(
    const unsigned char[::1] html, Tag tag, Py_ssize_t at, const char *word, Py_ssize_t length
) noexcept nogil:
    """Whether a word stands at `at`, all of it inside of the tag."""
    return tag.start <= at and at + length <= tag.stop and memcmp(&html[at], word, length) == 0


cdef inline bint _is_letter(unsigned char byte) noexcept nogil:
    return c"a" <= (byte | 0x20) <= c"z"


cdef inline bint _is_capital(unsigned char byte) noexcept nogil:
    return c"A" <= byte <= c"Z"


cdef inline bint _is_named(
    const unsigned char[::1] html, Tag tag, Py_ssize_t at, const char *name, Py_ssize_t length
) noexcept nogil:
    """Whether the name, in any case, and before it what parts attributes, stands before `at`."""
    cdef Py_ssize_t i, begin = at - length
    cdef unsigned char before
    if begin <= tag.start:
        return False
    for i in range(length):
        if html[begin + i] | 0x20 != <unsigned char>name[i]:
            return False
    before = html[begin - 1]
    return before <= 0x20 or before == c'"' or before == c"'" or before == c"/"


cdef inline uint64_t _window(const unsigned char[::1] html, Py_ssize_t at) noexcept nogil:
    """The eight bytes at `at` as one little-endian number, NUL behind the end."""
    cdef uint64_t word = 0
    cdef Py_ssize_t i
    for i in range(min(<Py_ssize_t>8, html.shape[0] - at)):
        word |= <uint64_t>html[at + i] << 8 * i
    return word


cdef Py_ssize_t _value(
    const unsigned char[::1] html, Tag tag, Py_ssize_t equals, Py_ssize_t *blank, Py_ssize_t *stop
) noexcept nogil:
    """Where the value behind an equals sign begins and stops.

    `blank` is where the tag's last unquoted value stopped: so do those that begin in it, and are not walked.
    """
    cdef Py_ssize_t begin = equals + 1, at, last = tag.stop - 1
    cdef unsigned char first = html[begin] if begin < tag.stop else 0
    if first == c'"' or first == c"'":
        begin += 1
        at = begin
        while at < last and html[at] != first:
            at += 1
    else:
        at = max(begin, blank[0])
        while at < last and html[at] > 0x20:
            at += 1
        blank[0] = at
    stop[0] = min(at, last)
    return begin


cdef void _read_words(
    const unsigned char[::1] html,
    Py_ssize_t start,
    Py_ssize_t stop,
    Py_ssize_t element,
    const uint64_t[::1] keys,
    const int64_t[::1] values,
    uint64_t multiplier,
    int shift,
    unsigned char[:, ::1] groups,
) noexcept nogil:
    """Looks up the words of a value."""
    cdef Py_ssize_t at = start, begin
    cdef uint64_t key
    cdef int64_t group
    while at < stop:
        begin = at
        key = 0
        # A word ends at what is no letter, and before a capital behind a small letter.
        while at < stop and _is_letter(html[at]) and (
            at == begin or not _is_capital(html[at]) or _is_capital(html[at - 1])
        ):
            if at - begin < LIMIT:
                key |= <uint64_t>(html[at] | 0x20) << 8 * (at - begin)
            at += 1
        if at == begin:
            at += 1
            continue
        group = find(keys, values, multiplier, shift, key)
        if 0 <= group < groups.shape[0]:
            groups[group, element] = True


cdef bint _is_unseen(const unsigned char[::1] html, Tag tag, Py_ssize_t colon) noexcept nogil:
    """Whether a style around a colon hides the element."""
    cdef Py_ssize_t behind = colon + 1
    cdef bint blank = behind < tag.stop and html[behind] == 0x20
    if _stands(html, tag, colon - 6, b"isplay", 6):
        return _stands(html, tag, behind + blank, b"none", 4)
    if _stands(html, tag, colon - 9, b"isibility", 9):
        return _stands(html, tag, behind + blank, b"hidden", 6)
    return _stands(html, tag, colon - 6, b"ISPLAY: NONE", 12)


cdef bint _is_hidden(
    const unsigned char[::1] html, Tag tag, Py_ssize_t at, bint outside
) noexcept nogil:
    """Whether `hidden`, which stands at `at`, hides the element: as an attribute, or behind `aria-`."""
    cdef Py_ssize_t behind = at + 6, last = min(at + 12, tag.stop)
    cdef unsigned char byte
    if outside and behind < tag.stop and html[at - 1] <= 0x20:
        byte = html[behind]
        if byte <= 0x20 or byte == c">" or byte == c"/" or byte == c"=":
            return True
    if not _stands(html, tag, at - 5, b"aria-", 5):
        return False
    while behind < last and (html[behind] == c"=" or html[behind] == c'"' or html[behind] == c"'"):
        behind += 1
    return behind + 4 <= last and _stands(html, tag, behind, b"true", 4)


def _hints(
    const unsigned char[::1] html not None,
    const int64_t[::1] starts not None,
    const int64_t[::1] stops not None,
    const int64_t[::1] opens not None,
    const int64_t[::1] codes not None,
    Py_ssize_t group_count,
    group_of,
):
    """Groups, signatures, and whether they are hidden, of elements."""
    cdef const uint64_t[::1] keys = group_of.keys
    cdef const int64_t[::1] values = group_of.values
    cdef uint64_t multiplier = group_of.multiplier
    cdef int shift = checked_shift(keys, values, group_of.shift)
    cdef Py_ssize_t count = codes.shape[0], at, begin, stop = 0, blank, reached, first_seen = NOT_LOOKED_AT
    cdef bint double, single, is_class, pair
    cdef unsigned char is_sign[256]
    cdef unsigned char byte
    cdef uint64_t mixed
    cdef Tag tag
    if opens.shape[0] != count or starts.shape[0] != stops.shape[0]:
        raise IndexError("groups, elements or tags of different numbers")
    all_groups = np.zeros((group_count, count), bool)
    all_signatures = np.empty(count, np.uint64)
    all_hidden = np.zeros(count, bool)
    cdef unsigned char[:, ::1] groups = all_groups.view(np.uint8)
    cdef uint64_t[::1] signatures = all_signatures
    cdef unsigned char[::1] hidden = all_hidden.view(np.uint8)
    for at in range(256):
        is_sign[at] = at == c'"' or at == c"'" or at == c":" or at == c"="
    for at in range(count):
        signatures[at] = <uint64_t>(codes[at] + 2)
        if at and not 0 <= opens[at] < starts.shape[0]:
            raise IndexError("an element without a start tag")
    for at in range(starts.shape[0]):
        if starts[at] < 0 or stops[at] > html.shape[0]:
            raise IndexError("a tag outside of the page")
    for tag.element in range(1, count):
        tag.start, tag.stop = starts[opens[tag.element]], stops[opens[tag.element]]
        if tag.stop - tag.start < SHORTEST:
            continue
        blank = reached = tag.start
        double = single = False  # inside of quotes, by their parity
        for at in range(tag.start, tag.stop - 1):
            byte = html[at]
            # `hidden` is known by its rarest letters.
            pair = (byte == c"d") & (html[at + 1] == c"d")
            if not (is_sign[byte] | pair):
                continue
            if pair:
                if _stands(html, tag, at - 2, b"hidden", 6) and _is_hidden(
                    html, tag, at - 2, not (double or single)
                ):
                    hidden[tag.element] = True
            elif byte == c'"':
                double = not double
            elif byte == c"'":
                single = not single
            elif byte == c":":
                if _is_unseen(html, tag, at):
                    hidden[tag.element] = True
            elif byte == c"=" and at > first_seen:
                is_class = _is_named(html, tag, at, b"class", 5)
                if not (
                    is_class
                    or _is_named(html, tag, at, b"id", 2)
                    or _is_named(html, tag, at, b"role", 4)
                    or _is_named(html, tag, at, b"itemprop", 8)
                ):
                    continue
                begin = _value(html, tag, at, &blank, &stop)
                if stop <= begin:
                    continue
                # What has been read in a value around this one is not read again: words end where values do.
                _read_words(
                    html, max(begin, reached), stop, tag.element, keys, values, multiplier, shift, groups
                )
                reached = max(reached, stop)
                if is_class:
                    mixed = _window(html, begin) * HEAD_FACTOR
                    mixed ^= _window(html, max(stop - 8, begin)) * TAIL_FACTOR
                    signatures[tag.element] = <uint64_t>(codes[tag.element] + 2) ^ (
                        mixed + <uint64_t>(stop - begin)
                    )
        first_seen = -1  # the trees have learned from pages whose first bytes were not looked at
    return all_groups, all_signatures, all_hidden
