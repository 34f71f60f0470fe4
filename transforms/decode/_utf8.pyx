"""Whether bytes are UTF-8, how many characters they are, and how much of them is."""

from libc.stdint cimport uint64_t
from libc.string cimport memcpy, memset

from cedar.transforms.extractors.html._bytes cimport lowest_bit

cdef extern from *:
    """
    #define ALL (~(uint64_t)0)
    static inline uint64_t beyond_ascii(const unsigned char *at, uint64_t *controls) {
        Sixteen some[4], any = {0}, found = {0};
        uint64_t beyond = 0;
        memcpy(some, at, 64);
        for (int i = 0; i < 4; i++) {
            any |= some[i];
            found |= (Sixteen)(some[i] == 0) | (Sixteen)(some[i] == 0x1B);
        }
        *controls |= MARKS(found);
        if (MARKS(any)) for (int i = 0; i < 4; i++) beyond |= MARKS(some[i]) << 16 * i;
        return beyond;
    }
    """
    const uint64_t ALL
    # Which of the 64 bytes at `at` are beyond ASCII, a bit each; `controls`: whether a NUL or an ESC is there.
    uint64_t beyond_ascii(const unsigned char* at, uint64_t* controls) nogil

cdef enum:
    BLOCK = 64  # bytes that are looked at at once


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


cdef inline uint64_t _beyond_ascii(const unsigned char[::1] body, Py_ssize_t at, uint64_t* controls) noexcept nogil:
    """Which of the `BLOCK` bytes from `at` on, of those that are there, are beyond ASCII; `controls` as above."""
    cdef unsigned char[BLOCK] room
    if body.shape[0] - at >= BLOCK:
        return beyond_ascii(&body[at], controls)
    memset(room, 0x20, BLOCK)
    memcpy(room, &body[at], body.shape[0] - at)
    return beyond_ascii(room, controls)


cdef inline Py_ssize_t _after_ascii(const unsigned char[::1] body, Py_ssize_t at) noexcept nogil:
    """The first byte from `at` on that is beyond ASCII, or the end."""
    cdef uint64_t beyond = 0, controls = 0
    while at < body.shape[0]:
        beyond = _beyond_ascii(body, at, &controls)
        if beyond:
            return at + lowest_bit(beyond)
        at += BLOCK
    return body.shape[0]


cdef Py_ssize_t _valid(const unsigned char[::1] body, Py_ssize_t* inner, uint64_t* controls) noexcept nogil:
    """How many bytes are valid; of these the `inner` ones are not the first of their characters."""
    cdef Py_ssize_t at = 0, start, after, size
    cdef uint64_t beyond
    while at < body.shape[0]:
        start, at = at, min(at + BLOCK, body.shape[0])
        beyond = _beyond_ascii(body, start, controls)
        while beyond:
            after = start + lowest_bit(beyond)
            size = _size(body[after])
            if not _is_whole(body, after, size):
                return after
            inner[0] += size - 1
            after += size
            if after >= at:
                at = after
                break
            beyond &= ALL << (after - start)
    return at


def survey(const unsigned char[::1] body not None, bint final):
    """Look a page over once, as UTF-8 (RFC 3629, as Python's strict codec has it); no text is made of it.

    Without `final` the page is cut: an incomplete sequence at its end is then no error.

    Returns:
        How many bytes are valid, less than all where there is an error, or an incomplete end; code points of these, -1
        where there is an error; whether there is a NUL or an ESC, False where there is an error.
    """
    cdef Py_ssize_t at, inner = 0
    cdef uint64_t controls = 0
    cdef bint valid
    with nogil:
        at = _valid(body, &inner, &controls)
        valid = at == body.shape[0] or not final and _is_cut(body, at, _size(body[at]))
    if not valid:
        return at, -1, False
    return at, at - inner, controls != 0


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
    Unicode, section 3.9, U+FFFD Substitution of Maximal Subparts).

    Returns:
        Both, and how many of the U+FFFD stand for bytes that are neither two or more of a character that was cut nor
        half of a surrogate pair (CESU-8).
    """
    cdef Py_ssize_t length = body.shape[0], at = 0, right = 0, wrong = 0, alone = 0, size
    with nogil:
        while at < length:
            if body[at] < 0x80:
                at = _after_ascii(body, at)
                continue
            size = _size(body[at])
            if _is_whole(body, at, size):
                right += 1
                at += size
            elif body[at] == 0xED and at + 2 < length and _is_tail(body[at + 1]) and _is_tail(body[at + 2]):
                wrong += 3
                at += 3
            else:
                size = _wrong_size(body, at, size)
                wrong += 1
                alone += size == 1
                at += size
    return right, wrong, alone
