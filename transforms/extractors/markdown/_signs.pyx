"""Signs of TeX: in a text, without which it is not looked through, and of programs that show it."""

from libc.string cimport memcmp

from transforms.extractors.html._bytes cimport find


cdef bint has_signs(const unsigned char[::1] text, Py_ssize_t start, Py_ssize_t stop) noexcept nogil:
    """Whether a backslash, two dollars or another sign of TeX stand in [start, stop) of a text."""
    cdef Py_ssize_t at = find(text, c"$", start, stop)
    return (
        find(text, c"\\", start, stop) >= 0
        or at >= 0 and find(text, c"$", at + 1, stop) >= 0
        # What pages tell MathJax to take for one.
        or _has_pair(text, c"#", c"#", start, stop)
        or _has_pair(text, c"[", c"/", start, stop)
        or _has_pair(text, c"@", c"@", start, stop)
    )


cdef bint _has_pair(
    const unsigned char[::1] text, unsigned char first, unsigned char second, Py_ssize_t start, Py_ssize_t stop
) noexcept nogil:
    """Whether one byte stands right before another."""
    cdef Py_ssize_t at = find(text, first, start, stop)
    while at >= 0 and at + 1 < stop:
        if text[at + 1] == second:
            return True
        at = find(text, first, at + 1, stop)
    return False


def names_tex(const unsigned char[::1] page not None):
    """Whether a page names MathJax or KaTeX: all of the names end in the same letter, which is rare."""
    cdef Py_ssize_t size = page.shape[0], at = find(page, c"x", 0, size)
    while at >= 0:
        if at >= 4 and memcmp(&page[at - 4], b"kate", 4) == 0:  # within the page, and so are the others
            return True
        if at >= 5 and memcmp(&page[at - 5], b"ath", 3) == 0 and page[at - 2] | 0x20 == c"j" and page[at - 1] == c"a":
            return True
        at = find(page, c"x", at + 1, size)
    return False
