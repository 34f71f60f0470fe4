"""Twin of `transforms.decode.charset`."""

DEF BLOCK = 64


def _utf8(const unsigned char[::1] body not None, bint final):
    """The bytes of a body that are UTF-8, and their code points; see RFC 3629, section 4."""
    cdef Py_ssize_t size = body.shape[0], at = 0, length
    cdef Py_ssize_t multiple = 0  # second and later bytes
    while at < size:
        if body[at] < 0x80:
            at += 1
            while size - at >= BLOCK and _is_ascii(body, at):
                at += BLOCK
            continue
        length = _sequence(body, at)
        if length < 0 and not final:
            break
        if length <= 0:
            return at, -1
        at += length
        multiple += length - 1
    return at, at - multiple


cdef inline bint _is_ascii(const unsigned char[::1] body, Py_ssize_t at) noexcept nogil:
    """Whether the block that begins at `at` is ASCII."""
    cdef Py_ssize_t i
    cdef unsigned char bits = 0
    for i in range(at, at + BLOCK):
        bits |= body[i]
    return bits < 0x80


cdef inline Py_ssize_t _sequence(const unsigned char[::1] body, Py_ssize_t at) noexcept nogil:
    """The length of the sequence at `at`, whose first byte is beyond ASCII; 0: invalid, -1: cut by the end."""
    cdef unsigned char first = body[at], low = 0x80, high = 0xBF
    cdef Py_ssize_t length, i
    if 0xC2 <= first <= 0xDF:
        length = 2
    elif 0xE0 <= first <= 0xEF:
        length = 3
        # Neither overlong nor a surrogate.
        if first == 0xE0:
            low = 0xA0
        elif first == 0xED and at + 2 != body.shape[0]:
            # Half of a surrogate that the end cuts counts as cut, as in Python's decoder.
            high = 0x9F
    elif 0xF0 <= first <= 0xF4:
        length = 4
        # Neither overlong nor beyond U+10FFFF.
        if first == 0xF0:
            low = 0x90
        elif first == 0xF4:
            high = 0x8F
    else:
        return 0
    for i in range(1, length):
        if at + i >= body.shape[0]:
            return -1
        if not low <= body[at + i] <= high:
            return 0
        low, high = 0x80, 0xBF
    return length
