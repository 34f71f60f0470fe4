# The text in which personal data is searched: see `_plain_text.pyx`.

cdef enum:
    DIGIT = 1
    LETTER = 2
    ALNUM = 3
    LOCAL_SIGN = 4  # may stand in the local part of an e-mail address besides letters, digits and dots
    HEX = 8

cdef unsigned char[256] CLASS

cdef enum:
    SPACED = 1  # a letter of a script that has blanks between words
    UNSPACED = 2  # of a script that has none, or that writes particles right after names


cdef struct Text:
    const unsigned char* data
    Py_ssize_t size


cdef inline unsigned char byte_at(Text* text, Py_ssize_t place) noexcept:
    """Return a byte, 0 outside of the text."""
    return text.data[place] if 0 <= place < text.size else 0


cdef inline unsigned char class_at(Text* text, Py_ssize_t place) noexcept:
    """Return the class of a byte, 0 outside of the text."""
    return CLASS[text.data[place]] if 0 <= place < text.size else 0


cdef inline bint is_letter_of_two(Text* text, Py_ssize_t lead) noexcept:
    """Tell whether two bytes are a letter of the Latin, Greek or Cyrillic blocks, U+00C0 to U+052F."""
    cdef unsigned char first = byte_at(text, lead), second = byte_at(text, lead + 1)
    if not 0x80 <= second < 0xC0 or not (0xC3 <= first <= 0xC9 or 0xCD <= first <= 0xD4):
        return False
    return not (first == 0xC3 and (second == 0x97 or second == 0xB7))  # the signs of multiplication, division


cdef int letter_at(Text* text, Py_ssize_t at, int* width) noexcept
cdef int letter_before(Text* text, Py_ssize_t stop, int* width) noexcept


cdef struct Run:
    Py_ssize_t plain
    Py_ssize_t source


cdef class PlainText:
    cdef Text text
    cdef str string
    cdef Text source
    cdef unsigned char* bytes
    cdef Run* runs
    cdef Py_ssize_t n_runs

    cdef void fold(self) noexcept
    cdef list in_source(self, list spans)
    cdef Py_ssize_t run_of(self, Py_ssize_t place, Py_ssize_t number) noexcept
