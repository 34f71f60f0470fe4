"""Whether bytes are UTF-8, how many characters they are, and how much of them is."""

from libc.stdint cimport uint64_t
from libc.string cimport memcpy

cdef enum:
    BLOCK = 64  # bytes that are asked at once whether they are all ASCII
    WORD = 8

cdef extern from *:
    """
    #define HIGH 0x8080808080808080ULL
    #define LOW 0x0101010101010101ULL
    """
    const uint64_t HIGH, LOW
    int lowest_bit "__builtin_ctzll"(uint64_t bits) nogil  # which is set, of some


cdef inline bint _is_tail(unsigned char byte) noexcept nogil:
    return byte & 0xC0 == 0x80


cdef inline bint _may_follow(unsigned char lead, unsigned char second) noexcept nogil:
    """Whether a sequence may continue so: neither too long for its character, nor a surrogate, nor too far."""
    if lead == 0xE0:
        return 0xA0 <= second <= 0xBF
    if lead == 0xED:
        return 0x80 <= second <= 0x9F
    if lead == 0xF0:
        return 0x90 <= second <= 0xBF
    if lead == 0xF4:
        return 0x80 <= second <= 0x8F
    return _is_tail(second)


cdef inline Py_ssize_t _size(unsigned char lead) noexcept nogil:
    """Bytes of the sequence that a byte beyond ASCII begins; 0 where it begins none."""
    if lead < 0xC2:
        return 0
    if lead < 0xE0:
        return 2
    if lead < 0xF0:
        return 3
    return 4 if lead < 0xF5 else 0


cdef inline bint _is_whole(const unsigned char[::1] body, Py_ssize_t at, Py_ssize_t size) noexcept nogil:
    """Whether a whole and valid sequence of `size` bytes is at `at`, which is within `body`."""
    if size == 0 or body.shape[0] - at < size or not _may_follow(body[at], body[at + 1]):
        return False
    if size == 2:
        return True
    if size == 3:
        return _is_tail(body[at + 2])
    return _is_tail(body[at + 2]) and _is_tail(body[at + 3])


cdef bint _is_cut(const unsigned char[::1] body, Py_ssize_t at, Py_ssize_t size) noexcept nogil:
    """Whether the body ends within the sequence of `size` bytes at `at`, and it is right so far."""
    cdef Py_ssize_t there = body.shape[0] - at
    if there >= size:
        return False
    if there == 1:
        return True
    if body[at] == 0xED and there == 2:
        return _is_tail(body[at + 1])  # Python's codec does not see a surrogate before its third byte
    return _may_follow(body[at], body[at + 1]) and (there == 2 or _is_tail(body[at + 2]))


cdef inline uint64_t _marks(uint64_t word) noexcept nogil:
    """The high bits of a word of ASCII tell whether there is a NUL or an ESC in it.

    In bytes below 0x80, one less than zero alone has the high bit (and lends it to those above).
    """
    return (word - LOW) | ((word ^ (LOW * 0x1B)) - LOW)


cdef inline bint _is_ascii_block(
    const unsigned char[::1] body, Py_ssize_t start, uint64_t* marks
) noexcept nogil:
    """Whether the `BLOCK` bytes from `start` on, all within `body`, are ASCII; then `marks` tells of NUL, ESC.

    Without a way out of the loop, so that the compiler makes few instructions of it.
    """
    cdef uint64_t word, high = 0, found = 0
    cdef Py_ssize_t i
    for i in range(BLOCK // WORD):
        memcpy(&word, &body[start + i * WORD], WORD)
        high |= word
        found |= _marks(word)
    if high & HIGH:
        return False
    marks[0] |= found & HIGH
    return True


cdef inline Py_ssize_t _after_ascii(const unsigned char[::1] body, Py_ssize_t at, uint64_t* marks) noexcept nogil:
    """The first byte from `at` on that is not ASCII, or the end; `marks` as above."""
    cdef Py_ssize_t length = body.shape[0], start = at
    cdef uint64_t word, high
    while at + WORD <= length:
        memcpy(&word, &body[at], WORD)
        high = word & HIGH
        if high:
            high = (high & -high) >> 7  # the lowest bit of the first byte beyond ASCII: those before it count
            marks[0] |= _marks((word & (high - 1)) | (LOW * 0x20 & -high)) & HIGH
            return at + lowest_bit(high) // WORD
        marks[0] |= _marks(word) & HIGH
        at += WORD
        if at - start == BLOCK:  # a long run, it seems
            while at + BLOCK <= length and _is_ascii_block(body, at, marks):
                at += BLOCK
    while at < length and body[at] < 0x80:
        marks[0] |= (body[at] == 0) | (body[at] == 0x1B)
        at += 1
    return at


def survey(const unsigned char[::1] body not None, bint final):
    """Look a page over once, as UTF-8 (RFC 3629, as Python's strict codec has it); no text is made of it.

    Without `final` the page is cut: an incomplete sequence at its end is then no error.

    Returns:
        How many bytes are valid, less than all where there is an error, or an incomplete end; code points of these, -1
        where there is an error; whether there is a NUL or an ESC, False where there is an error.
    """
    cdef Py_ssize_t length = body.shape[0], at = 0, inner = 0, size
    cdef uint64_t marks = 0
    cdef bint valid = True
    with nogil:
        while at < length:
            if body[at] < 0x80:
                at = _after_ascii(body, at, &marks)
                continue
            size = _size(body[at])
            if not _is_whole(body, at, size):
                valid = not final and _is_cut(body, at, size)
                break
            inner += size - 1
            at += size
    if not valid:
        return at, -1, False
    return at, at - inner, marks != 0


cdef Py_ssize_t _wrong_size(const unsigned char[::1] body, Py_ssize_t at, Py_ssize_t size) noexcept nogil:
    """Return the bytes that one U+FFFD stands for, where the sequence of `size` bytes at `at` is wrong."""
    cdef Py_ssize_t there = body.shape[0] - at
    if size == 0 or there < 2 or not _may_follow(body[at], body[at + 1]):
        return 1
    if there < 3 or not _is_tail(body[at + 2]):
        return 2
    return 3


def weigh(const unsigned char[::1] body not None):
    """Weigh the characters beyond ASCII that are valid UTF-8 in a page against the U+FFFD that decoding puts in.

    These are one for each longest beginning of a sequence, else one for each byte (WHATWG Encoding, section 4.1;
    Unicode, section 3.9, U+FFFD Substitution of Maximal Subparts). Returns both.
    """
    cdef Py_ssize_t length = body.shape[0], at = 0, right = 0, wrong = 0, size
    cdef uint64_t marks = 0
    with nogil:
        while at < length:
            if body[at] < 0x80:
                at = _after_ascii(body, at, &marks)
                continue
            size = _size(body[at])
            if _is_whole(body, at, size):
                right += 1
                at += size
            else:
                wrong += 1
                at += _wrong_size(body, at, size)
    return right, wrong
