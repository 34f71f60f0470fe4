from libc.stdint cimport int64_t

cdef enum:
    HARD_LINE = 0x01  # a line feed, a space and a tab inside of `pre`
    HARD_SPACE = 0x02
    HARD_TAB = 0x03
    BREAK = 0x1C  # stand for tags that part blocks, and for others
    INLINE = 0x1D
    SPACE = 0x20

cdef enum:  # kinds of bytes
    OTHER = 0
    LETTER = 1  # of scripts that part words; capitals of ASCII apart
    UPPER = 2
    DIGIT = 3
    UNSPACED = 4  # of scripts that part no words: Thai and its kin
    IDEOGRAPH = 5  # and kana
    STOP = 6  # ends of sentences
    COMMA = 7
    COLON = 8
    RULE = 9  # between links: bars, bullets, the sign of copyright
    AT = 10  # signs of addresses and prices
    INNER = 11  # the later bytes of letters
    KINDS = 12

cdef const unsigned char[::1] CODE_POINTS

cdef Py_ssize_t clean(
    const unsigned char[::1] html, Py_ssize_t start, Py_ssize_t stop, bint hard, unsigned char[::1] out,
    Py_ssize_t at,
) noexcept nogil

cdef bytes decode_references(bytes text)

cdef const unsigned char[::1] shrink(const unsigned char[::1] text)

cdef Py_ssize_t render(
    const unsigned char[::1] text, Py_ssize_t start, Py_ssize_t stop, unsigned char[::1] out, Py_ssize_t at
) noexcept nogil
