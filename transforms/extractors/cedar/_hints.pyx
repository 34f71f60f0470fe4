"""What authors say of their elements: words in `class`, `id`, `role` and `itemprop`, and hidden elements.

A value is cut into words of letters at anything else and before capitals; words are told apart by their first
eight letters.
"""

import numpy as np

from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.string cimport memchr, memcmp, memcpy

from transforms.extractors.cedar._lookup cimport Lookup, find
from transforms.extractors.cedar._markup cimport Markup
from transforms.extractors.html._bytes cimport eight, mixed, zero_bytes
from transforms.extractors.html._tags cimport Tags

from transforms.extractors.cedar import names as vocabulary

cdef enum:
    SHORTEST = 8  # bytes of the shortest tag with an attribute that is looked at: `<p id=x>`
    LIMIT = 8  # letters by which words are told apart
    LANES = 8  # bytes that are looked at in one go

cdef Lookup WORDS = Lookup(vocabulary.WORDS)

assert len(vocabulary.GROUPS) <= 32, "groups are bits of 32"


cdef struct Tag:
    Py_ssize_t start  # its `<`
    Py_ssize_t stop  # the byte after its `>`
    Py_ssize_t blank  # where its last unquoted value stops
    Py_ssize_t read  # up to where words have been read


cdef class Hints:
    """What is said of e elements.

    Attributes:
        groups: uint32 (e,), bit g is set where a word of group g of `names.GROUPS` is said of the element.
        signatures: uint64 (e,), equal for elements of one name and one `class`.
        hidden: uint8 (e,), whether the element is not to be seen.
    """

    def __init__(self, Markup markup not None, opens, codes):
        """Reads the start tags of elements.

        Args:
            markup: the tags of the page.
            opens: int64 (e,), the start tag of each element; that of element 0, the page, is not looked at.
            codes: int64 (e,), the names of the elements.
        """
        self._read(markup.html, markup.tags, opens, codes)

    cdef int _read(
        self, const unsigned char[::1] html, Tags tags, const int64_t[::1] opens, const int64_t[::1] codes
    ) except -1:
        cdef Py_ssize_t count = codes.shape[0], element, at
        cdef Tag tag
        cdef const unsigned char *found
        cdef uint64_t signature
        self.groups, self.hidden = np.zeros(count, np.uint32), np.zeros(count, np.uint8)
        self.signatures = np.empty(count, np.uint64)
        self.signatures[0] = <uint64_t>(codes[0] + 2)
        for element in range(1, count):
            self.signatures[element] = <uint64_t>(codes[element] + 2)
            tag.start, tag.stop = tags.start[opens[element]], tags.stop[opens[element]]
            if tag.stop - tag.start < SHORTEST:
                continue
            tag.blank = tag.read = at = tag.start
            while at < tag.stop - 1:
                # Within the tag, which is within the page.
                found = <const unsigned char *>memchr(&html[at], c"=", tag.stop - 1 - at)
                if found == NULL:
                    break
                at = found - &html[0]
                signature = 0
                self.groups[element] |= _said(html, &tag, at, &signature)
                if signature:
                    self.signatures[element] = <uint64_t>(codes[element] + 2) ^ signature
                at += 1
            if _may_hide(html, tag.start, tag.stop):
                self.hidden[element] = _hides(html, tag)
        return 0

    def said(self, Py_ssize_t group):
        """The elements of which a word of a group is said: bool (e,)."""
        return (np.asarray(self.groups) >> np.uint32(group) & np.uint32(1)).astype(bool)


cdef uint32_t _said(
    const unsigned char[::1] html, Tag *tag, Py_ssize_t equals, uint64_t *signature
) noexcept nogil:
    """The groups of the words of the attribute at an equals sign; a signature of its value, if it is a class."""
    cdef unsigned char last = html[equals - 1] | 0x20
    cdef bint is_class = last == c"s" and _is_named(html, tag, equals, b"class", 5)
    cdef Py_ssize_t begin, stop = 0
    cdef uint32_t groups
    if not (
        is_class
        or last == c"d" and _is_named(html, tag, equals, b"id", 2)
        or last == c"e" and _is_named(html, tag, equals, b"role", 4)
        or last == c"p" and _is_named(html, tag, equals, b"itemprop", 8)
    ):
        return 0
    begin = _value(html, tag, equals, &stop)
    if stop <= begin:
        return 0
    # What has been read in a value around this one is not read again: words end where values do.
    groups = _groups(html, max(begin, tag.read), stop)
    if is_class and begin >= tag.read:
        signature[0] = mixed(html, begin, stop)
    tag.read = max(tag.read, stop)
    return groups


cdef inline bint _is_named(
    const unsigned char[::1] html, const Tag *tag, Py_ssize_t at, const char *name, Py_ssize_t length
) noexcept nogil:
    """Whether a name, in any case, stands before `at`, and before it what parts attributes."""
    cdef Py_ssize_t i, begin = at - length
    cdef unsigned char before
    if begin <= tag.start:
        return False
    for i in range(length):
        if html[begin + i] | 0x20 != <unsigned char>name[i]:
            return False
    before = html[begin - 1]
    return before <= 0x20 or before == c'"' or before == c"'" or before == c"/"


cdef Py_ssize_t _value(
    const unsigned char[::1] html, Tag *tag, Py_ssize_t equals, Py_ssize_t *stop
) noexcept nogil:
    """Where the value after an equals sign begins and stops."""
    cdef Py_ssize_t begin = equals + 1, at, last = tag.stop - 1
    cdef unsigned char first = html[begin] if begin < tag.stop else 0
    cdef const unsigned char *found = NULL
    if first == c'"' or first == c"'":
        begin += 1
        if begin < last:
            found = <const unsigned char *>memchr(&html[begin], first, last - begin)  # within the tag
        stop[0] = last if found == NULL else found - &html[0]
        return begin
    # Values that begin in the last one stop where it does, and are not walked again.
    at = max(begin, tag.blank)
    while at < last and html[at] > 0x20:
        at += 1
    tag.blank = at
    stop[0] = min(at, last)
    return begin


cdef uint32_t _groups(const unsigned char[::1] html, Py_ssize_t start, Py_ssize_t stop) noexcept nogil:
    """The groups of the words of a value."""
    cdef Py_ssize_t at = start, begin
    cdef uint64_t key
    cdef int64_t group
    cdef uint32_t groups = 0
    while at < stop:
        begin = at
        key = 0
        # A word ends at what is no letter, and before a capital after a small letter.
        while at < stop and _is_letter(html[at]) and (
            at == begin or not _is_capital(html[at]) or _is_capital(html[at - 1])
        ):
            if at - begin < LIMIT:
                key |= <uint64_t>(html[at] | 0x20) << 8 * (at - begin)
            at += 1
        if at == begin:
            at += 1
            continue
        group = find(WORDS, key)
        if group >= 0:
            groups |= <uint32_t>1 << group
    return groups


cdef inline bint _is_letter(unsigned char byte) noexcept nogil:
    return c"a" <= (byte | 0x20) <= c"z"


cdef inline bint _is_capital(unsigned char byte) noexcept nogil:
    return c"A" <= byte <= c"Z"


cdef bint _may_hide(const unsigned char[::1] html, Py_ssize_t start, Py_ssize_t stop) noexcept nogil:
    """Whether `dde`, or `y` and a colon, stands in a tag, as in `hidden` and `display:`."""
    cdef Py_ssize_t at = start, last = stop - LANES - 2
    cdef uint64_t letters, next, after, hidden, style, seen = 0
    if last < start:
        return False
    while True:
        # Each letter with the two after it: LANES + 2 bytes of the tag.
        memcpy(&letters, &html[at], LANES)
        memcpy(&next, &html[at + 1], LANES)
        memcpy(&after, &html[at + 2], LANES)
        hidden = (letters ^ eight(c"d")) | (next ^ eight(c"d")) | (after ^ eight(c"e"))
        style = ((letters | eight(0x20)) ^ eight(c"y")) | (next ^ eight(c":"))
        seen |= zero_bytes(hidden) | zero_bytes(style)
        if at == last:
            return seen != 0
        at = min(at + LANES, last)


cdef bint _hides(const unsigned char[::1] html, Tag tag) noexcept nogil:
    """Whether a tag hides its element by `style`, by `hidden` or by `aria-hidden`."""
    cdef bint double = False, single = False  # inside of quotes, by their parity
    cdef Py_ssize_t at
    cdef unsigned char byte
    for at in range(tag.start, tag.stop - 1):
        byte = html[at]
        if byte == c'"':
            double = not double
        elif byte == c"'":
            single = not single
        elif byte == c":":
            if _is_unseen(html, tag, at):
                return True
        # `hidden` is known by its rarest letters.
        elif byte == c"d" and html[at + 1] == c"d" and _stands(html, tag, at - 2, b"hidden", 6):
            if _is_hidden(html, tag, at - 2, not (double or single)):
                return True
    return False


cdef inline bint _stands(
    const unsigned char[::1] html, Tag tag, Py_ssize_t at, const char *letters, Py_ssize_t length
) noexcept nogil:
    """Whether letters stand at `at`, all of them inside of the tag."""
    return tag.start <= at and at + length <= tag.stop and memcmp(&html[at], letters, length) == 0


cdef bint _is_unseen(const unsigned char[::1] html, Tag tag, Py_ssize_t colon) noexcept nogil:
    """Whether a style around a colon hides the element."""
    cdef Py_ssize_t after = colon + 1
    cdef bint blank = after < tag.stop and html[after] == 0x20
    if _stands(html, tag, colon - 6, b"isplay", 6):
        return _stands(html, tag, after + blank, b"none", 4)
    if _stands(html, tag, colon - 9, b"isibility", 9):
        return _stands(html, tag, after + blank, b"hidden", 6)
    return _stands(html, tag, colon - 6, b"ISPLAY: NONE", 12)


cdef bint _is_hidden(const unsigned char[::1] html, Tag tag, Py_ssize_t at, bint outside) noexcept nogil:
    """Whether `hidden`, which stands at `at`, hides the element: as an attribute, or after `aria-`."""
    cdef Py_ssize_t after = at + 6, last = min(at + 12, tag.stop)
    cdef unsigned char byte
    if outside and after < tag.stop and html[at - 1] <= 0x20:
        byte = html[after]
        if byte <= 0x20 or byte == c">" or byte == c"/" or byte == c"=":
            return True
    if not _stands(html, tag, at - 5, b"aria-", 5):
        return False
    while after < last and (html[after] == c"=" or html[after] == c'"' or html[after] == c"'"):
        after += 1
    return after + 4 <= last and _stands(html, tag, after, b"true", 4)
