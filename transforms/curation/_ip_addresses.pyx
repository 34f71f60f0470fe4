"""Public IP addresses, and what tells them from the numbers of versions and sections."""

from libc.string cimport memchr, memcmp

from cedar.transforms.curation._plain_text cimport (
    ALNUM, CLASS, DIGIT, HEX, LETTER, Text, byte_at, class_at, is_letter_of_two,
)

# IPv4: public is what RFC 6890 leaves, as `ipaddress.IPv4Address.is_global` reads it.


cdef Py_ssize_t read_ipv4(Text* text, Py_ssize_t place, unsigned char* parts) noexcept:
    """Read four numbers of at most 255 into `parts` (unless NULL); return their end, or -1.

    If one has leading zeros, all have three digits.
    """
    cdef int n, value
    cdef Py_ssize_t first, start = place
    for n in range(4):
        if n:
            place = after_dot(text, place)
            if place < 0:
                return -1
        first, value = place, 0
        while class_at(text, place) & DIGIT and place - first < 4:
            value = value * 10 + text.data[place] - c"0"
            place += 1
        if place == first or value > 255:
            return -1
        if place - first > 1 and text.data[first] == c"0" and not _is_padded(text, start):
            return -1
        if parts != NULL:
            parts[n] = <unsigned char>value
    return place


cdef bint _is_padded(Text* text, Py_ssize_t place) noexcept:
    """Tell whether four numbers of three digits each begin here."""
    cdef int n
    for n in range(4):
        place = place if n == 0 else after_dot(text, place)
        if place < 0 or not (class_at(text, place) & class_at(text, place + 1) & class_at(text, place + 2) & DIGIT):
            return False
        place += 3
    return not class_at(text, place) & DIGIT


cdef Py_ssize_t after_bracketed_dot(Text* text, Py_ssize_t place) noexcept:
    """Return the end of a dot in brackets, `[.]` or `(.)`, that begins here; -1 if none does."""
    cdef unsigned char first = byte_at(text, place), last
    if (first != c"[" and first != c"(") or byte_at(text, place + 1) != c".":
        return -1
    last = byte_at(text, place + 2)
    return place + 3 if last == (c"]" if first == c"[" else c")") else -1


cdef Py_ssize_t find_ipv4(Text* text, Py_ssize_t dot, Py_ssize_t floor, Py_ssize_t* start) noexcept:
    """Find the public address whose first dot begins at `dot`: set its start, not before `floor`; its end, or -1."""
    cdef unsigned char[4] parts
    cdef Py_ssize_t first = dot, stop
    # Most numbers with a dot are decimals: no second dot stands where a number of three digits could have one.
    if memchr(text.data + dot + 2, c".", min(text.size - dot - 2, 6)) == NULL:
        return -1
    while first > floor and dot - first < 4 and CLASS[text.data[first - 1]] & DIGIT:
        first -= 1
    if first == dot or is_inside(text, first) and not _is_after_mark(text, first):
        return -1
    stop = read_ipv4(text, first, parts)
    if stop < 0 or after_bracketed_dot(text, first - 3) > 0:
        return -1
    if not ends_address(text, stop) or not _is_public(parts) or _is_version(text, first, stop, parts):
        return -1
    if byte_at(text, first - 1) == c"_" and _is_of_package(text, stop):
        return -1
    start[0] = _start_of_embedding(text, first, floor)
    return stop


cdef list EMBEDDINGS = [
    b"::ffff:", b"::ffff:0:", b"64:ff9b::", b"0064:ff9b::", b"::", b"0:0:0:0:0:ffff:",
    b"0000:0000:0000:0000:0000:ffff:",
]  # fmt: skip
"""How IPv6 addresses begin that end in an IPv4 address: RFC 4291, section 2.5.5; RFC 6052, section 2.1."""


cdef Py_ssize_t _start_of_embedding(Text* text, Py_ssize_t first, Py_ssize_t floor) noexcept:
    """Return where the IPv6 address begins whose end is the IPv4 address at `first`; `first` if there is none."""
    cdef bytes before, start
    cdef Py_ssize_t place
    if byte_at(text, first - 1) != c":":
        return first
    before = (<bytes>text.data[max(floor, first - 32):first]).lower()
    for start in EMBEDDINGS:
        place = first - len(start)
        if before.endswith(start) and not class_at(text, place - 1) & ALNUM and byte_at(text, place - 1) != c":":
            return place
    return first


cdef bint is_inside(Text* text, Py_ssize_t first) noexcept:
    """Tell whether what stands before a number makes it a part of something longer."""
    cdef unsigned char before = byte_at(text, first - 1)
    if before >= 0x80:
        # A letter of a word; characters of scripts without blanks, and quotation marks, have three bytes.
        return first >= 2 and is_letter_of_two(text, first - 2)
    return bool(CLASS[before] & ALNUM or before == c"." or before == c"_" or before == c"$" or before == c"%")


cdef bint _is_after_mark(Text* text, Py_ssize_t first) noexcept:
    """Tell whether a low line, or a word for what has addresses, stands right before an address."""
    cdef Py_ssize_t place = first
    if byte_at(text, first - 1) == c"_":
        return True
    while place > 0 and first - place < 20 and CLASS[text.data[place - 1]] & LETTER:
        place -= 1
    return not class_at(text, place - 1) & ALNUM and (<bytes>text.data[place:first]).lower() in WORDS_OF_ADDRESSES


cdef list PACKAGES = [
    b"all", b"any", b"noarch", b"amd64", b"arm64", b"aarch64", b"armhf", b"i386", b"i686", b"x86", b"x64", b"win32",
    b"win64", b"win", b"windows", b"linux", b"macos", b"darwin", b"osx", b"exe", b"msi", b"deb", b"rpm", b"apk", b"dmg",
    b"pkg", b"jar", b"whl", b"tar", b"tgz", b"zip",
]  # fmt: skip
"""What follows the version in the name of a package."""


cdef bint _is_of_package(Text* text, Py_ssize_t stop) noexcept:
    """Tell whether the name of a package goes on after its version."""
    cdef Py_ssize_t place = stop + 1
    if byte_at(text, stop) != c"_" and byte_at(text, stop) != c".":
        return False
    while place - stop < 10 and class_at(text, place) & ALNUM:
        place += 1
    return (<bytes>text.data[stop + 1:place]).lower() in PACKAGES


cdef bint ends_address(Text* text, Py_ssize_t stop) noexcept:
    """Tell whether an address ends here: neither a word nor a number follows, be it after a dot; a range may."""
    cdef unsigned char after = byte_at(text, stop)
    cdef Py_ssize_t after_next_dot = after_dot(text, stop)
    if after == c"-" and class_at(text, stop + 1) & DIGIT:
        return read_ipv4(text, stop + 1, NULL) > 0
    if after_next_dot > 0:
        return not class_at(text, after_next_dot) & DIGIT
    if after == c"-" or after == c"%":
        return not class_at(text, stop + 1) & ALNUM
    return not (CLASS[after] & ALNUM or is_letter_of_two(text, stop))


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
    """Tell whether four numbers are a version or a section, by the word before them or as a heading."""
    cdef Py_ssize_t place = first, last
    if byte_at(text, place - 1) == c"/" and class_at(text, place - 2) & LETTER:
        # A product's version, as in Chrome/12.0.0.1, begins with 150 at most; a wiki's page is no product.
        return parts[0] <= 150 and not _is_of_page(text, place - 1)
    while place > 0 and memchr(b" :=_", text.data[place - 1], 4) != NULL:
        place -= 1
    if byte_at(text, place - 2) == 0xC2 and byte_at(text, place - 1) == 0xA7:  # the sign of a section
        return True
    last = place
    if byte_at(text, place - 1) == c".":  # ver. 1.2.3.4
        last = place = place - 1
    while place > 0 and last - place < 9 and CLASS[text.data[place - 1]] & LETTER:
        place -= 1
    if _is_word_of_versions(text.data + place, last - place):
        return True
    if last - place == 6 and (<bytes>text.data[place:last]).lower() == b"update":
        # "Update 1.0.0.1" is a version, "update 8.8.8.8" an address: versions have zeros.
        return parts[1] == 0 or parts[2] == 0 or parts[3] == 0
    return _is_heading(text, first, stop, parts)


cdef enum:
    MAX_OF_SECTION = 40  # a number in a section's heading
    MAX_SECTION = 4096  # bytes before a subsection in which the section above it begins


cdef bint _is_heading(Text* text, Py_ssize_t first, Py_ssize_t stop, unsigned char* p) noexcept:
    """Tell whether four numbers are of a section's heading: small, at the start of a line, before a capital.

    Numbers in pairs, as in 8.8.8.8 or 8.8.4.4, are a heading's only if a line above begins with 8.8.8 or 8.8.4.
    """
    cdef bint is_at_start = first == 0 or text.data[first - 1] == c"\n"
    if not is_at_start or byte_at(text, stop) != c" " or not c"A" <= byte_at(text, stop + 1) <= c"Z":
        return False
    if p[0] > MAX_OF_SECTION or p[1] > MAX_OF_SECTION or p[2] > MAX_OF_SECTION or p[3] > MAX_OF_SECTION:
        return False
    if p[0] == p[1] and p[2] == p[3] or p[0] == p[3] and p[1] == p[2]:
        return _follows_section(text, first, stop)
    return True


cdef bint _follows_section(Text* text, Py_ssize_t first, Py_ssize_t stop) noexcept:
    """Tell whether a line not far before [first, stop) begins with its numbers without the last one."""
    cdef Py_ssize_t place = max(0, first - MAX_SECTION), length = stop - first, after
    cdef const unsigned char* hit
    while text.data[first + length - 1] != c".":
        length -= 1
    length -= 1
    while place + length < first:
        after = place + length
        if (place == 0 or text.data[place - 1] == c"\n") and memcmp(text.data + place, text.data + first, length) == 0:
            if text.data[after] == c"." and not class_at(text, after + 1) & DIGIT or text.data[after] in b" \n":
                return True
        hit = <const unsigned char*>memchr(text.data + place, c"\n", first - place)
        if hit == NULL:
            return False
        place = hit - text.data + 1
    return False


cdef list WORDS_OF_ADDRESSES = [
    b"user", b"users", b"contributions", b"contribs", b"talk", b"ip", b"ips", b"ipv", b"host", b"hosts", b"whois",
    b"address", b"addr", b"lookup", b"client", b"peer", b"inet", b"dns", b"server", b"benutzer", b"utilisateur",
    b"usuario", b"utente",
]  # fmt: skip


cdef bint _is_of_page(Text* text, Py_ssize_t slash) noexcept:
    """Tell whether the name of a wiki's page stands before a slash, or a word for what has addresses."""
    cdef Py_ssize_t place = slash
    while place > 0 and slash - place < 40 and (CLASS[text.data[place - 1]] & ALNUM or text.data[place - 1] >= 0x80):
        place -= 1
    if byte_at(text, place - 1) == c":" and class_at(text, place - 2) & LETTER:
        return True
    return slash - place < 20 and (<bytes>text.data[place:slash]).lower() in WORDS_OF_ADDRESSES


cdef list VERSIONS = [
    b"v", b"ver", b"vers", b"version", b"versions", b"versione", b"release", b"rel", b"build", b"firmware",
    b"patch", b"rev", b"revision", b"sdk", b"driver", b"section", b"chapter", b"article", b"clause",
]  # fmt: skip


cdef bint _is_word_of_versions(const unsigned char* word, Py_ssize_t length) noexcept:
    if not 0 < length < 10:
        return False
    return (<bytes>word[:length]).lower() in VERSIONS


# IPv6: public is the unicast space 2000::/3 of RFC 4291, without what RFC 6890 keeps apart.


cdef Py_ssize_t find_ipv6(Text* text, Py_ssize_t colon, Py_ssize_t floor, Py_ssize_t* start) noexcept:
    """Find the public address whose first colon is at `colon`: set its start, not before `floor`; its end, or -1."""
    cdef Py_ssize_t first = colon, place, stop, group
    cdef int n_groups = 0
    cdef bint is_short = False  # it has ::
    cdef unsigned int[2] head  # its first two groups
    cdef unsigned int value
    while first > floor and colon - first < 5 and CLASS[text.data[first - 1]] & HEX:
        first -= 1
    if colon - first != 4 or class_at(text, first - 1) & ALNUM or byte_at(text, first - 1) == c":":
        return -1
    head[0] = head[1] = 0
    place = stop = first
    while n_groups < 8:
        group, value = place, 0
        while class_at(text, place) & HEX and place - group < 5:
            value = value * 16 + (
                text.data[place] - c"0" if CLASS[text.data[place]] & DIGIT else (text.data[place] | 0x20) - c"a" + 10
            )
            place += 1
        if place == group or place - group > 4:
            break
        if byte_at(text, place) == c"." and n_groups and read_ipv4(text, group, NULL) > 0:
            n_groups += 2
            stop = read_ipv4(text, group, NULL)
            break
        if n_groups < 2 and not is_short:
            head[n_groups] = value
        n_groups += 1
        stop = place
        if byte_at(text, place) != c":":
            break
        if byte_at(text, place + 1) == c":":
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
    if class_at(text, stop) & ALNUM or (byte_at(text, stop) == c":" and class_at(text, stop + 1) & ALNUM):
        return -1
    start[0] = first
    return stop
