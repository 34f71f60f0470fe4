"""Text in ISO-2022-JP, into EUC-JP."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize

cdef enum:
    ESCAPE = 0x1B
    ESCAPE_BYTES = 3
    SINGLE_SHIFT = 0x8E  # half-width katakana follows, in EUC-JP
    WRONG = 0xFF  # no byte of EUC-JP

cdef enum Set:
    NONE
    ASCII
    KATAKANA
    DOUBLE


cdef inline Set _designated(const unsigned char[::1] body, Py_ssize_t at) noexcept nogil:
    """Return the set that the escape sequence at `at` designates; NONE where there is no such sequence."""
    if body[at] != ESCAPE or body.shape[0] - at < ESCAPE_BYTES:
        return NONE
    if body[at + 1] == c"(":
        if body[at + 2] == c"B" or body[at + 2] == c"J":
            return ASCII
        return KATAKANA if body[at + 2] == c"I" else NONE
    if body[at + 1] == c"$" and (body[at + 2] == c"B" or body[at + 2] == c"@"):
        return DOUBLE
    return NONE


cdef inline unsigned char _ascii(unsigned char byte) noexcept nogil:
    """Return a byte of ASCII as it is; shifts, escapes and what is beyond are wrong."""
    return byte if byte < 0x80 and byte not in (0x0E, 0x0F, ESCAPE) else WRONG


def to_euc_jp(const unsigned char[::1] body not None, bint final):
    """Write text in ISO-2022-JP as EUC-JP."""
    cdef Py_ssize_t length = body.shape[0], at = 0, size = 0, i
    cdef unsigned char byte
    cdef Set current = ASCII, designated
    if not final:
        for i in range(length - 1, max(length - ESCAPE_BYTES, -1), -1):
            if body[i] == ESCAPE:
                length = i
                break
    cdef bytes euc = PyBytes_FromStringAndSize(NULL, 2 * length)
    cdef unsigned char* written = <unsigned char*> PyBytes_AS_STRING(euc)
    with nogil:
        while at < length:
            byte = body[at]
            if byte == ESCAPE and at + ESCAPE_BYTES <= length:
                designated = _designated(body, at)
                if designated != NONE:
                    current = designated
                    at += ESCAPE_BYTES
                    continue
            at += 1
            if current == ASCII or not 0x21 <= byte <= 0x7E:
                written[size] = _ascii(byte)
            elif current == DOUBLE:
                written[size] = byte | 0x80
            elif byte <= 0x5F:
                written[size] = SINGLE_SHIFT
                size += 1
                written[size] = byte | 0x80
            else:
                written[size] = WRONG
            size += 1
    return euc[:size]
