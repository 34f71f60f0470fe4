"""Personal data in a text: where e-mail addresses, public IP addresses and international telephone numbers stand.

A text is looked at from each byte that such data cannot do without: @ (or %40), a dot between digits, a colon, a
plus. Each look is bounded, so the whole is linear in the text, whatever it says. It looks at a text in which signs
of full width are as in ASCII, all blanks are spaces, and characters that nobody sees are left out.
"""

from cpython.unicode cimport PyUnicode_AsUTF8AndSize
from libc.stdlib cimport free, malloc
from libc.string cimport memchr, memcmp, memset

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


cdef enum:
    SPACED = 1  # a letter of a script whose words have blanks between them
    UNSPACED = 2  # of one that has none there, or writes particles right after names


cdef int _letter(Text* text, Py_ssize_t at, int* width) noexcept:
    """Tell what letter, mark or digit beyond ASCII begins at a byte, and of how many bytes; 0 if none does."""
    cdef unsigned char lead = _byte(text, at)
    cdef unsigned int c
    cdef int n
    if lead < 0xC3 or lead > 0xF4:
        return 0
    width[0] = 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4
    if at + width[0] > text.size:
        return 0
    if lead < 0xD5:
        return SPACED if _is_letter_of_two(text, at) else 0
    c = lead & (0x1F if width[0] == 2 else 0x0F if width[0] == 3 else 0x07)
    for n in range(1, width[0]):
        c = c << 6 | text.at[at + n] & 0x3F
    if c < 0x900:
        return SPACED if (<Py_UCS4>c).isalnum() or (0x591 <= c <= 0x670 and _is_point(c)) or 0x6D6 <= c <= 0x6ED else 0
    if c < 0xE00:  # of India, with the signs of their vowels
        return SPACED if c != 0x964 and c != 0x965 and c != 0x970 else 0
    if c < 0xF00:
        return UNSPACED if c != 0xE3F and c != 0xE4F and c != 0xE5A and c != 0xE5B else 0
    if 0x102B <= c <= 0x103E or 0x17B4 <= c <= 0x17D3 or 0xF71 <= c <= 0xF84:
        return UNSPACED
    if not (<Py_UCS4>c).isalnum():
        return 0
    if 0x10A0 <= c < 0x1100 or 0x1200 <= c < 0x1780 or 0x1800 <= c < 0x3000 or 0xA4D0 <= c < 0xAC00:
        return SPACED
    return SPACED if 0x1D400 <= c < 0x20000 or 0xFB00 <= c < 0xFF00 else UNSPACED


cdef inline bint _is_point(unsigned int c) noexcept:
    """Tell whether a character is a point of Hebrew or a vowel of Arabic."""
    return c <= 0x5C7 and c != 0x5BE and c != 0x5C0 and c != 0x5C3 and c != 0x5C6 or 0x610 <= c <= 0x61A or c >= 0x64B


cdef inline int _letter_before(Text* text, Py_ssize_t stop, int* width) noexcept:
    """Tell what letter beyond ASCII ends before a byte."""
    cdef Py_ssize_t at = stop - 1
    while at > 0 and stop - at < 4 and text.at[at] & 0xC0 == 0x80:
        at -= 1
    cdef int kind = _letter(text, at, width)
    return kind if at + width[0] == stop else 0


def find_personal(str text not None, int kinds):
    """Find personal data in a text, of the kinds whose sum is `kinds`.

    Returns a list of (start, stop, kind), ordered: bytes [start, stop) of the text in UTF-8. They do not overlap; of
    two that begin at the same byte, an e-mail address is kept before an IP address, that before a telephone number.

    Raises:
        UnicodeEncodeError: the text holds a lone surrogate.
    """
    cdef Text it, plain
    it.at = <const unsigned char*>PyUnicode_AsUTF8AndSize(text, &it.size)
    cdef Py_ssize_t place = it.size if it.size == len(text) else 0  # ASCII stays as it is
    while place < it.size and not _width_of_folded(&it, place):
        place += 1
    if place == it.size:
        return _found(&it, kinds)
    cdef unsigned char* bytes_of_plain = <unsigned char*>malloc(it.size)
    cdef Py_ssize_t* places = <Py_ssize_t*>malloc(it.size * sizeof(Py_ssize_t))
    try:
        if bytes_of_plain == NULL or places == NULL:
            raise MemoryError
        plain.at = bytes_of_plain
        plain.size = _fold(&it, bytes_of_plain, places)
        found = []
        for first, last, kind in _found(&plain, kinds):
            place = places[last - 1]
            found.append((places[first], place + (_width_of_folded(&it, place) or 1), kind))
        return found
    finally:
        free(bytes_of_plain)
        free(places)


cdef int _width_of_folded(Text* text, Py_ssize_t at) noexcept:
    """Tell how many bytes a character has that is another one, or none, in the text that is looked at; 0 if it stays.

    Other characters are blanks, signs of full width and ideographic full stops; none are combining marks and
    characters that nobody sees. U+3002 and U+FF61 may stay all the same.
    """
    cdef unsigned char lead = text.at[at], second, third
    if lead < 0xC2:
        return 0
    second = _byte(text, at + 1)
    if lead < 0xE0:
        if lead == 0xC2:
            return 2 if second == 0xA0 or second == 0xAD else 0
        return 2 if lead == 0xCC or lead == 0xCD and second < 0xB0 or lead == 0xD8 and second == 0x9C else 0
    third = _byte(text, at + 2)
    if lead == 0xE2:
        if second == 0x80:
            return 3 if third <= 0x8F or 0xA8 <= third <= 0xAF else 0
        return 3 if second == 0x81 and third >= 0x9F and third < 0xB0 or second == 0x83 and third >= 0x90 else 0
    if lead == 0xEF:
        if second == 0xBC or second == 0xBD:
            return 3 if _of_full_width(second, third) else 0
        return 3 if (
            second == 0xBB and third == 0xBF or second == 0xB8 and (third < 0x90 or 0xA0 <= third < 0xB0)
            or second == 0xB9 and third == 0xAB
        ) else 0
    if lead == 0xE3:
        return 3 if second == 0x80 and (third == 0x80 or third == 0x82) else 0
    if lead == 0xE1:
        return 3 if (
            second == 0x9A and third == 0x80 or second == 0xA0 and third == 0x8E or second == 0xAA and third >= 0xB0
            or second == 0xAB or second == 0xB7
        ) else 0
    return 0


cdef inline unsigned char _of_full_width(unsigned char second, unsigned char third) noexcept:
    """Return the ASCII character of a form of full width, U+FF01 to U+FF61, that matters here; 0 for others."""
    cdef unsigned char c
    if second == 0xBD and third == 0xA1:
        return c"."
    if second == 0xBD and third > 0x9E:
        return 0
    c = third - 0x80 + (0x20 if second == 0xBC else 0x60)
    return c if CLASS[c] & ALNUM or c != 0 and memchr(b"@.+-_%():/", c, 10) != NULL else 0


cdef unsigned char _folded(unsigned char lead, unsigned char second, unsigned char third) noexcept:
    """Return what a character becomes that `_width_of_folded` tells of; 0 if nothing."""
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
    return _of_full_width(second, third) if lead == 0xEF and (second == 0xBC or second == 0xBD) else 0


cdef Py_ssize_t _fold(Text* text, unsigned char* out, Py_ssize_t* places) noexcept:
    """Write the text that is looked at, and where each of its bytes comes from; return its size."""
    cdef Py_ssize_t at = 0, size = 0
    cdef int width
    cdef unsigned char c, third
    cdef bint is_stop, may_stop = False  # in a domain whose dots, so far, are ideographic full stops
    while at < text.size:
        c = text.at[at]
        width = _width_of_folded(text, at)
        if width:
            third = _byte(text, at + 2)
            is_stop = c == 0xE3 and third == 0x82 or c == 0xEF and _byte(text, at + 1) == 0xBD and third == 0xA1
            if is_stop and not (may_stop and (_class(text, at + 3) & LETTER or _byte(text, at + 3) >= 0xC3)):
                may_stop = False  # it ends a sentence
                width = 0
            else:
                c = _folded(c, _byte(text, at + 1), third)
                may_stop = may_stop and (is_stop or c == 0 or CLASS[c] & ALNUM or c == c"-") or c == c"@"
        elif c < 0x80:
            may_stop = may_stop and (CLASS[c] & ALNUM or c == c"-") or c == c"@"
        if c:
            out[size], places[size] = c, at
            size += 1
        at += width or 1
    return size


cdef list _found(Text* text, int kinds):
    """Find personal data, as `find_personal` returns it, in a text without other blanks and signs."""
    cdef list found = []
    if kinds & E_MAIL:
        _collect(found, text, c"@", E_MAIL)
        _collect(found, text, c"%", E_MAIL)
        _collect(found, text, c"&", E_MAIL)
    if kinds & IP_ADDRESS:
        _collect(found, text, c".", IP_ADDRESS)
        _collect(found, text, c":", IP_ADDRESS)
    if kinds & TELEPHONE:
        _collect(found, text, c"+", TELEPHONE)
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
        elif sign == c"&":  # an entity that was written as text
            stop = -1
            if text.size - place > 5 and memcmp(text.at + place, b"&#64;", 5) == 0:
                stop = _email(text, place, place + 5, floor, &start)
            elif text.size - place > 6 and memcmp(text.at + place, b"&#x40;", 6) == 0:
                stop = _email(text, place, place + 6, floor, &start)
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
    cdef int kind, width = 0, script = 0
    while place > least:
        if text.at[place - 1] >= 0x80:
            kind = _letter_before(text, place, &width)
            if not kind or place - width < least:
                break
            if kind == UNSPACED and script == SPACED and not (text.at[place] == c"." or text.at[place] == c"_"):
                break  # what stands right before an address
            script = kind
            place -= width
            is_dot = False
        elif CLASS[text.at[place - 1]] & (ALNUM | SIGN):
            place -= 1
            is_dot = False
            if script == 0 and CLASS[text.at[place]] & ALNUM:
                script = SPACED
        elif text.at[place - 1] == c"." and not is_dot:
            place -= 1
            is_dot = True
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
    return stop if stop > 0 and _ends_address(text, stop) else _domain(text, after, script == UNSPACED)


cdef Py_ssize_t _domain(Text* text, Py_ssize_t start, bint is_known) noexcept:
    """Find the end of a domain of two labels or more, the last of letters alone; -1 if absent.

    If `is_known`, the last label is a well-known one: without blanks, `@` may stand before a name with a dot.
    """
    cdef Py_ssize_t place = start, label = start, end = -1, most = min(text.size, start + MOST_DOMAIN)
    cdef bint is_word = True  # this label so far: letters alone
    cdef Py_ssize_t n_labels = 1
    cdef int kind, width = 0
    cdef bint is_unspaced = False, has_letter = False  # of this label so far
    while True:
        kind = _letter(text, place, &width) if place < most and text.at[place] >= 0x80 else 0
        if kind == UNSPACED and has_letter and not is_unspaced:
            kind = 0  # what stands right after an address
        if kind and place + width <= most:
            is_unspaced |= kind == UNSPACED
            has_letter = True
            place += width
        elif place < most and CLASS[text.at[place]] & ALNUM:
            is_word = is_word and CLASS[text.at[place]] & LETTER
            has_letter |= (CLASS[text.at[place]] & LETTER) != 0
            place += 1
        elif place < most and place > label and _is_hyphen(text, place):
            is_word = False
            place += 1
        else:
            if is_unspaced:
                width = _of_top_domain(text.at + label, place - label) if n_labels > 1 else 0
                end = label + width if width else end
            elif n_labels > 1 and place - label > 1 and (is_word or _is_punycode(text, label, place)):
                if not is_known or _is_well_known(text.at + label, place - label):
                    end = place
            if place >= most or text.at[place] != c"." or place == label or text.at[place - 1] == c"-":
                return end
            place += 1
            label = place
            is_word = True
            is_unspaced = has_letter = False
            n_labels += 1


cdef list TOP_DOMAINS = [
    word.encode() for word in (
        "中国 中國 公司 网络 網絡 网址 在线 中文网 商城 网店 集团 商标 我爱你 政务 公益 移动 香港 台湾 台灣 澳門 澳门 新加坡 世界"
        " みんな コム グーグル セール ファッション ストア クラウド ポイント 한국 닷컴 닷넷 삼성 ไทย คอม ລາວ"
    ).split()
]
"""Top-level domains of scripts without blanks, from IANA's list: words follow them at once."""

cdef list WELL_KNOWN = (
    b"com net org edu gov mil int info biz name pro mobi asia xyz top site online shop club vip app dev"
).split()


cdef Py_ssize_t _of_top_domain(const unsigned char* label, Py_ssize_t length) noexcept:
    """Return how many bytes of a label are a top-level domain of a script without blanks."""
    cdef bytes word
    cdef bytes start = label[: min(length, 24)]
    for word in TOP_DOMAINS:
        if start.startswith(word):
            return len(word)
    return 0


cdef bint _is_well_known(const unsigned char* label, Py_ssize_t length) noexcept:
    if length == 2 or label[0] >= 0x80 or length > 7:  # of a country, or not of ASCII letters, or punycode
        return length == 2 or label[0] >= 0x80 or label[2] == c"-"
    return (<bytes>label[:length]).lower() in WELL_KNOWN


cdef inline bint _is_hyphen(Text* text, Py_ssize_t place) noexcept:
    """Tell whether a label continues over one hyphen or two, which Markdown may have escaped."""
    if text.at[place] == c"\\":
        return _byte(text, place + 1) == c"-"
    if text.at[place] != c"-":
        return False
    if _byte(text, place + 1) == c"-":
        place += 1
    cdef int width = 0
    return bool(_class(text, place + 1) & ALNUM) or _letter(text, place + 1, &width) != 0


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
    if first == dot or _is_inside(text, first) and not _is_after_mark(text, first):
        return -1
    stop = _ipv4(text, first, parts)
    if stop < 0 or not _ends_address(text, stop) or not _is_public(parts) or _is_version(text, first, stop, parts):
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


cdef bint _is_after_mark(Text* text, Py_ssize_t first) noexcept:
    """Tell whether a low line that is a mark, or the letters IP, stand before an address."""
    if _byte(text, first - 1) == c"_":
        return not _class(text, first - 2) & ALNUM and _byte(text, first - 2) != c"_"
    return (
        _byte(text, first - 1) | 0x20 == c"p" and _byte(text, first - 2) | 0x20 == c"i"
        and not _class(text, first - 3) & ALNUM
    )


cdef inline bint _ends_address(Text* text, Py_ssize_t stop) noexcept:
    """Tell whether an address ends here: neither a word nor a number follows, be it after a dot; a range may."""
    cdef unsigned char after = _byte(text, stop)
    if after == c"-" and _class(text, stop + 1) & DIGIT:
        return _ipv4(text, stop + 1) > 0
    if after == c"." or after == c"-" or after == c"_":
        return not _class(text, stop + 1) & (DIGIT if after == c"." else ALNUM)
    if after == c"%":
        return not _class(text, stop + 1) & ALNUM
    return not (CLASS[after] & ALNUM or _is_letter_of_two(text, stop))


cdef bint _is_public(unsigned char* p) noexcept:
    cdef int a = p[0], b = p[1], c = p[2], d = p[3]
    if a == 0 or a == 10 or a == 127 or a >= 240:
        return False
    if a == 100 and 64 <= b < 128 or a == 169 and b == 254 or a == 172 and 16 <= b < 32:
        return False
    if a == 192 and (b == 168 or (b == 0 and c == 2) or (b == 0 and c == 0 and d != 9 and d != 10)):
        return False
    return not (a == 198 and (b == 18 or b == 19 or (b == 51 and c == 100)) or a == 203 and b == 0 and c == 113)


cdef bint _is_version(Text* text, Py_ssize_t first, Py_ssize_t stop, unsigned char* parts) noexcept:
    """Tell whether four numbers are a version, by the word before them, or those of a section's heading."""
    cdef Py_ssize_t place = first, last
    if _byte(text, place - 1) == c"/" and _class(text, place - 2) & LETTER:
        # Of a product, as in Chrome/12.0.0.1; a page of a wiki is no product, and no version begins so high.
        return parts[0] <= 150 and not _is_of_page(text, place - 1)
    while place > 0 and (text.at[place - 1] == c" " or text.at[place - 1] == c":" or text.at[place - 1] == c"="):
        place -= 1
    if _byte(text, place - 2) == 0xC2 and _byte(text, place - 1) == 0xA7:  # the sign of a section
        return True
    last = place
    if _byte(text, place - 1) == c".":  # ver. 1.2.3.4
        last = place = place - 1
    while place > 0 and last - place < 9 and CLASS[text.at[place - 1]] & LETTER:
        place -= 1
    if _is_word_of_versions(text.at + place, last - place):
        return True
    if last - place == 6 and (<bytes>text.at[place:last]).lower() == b"update":
        # Who writes of updates writes of versions, and of addresses: versions have zeros.
        return parts[1] == 0 or parts[2] == 0 or parts[3] == 0
    # A section's heading has small numbers, and begins with a capital.
    return (
        last == first and (first == 0 or text.at[first - 1] == c"\n") and _byte(text, stop) == c" "
        and parts[0] <= 40 and parts[1] <= 40 and parts[2] <= 40 and parts[3] <= 40
        and c"A" <= _byte(text, stop + 1) <= c"Z"
    )


cdef list WORDS_OF_PAGES = [
    b"user", b"users", b"contributions", b"contribs", b"talk", b"ip", b"ips", b"host", b"hosts", b"whois", b"address",
    b"addr", b"lookup", b"client", b"peer", b"inet", b"dns", b"server", b"benutzer", b"utilisateur", b"usuario",
    b"utente",
]  # fmt: skip


cdef bint _is_of_page(Text* text, Py_ssize_t slash) noexcept:
    """Tell whether the name of a wiki's page stands before a slash, or a word for what has addresses."""
    cdef Py_ssize_t place = slash
    while place > 0 and slash - place < 40 and (CLASS[text.at[place - 1]] & ALNUM or text.at[place - 1] >= 0x80):
        place -= 1
    if _byte(text, place - 1) == c":" and _class(text, place - 2) & LETTER:
        return True
    return slash - place < 20 and (<bytes>text.at[place:slash]).lower() in WORDS_OF_PAGES


cdef list VERSIONS = [
    b"v", b"ver", b"vers", b"version", b"versions", b"versione", b"release", b"rel", b"build", b"firmware",
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
    cdef bint has_code_apart = False, needs_gap = False
    cdef int beside = _before_plus(text, plus)
    if beside < 0:
        return -1
    needs_gap = beside > 0
    if _byte(text, place) == c"(":  # +(49) 30 1234567
        place += 1
        while _class(text, place) & DIGIT and place - plus < 6:
            place += 1
        if not 3 <= place - plus <= 5 or _byte(text, place) != c")":
            return -1
        place = plus + 2
    elif _byte(text, place) == c" " and _class(text, place + 1) & DIGIT:  # + 49 30 1234567
        if not _begins_number(text, plus):
            return -1
        has_code_apart = True
        place += 1
    if not _class(text, place) & DIGIT or text.at[place] == c"0":
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
    if has_code_apart and n_gaps < 2 or needs_gap and not n_gaps:
        return -1
    if end == place and _is_in_word(text, end) and not ((n_gaps or n_digits > 9) and _begins_word(text, end)):
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


cdef tuple WORDS_OF_TELEPHONES = (
    b"tel", b"fon", b"fono", b"phone", b"mobil", b"mobile", b"cell", b"fax", b"whatsapp",
)  # fmt: skip


cdef int _before_plus(Text* text, Py_ssize_t plus) noexcept:
    """Tell whether a number may begin at a plus: 0 if so, 1 if its digits must stand in groups, -1 if it may not."""
    cdef Py_ssize_t place = plus
    cdef unsigned char before = _byte(text, plus - 1)
    cdef int width = 0
    if before == c"_" and not _class(text, plus - 2) & ALNUM:  # a mark
        return 0
    if before == c".":
        # Tel.+49 30 1234567
        if _class(text, plus - 2) & LETTER and _class(text, plus - 3) & LETTER:
            return 0
        return 1 if _class(text, plus - 2) & LETTER or _letter_before(text, plus - 1, &width) else -1
    if not _is_inside(text, plus):
        return 0
    while place > 0 and plus - place < 9 and CLASS[text.at[place - 1]] & LETTER:
        place -= 1
    if (<bytes>text.at[place:plus]).lower().endswith(WORDS_OF_TELEPHONES):
        return 0
    if before >= 0x80 and _letter_before(text, plus, &width):
        return 1
    if plus - place > 2:  # Phone+49 30 1234567, but not x+12345678
        return 1
    if plus - place and before >= 0x80:
        return 1
    if plus - place == 2 or plus - place == 1 and before < c"a" and memchr(b"TFMPHW", before, 6) != NULL:
        return 1 if not _class(text, place - 1) & ALNUM else -1
    return -1


cdef bint _begins_number(Text* text, Py_ssize_t plus) noexcept:
    """Tell whether a plus with a blank after it begins a number, and is no sum."""
    cdef Py_ssize_t place = plus
    while place > 0 and plus - place < 3 and text.at[place - 1] == c" ":
        place -= 1
    cdef unsigned char before = _byte(text, place - 1)
    return place == 0 or before == c"\n" or before == c"\t" or before == c":" or before == c"(" or (
        before == c"." and bool(_class(text, place - 2) & LETTER)
    )


cdef bint _is_in_word(Text* text, Py_ssize_t end) noexcept:
    """Tell whether a letter follows a number, but for the x of an extension."""
    return bool(_class(text, end) & LETTER) and text.at[end] | 0x20 != c"x" or _is_letter_of_two(text, end)


cdef bint _begins_word(Text* text, Py_ssize_t end) noexcept:
    """Tell whether a word begins with a capital here, as in +49 30 1234567Fax, and not a unit or a currency."""
    cdef unsigned char second = _byte(text, end + 1)
    if text.at[end] >= 0x80:
        return 0xD0 == text.at[end] and 0x90 <= second <= 0xAF  # Cyrillic
    return c"A" <= text.at[end] <= c"Z" and (second == c"-" or c"a" <= second <= c"z" or second >= 0xC3)


cdef inline bint _is_gap(Text* text, Py_ssize_t at, Py_ssize_t* place) noexcept:
    """Go over one of the signs that stand between the digits of a number."""
    cdef unsigned char sign = text.at[at]
    if sign == c" " or sign == c"-" or sign == c"." or sign == c"(" or sign == c")" or sign == c"/" or sign == c"_":
        place[0] = at + 1
        return True
    # Hyphens and dashes, U+2010 to U+2015; the sign of minus, U+2212.
    if sign == 0xE2 and (
        _byte(text, at + 1) == 0x80 and 0x90 <= _byte(text, at + 2) <= 0x95
        or _byte(text, at + 1) == 0x88 and _byte(text, at + 2) == 0x92
    ):
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
