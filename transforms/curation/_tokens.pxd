# Tokens of a text and counts of its lines: see `_tokens.pyx`.

from libc.stdint cimport uint16_t, uint32_t, uint64_t

cdef enum:
    KELVIN = 0x212A  # the one character beyond ASCII whose lower case is ASCII


cdef inline uint64_t mix(uint64_t x) noexcept nogil:
    """The finaliser of MurmurHash3, 64 bits."""
    x ^= x >> 33
    x *= <uint64_t>0xFF51AFD7ED558CCD
    x ^= x >> 33
    x *= <uint64_t>0xC4CEB9FE1A85EC53
    return x ^ x >> 33


cdef struct Counts:
    # Of one stretch of text; characters are code points, words are what blanks part.
    Py_ssize_t chars
    Py_ssize_t words
    Py_ssize_t longest_word  # its characters
    Py_ssize_t alpha_words  # those with a letter
    Py_ssize_t tokens
    Py_ssize_t token_chars
    Py_ssize_t dense_tokens
    Py_ssize_t caps_tokens
    Py_ssize_t sentences
    Py_ssize_t hashes
    Py_ssize_t ellipses
    Py_ssize_t upper
    Py_ssize_t digits
    Py_ssize_t first  # the byte where the first character begins that is not a blank; -1 without one
    Py_ssize_t stop  # the byte after the last one; 0 without one
    bint dense  # a dense character is in it
    bint kelvin


cdef struct Token:
    # One token as it is read.
    uint64_t hash
    uint64_t spelling
    Py_ssize_t length  # characters
    Py_ssize_t joiners
    uint16_t kinds  # of all its characters together
    bint dense  # its first character is
    bint kelvin


cdef class Tokens:
    # Attributes:
    #     hashes: of each token in lower case.
    #     spellings: the same of each token as it is written; not mixed.
    #     lengths: characters of each, its marks among them.
    #     size: number of tokens.
    cdef uint64_t* hashes
    cdef uint64_t* spellings
    cdef uint32_t* lengths
    cdef readonly Py_ssize_t size
    cdef Py_ssize_t _room

    cdef int scan(self, const unsigned char* text, Py_ssize_t size, Counts* counts) except -1
    cdef int _grow(self) except -1
