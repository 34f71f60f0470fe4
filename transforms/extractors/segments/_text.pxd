cdef enum:  # stand for tags that part blocks, and for others
    BREAK = 0x1C
    INLINE = 0x1D

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

cdef Py_ssize_t render(
    const unsigned char[::1] text, Py_ssize_t start, Py_ssize_t stop, unsigned char[::1] out, Py_ssize_t at
) noexcept nogil
