"""Writes text as it reads in the output.

References become the characters that they stand for, control characters go (first, so that they part no words
and hold no blanks apart), and each run of blanks becomes one space. Each byte is looked at once.
"""

from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memcpy
from transforms.extractors.html._bytes cimport code_point_at, eight, encode, is_blank, is_control
from transforms.extractors.html._references cimport NOTHING, Decoded, decode

# Kinds of bytes.
cdef enum:
    DROPPED  # a control character that is not a blank
    PLAIN
    BLANK
    AMPERSAND
    LEAD_TWO  # C2, of U+0080 to U+00BF: perhaps a control character or a blank
    LEAD_THREE  # E1 to E3, of U+1000 to U+3FFF: perhaps a blank

cdef enum:
    TAB = 0x09
    LINE_FEED = 0x0A
    DELETE = 0x7F

cdef unsigned char[256] KIND


cdef _make_tables():
    cdef Py_ssize_t byte
    for byte in range(256):
        KIND[byte] = PLAIN
        if byte < 0x80 and is_blank(byte):
            KIND[byte] = BLANK
        elif byte < 0x80 and is_control(byte):
            KIND[byte] = DROPPED
    KIND[0x26] = AMPERSAND
    KIND[0xC2] = LEAD_TWO
    KIND[0xE1] = KIND[0xE2] = KIND[0xE3] = LEAD_THREE


_make_tables()


cdef void write(
    ByteBuffer out, const unsigned char[::1] text, Py_ssize_t start, Py_ssize_t stop, bint trimmed
) noexcept nogil:
    """Write bytes [start, stop) of a text in UTF-8 to a buffer that is not empty, and has room for what they become.

    A run of blanks becomes one space only after a byte above the space if `trimmed`, else after any but a space.
    """
    out.size = put_run(text, start, stop, out.bytes, out.size, trimmed)


cdef void write_preformatted(
    ByteBuffer out, const unsigned char[::1] text, Py_ssize_t at, Py_ssize_t stop
) noexcept nogil:
    """Write as `write` does, but line feeds, spaces and tabs each for itself: as `HARD_LINE` and its like."""
    cdef Py_ssize_t first
    while at < stop:
        first = at
        while at < stop and text[at] != LINE_FEED and text[at] != SPACE and text[at] != TAB:
            at += 1
        out.size = put_run(text, first, at, out.bytes, out.size, False)
        if at < stop:
            out.bytes[out.size] = HARD_LINE if text[at] == LINE_FEED else HARD_SPACE if text[at] == SPACE else HARD_TAB
            out.size += 1
            at += 1


cdef Py_ssize_t put_run(
    const unsigned char[::1] text, Py_ssize_t at, Py_ssize_t stop, unsigned char[::1] out, Py_ssize_t size,
    bint trimmed
) noexcept nogil:
    """Write [at, stop) of a text to `out` from `size` on; where the next byte goes."""
    cdef Py_ssize_t one_by_one = at, width
    # Whether a space may be written.
    cdef unsigned char kind, parts = out[size - 1] > SPACE if trimmed else out[size - 1] != SPACE
    cdef Decoded decoded
    cdef uint64_t letters
    while at < stop:
        if at >= one_by_one and at + 8 <= stop:
            # Eight bytes of the text, and as many places for them.
            memcpy(&letters, &text[at], 8)
            if (parts or text[at] != SPACE) and _reads_as_written(letters):
                memcpy(&out[size], &letters, 8)
                size += 8
                at += 8
                parts = text[at - 1] != SPACE
                continue
            one_by_one = at + 8
        kind = KIND[text[at]]
        if kind == BLANK:
            out[size] = SPACE
            size += parts
            parts = False
            at += 1
            while at < stop and KIND[text[at]] == BLANK:  # of which lines are indented
                at += 1
            continue
        if kind > BLANK:
            width = 1
            if kind == AMPERSAND:
                width = decode(text, at, stop, &decoded) - at
                if width > 0:
                    at += width
                    size = put_decoded(decoded, out, size, &parts)
                    continue
                width = 1
            else:
                kind = _kind_of_wide(text, at, stop, &width)
            if width > 1:
                out[size] = SPACE
                size += (kind == BLANK) & parts
                parts &= kind != BLANK
                at += width
                continue
            kind = PLAIN
        out[size] = text[at]
        size += kind
        parts |= kind
        at += 1
    return size


cdef inline bint _reads_as_written(uint64_t letters) noexcept nogil:
    """Whether eight bytes stand for themselves, and blanks are single spaces.

    Bytes are looked at side by side, without their high bits, so that no sum carries into the next one. C2, E1 to E3
    and, for one mask's sake, E0 may begin a blank.
    """
    cdef uint64_t high = eight(0x80), low = letters & ~high, spaces = ~_others(low, SPACE) & ~letters & high
    cdef uint64_t plain = (low + eight(0x80 - SPACE)) & _others(low, 0x26) & _others(low, DELETE)
    if letters & high:
        plain = plain & ~letters | letters & _others(low, 0x42) & _others(low & eight(0x7C), 0x60)
    return plain & high == high and not spaces & spaces << 8


cdef inline uint64_t _others(uint64_t letters, unsigned char byte) noexcept nogil:
    """The high bit of each byte below 0x80 that is another one, among bits without meaning."""
    return (letters ^ eight(byte)) + eight(0x7F)


cdef inline Py_ssize_t put_decoded(
    Decoded decoded, unsigned char[::1] out, Py_ssize_t size, unsigned char* parts
) noexcept nogil:
    """Write the characters that a reference stands for; there is room for both."""
    while decoded.first != NOTHING:
        if is_blank(decoded.first):
            out[size] = SPACE
            size += parts[0]
            parts[0] = False
        elif not is_control(decoded.first):
            size += encode(decoded.first, &out[size])
            parts[0] = True
        decoded.first, decoded.second = decoded.second, NOTHING
    return size


cdef inline unsigned char _kind_of_wide(
    const unsigned char[::1] text, Py_ssize_t at, Py_ssize_t stop, Py_ssize_t* width
) noexcept nogil:
    """The kind of the character at C2 or E1 to E3, and its bytes where it is not plain."""
    cdef Py_ssize_t length = 2 if text[at] == 0xC2 else 3
    cdef uint32_t character = code_point_at(&text[at], &length) if at + length <= stop else 0
    if is_blank(character) or character and is_control(character):
        width[0] = length
        return BLANK if is_blank(character) else DROPPED
    return PLAIN
