"""Personal data in a text: e-mail addresses, public IP addresses and international telephone numbers.

The search starts at each sign that such data cannot do without: @ (or %40, or an entity), a dot between digits,
a colon, a plus. Each look around such a sign is bounded, so that the whole is linear in the text, whatever it holds.
"""

from libc.string cimport memchr, memcmp

from cedar.transforms.curation._emails cimport find_email
from cedar.transforms.curation._ip_addresses cimport after_bracketed_dot, find_ipv4, find_ipv6
from cedar.transforms.curation._plain_text cimport DIGIT, HEX, PlainText, Text, byte_at, class_at
from cedar.transforms.curation._telephones cimport find_telephone

cdef enum:
    IS_EMAIL = 1
    IS_IP = 2
    IS_PHONE = 4

cdef enum:
    MAX_ENCODED = 9  # bytes: %40 in a URL in a URL, and so on

EMAIL, IP, PHONE = IS_EMAIL, IS_IP, IS_PHONE
"""Kinds of personal data; their sum says which are searched."""


def find_personal(str text not None, int kinds):
    """Find personal data in a text, of the kinds whose sum is `kinds`.

    Returns a list of (start, stop, kind), ordered: bytes [start, stop) of the text in UTF-8. They do not overlap; of
    two that begin at the same byte, an e-mail address is kept before an IP address, that before a telephone number.

    Raises UnicodeEncodeError: the text holds a lone surrogate.
    """
    cdef PlainText plain = PlainText(text)
    cdef list found = []
    if kinds & IS_EMAIL:
        _search(found, &plain.text, c"@", IS_EMAIL)
        _search(found, &plain.text, c"%", IS_EMAIL)
        _search(found, &plain.text, c"&", IS_EMAIL)
    if kinds & IS_IP:
        _search(found, &plain.text, c".", IS_IP)
        _search(found, &plain.text, c":", IS_IP)
    if kinds & IS_PHONE:
        _search(found, &plain.text, c"+", IS_PHONE)
    return plain.in_source(_without_overlaps(found))


cdef list _without_overlaps(list spans):
    """Return spans in order, without those that begin within another one."""
    cdef list kept = []
    cdef Py_ssize_t after = 0
    for span in sorted(spans):
        if span[0] >= after:
            kept.append(span)
            after = span[1]
    return kept


cdef int _search(list found, Text* text, unsigned char sign, int kind) except -1:
    """Append (start, stop, kind) of the data around each place of a sign; none begins before another one ends."""
    cdef Py_ssize_t place = 0, floor = 0, start = 0, stop
    cdef const unsigned char* hit
    while place < text.size:
        hit = <const unsigned char*>memchr(text.data + place, sign, text.size - place)
        if hit == NULL:
            return 0
        place = start = hit - text.data
        stop = -1
        if sign == c".":
            if class_at(text, place - 1) & DIGIT and class_at(text, place + 1) & DIGIT:
                stop = find_ipv4(text, place, floor, &start)
            elif _is_bracket(byte_at(text, place - 1)) and after_bracketed_dot(text, place - 1) > 0:
                stop = find_ipv4(text, place - 1, floor, &start)
        elif sign == c":":
            if class_at(text, place - 1) & HEX:
                stop = find_ipv6(text, place, floor, &start)
        elif sign == c"+":
            stop = find_telephone(text, place)
        elif _width_of_at(text, place):
            stop = find_email(text, place, place + _width_of_at(text, place), floor, &start)
        if stop < 0:
            place += 1
        else:
            found.append((start, stop, kind))
            floor = place = stop
    return 0


cdef inline bint _is_bracket(unsigned char sign) noexcept:
    return sign == c"[" or sign == c"("


cdef int _width_of_at(Text* text, Py_ssize_t place) noexcept:
    """Return how many bytes write an @ here: as it is, %40 or %2540 of a URL, an entity; 0 if none is written."""
    cdef Py_ssize_t after = place + 1
    if text.data[place] == c"@":
        return 1
    if text.data[place] == c"%":
        while after - place < MAX_ENCODED and byte_at(text, after) == c"2" and byte_at(text, after + 1) == c"5":
            after += 2  # a URL within a URL
        return after + 2 - place if byte_at(text, after) == c"4" and byte_at(text, after + 1) == c"0" else 0
    if text.size - place > 5 and memcmp(text.data + place, b"&#64;", 5) == 0:
        return 5
    if text.size - place > 6 and memcmp(text.data + place, b"&#x40;", 6) == 0:
        return 6
    return 0
