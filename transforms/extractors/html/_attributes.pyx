"""Attributes of tags, and the tags whose attributes speak of dates and authors."""

from libc.stdint cimport uint32_t
from transforms.extractors.html._bytes cimport find
from transforms.extractors.html._tags cimport END, Tags

cdef enum:
    WORDS = 12

cdef uint32_t[WORDS] TELLING
cdef bint[256] ENDS_WORD  # whether one of them ends in this letter


def _make_table():
    # Four letters of each are enough: datum and date, publish, posted, byline, author, creator, fecha.
    words = "date datu publ post byli time meta info auth crea fech auto".split()
    for number, word in enumerate(words):
        TELLING[number] = int.from_bytes(word.encode(), "big")
        ENDS_WORD[ord(word[-1])] = True


_make_table()


def attributes(bytes html not None, Py_ssize_t start, Py_ssize_t stop):
    """Reads the attributes of a tag (HTML5, 13.2.5.32 to 13.2.5.39, without errors)."""
    cdef const unsigned char[::1] page = html
    cdef Py_ssize_t at = start + 1, begin, named, last = min(stop, len(html)) - 1
    cdef dict found = {}
    if start < 0:
        return found
    while at < last and not _is_blank(page[at]) and page[at] != c"/":
        at += 1
    while True:
        while at < last and (_is_blank(page[at]) or page[at] == c"/"):
            at += 1
        if at >= last:
            return found
        begin = at
        at += 1  # a name may begin with =
        while at < last and not _is_blank(page[at]) and page[at] != c"=" and page[at] != c"/":
            at += 1
        named = at
        while at < last and _is_blank(page[at]):
            at += 1
        name = html[begin:named].lower()
        value = b""
        if at < last and page[at] == c"=":
            at += 1
            while at < last and _is_blank(page[at]):
                at += 1
            begin = at
            if at < last and (page[at] == c'"' or page[at] == c"'"):
                at = find(page, page[begin], begin + 1, last)
                at = last if at < 0 else at
                value = html[begin + 1 : at]
                at += 1
            else:
                while at < last and not _is_blank(page[at]):
                    at += 1
                value = html[begin:at]
        found.setdefault(name, value)


def telling(bytes html not None, Tags tags not None, Py_ssize_t first, Py_ssize_t last):
    """Lists the start tags that have a word of dates or authors in them."""
    cdef Py_ssize_t i
    return [
        i
        for i in range(max(first, 0), min(last, tags.count))
        if not tags.kind[i] & END and _tells(html, tags.start[i], tags.stop[i])
    ]


cdef bint _tells(const unsigned char[::1] html, Py_ssize_t start, Py_ssize_t stop) noexcept nogil:
    cdef uint32_t letters = 0
    cdef Py_ssize_t at
    cdef int word
    for at in range(start, stop):
        letters = letters << 8 | html[at] | 0x20
        if not ENDS_WORD[letters & 0xFF]:
            continue
        for word in range(WORDS):
            if letters == TELLING[word]:
                return True
    return False


cdef inline bint _is_blank(unsigned char byte) noexcept nogil:
    return byte == 0x20 or 0x09 <= byte <= 0x0D and byte != 0x0B
