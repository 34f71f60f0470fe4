from libc.stdint cimport int64_t

from cedar.transforms.extractors.html._growing cimport IntArena
from cedar.transforms.extractors.segments._markup cimport Markup

cdef enum:  # stand for tags that part blocks, and for others
    BREAK = 0x1C
    INLINE = 0x1D

cdef enum:  # kinds of characters
    OTHER = 0
    LETTER = 1  # of scripts that part words; capitals of ASCII apart
    UPPER = 2
    DIGIT = 3
    STOP = 4  # ends of sentences
    COMMA = 5
    COLON = 6
    RULE = 7  # between links: bars, bullets, the sign of copyright
    AT = 8  # signs of addresses and prices
    UNSPACED = 9  # of scripts that part no words: Thai and its kin
    IDEOGRAPH = 10  # and kana
    KINDS = 11


cdef class Blocks:
    cdef readonly Py_ssize_t count, link_chars
    cdef readonly const unsigned char[::1] text
    cdef readonly int64_t[::1] starts, stops, first_gaps, last_gaps, word_tenths, chars, linked, plain
    cdef readonly int64_t[:, ::1] kinds
    cdef readonly unsigned char[::1] last_kinds
    cdef readonly int64_t cut_chars
    cdef readonly int64_t[::1] texts, word_sums, plain_sums, stop_sums, long_sums, char_sums
    cdef int _measure(self, Markup markup, bint whole) except -1
    cdef int _sum(self, IntArena room) except -1


cdef Py_ssize_t render(
    const unsigned char[::1] text, Py_ssize_t start, Py_ssize_t stop, unsigned char *out, Py_ssize_t at
) noexcept nogil
