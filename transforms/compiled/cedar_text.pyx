"""Twins of `transforms.extractors.cedar_text`."""

from libc.string cimport memchr


cdef enum:
    LONGEST_NAME = 32  # of a reference, in characters
    NO_BREAK = 0xA0  # the code points beyond ASCII that are blanks, and lie apart
    NEXT_LINE = 0x85


cdef inline bint _is_digit(unsigned char byte) noexcept nogil:
    return 0x30 <= byte <= 0x39


cdef inline bint _is_letter(unsigned char byte) noexcept nogil:
    return 0x61 <= (byte | 0x20) <= 0x7A


cdef inline bint _is_hexadecimal(unsigned char byte) noexcept nogil:
    return _is_digit(byte) or 0x61 <= (byte | 0x20) <= 0x66


cdef Py_ssize_t _reference_stop(const unsigned char[::1] text, Py_ssize_t start) noexcept nogil:
    """The byte behind the reference whose `&` is at `start`; 0 if there is none."""
    cdef Py_ssize_t size = text.shape[0], at = start + 1, first
    if at < size and text[at] == c"#":
        at += 1
        if at < size and text[at] | 0x20 == c"x":
            at += 1
            first = at
            while at < size and _is_hexadecimal(text[at]):
                at += 1
        else:
            first = at
            while at < size and _is_digit(text[at]):
                at += 1
    else:
        first = at
        while at < size and at - first < LONGEST_NAME and (_is_letter(text[at]) or _is_digit(text[at])):
            at += 1
    if at == first:
        return 0
    return at + 1 if at < size and text[at] == c";" else at


def _unescaped(bytes text not None, decoded):
    """Puts what each different reference is decoded to in its place."""
    cdef const unsigned char[::1] data = text
    cdef Py_ssize_t size = data.shape[0], at = 0, behind = 0, stop
    cdef const void *found
    cdef dict known = {}
    cdef list pieces = []
    while at < size:
        found = memchr(&data[at], c"&", size - at)  # within [at, size)
        if found == NULL:
            break
        at = <const unsigned char *>found - &data[0]
        stop = _reference_stop(data, at)
        if not stop:
            at += 1
            continue
        written = text[at:stop]
        character = known.get(written)
        if character is None:
            known[written] = character = decoded(written)
        if behind < at:
            pieces.append(text[behind:at])
        pieces.append(character)
        behind = at = stop
    if not pieces:
        return text
    pieces.append(text[behind:])
    return b"".join(pieces)


cdef inline bint _is_wide_blank(unsigned char lead, unsigned char second, unsigned char third) noexcept nogil:
    """Whether three bytes are a blank: U+1680, U+2000 to U+200A, U+2028, U+2029, U+202F, U+205F, U+3000."""
    if lead == 0xE1:
        return second == 0x9A and third == 0x80
    if lead == 0xE2:
        if second == 0x80:
            return 0x80 <= third <= 0x8A or third == 0xA8 or third == 0xA9 or third == 0xAF
        return second == 0x81 and third == 0x9F
    return lead == 0xE3 and second == 0x80 and third == 0x80


cdef Py_ssize_t clean(
    const unsigned char[::1] html, Py_ssize_t start, Py_ssize_t stop, bint hard, unsigned char[::1] out,
    Py_ssize_t at,
) noexcept nogil:
    """Writes bytes [start, stop) of a page at `at`, as `cleaned` does; where the next are written.

    It writes no more bytes than it reads. `at` is 1 or more, and spaces behind a space are not written.
    """
    cdef unsigned char byte
    cdef Py_ssize_t i = start
    while i < stop:
        byte = html[i]
        i += 1
        if 0x20 < byte < 0xC2:
            out[at] = byte
            at += 1
            while i < stop and 0x20 < html[i] < 0xC2:
                out[at] = html[i]
                at += 1
                i += 1
            continue
        if byte <= 0x20:
            if hard and (byte == 0x0A or byte == 0x20 or byte == 0x09):
                out[at] = HARD_LINE if byte == 0x0A else HARD_SPACE if byte == 0x20 else HARD_TAB
                at += 1
                continue
            if byte < 0x09 or 0x0E <= byte <= 0x1B:
                continue
        elif byte == 0xC2 and i < stop and html[i] <= NO_BREAK:
            i += 1
            if html[i - 1] != NO_BREAK and html[i - 1] != NEXT_LINE:
                continue  # all others up to U+00A0 are control characters
        elif 0xE1 <= byte <= 0xE3 and i + 1 < stop and _is_wide_blank(byte, html[i], html[i + 1]):
            i += 2
        else:
            out[at] = byte
            at += 1
            continue
        if out[at - 1] != SPACE:
            out[at] = SPACE
            at += 1
    return at


cdef inline unsigned char _has_hard(const unsigned char *bytes, Py_ssize_t count) noexcept nogil:
    """Whether one of `count` bytes is a blank of `pre`."""
    cdef unsigned char seen = 0
    cdef Py_ssize_t i
    for i in range(count):
        seen |= <unsigned char>(<unsigned char>(bytes[i] - HARD_LINE) <= HARD_TAB - HARD_LINE)
    return seen


cdef Py_ssize_t render(
    const unsigned char[::1] coded, Py_ssize_t start, Py_ssize_t stop, unsigned char[::1] out, Py_ssize_t at
) noexcept nogil:
    """Writes bytes [start, stop) of the text at `at`, as `readable` does; where the next are written.

    It writes no more bytes than it reads.
    """
    cdef Py_ssize_t i = start, begin = at, line = at, solid = at
    cdef unsigned char byte
    if start == stop:
        return at
    if not _has_hard(&coded[start], stop - start):
        while i < stop:
            byte = coded[i]
            i += 1
            if byte <= SPACE:
                if byte == SPACE and at > begin and out[at - 1] != SPACE:
                    out[at] = SPACE
                    at += 1
                continue
            out[at] = byte
            at += 1
            while i < stop and coded[i] > SPACE:
                out[at] = coded[i]
                at += 1
                i += 1
        return at - 1 if at > begin and out[at - 1] == SPACE else at
    # `line` is where the line begins, `solid` the byte behind its last one that is no blank.
    for i in range(start, stop):
        byte = coded[i]
        if byte == BREAK or byte == INLINE:
            continue
        if byte == HARD_LINE:
            at = line
            if solid > line:
                out[solid] = c"\n"
                at = solid + 1
            line = solid = at
        elif byte == HARD_SPACE or byte == SPACE:
            out[at] = SPACE
            at += 1
        elif byte == HARD_TAB:
            out[at] = c"\t"
            at += 1
        else:
            out[at] = byte
            at += 1
            solid = at
    at = solid
    # The line feed of the last line that is not empty parts nothing.
    if at == line and at > begin:
        at -= 1
    return at
