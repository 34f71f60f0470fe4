"""Tags and comments in the head of a page as the prescan takes them (HTML Standard, section 13.2.3.2)."""

from cpython.unicode cimport PyUnicode_DecodeLatin1

from cedar.transforms.extractors.html._bytes cimport eight, find, find_or_size, is_html_blank, word

cdef enum:
    FOUR = 0xFFFFFFFF  # of eight bytes the first four
    OPENING = 0x2D2D213C  # <!--
    HTML = 0x6C6D7468


cdef inline bint _ends_name(unsigned char byte) noexcept nogil:
    return is_html_blank(byte) or byte == c"/" or byte == c">"


cdef str _text(const unsigned char[::1] head, Py_ssize_t start, Py_ssize_t stop):
    # Within bounds; `start` may be where the head ends.
    return PyUnicode_DecodeLatin1(<const char*> &head[start], stop - start, NULL) if start < stop else ""


def after_comment(const unsigned char[::1] head not None, Py_ssize_t start):
    """Return where the comment at `start` ends; the hyphens that open it may close it, as in the Standard."""
    cdef Py_ssize_t at = find(head, c">", max(start, 0) + 4, head.shape[0])
    while at >= 0 and not (head[at - 1] == c"-" and head[at - 2] == c"-"):
        at = find(head, c">", at + 1, head.shape[0])
    return at + 1 if at >= 0 else head.shape[0]


def first_html_tag(const unsigned char[::1] head not None):
    """Find where the first `<html` outside of comments begins in a head; -1 if nowhere."""
    cdef Py_ssize_t size = head.shape[0], at = find(head, c"<", 0, size)
    while at >= 0:
        if word(head, at) & FOUR == OPENING:
            at = find(head, c"<", after_comment(head, at), size)
        elif at + 5 < size and (word(head, at + 1) | eight(0x20)) & FOUR == HTML and _ends_name(head[at + 5]):
            return at
        else:
            at = find(head, c"<", at + 1, size)
    return -1


def attributes(const unsigned char[::1] head not None, Py_ssize_t position):
    """Return the attributes of the tag whose name ends at `position`, and where they end.

    Names in lower case, the first of several with one name, values without their quotes, Latin-1. A value
    that the head's end cuts is not an attribute. Source: HTML Standard, "get an attribute".
    """
    cdef Py_ssize_t size = head.shape[0], at = max(position, 0), name, after, start, stop
    cdef dict found = {}
    while True:
        while at < size and (is_html_blank(head[at]) or head[at] == c"/"):
            at += 1
        if at >= size or head[at] == c">":
            return found, position
        name = at
        at += 1
        while at < size and not _ends_name(head[at]) and head[at] != c"=":
            at += 1
        after = position = start = stop = at
        while at < size and is_html_blank(head[at]):
            at += 1
        if at < size and head[at] == c"=":
            at += 1
            while at < size and is_html_blank(head[at]):
                at += 1
            position = start = stop = at
            if at < size and (head[at] == c'"' or head[at] == c"'"):
                start, stop = at + 1, find_or_size(head, head[at], at + 1)
                if stop == size:
                    return found, size
                position = stop + 1
            else:
                while stop < size and not is_html_blank(head[stop]) and head[stop] != c">":
                    stop += 1
                position = stop
        found.setdefault(_text(head, name, after).lower(), _text(head, start, stop))
        at = position
