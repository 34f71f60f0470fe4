"""Tokens of a text, their hashes and counts, in one pass over UTF-8.

A token is a run of letters, digits and "_" with the marks after them; a character of a dense script is one
for itself. See `docs/curation.md`.
"""

from cpython.unicode cimport PyUnicode_AsUTF8AndSize
from libc.stdint cimport uint16_t
from libc.stdlib cimport free
from libc.string cimport memset

from cedar.transforms.curation._characters cimport (
    BLANK, CHANGES, CLOSER, DENSE, DIGIT, JOINER, KIND, LETTER, LOWER, MARK, SPECIAL, TERMINAL, UPPER, WIDE, WORD,
)
from cedar.transforms.extractors.html._bytes cimport code_point_at, encode
from cedar.transforms.extractors.html._growing cimport grown

cdef extern from "Python.h":
    uint32_t Py_UNICODE_TOLOWER(uint32_t character) nogil

cdef enum:
    FIRST_ROOM = 64  # tokens
    ELLIPSIS = 0x2026
    CASE_SHIFT = 9  # from CHANGES to the bit that parts upper and lower case in ASCII

cdef extern from *:
    """
    #define FNV_BASIS 1469598103934665603ULL
    #define FNV_PRIME 1099511628211ULL
    """
    const uint64_t FNV_BASIS, FNV_PRIME


cdef class Tokens:
    """The tokens of a text, as hashes."""

    def __cinit__(self):
        self.size = self._room = 0
        self.hashes = self.spellings = NULL
        self.lengths = NULL

    def __dealloc__(self):
        free(self.hashes)
        free(self.spellings)
        free(self.lengths)

    def as_lists(self):
        """The hashes and the lengths, for tests."""
        return [self.hashes[i] for i in range(self.size)], [self.lengths[i] for i in range(self.size)]

    cdef int _grow(self) except -1:
        cdef Py_ssize_t room = max(2 * self._room, <Py_ssize_t>FIRST_ROOM)
        self.hashes = <uint64_t*>grown(self.hashes, room * sizeof(uint64_t))
        self.spellings = <uint64_t*>grown(self.spellings, room * sizeof(uint64_t))
        self.lengths = <uint32_t*>grown(self.lengths, room * sizeof(uint32_t))
        self._room = room
        return 0

    cdef int scan(self, const unsigned char* text, Py_ssize_t size, Counts* counts) except -1:
        """Append the tokens of a stretch of text that ends no token of the next one, and write `counts` again."""
        cdef const uint16_t* kind_of = KIND
        cdef Py_ssize_t at = 0, width = 1, start, sentence_stop = 0, word_chars = 0
        cdef uint32_t point
        cdef uint16_t kind
        cdef bint in_word = False, has_letter = False, in_sentence = False, ends = False
        cdef Token token
        cdef Counts n
        memset(&n, 0, sizeof(Counts))
        n.first = -1
        while at < size:
            point = code_point_at(text + at, &width)
            kind = kind_of[point]
            if kind & BLANK:
                n.chars += 1
                at += width
                in_word = False
                continue
            if not in_word:
                in_word, has_letter, word_chars = True, False, 0
                n.words += 1
                if n.first < 0:
                    n.first = at
            if kind & WORD:
                start = at
                at = _read_token(text, at, size, &token)
                in_sentence = True
                if token.kinds & LETTER and not has_letter:
                    has_letter = True
                    n.alpha_words += 1
                if token.kinds & (UPPER | DIGIT):
                    _count_letters(text, start, at, &n)
                word_chars += token.length + token.joiners
                _count_token(&token, &n)
                if token.kinds & (CHANGES | SPECIAL):
                    _spell(text + start, at - start, &token)
                _append(self, &token)
            else:
                word_chars += 1
                _count_sign(text, at, size, point, kind, &n)
                if kind & TERMINAL and at >= sentence_stop:
                    sentence_stop = _sentence_stop(text, at, size, &ends)
                    n.sentences += ends and in_sentence
                    in_sentence = in_sentence and not ends
                at += width
            if word_chars > n.longest_word:
                n.longest_word = word_chars
            n.stop = at
        n.sentences += in_sentence
        counts[0] = n
        return 0


cdef inline int _append(Tokens tokens, const Token* token) except -1:
    if tokens.size == tokens._room:
        tokens._grow()
    tokens.hashes[tokens.size] = mix(token.hash)
    tokens.spellings[tokens.size] = token.spelling
    tokens.lengths[tokens.size] = <uint32_t>token.length
    tokens.size += 1
    return 0


def read(str text not None):
    """Read the tokens of a text, for its signature alone."""
    cdef Tokens tokens = Tokens()
    cdef Counts counts
    cdef Py_ssize_t size = 0
    cdef const char* data = PyUnicode_AsUTF8AndSize(text, &size)
    tokens.scan(<const unsigned char*>data, size, &counts)
    return tokens


def hash_of(str word not None):
    """Hash a word as it is hashed where it is a token.

    Raises ValueError: it is not one token.
    """
    cdef Tokens tokens = read(word)
    if tokens.size != 1:
        raise ValueError(f"not one token: {word!r}")
    return tokens.hashes[0]


cdef inline Py_ssize_t _read_token(
    const unsigned char* text, Py_ssize_t at, Py_ssize_t size, Token* token
) noexcept nogil:
    """Read the token that begins at `at` and give the byte after it and after joiners that follow."""
    cdef const uint16_t* kind_of = KIND
    cdef Py_ssize_t start, width = 1, i
    cdef uint32_t point = code_point_at(text + at, &width)
    cdef uint16_t kind = kind_of[point], kinds = 0
    cdef uint64_t hash = FNV_BASIS
    cdef Py_ssize_t length = 0, joiners = 0
    cdef unsigned char[4] lowered
    cdef bint dense = (kind & DENSE) != 0
    token.kelvin = False
    while True:
        if point < 0x80:
            start = at
            while True:
                kinds |= kind
                hash = (hash ^ (point | (kind & CHANGES) >> CASE_SHIFT)) * FNV_PRIME
                at += 1
                if at == size:
                    break
                point = text[at]
                kind = kind_of[point]  # of a byte beyond ASCII: another character's
                if not kind & WORD or point >= 0x80:
                    break
            length += at - start
        else:
            kinds |= kind
            length += 1
            if kind & CHANGES:
                token.kelvin |= point == KELVIN
                for i in range(encode(Py_UNICODE_TOLOWER(point), lowered)):
                    hash = (hash ^ lowered[i]) * FNV_PRIME
            else:
                for i in range(at, at + width):
                    hash = (hash ^ text[i]) * FNV_PRIME
            at += width
        while at < size:
            point = code_point_at(text + at, &width)
            kind = kind_of[point]
            if not kind & JOINER:
                break
            joiners += 1
            at += width
        if at == size or not kind & MARK and (not kind & WORD or dense or kind & DENSE):
            break
    token.hash = token.spelling = hash
    token.kinds = kinds
    token.length = length
    token.joiners = joiners
    token.dense = dense
    return at


cdef inline void _count_token(const Token* token, Counts* n) noexcept nogil:
    n.chars += token.length + token.joiners
    n.token_chars += token.length
    n.dense_tokens += token.dense
    n.dense |= (token.kinds & DENSE) != 0
    n.caps_tokens += (token.kinds & (UPPER | LOWER)) == UPPER
    n.kelvin |= token.kelvin
    n.tokens += 1


cdef inline void _count_sign(
    const unsigned char* text, Py_ssize_t at, Py_ssize_t size, uint32_t point, uint16_t kind, Counts* n
) noexcept nogil:
    """Count a character of no token, at `at`; a run of dots counts where it begins."""
    n.chars += 1
    n.upper += (kind & UPPER) != 0
    n.dense |= (kind & DENSE) != 0
    if point == c"#":
        n.hashes += 1
    elif point == ELLIPSIS:
        n.ellipses += 1
    elif point == c"." and (at == 0 or text[at - 1] != c"."):
        n.ellipses += _run_of_dots(text, at, size) // 3


cdef void _count_letters(const unsigned char* text, Py_ssize_t at, Py_ssize_t stop, Counts* n) noexcept nogil:
    """Count capitals and digits."""
    cdef Py_ssize_t width = 0
    cdef uint16_t kind
    while at < stop:
        kind = KIND[code_point_at(text + at, &width)]
        n.upper += (kind & UPPER) != 0
        n.digits += (kind & DIGIT) != 0
        at += width


cdef int _spell(const unsigned char* text, Py_ssize_t size, Token* token) except -1:
    """Hash a token that is another in lower case as it is written, and its lower case where that is special."""
    cdef bytes written, lowered
    token.spelling = _fnv(text, size)
    if token.kinds & SPECIAL:
        written = text[:size]
        lowered = written.decode().replace("\u200c", "").replace("\u200d", "").lower().encode()
        token.hash = _fnv(lowered, len(lowered))
    return 0


cdef uint64_t _fnv(const unsigned char* text, Py_ssize_t size) noexcept nogil:
    """FNV-1a, 64 bits, of the bytes, joiners left out."""
    cdef Py_ssize_t at = 0
    cdef uint64_t hash = FNV_BASIS
    while at < size:
        if text[at] == 0xE2 and text[at + 1] == 0x80 and text[at + 2] & 0xFE == 0x8C:
            at += 3  # U+200C, U+200D
        else:
            hash = (hash ^ text[at]) * FNV_PRIME
            at += 1
    return hash


cdef inline Py_ssize_t _run_of_dots(const unsigned char* text, Py_ssize_t at, Py_ssize_t size) noexcept nogil:
    cdef Py_ssize_t start = at
    while at < size and text[at] == c".":
        at += 1
    return at - start


cdef Py_ssize_t _sentence_stop(
    const unsigned char* text, Py_ssize_t at, Py_ssize_t size, bint* ends
) noexcept nogil:
    """The byte after the terminals at `at` and the closers after them; `ends`: whether they end a sentence."""
    cdef Py_ssize_t width = 0
    cdef uint16_t kind = TERMINAL, kinds = 0
    while at < size:
        kind = KIND[code_point_at(text + at, &width)]
        if not kind & TERMINAL:
            break
        kinds |= kind
        at += width
    while at < size:
        kind = KIND[code_point_at(text + at, &width)]
        if not kind & CLOSER:
            break
        at += width
    ends[0] = kinds & WIDE or at == size or kind & BLANK
    return at
