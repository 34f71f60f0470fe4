"""Declarations of `style` attributes (CSS 2.1, section 4.1.8), and which attributes hide their element.

An element is hidden where it takes no place on the page: by a `hidden` attribute, whatever its value, or where
the last `display` of its `style` attribute is `none`. `visibility: hidden` keeps its place, which scripts fill,
and `aria-hidden` is seen on the screen: neither hides. `html` and `body` are never hidden.
"""

from libc.stdint cimport uint64_t
from libc.string cimport memchr

from cedar.transforms.extractors.html._bytes cimport SPACE

from cedar.transforms.extractors.html._tags import key

cdef uint64_t _HTML = key("html"), _BODY = key("body"), _HIDDEN = key("hidden"), _STYLE = key("style")


cdef bint hides(
    uint64_t element, uint64_t name, Py_ssize_t name_size, const unsigned char *value, Py_ssize_t value_size
) noexcept nogil:
    """Whether an attribute hides its element; the names of both by their keys."""
    cdef Declaration declaration
    cdef bint none = False
    if name_size == 6 and name == _HIDDEN:
        none = True
    elif name_size == 5 and name == _STYLE:
        declaration.next, declaration.end = value, value + value_size
        while read_declaration(&declaration):
            if is_word(declaration.name, declaration.name_size, b"display"):
                none = is_word(declaration.value, declaration.value_size, b"none")
    return none and element != _HTML and element != _BODY


cdef bint read_declaration(Declaration *declaration) noexcept nogil:
    """Read the next declaration with a colon; False after the last."""
    cdef const unsigned char *start
    cdef const unsigned char *stop
    cdef const unsigned char *colon
    while declaration.next < declaration.end:
        start = declaration.next
        stop = <const unsigned char *>memchr(start, c";", declaration.end - start)
        if stop == NULL:
            stop = declaration.end
        declaration.next = stop + 1
        colon = <const unsigned char *>memchr(start, c":", stop - start)
        if colon == NULL:
            continue
        while start < colon and start[0] <= SPACE:
            start += 1
        declaration.name, declaration.name_size = start, colon - start
        colon += 1
        while colon < stop and colon[0] <= SPACE:
            colon += 1
        declaration.value, declaration.value_size = colon, stop - colon
        return True
    return False


cdef bint begins(const unsigned char *text, Py_ssize_t size, const char *word) noexcept nogil:
    """Whether a text begins with a word in lower case, whatever its own case."""
    cdef Py_ssize_t i = 0
    while word[i]:
        if i >= size or (text[i] | 0x20 if c"A" <= text[i] <= c"Z" else text[i]) != <unsigned char>word[i]:
            return False
        i += 1
    return True


cdef bint is_word(const unsigned char *text, Py_ssize_t size, const char *word) noexcept nogil:
    """Whether a text is a word in lower case, whatever its own case, before nothing but blanks or `!`."""
    cdef Py_ssize_t i = 0
    if not begins(text, size, word):
        return False
    while word[i]:
        i += 1
    while i < size and text[i] <= SPACE:
        i += 1
    return i == size or text[i] == c"!"
