"""Text in ISO-2022-JP, into EUC-JP."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize

cdef enum:
    ESCAPE = 0x1B
    ESCAPE_BYTES = 3
    SINGLE_SHIFT = 0x8E  # half-width katakana follows, in EUC-JP
    WRONG = 0xFF  # no byte of EUC-JP

# What stands for these two signs of JIS X 0201's Roman in the EUC-JP that is written; wrong there.
YEN = b"\x8e\xe0"
OVERLINE = b"\x8e\xe1"

cdef enum Set:
    NONE
    ASCII
    ROMAN
    KATAKANA
    DOUBLE


cdef inline Set _designated(const unsigned char[::1] body, Py_ssize_t at) noexcept nogil:
    """Return the set that the escape sequence at `at` designates; NONE without such a sequence."""
    if body[at] != ESCAPE or body.shape[0] - at < ESCAPE_BYTES:
        return NONE
    if body[at + 1] == c"(":
        if body[at + 2] == c"B":
            return ASCII
        if body[at + 2] == c"J":
            return ROMAN
        return KATAKANA if body[at + 2] == c"I" else NONE
    if body[at + 1] == c"$" and (body[at + 2] == c"B" or body[at + 2] == c"@"):
        return DOUBLE
    return NONE


cdef inline bint _is_graphic(unsigned char byte) noexcept nogil:
    return 0x21 <= byte <= 0x7E


def to_euc_jp(const unsigned char[::1] body not None, bint final):
    """Write text in ISO-2022-JP as EUC-JP, whose decoder does the rest.

    Bytes that are wrong become 0xFF, which is wrong there, too. Source: WHATWG Encoding, section 12.2: ASCII, JIS X
    0201's Roman and katakana, JIS X 0208. Without `final` it is cut: an escape sequence that has only begun at its end
    is left out.
    """
    cdef Py_ssize_t length = body.shape[0], at = 0, size = 0, i
    cdef unsigned char byte
    cdef Set current = ASCII, designated
    cdef bint is_idle = False  # whether nothing has come after an escape sequence
    if not final:
        for i in range(length - 1, max(length - ESCAPE_BYTES, -1), -1):
            if body[i] == ESCAPE:
                length = i
                break
    cdef bytes euc = PyBytes_FromStringAndSize(NULL, 2 * length)
    cdef unsigned char* written = <unsigned char*>PyBytes_AS_STRING(euc)
    with nogil:
        while at < length:
            byte = body[at]
            if byte == ESCAPE and at + ESCAPE_BYTES <= length:
                designated = _designated(body, at)
                if designated != NONE:
                    current = designated
                    at += ESCAPE_BYTES
                    if is_idle:
                        written[size] = WRONG
                        size += 1
                    is_idle = True
                    continue
            is_idle = False
            at += 1
            if current == DOUBLE and _is_graphic(byte):
                if at == length and not final:
                    break
                if at < length and _is_graphic(body[at]):
                    written[size] = byte | 0x80
                    size += 1
                    written[size] = body[at] | 0x80
                else:
                    written[size] = WRONG
                at += at < length and body[at] != ESCAPE
            elif current == ROMAN and (byte == c"\\" or byte == c"~"):
                written[size] = SINGLE_SHIFT
                size += 1
                written[size] = 0xE0 if byte == c"\\" else 0xE1
            elif current == KATAKANA and 0x21 <= byte <= 0x5F:
                written[size] = SINGLE_SHIFT
                size += 1
                written[size] = byte | 0x80
            elif (current == ASCII or current == ROMAN) and byte < 0x80 and byte not in (0x0E, 0x0F, ESCAPE):
                written[size] = byte
            else:
                written[size] = WRONG
            size += 1
    return euc[:size]
