"""Personal data in a text: where e-mail addresses, public IP addresses and international telephone numbers stand.

A text is looked at from each byte that such data cannot do without: @ (or %40), a dot between digits, a colon, a
plus. Each look is bounded, so the whole is linear in the text, whatever it says.
"""

from cpython.unicode cimport PyUnicode_AsUTF8AndSize
from libc.string cimport memchr, memset

cdef enum:
    MOST_LOCAL = 256  # bytes before @: 64 characters (RFC 5321, section 4.5.3.1.1) of up to four bytes
    MOST_DOMAIN = 255  # bytes: the same, section 4.5.3.1.2
    MOST_IPV6 = 45  # characters, an IPv4 address at its end included
    FEWEST_DIGITS = 7  # of a telephone number
    MOST_DIGITS = 15  # E.164, section 6.1

cdef enum:
    E_MAIL = 1
    IP_ADDRESS = 2
    TELEPHONE = 4

EMAIL, IP, PHONE = E_MAIL, IP_ADDRESS, TELEPHONE
"""Kinds of personal data; a sum of them says what is looked for."""

cdef enum:
    DIGIT = 1
    LETTER = 2
    ALNUM = 3
    SIGN = 4  # what stands in the local part besides letters, digits, dots
    HEX = 8

cdef unsigned char[256] CLASS


cdef void _fill() noexcept:
    cdef int c
    memset(&CLASS[0], 0, 256)
    for c in range(c"0", c"9" + 1):
        CLASS[c] = DIGIT | HEX
    for c in range(26):
        CLASS[c"a" + c] = CLASS[c"A" + c] = LETTER | (HEX if c < 6 else 0)
    for c in b"!#$%&'*+-^_~":
        CLASS[c] |= SIGN


_fill()


cdef struct Text:
    const unsigned char* at
    Py_ssize_t size


cdef inline unsigned char _class(Text* text, Py_ssize_t place) noexcept:
    return CLASS[text.at[place]] if 0 <= place < text.size else 0


cdef inline unsigned char _byte(Text* text, Py_ssize_t place) noexcept:
    return text.at[place] if 0 <= place < text.size else 0


cdef inline bint _is_letter_of_two(Text* text, Py_ssize_t lead) noexcept:
    """Tell whether two bytes are a letter of the Latin, Greek or Cyrillic blocks, U+00C0 to U+052F."""
    cdef unsigned char first = _byte(text, lead), second = _byte(text, lead + 1)
    if not 0x80 <= second < 0xC0 or not (0xC3 <= first <= 0xC9 or 0xCD <= first <= 0xD4):
        return False
    return not (first == 0xC3 and (second == 0x97 or second == 0xB7))  # the signs of multiplication, division


def find_personal(str text not None, int kinds):
    """Find personal data in a text, of the kinds whose sum is `kinds`.

    Returns a list of (start, stop, kind), ordered: bytes [start, stop) of the text in UTF-8. They do not overlap; of
    two that begin at the same byte, an e-mail address is kept before an IP address, that before a telephone number.

    Raises:
        UnicodeEncodeError: the text holds a lone surrogate.
    """
    cdef Text it
    it.at = <const unsigned char*>PyUnicode_AsUTF8AndSize(text, &it.size)
    cdef list found = []
    if kinds & E_MAIL:
        _collect(found, &it, c"@", E_MAIL)
        _collect(found, &it, c"%", E_MAIL)
    if kinds & IP_ADDRESS:
        _collect(found, &it, c".", IP_ADDRESS)
        _collect(found, &it, c":", IP_ADDRESS)
    if kinds & TELEPHONE:
        _collect(found, &it, c"+", TELEPHONE)
    if len(found) < 2:
        return found
    found.sort()
    cdef list kept = []
    cdef Py_ssize_t after = 0
    for span in found:
        if span[0] >= after:
            kept.append(span)
            after = span[1]
    return kept


cdef int _collect(list found, Text* text, unsigned char sign, int kind) except -1:
    """Look from each place of a sign; what is found ends before the next one begins."""
    cdef Py_ssize_t place = 0, floor = 0, start = 0, stop
    cdef const unsigned char* hit
    while place < text.size:
        hit = <const unsigned char*>memchr(text.at + place, sign, text.size - place)
        if hit == NULL:
            return 0
        place = hit - text.at
        if sign == c"@":
            stop = _email(text, place, place + 1, floor, &start)
        elif sign == c"%":
            stop = -1
            if _byte(text, place + 1) == c"4" and _byte(text, place + 2) == c"0":
                stop = _email(text, place, place + 3, floor, &start)
        elif sign == c".":
            stop = _ipv4_around(text, place, floor, &start)
        elif sign == c":":
            stop = _ipv6_around(text, place, floor, &start)
        else:
            start = place
            stop = _telephone(text, place)
        if stop < 0:
            place += 1
        else:
            found.append((start, stop, kind))
            floor = place = stop
    return 0


# E-mail addresses: RFC 5321, section 4.1.2, without quotes and comments; RFC 6531 for letters of two bytes.


cdef Py_ssize_t _email(Text* text, Py_ssize_t at, Py_ssize_t after, Py_ssize_t floor, Py_ssize_t* start) noexcept:
    """Find the address around an @ at [at, after), not before `floor`: its end, or -1."""
    cdef Py_ssize_t place = at, least = max(floor, at - MOST_LOCAL), stop
    cdef bint is_dot = True  # dots stand between other characters
    while place > least:
        if CLASS[text.at[place - 1]] & (ALNUM | SIGN):
            place -= 1
            is_dot = False
        elif text.at[place - 1] == c"." and not is_dot:
            place -= 1
            is_dot = True
        elif place - 2 >= least and _is_letter_of_two(text, place - 2):
            place -= 2
            is_dot = False
        elif text.at[place - 1] == c"\\" and place < at and CLASS[text.at[place]] & SIGN:
            place -= 1  # as Markdown writes signs
        else:
            break
    # Quotes and marks before an address are not of it.
    while place < at and not CLASS[text.at[place]] & ALNUM and text.at[place] < 0x80:
        place += 1
    if place == at:
        return -1
    start[0] = place
    if _byte(text, after) == c"[":
        stop = _ipv4(text, after + 1)
        return stop + 1 if stop > 0 and _byte(text, stop) == c"]" else -1
    stop = _ipv4(text, after)
    return stop if stop > 0 and _ends_address(text, stop) else _domain(text, after)


cdef Py_ssize_t _domain(Text* text, Py_ssize_t start) noexcept:
    """Find the end of a domain of two labels or more, the last of letters alone; -1 if absent."""
    cdef Py_ssize_t place = start, label = start, end = -1, most = min(text.size, start + MOST_DOMAIN)
    cdef bint is_word = True  # this label so far: letters alone
    cdef Py_ssize_t n_labels = 1
    while True:
        if place < most and CLASS[text.at[place]] & ALNUM:
            is_word = is_word and CLASS[text.at[place]] & LETTER
            place += 1
        elif place + 1 < most and _is_letter_of_two(text, place):
            place += 2
        elif place < most and place > label and _is_hyphen(text, place):
            is_word = False
            place += 1
        else:
            if n_labels > 1 and place - label > 1 and (is_word or _is_punycode(text, label, place)):
                end = place
            if place >= most or text.at[place] != c"." or place == label or text.at[place - 1] == c"-":
                return end
            place += 1
            label = place
            is_word = True
            n_labels += 1


cdef inline bint _is_hyphen(Text* text, Py_ssize_t place) noexcept:
    """Tell whether a label continues over one hyphen or two, which Markdown may have escaped."""
    if text.at[place] == c"\\":
        return _byte(text, place + 1) == c"-"
    if text.at[place] != c"-":
        return False
    if _byte(text, place + 1) == c"-":
        place += 1
    return bool(_class(text, place + 1) & ALNUM) or _is_letter_of_two(text, place + 1)


cdef inline bint _is_punycode(Text* text, Py_ssize_t start, Py_ssize_t stop) noexcept:
    return (
        stop - start > 4 and text.at[start] | 0x20 == c"x" and text.at[start + 1] | 0x20 == c"n"
        and text.at[start + 2] == c"-" and text.at[start + 3] == c"-" and CLASS[text.at[stop - 1]] & ALNUM
    )


# IPv4 addresses that are public: RFC 6890, as `ipaddress.IPv4Address.is_global` reads it.


cdef Py_ssize_t _ipv4(Text* text, Py_ssize_t place, unsigned char* parts = NULL) noexcept:
    """Read four numbers of at most 255 without leading zeros: their end, or -1."""
    cdef int n, value
    cdef Py_ssize_t first
    for n in range(4):
        if n:
            if _byte(text, place) != c".":
                return -1
            place += 1
        first, value = place, 0
        while _class(text, place) & DIGIT and place - first < 4:
            value = value * 10 + text.at[place] - c"0"
            place += 1
        if place == first or value > 255 or (place - first > 1 and text.at[first] == c"0"):
            return -1
        if parts != NULL:
            parts[n] = <unsigned char>value
    return place


cdef Py_ssize_t _ipv4_around(Text* text, Py_ssize_t dot, Py_ssize_t floor, Py_ssize_t* start) noexcept:
    """Find the public IPv4 address whose first dot is at `dot`: its end, or -1."""
    cdef unsigned char[4] parts
    cdef Py_ssize_t first = dot, stop
    while first > floor and dot - first < 4 and CLASS[text.at[first - 1]] & DIGIT:
        first -= 1
    if first == dot or _is_inside(text, first):
        return -1
    stop = _ipv4(text, first, parts)
    if stop < 0 or not _ends_address(text, stop) or not _is_public(parts) or _is_version(text, first, stop):
        return -1
    start[0] = first
    return stop


cdef bint _is_inside(Text* text, Py_ssize_t first) noexcept:
    """Tell whether what stands before a number makes it a part of something longer."""
    cdef unsigned char before = _byte(text, first - 1)
    if before >= 0x80:
        # A letter of a word; what is written without blanks, and marks, are of three bytes.
        return first >= 2 and _is_letter_of_two(text, first - 2)
    return bool(CLASS[before] & ALNUM or before == c"." or before == c"_" or before == c"$" or before == c"%")


cdef inline bint _ends_address(Text* text, Py_ssize_t stop) noexcept:
    """Tell whether an address ends here: neither a word nor a number follows, be it after a dot; a range may."""
    cdef unsigned char after = _byte(text, stop)
    if after == c"-" and _class(text, stop + 1) & DIGIT:
        return _ipv4(text, stop + 1) > 0
    if after == c"." or after == c"-" or after == c"_":
        return not _class(text, stop + 1) & (DIGIT if after == c"." else ALNUM)
    return not (CLASS[after] & ALNUM or after == c"%" or _is_letter_of_two(text, stop))


cdef bint _is_public(unsigned char* p) noexcept:
    cdef int a = p[0], b = p[1], c = p[2], d = p[3]
    if a == 0 or a == 10 or a == 127 or a >= 240:
        return False
    if a == 100 and 64 <= b < 128 or a == 169 and b == 254 or a == 172 and 16 <= b < 32:
        return False
    if a == 192 and (b == 168 or (b == 0 and c == 2) or (b == 0 and c == 0 and d != 9 and d != 10)):
        return False
    return not (a == 198 and (b == 18 or b == 19 or (b == 51 and c == 100)) or a == 203 and b == 0 and c == 113)


cdef bint _is_version(Text* text, Py_ssize_t first, Py_ssize_t stop) noexcept:
    """Tell whether four numbers are a version, by the word before them, or those of a section's heading."""
    cdef Py_ssize_t place = first, last
    if _byte(text, place - 1) == c"/" and _class(text, place - 2) & LETTER:
        return True  # of a product, as in Chrome/12.0.0.1
    while place > 0 and (text.at[place - 1] == c" " or text.at[place - 1] == c":" or text.at[place - 1] == c"="):
        place -= 1
    while _byte(text, place - 2) == 0xC2 and _byte(text, place - 1) == 0xA0:  # no-break spaces
        place -= 2
    if _byte(text, place - 2) == 0xC2 and _byte(text, place - 1) == 0xA7:  # the sign of a section
        return True
    last = place
    if _byte(text, place - 1) == c".":  # ver. 1.2.3.4
        last = place = place - 1
    while place > 0 and last - place < 9 and CLASS[text.at[place - 1]] & LETTER:
        place -= 1
    if _is_word_of_versions(text.at + place, last - place):
        return True
    return (
        last == first and (first == 0 or text.at[first - 1] == c"\n") and _byte(text, stop) == c" "
        and bool(_class(text, stop + 1) & LETTER)
    )


cdef list VERSIONS = [
    b"v", b"ver", b"vers", b"version", b"versions", b"versione", b"release", b"rel", b"build", b"firmware", b"update",
    b"patch", b"rev", b"revision", b"sdk", b"driver", b"section", b"chapter", b"article", b"clause",
]  # fmt: skip


cdef bint _is_word_of_versions(const unsigned char* word, Py_ssize_t length) noexcept:
    if not 0 < length < 10:
        return False
    return (<bytes>word[:length]).lower() in VERSIONS


# IPv6 addresses that are public: the unicast space 2000::/3 of RFC 4291, without what RFC 6890 keeps apart.


cdef Py_ssize_t _ipv6_around(Text* text, Py_ssize_t colon, Py_ssize_t floor, Py_ssize_t* start) noexcept:
    """Find the public IPv6 address whose first colon is at `colon`: its end, or -1."""
    cdef Py_ssize_t first = colon, place, stop, group, last_group = -1
    cdef int n_groups = 0
    cdef bint is_short = False
    cdef unsigned int[2] head
    cdef unsigned int value
    while first > floor and colon - first < 5 and CLASS[text.at[first - 1]] & HEX:
        first -= 1
    if colon - first != 4 or _class(text, first - 1) & ALNUM or _byte(text, first - 1) == c":":
        return -1
    head[0] = head[1] = 0
    place = stop = first
    while n_groups < 8:
        group, value = place, 0
        while _class(text, place) & HEX and place - group < 5:
            value = value * 16 + (
                text.at[place] - c"0" if CLASS[text.at[place]] & DIGIT else (text.at[place] | 0x20) - 87
            )
            place += 1
        if place == group or place - group > 4:
            break
        if _byte(text, place) == c"." and n_groups and _ipv4(text, group) > 0:
            n_groups += 2
            stop = _ipv4(text, group)
            break
        if n_groups < 2 and not is_short:
            head[n_groups] = value
        n_groups += 1
        stop = place
        if _byte(text, place) != c":":
            break
        if _byte(text, place + 1) == c":":
            if is_short:
                return -1
            is_short = True
            stop = place + 2
            place += 2
        else:
            place += 1
    if not (n_groups == 8 and not is_short or is_short and n_groups < 8) or head[0] >> 13 != 1:
        return -1
    if head[0] == 0x2001 and (head[1] == 0x0DB8 or head[1] < 0x0200):
        return -1
    if _class(text, stop) & ALNUM or (_byte(text, stop) == c":" and _class(text, stop + 1) & ALNUM):
        return -1
    start[0] = first
    return stop


# Telephone numbers: ITU-T E.164, a plus, a country's code and the number of a subscriber.

cdef bytes CODES_OF_TWO = (
    b"20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 62 63 64 65 66 81 82 84 86"
    b" 90 91 92 93 94 95 98"
)
cdef unsigned char[100] HAS_CODE_OF_TWO
memset(&HAS_CODE_OF_TWO[0], 0, 100)
for _code in CODES_OF_TWO.split():
    HAS_CODE_OF_TWO[int(_code)] = 1


cdef Py_ssize_t _telephone(Text* text, Py_ssize_t plus) noexcept:
    """Find the number that begins with a plus: its end, or -1."""
    cdef Py_ssize_t place = plus + 1, end = -1, gap, before_last = -1
    cdef int n_digits = 0, n_gaps = 0, n_dots = 0, run = 0, first_run = 0, n_threes = 0, of_code, last_end_digits = 0
    cdef bint is_open = False
    if _is_inside(text, plus) or not _class(text, place) & DIGIT or text.at[place] == c"0":
        return -1
    if text.at[place] == c"1" or text.at[place] == c"7":
        of_code = 1
    elif HAS_CODE_OF_TWO[(text.at[place] - c"0") * 10 + (_byte(text, place + 1) - c"0") % 10]:
        of_code = 2
    else:
        of_code = 3
    while place < text.size:
        if CLASS[text.at[place]] & DIGIT:
            if n_digits == MOST_DIGITS:
                end, n_digits = before_last, last_end_digits
                break
            n_digits += 1
            run += 1
            place += 1
            end = place
            continue
        if run < of_code and not n_gaps:
            return -1  # the country's code is not cut
        gap = place
        while place < text.size and place - gap < 3 and _is_gap(text, place, &place):
            pass
        if place == gap or not _class(text, place) & DIGIT:
            break
        if n_gaps:
            n_threes += run == 3
        else:
            first_run = run
        n_dots += place - gap == 1 and text.at[gap] == c"."
        n_gaps += 1
        run = 0
        before_last, last_end_digits = end, n_digits
    if n_gaps:
        n_threes += run == 3
    if end < 0 or not FEWEST_DIGITS <= n_digits <= MOST_DIGITS:
        return -1
    if end == place and (_class(text, end) & LETTER and text.at[end] | 0x20 != c"x" or _is_letter_of_two(text, end)):
        return -1
    if n_gaps == 1 and n_dots == 1 and n_digits < 11:
        return -1  # a decimal number
    if n_gaps and first_run <= 3 and n_threes == n_gaps and _has_unit(text, plus, end):
        return -1  # an amount
    if not n_gaps and _has_unit(text, plus, end):
        return -1
    if n_gaps == 2 and first_run == 4 and n_digits == 8 and run == 2:
        return -1  # a day, as ISO 8601 writes those of far years
    return end


cdef inline bint _is_gap(Text* text, Py_ssize_t at, Py_ssize_t* place) noexcept:
    """Go over one of the signs that stand between the digits of a number."""
    cdef unsigned char sign = text.at[at]
    if sign == c" " or sign == c"-" or sign == c"." or sign == c"(" or sign == c")" or sign == c"/":
        place[0] = at + 1
        return True
    if sign == 0xC2 and _byte(text, at + 1) == 0xA0:  # a no-break space
        place[0] = at + 2
        return True
    if sign == 0xE2 and _byte(text, at + 1) == 0x80 and 0x90 <= _byte(text, at + 2) <= 0x93:  # hyphens, U+2013
        place[0] = at + 3
        return True
    return False


cdef bint _has_unit(Text* text, Py_ssize_t plus, Py_ssize_t end) noexcept:
    """Tell whether a sign of a currency stands before a number, or one or a per cent after it."""
    while _byte(text, end) == c" ":
        end += 1
    while _byte(text, plus - 1) == c" ":
        plus -= 1
    return _is_currency(text, end) or _byte(text, end) == c"%" or _byte(text, plus - 1) == c"$" or (
        _is_currency(text, plus - 3) or _is_currency(text, plus - 2)
    )


cdef inline bint _is_currency(Text* text, Py_ssize_t at) noexcept:
    cdef unsigned char first = _byte(text, at), second = _byte(text, at + 1)
    if first == c"$" or (first == 0xC2 and 0xA2 <= second <= 0xA5):
        return True
    return first == 0xE2 and second == 0x82 and 0xA0 <= _byte(text, at + 2) <= 0xBF
