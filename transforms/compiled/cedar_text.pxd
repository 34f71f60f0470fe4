# The bytes of text as `transforms.extractors.cedar_text` packs it.

cdef enum:
    HARD_LINE = 0x01
    HARD_SPACE = 0x02
    HARD_TAB = 0x03
    BREAK = 0x1C
    INLINE = 0x1D
    SPACE = 0x20

cdef enum:
    OTHER = 0
    LETTER = 1
    UPPER = 2
    DIGIT = 3
    UNSPACED = 4
    IDEOGRAPH = 5
    STOP = 6
    COMMA = 7
    COLON = 8
    RULE = 9
    AT = 10
    INNER = 11
    KINDS = 12


cdef Py_ssize_t render(
    const unsigned char[::1] coded, Py_ssize_t start, Py_ssize_t stop, unsigned char[::1] out, Py_ssize_t at
) noexcept nogil


cdef Py_ssize_t clean(
    const unsigned char[::1] html, Py_ssize_t start, Py_ssize_t stop, bint hard, unsigned char[::1] out,
    Py_ssize_t at,
) noexcept nogil
