# What each character is to the signals: see `_characters.pyx`.

from libc.stdint cimport uint16_t, uint32_t

cdef enum:
    WORD = 1  # str.isalnum or "_"
    MARK = 2  # category M
    JOINER = 4  # U+200C, U+200D
    DENSE = 8  # of a script without blanks between words
    LETTER = 16  # str.isalpha
    BLANK = 32  # str.isspace
    UPPER = 64  # str.isupper
    LOWER = 128  # str.islower or str.istitle
    DIGIT = 256  # str.isdigit
    DECIMAL = 512  # str.isdecimal
    TERMINAL = 1024  # ends a sentence
    WIDE = 2048  # ends it without a blank after it
    CLOSER = 4096  # may stand after what ends a sentence
    BULLET = 8192  # opens an item of a list
    CHANGES = 16384  # is another in lower case
    SPECIAL = 32768  # its lower case is not one character that depends on it alone

cdef enum:
    POINTS = 0x110000

cdef uint16_t[POINTS] KIND


cdef inline int encode(uint32_t point, unsigned char* out) noexcept nogil:
    """Writes a character as UTF-8 (RFC 3629, section 3) and gives the number of its bytes, at most 4."""
    if point < 0x80:
        out[0] = <unsigned char>point
        return 1
    if point < 0x800:
        out[0] = <unsigned char>(0xC0 | point >> 6)
        out[1] = <unsigned char>(0x80 | point & 0x3F)
        return 2
    if point < 0x10000:
        out[0] = <unsigned char>(0xE0 | point >> 12)
        out[1] = <unsigned char>(0x80 | point >> 6 & 0x3F)
        out[2] = <unsigned char>(0x80 | point & 0x3F)
        return 3
    out[0] = <unsigned char>(0xF0 | point >> 18)
    out[1] = <unsigned char>(0x80 | point >> 12 & 0x3F)
    out[2] = <unsigned char>(0x80 | point >> 6 & 0x3F)
    out[3] = <unsigned char>(0x80 | point & 0x3F)
    return 4
