"""Character references (HTML5, 13.2.5.72): what Python's `html.unescape` makes of them, from its own tables.

A reference is `&#` and digits, `&#x` and hexadecimal digits, or `&` and at most 32 letters and digits, with a
`;` or without. Control characters inside of one go before it is read.
"""

from html import unescape
from html.entities import html5

from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memcmp
from cedar.transforms.extractors.html._bytes cimport GOLDEN_RATIO, is_ascii_blank

cdef enum:
    SEMICOLON = 0x3B
    REPLACEMENT = 0xFFFD
    NO_DIGIT = 0xFF
    MAX_NAME = 32
    MAX_BARE_NAME = 6  # of those that need no semicolon
    LOW = 0xA0  # numeric references below it follow no rule
    SLOTS = 8192
    MAX_NAMES = 4096


cdef struct Name:
    uint64_t word  # its first eight bytes
    const unsigned char* written  # all of it, semicolon included
    Py_ssize_t length
    Decoded decoded


cdef unsigned char[256] DIGIT  # its value in base 36, `NO_DIGIT` for anything but a letter or digit of ASCII
cdef uint32_t[LOW] LOW_REFERENCE
cdef Name[MAX_NAMES] NAMES
cdef unsigned short[SLOTS] SLOT  # one more than the number of the name that is there; 0 for none
cdef list WRITTEN = sorted(name.encode("ascii") for name in html5)  # keeps the bytes of `NAMES`


cdef inline size_t _slot(uint64_t word, Py_ssize_t length) noexcept nogil:
    return <size_t> (((word + <uint64_t> length) * GOLDEN_RATIO) >> 51)


cdef _make_tables():
    cdef Py_ssize_t number, byte
    cdef size_t slot
    cdef const unsigned char[::1] written
    for byte in range(256):
        DIGIT[byte] = int(chr(byte), 36) if byte < 0x80 and chr(byte).isalnum() else NO_DIGIT
    for byte in range(LOW):
        character = unescape(f"&#{byte};")
        LOW_REFERENCE[byte] = ord(character) if character else NOTHING
    if len(WRITTEN) > MAX_NAMES:
        raise ValueError("more names than there is room for")
    for number in range(len(WRITTEN)):
        written = WRITTEN[number]
        text = html5[WRITTEN[number].decode("ascii")]
        NAMES[number].word = int.from_bytes(WRITTEN[number][:8], "little")
        NAMES[number].written = &written[0]
        NAMES[number].length = len(WRITTEN[number])
        NAMES[number].decoded.first = ord(text[0])
        NAMES[number].decoded.second = ord(text[1]) if len(text) > 1 else NOTHING
        slot = _slot(NAMES[number].word, NAMES[number].length)
        while SLOT[slot]:
            slot = (slot + 1) % SLOTS
        SLOT[slot] = number + 1


_make_tables()


cdef Py_ssize_t decode(
    const unsigned char* text, Py_ssize_t start, Py_ssize_t stop, Decoded* decoded
) noexcept nogil:
    """Decode the reference whose `&` is at `start`, of a text that ends at `stop`; the byte after it, 0 without one."""
    cdef Py_ssize_t at = _skipped(text, start + 1, stop)
    if at == stop:
        return 0
    if text[at] == c"#":
        return _numeric(text, at + 1, stop, decoded)
    return _named(text, at, stop, decoded) if DIGIT[text[at]] != NO_DIGIT else 0


cdef Py_ssize_t written_stop(const unsigned char* text, Py_ssize_t start, Py_ssize_t stop) noexcept nogil:
    """The byte after a text that is written like a reference, whose `&` is at `start`; 0 if there is none."""
    cdef Py_ssize_t at = start + 1, first, most = MAX_NAME
    cdef unsigned char base = 36
    if at < stop and text[at] == c"#":
        at += 1
        base, most = 10, stop
        if at < stop and text[at] | 0x20 == c"x":
            at += 1
            base = 16
    first = at
    while at < stop and at - first < most and DIGIT[text[at]] < base:
        at += 1
    if at == first:
        return 0
    return at + 1 if at < stop and text[at] == SEMICOLON else at


cdef Py_ssize_t _numeric(
    const unsigned char* text, Py_ssize_t at, Py_ssize_t stop, Decoded* decoded
) noexcept nogil:
    """Decode a numeric reference from after its `#`."""
    cdef uint32_t number = 0
    cdef unsigned char base = 10
    cdef Py_ssize_t behind = 0
    at = _skipped(text, at, stop)
    if at < stop and text[at] | 0x20 == c"x":
        base = 16
        at = _skipped(text, at + 1, stop)
    while at < stop and DIGIT[text[at]] < base:
        number = min(number * base + DIGIT[text[at]], <uint32_t> NOTHING)
        behind = at + 1
        at = _skipped(text, behind, stop)
    if not behind:
        return 0
    if number < LOW:
        number = LOW_REFERENCE[number]
    elif 0xD800 <= number < 0xE000 or number >= NOTHING:
        number = REPLACEMENT
    elif 0xFDD0 <= number < 0xFDF0 or number & 0xFFFE == 0xFFFE:
        number = NOTHING
    decoded.first, decoded.second = number, NOTHING
    return at + 1 if at < stop and text[at] == SEMICOLON else behind


cdef Py_ssize_t _named(
    const unsigned char* text, Py_ssize_t at, Py_ssize_t stop, Decoded* decoded
) noexcept nogil:
    """Decode a named reference: the whole name with its semicolon, else its longest beginning without."""
    cdef unsigned char[MAX_NAME + 1] name
    cdef Py_ssize_t[MAX_BARE_NAME + 1] behind
    cdef Py_ssize_t length = 0
    cdef uint64_t word = 0
    while length < MAX_NAME and at < stop and DIGIT[text[at]] != NO_DIGIT:
        name[length] = text[at]
        if length < 8:
            word |= <uint64_t> text[at] << 8 * length
        length += 1
        if length <= MAX_BARE_NAME:
            behind[length] = at + 1
        at = _skipped(text, at + 1, stop)
    if at < stop and text[at] == SEMICOLON:
        name[length] = SEMICOLON
        if length < 8:
            word |= <uint64_t> SEMICOLON << 8 * length
        if _looked_up(word, name, length + 1, decoded):
            return at + 1
    length = min(length, <Py_ssize_t> MAX_BARE_NAME)
    while length >= 2:
        if _looked_up(word & ((<uint64_t> 1 << 8 * length) - 1), name, length, decoded):
            return behind[length]
        length -= 1
    return 0


cdef inline bint _looked_up(
    uint64_t word, const unsigned char* written, Py_ssize_t length, Decoded* decoded
) noexcept nogil:
    """Put what a name of `length` bytes, the first eight in `word`, stands for into `decoded`, if anything."""
    cdef size_t slot = _slot(word, length)
    cdef Name* name
    while SLOT[slot]:
        name = &NAMES[SLOT[slot] - 1]
        # The bytes of both, of the same length.
        if name.word == word and name.length == length and (
            length <= 8 or memcmp(name.written, written, length) == 0
        ):
            decoded[0] = name.decoded
            return True
        slot = (slot + 1) % SLOTS
    return False


cdef inline Py_ssize_t _skipped(const unsigned char* text, Py_ssize_t at, Py_ssize_t stop) noexcept nogil:
    """The first byte from `at` on that no control character holds, or `stop`."""
    while at < stop:
        if text[at] == 0x7F or text[at] < 0x20 and not is_ascii_blank(text[at]):
            at += 1
        elif text[at] == 0xC2 and at + 1 < stop and text[at + 1] < 0xA0 and text[at + 1] != 0x85:
            at += 2
        else:
            break
    return min(at, stop)
