"""What attributes say of their elements: words in `class`, `id`, `role` and `itemprop`, targets, what hides.

A value is cut into words of letters at anything else and before capitals; words are told apart by their first
eight letters. Of two attributes of one name in a tag the first counts.
"""

from libc.stdint cimport int64_t, uint32_t, uint64_t

from transforms.extractors.segments._lookup cimport Lookup, find
from transforms.extractors.html._attributes cimport AttributeScanner
from transforms.extractors.html._bytes cimport mixed
from transforms.extractors.html._styles cimport hides

from transforms.extractors.segments import names as vocabulary
from transforms.extractors.html._tags import key

cdef enum:
    LIMIT = 8  # letters by which words are told apart
    CLASS = 1  # attributes that are looked at, as bits
    ID = 2
    ROLE = 4
    ITEMPROP = 8
    TARGET = 16
    HIDDEN = 32
    STYLE = 64
    HIDING = 96

cdef Lookup WORDS = Lookup(vocabulary.WORDS)
cdef uint64_t CLASS_KEY = key("class")
cdef uint64_t ID_KEY = key("id")
cdef uint64_t ROLE_KEY = key("role")
cdef uint64_t ITEMPROP_KEY = key("itemprop")
cdef uint64_t TARGET_KEY = key("href")
cdef uint64_t HIDDEN_KEY = key("hidden")
cdef uint64_t STYLE_KEY = key("style")

assert len(vocabulary.GROUPS) <= 32, "groups are bits of 32"


cdef void read_hints(AttributeScanner scanner, uint64_t element, bint is_block, Hints *hints) noexcept nogil:
    """Reads the start tag at which a scanner is, of an element by the key of its name."""
    cdef unsigned int kind, seen = 0
    cdef Py_ssize_t size
    hints.groups, hints.signature = 0, 0
    hints.hides = hints.has_target = False
    while scanner.advance():
        kind = _kind(scanner)
        if not kind & ~seen:
            continue
        seen |= kind
        size = scanner.stop - scanner.start
        if kind == TARGET:
            hints.has_target = True
        elif kind & HIDING:
            # Within the tag: an empty value may begin where the tag ends.
            hints.hides |= hides(element, scanner.name, scanner.size(), &scanner.html[0] + scanner.start, size)
        elif is_block and size:
            hints.groups |= _groups(scanner.html, scanner.start, scanner.stop)
            if kind == CLASS:
                hints.signature = mixed(scanner.html, scanner.start, scanner.stop)


cdef inline unsigned int _kind(AttributeScanner scanner) noexcept nogil:
    """Which attribute was read, if it is looked at; else 0."""
    cdef Py_ssize_t size = scanner.size()
    cdef uint64_t name = scanner.name
    if size == 5:
        return CLASS if name == CLASS_KEY else STYLE if name == STYLE_KEY else 0
    if size == 4:
        return TARGET if name == TARGET_KEY else ROLE if name == ROLE_KEY else 0
    if size == 2:
        return ID if name == ID_KEY else 0
    if size == 6:
        return HIDDEN if name == HIDDEN_KEY else 0
    return ITEMPROP if size == 8 and name == ITEMPROP_KEY else 0


cdef uint32_t _groups(const unsigned char[::1] html, Py_ssize_t start, Py_ssize_t stop) noexcept nogil:
    """The groups of the words of a value."""
    cdef Py_ssize_t at = start, begin
    cdef uint64_t key
    cdef int64_t group
    cdef uint32_t groups = 0
    while at < stop:
        begin = at
        key = 0
        # A word ends at what is not a letter, and before a capital after a small letter.
        while at < stop and _is_letter(html[at]) and (
            at == begin or not _is_capital(html[at]) or _is_capital(html[at - 1])
        ):
            if at - begin < LIMIT:
                key |= <uint64_t>(html[at] | 0x20) << 8 * (at - begin)
            at += 1
        if at == begin:
            at += 1
            continue
        group = find(WORDS, key)
        if group >= 0:
            groups |= <uint32_t>1 << group
    return groups


cdef inline bint _is_letter(unsigned char byte) noexcept nogil:
    return c"a" <= (byte | 0x20) <= c"z"


cdef inline bint _is_capital(unsigned char byte) noexcept nogil:
    return c"A" <= byte <= c"Z"
