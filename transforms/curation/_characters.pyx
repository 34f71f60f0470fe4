"""The classes of characters that signals use, in one table made from the running Python's Unicode."""

from unicodedata import category

BULLETS = "•‣▶◀◦■□▪▫●–-*"
"""What opens an item of a list: RedPajama's, Gopher's and RefinedWeb's together."""

TERMINALS = ".!?。！？．｡؟۔।॥։።፧၊။។៕‼‽⁇⁈⁉﹖﹗﹒܀܁܂᠃᠉߹"
"""What ends a sentence: Unicode's Sentence_Terminal (UAX 29), as far as text of the web has them."""

WIDE_TERMINALS = "。！？．｡"
"""Those after which no blank stands."""

CLOSERS = "\"'”’»)]}」』）】"
"""What may stand between the end of a sentence and the blank after it."""

DENSE_RANGES = (
    (0x0E00, 0x0EFF),  # Thai, Lao
    (0x0F00, 0x0FFF),  # Tibetan
    (0x1000, 0x109F),  # Burmese
    (0x1780, 0x17FF),  # Khmer
    (0x2E80, 0x2FDF),  # radicals
    (0x3005, 0x3007), (0x3021, 0x3029), (0x3038, 0x303B),  # ideographs among the punctuation
    (0x3041, 0x30FF), (0x31F0, 0x31FF),  # kana
    (0x3400, 0x4DBF), (0x4E00, 0x9FFF),  # ideographs
    (0xA9E0, 0xA9FF), (0xAA60, 0xAA7F),  # Burmese
    (0xF900, 0xFAFF), (0xFF66, 0xFF9F),  # compatibility ideographs, narrow kana
    (0x1AFF0, 0x1B16F),  # kana
    (0x20000, 0x3FFFF),  # ideographs
)
"""Scripts that are written without blanks between words, as closed ranges of code points."""

ASSIGNED = ((0x0, 0x3FFFF), (0xE0000, 0xE0FFF))
"""Where Unicode has characters at all, for private use apart, as closed ranges; characters beyond have no kind."""


cdef extern from "Python.h":
    bint Py_UNICODE_ISALNUM(uint32_t)
    bint Py_UNICODE_ISALPHA(uint32_t)
    bint Py_UNICODE_ISDIGIT(uint32_t)
    bint Py_UNICODE_ISDECIMAL(uint32_t)
    bint Py_UNICODE_ISSPACE(uint32_t)
    bint Py_UNICODE_ISPRINTABLE(uint32_t)
    bint Py_UNICODE_ISUPPER(uint32_t)
    bint Py_UNICODE_ISLOWER(uint32_t)
    bint Py_UNICODE_ISTITLE(uint32_t)
    uint32_t Py_UNICODE_TOLOWER(uint32_t)


cdef _fill():
    cdef uint32_t point, first, last
    cdef unsigned int kind
    for first, last in ASSIGNED:
        for point in range(first, last + 1):
            kind = _kind(point)
            if kind:  # what has no kind stays an untouched page of memory
                KIND[point] = kind
    for first, last in DENSE_RANGES:
        for point in range(first, last + 1):
            KIND[point] |= DENSE
    for characters, bit in (
        ("_", WORD), ("\u200c\u200d", JOINER), (BULLETS, BULLET), (TERMINALS, TERMINAL),
        (WIDE_TERMINALS, WIDE), (CLOSERS, CLOSER),
        ("\u0130", SPECIAL),  # İ becomes two characters
        ("\u03a3", SPECIAL),  # Σ is another one at the end of a word
    ):
        for each in characters:
            KIND[ord(each)] |= <uint16_t>bit


cdef unsigned int _kind(uint32_t point) except? 0xFFFF:
    """The bits of a character that Python itself knows."""
    cdef unsigned int kind = 0
    if Py_UNICODE_ISALNUM(point):
        kind |= WORD
        kind |= LETTER if Py_UNICODE_ISALPHA(point) else 0
        kind |= DIGIT if Py_UNICODE_ISDIGIT(point) else 0
        kind |= DECIMAL if Py_UNICODE_ISDECIMAL(point) else 0
    elif Py_UNICODE_ISSPACE(point):
        kind |= BLANK
    elif Py_UNICODE_ISPRINTABLE(point) and category(chr(point))[0] == "M":
        kind |= MARK  # none is alphanumeric, and all are printable
    if Py_UNICODE_ISUPPER(point):
        kind |= UPPER
    elif Py_UNICODE_ISLOWER(point) or Py_UNICODE_ISTITLE(point):
        kind |= LOWER
    if Py_UNICODE_TOLOWER(point) != point:
        kind |= CHANGES
    return kind


_fill()


def kind_of(str character not None):
    """The bits of one character, for tests."""
    return KIND[ord(character)]
