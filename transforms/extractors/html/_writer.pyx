"""Writes text as it reads in the output.

References become the characters that they stand for, control characters go (first, so that they part no words
and hold no blanks apart), and each run of blanks becomes one space. Outside of code, characters go that are not seen
and would keep a word from being found, such as soft hyphens. Each byte is looked at once.
"""

from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memcmp
from cedar.transforms.extractors.html._bytes cimport (
    Sixteen, code_point_at, encode, equal, is_blank, is_control, is_unseen, lowest_bit, sixteen,
)
from cedar.transforms.extractors.html._references cimport NOTHING, Decoded, decode

cdef extern from *:
    """
    static inline uint64_t which_change(Sixteen bytes, Sixteen next) {
        Sixteen change = (Sixteen)(bytes < ' ') | (Sixteen)(bytes == '&') | (Sixteen)(bytes == 0x7F);
        if (MARKS(bytes))
            change |= (Sixteen)((bytes == 0xC2) & (next <= 0xAD)) | (Sixteen)((bytes == 0xE1) & (next == 0x9A))
                | (Sixteen)((bytes == 0xEF) & (next == 0xBB))
                | (Sixteen)((bytes == 0xE2) & (next <= 0x81)) | (Sixteen)((bytes == 0xE3) & (next == 0x80));
        return MARKS(change);
    }
    static inline void put_sixteen(unsigned char *at, Sixteen bytes) { memcpy(at, &bytes, 16); }
    """
    # Which of sixteen bytes may be written as something else, a bit each, given those one further on: controls and
    # references, and beyond ASCII all that may be a blank or a control. Spaces are not among them.
    uint64_t which_change(Sixteen bytes, Sixteen next) nogil
    void put_sixteen(unsigned char* at, Sixteen bytes) nogil

# Kinds of bytes.
cdef enum:
    DROPPED  # a control character that is not a blank
    PLAIN
    BLANK
    AMPERSAND
    LEAD_TWO  # C2, of U+0080 to U+00BF: perhaps a control character, a blank, or not seen
    LEAD_THREE  # E1 to E3, of U+1000 to U+3FFF, and EF: perhaps a blank, or not seen

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
    KIND[0xE1] = KIND[0xE2] = KIND[0xE3] = KIND[0xEF] = LEAD_THREE


_make_tables()


cdef void write(
    ByteBuffer out, const unsigned char* text, Py_ssize_t there, Py_ssize_t length, bint trimmed, bint in_code = False
) noexcept nogil:
    """Write UTF-8 of a length, of the bytes that are there, to a buffer that is not empty and has room for it.

    A run of blanks becomes one space only after a byte above the space if `trimmed`, else after any but a space.
    Characters that are not seen stay if `in_code`.
    """
    # Within bounds: there is room for sixteen bytes besides.
    out.size = append(&out.bytes[0], out.size, text, there, length, trimmed, in_code)


cdef Py_ssize_t append(
    unsigned char* to, Py_ssize_t size, const unsigned char* text, Py_ssize_t there, Py_ssize_t length,
    bint trimmed, bint in_code
) noexcept nogil:
    """Write as `write` does, after the first `size` bytes, of which there is one; return how many there are then."""
    cdef Py_ssize_t at = 0, width
    # Whether a space may be written.
    cdef unsigned char kind, parts = to[size - 1] > SPACE if trimmed else to[size - 1] != SPACE
    cdef Decoded decoded
    cdef Sixteen letters
    cdef uint64_t spaces, others
    while at < length:
        # Bytes that stand for themselves, and single spaces.
        letters = sixteen(text + at, there - at)
        spaces = equal(letters, SPACE)
        others = which_change(letters, sixteen(text + at + 1, there - at - 1)) | spaces & (spaces << 1 | (not parts))
        put_sixteen(to + size, letters)
        width = lowest_bit(others | ~<uint64_t>0 << min(length - at, 16))
        if width:
            size += width
            at += width
            parts = text[at - 1] != SPACE
            if at == length or width == 16:
                continue
        kind = KIND[text[at]]
        if kind == BLANK:
            to[size] = SPACE
            size += parts
            parts = False
            at += 1
            while at < length and KIND[text[at]] == BLANK:  # with which lines are indented
                at += 1
            continue
        if kind > BLANK:
            width = 1
            if kind == AMPERSAND:
                width = decode(text, at, length, &decoded) - at
                if width > 0:
                    at += width
                    size = put_decoded(decoded, to, size, &parts, in_code)
                    continue
                width = 1
            else:
                kind = _kind_of_wide(text, at, length, &width, in_code)
            if width > 1:
                to[size] = SPACE
                size += (kind == BLANK) & parts
                parts &= kind != BLANK
                at += width
                continue
            kind = PLAIN
        to[size] = text[at]
        size += kind
        parts |= kind
        at += 1
    return size


cdef void write_preformatted(
    ByteBuffer out, const unsigned char* text, Py_ssize_t there, Py_ssize_t length
) noexcept nogil:
    """Write as `write` does in code, but line feeds, spaces and tabs each for itself: as `HARD_LINE` and its like."""
    cdef Py_ssize_t first, at = 0, width = 0
    while at < length:
        first = at
        while at < length and text[at] != LINE_FEED and text[at] != SPACE and text[at] != TAB:
            width = _no_break_space(text + at, length - at)
            if width:
                break
            at += 1
        write(out, text + first, there - first, at - first, False, True)
        if at < length:
            out.bytes[out.size] = HARD_LINE if text[at] == LINE_FEED else HARD_TAB if text[at] == TAB else HARD_SPACE
            out.size += 1
            at += max(width, <Py_ssize_t>1)
            width = 0


cdef inline Py_ssize_t _no_break_space(const unsigned char* text, Py_ssize_t length) noexcept nogil:
    """How many bytes long the no-break space is that a text begins with; 0 if it begins with none."""
    if length >= 2 and text[0] == 0xC2:
        return 2 * (text[1] == 0xA0)
    if length >= 6 and text[0] == c"&":
        return 6 * (memcmp(text, b"&nbsp;", 6) == 0 or memcmp(text, b"&#160;", 6) == 0)
    return 0


cdef inline Py_ssize_t put_decoded(
    Decoded decoded, unsigned char* out, Py_ssize_t size, unsigned char* parts, bint in_code
) noexcept nogil:
    """Write the characters that a reference stands for; there is room for both."""
    while decoded.first != NOTHING:
        if is_blank(decoded.first):
            out[size] = SPACE
            size += parts[0]
            parts[0] = False
        elif not is_control(decoded.first) and (in_code or not is_unseen(decoded.first)):
            size += encode(decoded.first, &out[size])
            parts[0] = True
        decoded.first, decoded.second = decoded.second, NOTHING
    return size


cdef inline unsigned char _kind_of_wide(
    const unsigned char* text, Py_ssize_t at, Py_ssize_t stop, Py_ssize_t* width, bint in_code
) noexcept nogil:
    """The kind of the character at C2, E1 to E3 or EF, and its bytes where it is not plain."""
    cdef Py_ssize_t length = 2 if text[at] == 0xC2 else 3
    cdef uint32_t character = code_point_at(&text[at], &length) if at + length <= stop else 0
    if is_blank(character) or character and is_control(character) or is_unseen(character) and not in_code:
        width[0] = length
        return BLANK if is_blank(character) else DROPPED
    return PLAIN
