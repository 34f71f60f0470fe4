"""The text in which personal data is searched: all blanks are spaces, full-width signs and digits of other scripts are
ASCII, and characters that nobody sees, as well as combining marks, are left out.
"""

from cpython.unicode cimport PyUnicode_AsUTF8AndSize
from libc.stdint cimport uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memchr, memcpy, memset

cdef unsigned char[256] STEP  # bytes of a character that begins so; 0 if some such characters are folded

cdef uint64_t BEYOND_ASCII = 0x8080_8080_8080_8080


cdef void _fill() noexcept:
    cdef int c
    memset(&CLASS[0], 0, 256)
    for c in range(c"0", c"9" + 1):
        CLASS[c] = DIGIT | HEX
    for c in range(26):
        CLASS[c"a" + c] = CLASS[c"A" + c] = LETTER | (HEX if c < 6 else 0)
    for c in b"!#$%&'*+-^_~":
        CLASS[c] |= LOCAL_SIGN
    for c in range(256):
        STEP[c] = 1 if c < 0xC0 else 2 if c < 0xE0 else 3 if c < 0xF0 else 4
    for c in b"\xC2\xCC\xCD\xD8\xD9\xDB\xE0\xE1\xE2\xE3\xEF":
        STEP[c] = 0


_fill()


cdef int letter_at(Text* text, Py_ssize_t at, int* width) noexcept:
    """Return SPACED or UNSPACED if a letter, mark or digit beyond ASCII begins at a byte, and its bytes; 0 if not."""
    cdef unsigned char lead = byte_at(text, at)
    cdef unsigned int c
    cdef int n
    if lead < 0xC3 or lead > 0xF4:
        return 0
    width[0] = 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4
    if at + width[0] > text.size:
        return 0
    if lead < 0xD5:
        return SPACED if is_letter_of_two(text, at) else 0
    c = lead & (0x1F if width[0] == 2 else 0x0F if width[0] == 3 else 0x07)
    for n in range(1, width[0]):
        c = c << 6 | text.data[at + n] & 0x3F
    if c < 0x900:
        return SPACED if (<Py_UCS4>c).isalnum() or (0x591 <= c <= 0x670 and _is_point(c)) or 0x6D6 <= c <= 0x6ED else 0
    if c < 0xE00:  # scripts of India, with the signs of their vowels, without their marks of punctuation
        return SPACED if c != 0x964 and c != 0x965 and c != 0x970 else 0
    if c < 0xF00:  # Thai and Lao, without the baht and marks of punctuation
        return UNSPACED if c != 0xE3F and c != 0xE4F and c != 0xE5A and c != 0xE5B else 0
    # Signs of vowels and the like, in Burmese, Khmer and Tibetan.
    if 0x102B <= c <= 0x103E or 0x17B4 <= c <= 0x17D3 or 0xF71 <= c <= 0xF84:
        return UNSPACED
    if not (<Py_UCS4>c).isalnum():
        return 0
    # Georgian; Ethiopic to before Khmer; Mongolian to before the signs of CJK; Lisu to before Hangul.
    if 0x10A0 <= c < 0x1100 or 0x1200 <= c < 0x1780 or 0x1800 <= c < 0x3000 or 0xA4D0 <= c < 0xAC00:
        return SPACED
    # Letters of mathematics and the like; forms of presentation, as of Arabic.
    return SPACED if 0x1D400 <= c < 0x20000 or 0xFB00 <= c < 0xFF00 else UNSPACED


cdef inline bint _is_point(unsigned int c) noexcept:
    """Tell whether a character is a point of Hebrew or a vowel of Arabic."""
    return c <= 0x5C7 and c != 0x5BE and c != 0x5C0 and c != 0x5C3 and c != 0x5C6 or 0x610 <= c <= 0x61A or c >= 0x64B


cdef int letter_before(Text* text, Py_ssize_t stop, int* width) noexcept:
    """Return what `letter_at` does for the character that ends before a byte."""
    cdef Py_ssize_t at = stop - 1
    while at > 0 and stop - at < 4 and text.data[at] & 0xC0 == 0x80:
        at -= 1
    cdef int kind = letter_at(text, at, width)
    return kind if at + width[0] == stop else 0


cdef class PlainText:
    """A text as it is searched. Where nothing is folded, `text` is the text's own UTF-8.

    Raises UnicodeEncodeError: the text holds a lone surrogate.
    """

    # `runs` says where bytes come from: in a run, byte `plain` + n of the text is byte `source` + n of the source.

    def __cinit__(self, str string not None):
        self.string = string
        self.source.data = <const unsigned char*>PyUnicode_AsUTF8AndSize(string, &self.source.size)
        self.text = self.source
        cdef Py_ssize_t n_beyond = self.source.size - len(string)  # no fewer than characters beyond ASCII
        cdef int width
        if not n_beyond or _next_folded(&self.source, 0, &width) == self.source.size:
            return
        self.bytes = <unsigned char*>malloc(self.source.size)
        self.runs = <Run*>malloc((n_beyond + 1) * sizeof(Run))
        if self.bytes == NULL or self.runs == NULL:
            raise MemoryError
        self.fold()

    def __dealloc__(self):
        free(self.bytes)
        free(self.runs)

    cdef void fold(self) noexcept:
        """Write the text with its characters folded, and its runs."""
        cdef Text* source = &self.source
        cdef Py_ssize_t at = 0, copied = 0, size = 0, domain_seen = 0
        cdef int width
        cdef unsigned char c
        cdef bint in_domain = False
        self.runs[0].plain = self.runs[0].source = 0
        self.n_runs = 1
        while True:
            at = _next_folded(source, at, &width)
            memcpy(self.bytes + size, source.data + copied, at - copied)
            size += at - copied
            copied = at
            if at == source.size:
                break
            if _is_full_stop(source, at):
                in_domain = _continues_domain(self.bytes, domain_seen, size, in_domain)
                domain_seen = size
                if in_domain and not (class_at(source, at + 3) & LETTER or byte_at(source, at + 3) >= 0xC3):
                    in_domain = False
                if not in_domain:  # it ends a sentence, and stays
                    at += width
                    continue
                domain_seen += 1
            c = _folded(source.data[at], byte_at(source, at + 1), byte_at(source, at + 2))
            if c:
                self.bytes[size] = c
                size += 1
            at += width
            copied = at
            self.runs[self.n_runs].plain = size
            self.runs[self.n_runs].source = at
            self.n_runs += 1
        self.text.data = self.bytes
        self.text.size = size

    cdef list in_source(self, list spans):
        """Return (start, stop, kind) of the text, in order, as ranges of bytes of the source's UTF-8."""
        if self.runs == NULL:
            return spans
        cdef list found = []
        cdef Py_ssize_t first, last, start, number = 0
        for first, last, kind in spans:
            number = self.run_of(first, number)
            start = self.runs[number].source + first - self.runs[number].plain
            number = self.run_of(last - 1, number)
            last = self.runs[number].source + last - 1 - self.runs[number].plain
            # The last byte belongs to a character that stays, or stands for all bytes of a folded one.
            found.append((start, last + (_width_of_folded(&self.source, last) or 1), kind))
        return found

    cdef Py_ssize_t run_of(self, Py_ssize_t place, Py_ssize_t number) noexcept:
        """Return the number of the run that holds a byte of the text; it is not before the one of `number`."""
        while number + 1 < self.n_runs and self.runs[number + 1].plain <= place:
            number += 1
        return number


cdef inline Py_ssize_t _next_folded(Text* text, Py_ssize_t at, int* width) noexcept:
    """Return where the first character at or after `at` begins that folding replaces or removes, and its width."""
    cdef uint64_t eight
    while at < text.size:
        if text.data[at] < 0x80:
            at += 1
            while at + 8 <= text.size:
                memcpy(&eight, text.data + at, 8)
                if eight & BEYOND_ASCII:
                    break
                at += 8
            while at < text.size and text.data[at] < 0x80:
                at += 1
            continue
        if STEP[text.data[at]]:
            at += STEP[text.data[at]]
            continue
        width[0] = _width_of_folded(text, at)
        if width[0]:
            return at
        at += 2 if text.data[at] < 0xE0 else 3
    return text.size


cdef int _width_of_folded(Text* text, Py_ssize_t at) noexcept:
    """Return the number of bytes of a character that folding replaces or removes; 0 if the character stays.

    Blanks, full-width signs, digits of other scripts and ideographic full stops (U+3002 and U+FF61, only in domains)
    are replaced; combining marks and characters that nobody sees are removed.
    """
    cdef unsigned char lead = text.data[at], second, third
    if lead < 0xC2:
        return 0
    second = byte_at(text, at + 1)
    if lead < 0xE0:
        if lead == 0xC2:  # the blank that breaks no line, the soft hyphen
            return 2 if second == 0xA0 or second == 0xAD else 0
        if lead == 0xD9 or lead == 0xDB:
            return 2 if _digit_of_script(lead, second, 0) else 0
        # U+0300 to U+036F, combining marks; U+061C, a mark of direction.
        return 2 if lead == 0xCC or lead == 0xCD and second < 0xB0 or lead == 0xD8 and second == 0x9C else 0
    third = byte_at(text, at + 2)
    if lead == 0xE2:
        if second == 0x80:  # U+2000 to U+200F, U+2028 to U+202F
            return 3 if third <= 0x8F or 0xA8 <= third <= 0xAF else 0
        # U+205F to U+206F; U+20D0 to U+20FF, combining marks.
        return 3 if second == 0x81 and third >= 0x9F and third < 0xB0 or second == 0x83 and third >= 0x90 else 0
    if lead == 0xEF:
        if second == 0xBC or second == 0xBD:  # U+FF00 to U+FF7F
            return 3 if _of_full_width(second, third) else 0
        # U+FEFF, the mark of byte order; U+FE00 to U+FE0F, selectors of variants; U+FE20 to U+FE2F, combining marks;
        # U+FE6B, a small @.
        return 3 if (
            second == 0xBB and third == 0xBF or second == 0xB8 and (third < 0x90 or 0xA0 <= third < 0xB0)
            or second == 0xB9 and third == 0xAB
        ) else 0
    if lead == 0xE3:  # U+3000, a blank; U+3002, a full stop
        return 3 if second == 0x80 and (third == 0x80 or third == 0x82) else 0
    if lead == 0xE1:
        # U+1680, a blank; U+180E; U+1AB0 to U+1AFF and U+1DC0 to U+1DFF, combining marks.
        return 3 if (
            second == 0x9A and third == 0x80 or second == 0xA0 and third == 0x8E or second == 0xAA and third >= 0xB0
            or second == 0xAB or second == 0xB7
        ) else 0
    return 3 if lead == 0xE0 and _digit_of_script(lead, second, third) else 0


cdef unsigned char _folded(unsigned char lead, unsigned char second, unsigned char third) noexcept:
    """Return the ASCII character that replaces one of `_width_of_folded`; 0 if it is removed."""
    if lead == 0xC2:
        return c" " if second == 0xA0 else 0
    if lead == 0xE2 and second == 0x80:
        if third == 0xA8 or third == 0xA9:
            return c"\n"
        return c" " if third <= 0x8A or third == 0xAF else 0
    if lead == 0xE2:
        return c" " if second == 0x81 and third == 0x9F else 0
    if lead == 0xE3:
        return c" " if third == 0x80 else c"."
    if lead == 0xE1:
        return c" " if second == 0x9A else 0
    if lead == 0xEF and second == 0xB9:
        return c"@"
    if lead == 0xD9 or lead == 0xDB or lead == 0xE0:
        return _digit_of_script(lead, second, third)
    return _of_full_width(second, third) if lead == 0xEF and (second == 0xBC or second == 0xBD) else 0


cdef unsigned char _digit_of_script(unsigned char lead, unsigned char second, unsigned char third) noexcept:
    """Return the ASCII digit of an Arabic, Persian, Indian, Thai or Lao one; 0 for other characters."""
    cdef int digit = -1
    if lead == 0xD9:  # U+0660
        digit = second - 0xA0
    elif lead == 0xDB:  # U+06F0
        digit = second - 0xB0
    elif second == 0xB9 or second == 0xBB:  # U+0E50, U+0ED0
        digit = third - 0x90
    elif 0xA5 <= second <= 0xB5 and second & 1:  # U+0966 to U+0D6F
        digit = third - 0xA6
    return c"0" + digit if 0 <= digit <= 9 else 0


cdef inline unsigned char _of_full_width(unsigned char second, unsigned char third) noexcept:
    """Return the ASCII character of a full-width one, U+FF01 to U+FF61, that personal data may hold; 0 for others."""
    cdef unsigned char c
    if second == 0xBD and third == 0xA1:
        return c"."
    if second == 0xBD and third > 0x9E:
        return 0
    c = third - 0x80 + (0x20 if second == 0xBC else 0x60)
    return c if CLASS[c] & ALNUM or c != 0 and memchr(b"@.+-_%():/", c, 10) != NULL else 0


cdef inline bint _is_full_stop(Text* text, Py_ssize_t at) noexcept:
    """Tell whether a character is an ideographic full stop, U+3002 or U+FF61."""
    cdef unsigned char lead = text.data[at], second = byte_at(text, at + 1), third = byte_at(text, at + 2)
    return lead == 0xE3 and second == 0x80 and third == 0x82 or lead == 0xEF and second == 0xBD and third == 0xA1


cdef bint _continues_domain(const unsigned char* text, Py_ssize_t start, Py_ssize_t stop, bint in_domain) noexcept:
    """Tell whether bytes end in a domain after @ whose dots, so far, are all ideographic full stops.

    `in_domain` says so of the text before `start`.
    """
    cdef Py_ssize_t place = start
    cdef const unsigned char* sign
    if not in_domain:
        sign = <const unsigned char*>memchr(text + start, c"@", stop - start)
        if sign == NULL:
            return False
        place = sign - text
    while place < stop:
        if text[place] < 0x80:
            in_domain = in_domain and (CLASS[text[place]] & ALNUM or text[place] == c"-") or text[place] == c"@"
        place += 1
    return in_domain
