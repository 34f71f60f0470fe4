"""The fields in the heads of records and of HTTP messages: `Name: value`, one per line."""

from cpython.bytes cimport PyBytes_AS_STRING
from cpython.unicode cimport PyUnicode_DATA, PyUnicode_DecodeLatin1, PyUnicode_DecodeUTF8, PyUnicode_New
from libc.string cimport memchr


cdef inline Py_ssize_t _line_end(const char* text, Py_ssize_t at, Py_ssize_t stop) noexcept nogil:
    cdef const char* end = <const char*>memchr(text + at, b"\n", stop - at)
    return stop if end == NULL else end - text


cdef str _stripped(const char* text, Py_ssize_t at, Py_ssize_t stop, bint utf8):
    """Return the text of [at, stop) without blanks and carriage returns around it."""
    while at < stop and text[at] in b" \t\r":
        at += 1
    while at < stop and text[stop - 1] in b" \t\r":
        stop -= 1
    if utf8:
        return PyUnicode_DecodeUTF8(text + at, stop - at, NULL)
    return PyUnicode_DecodeLatin1(text + at, stop - at, NULL)


cdef str _lowered(const char* text, Py_ssize_t at, Py_ssize_t stop):
    """Return the name in [at, stop), which is ASCII, in lower case."""
    cdef str name = PyUnicode_New(stop - at, 127)
    cdef unsigned char* letters = <unsigned char*>PyUnicode_DATA(name)
    cdef Py_ssize_t place
    for place in range(at, stop):
        letters[place - at] = text[place] | 0x20 if 0x41 <= text[place] <= 0x5A else text[place]
    return name


def fields(bytes block not None, Py_ssize_t start, Py_ssize_t stop, frozenset names=None, bint utf8=False):
    """Return the fields in the bytes [start, stop) of a block, of these `names` if given: the name, its value stripped.

    A line that begins with a blank continues the field before it; other lines without a name and a colon are passed
    over. Text is Latin-1; with `utf8` it is UTF-8, if all of it is valid. Linear.
    """
    cdef const char* text = PyBytes_AS_STRING(block)
    cdef Py_ssize_t at = max(0, start), after, colon, end
    cdef list found = [], lines
    stop = min(stop, len(block))
    if utf8:
        try:
            PyUnicode_DecodeUTF8(text + at, max(0, stop - at), NULL)
        except UnicodeDecodeError:
            utf8 = False
    while at < stop:
        after = at
        while after < stop and is_of_a_name(text[after]):
            after += 1
        colon = after
        while colon < stop and text[colon] in b" \t":
            colon += 1
        end = _line_end(text, colon, stop)
        if after > at and colon < stop and text[colon] == b":":
            name = _lowered(text, at, after)
            if names is not None and name not in names:
                at = end + 1
                continue
            value = _stripped(text, colon + 1, end, utf8)
            if end + 1 < stop and text[end + 1] in b" \t":
                lines = [value]
                while end + 1 < stop and text[end + 1] in b" \t":
                    at, end = end + 1, _line_end(text, end + 1, stop)
                    lines.append(_stripped(text, at, end, utf8))
                value = " ".join(lines).strip(" ")
            found.append((name, value))
        at = end + 1
    return tuple(found)
