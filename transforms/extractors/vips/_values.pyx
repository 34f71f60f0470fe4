"""Values of attributes and of style sheets' declarations (CSS 2.1, section 4.3)."""

from transforms.extractors.html._styles cimport begins, is_word

cdef enum:
    _MOST_DIGITS = 9
    _BLANK = 0x20

cdef double _POINT = 4.0 / 3.0  # px
cdef double _ROOT_FONT = 16.0  # px

_NAMED = {
    b"aqua": 0x00FFFF,
    b"black": 0x000000,
    b"blue": 0x0000FF,
    b"fuchsia": 0xFF00FF,
    b"gray": 0x808080,
    b"green": 0x008000,
    b"grey": 0x808080,
    b"lime": 0x00FF00,
    b"maroon": 0x800000,
    b"navy": 0x000080,
    b"olive": 0x808000,
    b"orange": 0xFFA500,
    b"purple": 0x800080,
    b"red": 0xFF0000,
    b"silver": 0xC0C0C0,
    b"teal": 0x008080,
    b"white": 0xFFFFFF,
    b"yellow": 0xFFFF00,
}

cdef enum:
    _MOST_NAMED = 24

cdef const char *_WORDS[_MOST_NAMED]
cdef int[_MOST_NAMED] _COLOURS
cdef int _NAMED_COUNT = len(_NAMED)


def _make_table():
    cdef bytes word
    for place, word in enumerate(_NAMED):  # which keeps them
        _WORDS[<Py_ssize_t>place] = word
        _COLOURS[<Py_ssize_t>place] = _NAMED[word]


_make_table()


def parsed_length(bytes text not None, float em):
    return length(text, len(text), em)


def parsed_colour(bytes text not None):
    return colour(text, len(text))


cdef inline unsigned char _lower(unsigned char byte) noexcept nogil:
    return byte | 0x20 if c'A' <= byte <= c'Z' else byte


cdef inline bint _is_digit(unsigned char byte) noexcept nogil:
    return c'0' <= byte <= c'9'


cdef Py_ssize_t _number(const unsigned char *text, Py_ssize_t at, Py_ssize_t size, double *number) noexcept nogil:
    """Reads a number without a sign; where it ends, or `at` if absent."""
    cdef Py_ssize_t start = at
    cdef int digits = 0
    cdef double scale = 1.0
    number[0] = 0.0
    while at < size and _is_digit(text[at]):
        if digits < _MOST_DIGITS:
            number[0] = number[0] * 10.0 + (text[at] - c'0')
            digits += 1
        at += 1
    if at + 1 < size and text[at] == c'.' and _is_digit(text[at + 1]):
        at += 1
        while at < size and _is_digit(text[at]):
            scale /= 10.0
            number[0] += scale * (text[at] - c'0')
            at += 1
    elif at == start:
        return start
    return at


cdef float length(const unsigned char *text, Py_ssize_t size, float em) noexcept nogil:
    cdef Py_ssize_t at = 0, stop
    cdef double number
    while at < size and text[at] <= _BLANK:
        at += 1
    stop = _number(text, at, size, &number)
    if stop == at:
        return 0.0
    if stop < size and text[stop] == c'%':
        return -number / 100.0
    if begins(text + stop, size - stop, b"em"):
        return number * em
    if begins(text + stop, size - stop, b"rem"):
        return number * _ROOT_FONT
    if begins(text + stop, size - stop, b"pt"):
        return number * _POINT
    return number


cdef inline int _hex(unsigned char byte) noexcept nogil:
    """The value of a digit of base 16; -1 if it is not one."""
    if _is_digit(byte):
        return byte - c'0'
    byte = _lower(byte)
    return byte - c'a' + 10 if c'a' <= byte <= c'f' else -1


cdef int _of_digits(const unsigned char *text, Py_ssize_t digits) noexcept nogil:
    """The colour that three or six digits of base 16 write."""
    cdef int value = 0, digit
    cdef Py_ssize_t i
    for i in range(digits):
        digit = _hex(text[i])
        value = value << 4 | digit
        if digits == 3:
            value = value << 4 | digit
    return value


cdef int _of_parts(const unsigned char *text, Py_ssize_t size) noexcept nogil:
    """The colour of `rgb(...)` or `rgba(...)`; -1 if it is not one, or cannot be seen."""
    cdef Py_ssize_t at = 0, stop
    cdef int value = 0, parts = 0
    cdef double number
    while at < size and text[at] != c')' and parts < 4:
        stop = _number(text, at, size, &number)
        if stop == at:
            at += 1
            continue
        at = stop
        parts += 1
        if parts == 4:
            return value if number > 0.0 else -1
        if at < size and text[at] == c'%':
            number *= 2.55
        value = value << 8 | <int>min(number + 0.5, 255.0)
    return value if parts == 3 else -1


cdef int colour(const unsigned char *text, Py_ssize_t size) noexcept nogil:
    """The first word of a text that is a colour; -1 if none is, or it cannot be seen."""
    cdef Py_ssize_t at = 0, stop, digits
    cdef int i
    while at < size:
        while at < size and text[at] <= _BLANK:
            at += 1
        if begins(text + at, size - at, b"rgb"):
            return _of_parts(text + at, size - at)
        stop = at
        while stop < size and text[stop] > _BLANK:
            stop += 1
        for i in range(_NAMED_COUNT):
            if is_word(text + at, stop - at, _WORDS[i]):
                return _COLOURS[i]
        digits = at + (at < stop and text[at] == c'#')
        i = 0
        while digits + i < stop and _hex(text[digits + i]) >= 0:
            i += 1
        # Without its `#`, as old attributes have it, a colour has six digits.
        if digits + i == stop and (i == 6 or i == 3 and digits > at):
            return _of_digits(text + digits, i)
        at = stop
    return -1
