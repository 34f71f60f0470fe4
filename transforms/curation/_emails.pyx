"""E-mail addresses: RFC 5321, section 4.1.2, without comments; RFC 6531 for letters beyond ASCII."""

from libc.string cimport memcmp

from cedar.transforms.curation._ip_addresses cimport after_dot, ends_address, read_ipv4
from cedar.transforms.curation._plain_text cimport (
    ALNUM, CLASS, LETTER, LOCAL_SIGN, SPACED, UNSPACED, Text, byte_at, class_at, letter_at, letter_before,
)

cdef enum:
    MAX_LOCAL = 256  # bytes before @: 64 characters (RFC 5321, section 4.5.3.1.1) of up to four bytes
    MAX_QUOTED = 70  # bytes of a local part in quotes
    MAX_DOMAIN = 255  # bytes: the same, section 4.5.3.1.2


cdef Py_ssize_t find_email(Text* text, Py_ssize_t at, Py_ssize_t after, Py_ssize_t floor, Py_ssize_t* start) noexcept:
    """Find the address around an @ that is written at [at, after): set its start, not before `floor`; return its end.

    Returns -1 if there is no address.
    """
    cdef Py_ssize_t place, least = max(floor, at - MAX_LOCAL), stop
    cdef bint is_dot = True  # dots stand between other characters
    cdef int kind, width = 0, script = 0
    if _is_in_brackets(text, at, after):
        at -= 1
        after += 1
    place = _start_of_quoted(text, at, max(floor, at - MAX_QUOTED))
    if place >= 0:
        start[0] = place
        return _domain(text, after, False)
    place = at
    while place > least:
        if text.data[place - 1] >= 0x80:
            kind = letter_before(text, place, &width)
            if not kind or place - width < least:
                break
            if kind == UNSPACED and script == SPACED and not (text.data[place] == c"." or text.data[place] == c"_"):
                break  # a word in a script without blanks, right before the address
            script = kind
            place -= width
            is_dot = False
        elif CLASS[text.data[place - 1]] & (ALNUM | LOCAL_SIGN):
            place -= 1
            is_dot = False
            if script == 0 and CLASS[text.data[place]] & ALNUM:
                script = SPACED
        elif text.data[place - 1] == c"." and not is_dot:
            place -= 1
            is_dot = True
        elif text.data[place - 1] == c"\\" and place < at and CLASS[text.data[place]] & LOCAL_SIGN:
            place -= 1  # Markdown escapes signs
        else:
            break
    # Quotes and other signs before an address do not belong to it.
    while place < at and not CLASS[text.data[place]] & ALNUM and text.data[place] < 0x80:
        place += 1
    if place == at:
        return -1
    start[0] = place
    if byte_at(text, after) == c"[":
        stop = read_ipv4(text, after + 1, NULL)
        return stop + 1 if stop > 0 and byte_at(text, stop) == c"]" else -1
    stop = read_ipv4(text, after, NULL)
    return stop if stop > 0 and ends_address(text, stop) else _domain(text, after, script == UNSPACED)


cdef inline bint _is_in_brackets(Text* text, Py_ssize_t start, Py_ssize_t stop) noexcept:
    """Tell whether brackets stand right around [start, stop)."""
    cdef unsigned char before = byte_at(text, start - 1), after = byte_at(text, stop)
    return before == c"[" and after == c"]" or before == c"(" and after == c")"


cdef Py_ssize_t _start_of_quoted(Text* text, Py_ssize_t at, Py_ssize_t least) noexcept:
    """Return where a local part in quotes, straight or curly, begins that ends before an @; -1 if none does."""
    cdef Py_ssize_t place, stop
    cdef bint is_curly = at > 2 and memcmp(text.data + at - 3, b"\xE2\x80\x9D", 3) == 0
    if not is_curly and byte_at(text, at - 1) != c'"':
        return -1
    place = stop = at - 3 if is_curly else at - 1
    while place > least and text.data[place - 1] != c"\n":
        place -= 1
        if not is_curly and text.data[place] == c'"':
            return place if place + 1 < stop else -1
        if is_curly and memcmp(text.data + place, b"\xE2\x80\x9C", 3) == 0:
            return place if place + 3 < stop else -1
    return -1


cdef Py_ssize_t _domain(Text* text, Py_ssize_t start, bint must_be_known) noexcept:
    """Return the end of a domain of two labels or more, the last of letters alone; -1 if there is none.

    If `must_be_known`, only a well-known last label counts: in scripts without blanks, `@` may precede any name.
    """
    cdef Py_ssize_t place = start, label = start, end = -1, most = min(text.size, start + MAX_DOMAIN)
    cdef bint is_word = True  # this label so far: letters alone
    cdef Py_ssize_t n_labels = 1, next_label
    cdef int kind, width = 0
    cdef bint is_unspaced = False, has_letter = False  # of this label so far
    while True:
        kind = letter_at(text, place, &width) if place < most and text.data[place] >= 0x80 else 0
        if kind == UNSPACED and has_letter and not is_unspaced:
            kind = 0  # a word in a script without blanks, right after the address
        if kind and place + width <= most:
            is_unspaced |= kind == UNSPACED
            has_letter = True
            place += width
        elif place < most and CLASS[text.data[place]] & ALNUM:
            is_word = is_word and CLASS[text.data[place]] & LETTER
            has_letter |= (CLASS[text.data[place]] & LETTER) != 0
            place += 1
        elif place < most and place > label and _is_hyphen(text, place):
            is_word = False
            place += 1
        else:
            if is_unspaced:
                width = _of_top_domain(text.data + label, place - label) if n_labels > 1 else 0
                end = label + width if width else end
            elif n_labels > 1 and place - label > 1 and (is_word or _is_punycode(text, label, place)):
                if not must_be_known or _is_well_known(text.data + label, place - label):
                    end = place
            next_label = after_dot(text, place)
            if place >= most or next_label < 0 or place == label or text.data[place - 1] == c"-":
                return end
            label = place = next_label
            is_word = True
            is_unspaced = has_letter = False
            n_labels += 1


cdef list TOP_DOMAINS = [
    word.encode() for word in (
        "中国 中國 公司 网络 網絡 网址 在线 中文网 商城 网店 集团 商标 我爱你 政务 公益 移动 香港 台湾 台灣 澳門 澳门 新加坡 世界"
        " みんな コム グーグル セール ファッション ストア クラウド ポイント 한국 닷컴 닷넷 삼성 ไทย คอม ລາວ"
    ).split()
]
"""Top-level domains of scripts without blanks, from IANA's list: a word may follow them without a blank."""

cdef list WELL_KNOWN = (
    b"com net org edu gov mil int info biz name pro mobi asia xyz top site online shop club vip app dev"
).split()


cdef Py_ssize_t _of_top_domain(const unsigned char* label, Py_ssize_t length) noexcept:
    """Return how many first bytes of a label are one of TOP_DOMAINS; 0 if none."""
    cdef bytes word
    cdef bytes start = label[: min(length, 24)]
    for word in TOP_DOMAINS:
        if start.startswith(word):
            return len(word)
    return 0


cdef bint _is_well_known(const unsigned char* label, Py_ssize_t length) noexcept:
    """Tell whether a last label is a country's, not of ASCII letters, punycode, or one of WELL_KNOWN."""
    if length == 2 or label[0] >= 0x80:
        return True
    if length > 7:  # longer than any of WELL_KNOWN
        return label[2] == c"-"
    return (<bytes>label[:length]).lower() in WELL_KNOWN


cdef inline bint _is_hyphen(Text* text, Py_ssize_t place) noexcept:
    """Tell whether a label continues over one hyphen or two, which Markdown may have escaped."""
    if text.data[place] == c"\\":
        return byte_at(text, place + 1) == c"-"
    if text.data[place] != c"-":
        return False
    if byte_at(text, place + 1) == c"-":
        place += 1
    cdef int width = 0
    return bool(class_at(text, place + 1) & ALNUM) or letter_at(text, place + 1, &width) != 0


cdef inline bint _is_punycode(Text* text, Py_ssize_t start, Py_ssize_t stop) noexcept:
    return (
        stop - start > 4 and text.data[start] | 0x20 == c"x" and text.data[start + 1] | 0x20 == c"n"
        and text.data[start + 2] == c"-" and text.data[start + 3] == c"-" and CLASS[text.data[stop - 1]] & ALNUM
    )
