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
