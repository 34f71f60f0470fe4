"""Twin of `transforms.extractors.source`."""

from libc.stdint cimport uint64_t

from transforms.compiled.scanning cimport find, word

cdef enum:
    BLOCK = 64
    MOST_ELEMENTS = 8


cdef struct Name:
    uint64_t letters
    uint64_t fold
    uint64_t mask
    uint64_t size


def _kept_ranges(const unsigned char[::1] html not None, tuple elements not None, bint to_end, scanner):
    """The ranges of a page that are left, empty ones among them."""
    cdef Py_ssize_t size = html.shape[0], position = 0, start = -1, stop
    cdef Name[MOST_ELEMENTS] starts
    cdef Name[MOST_ELEMENTS] ends
    cdef bint[MOST_ELEMENTS] closes
    cdef int kinds = len(elements), kind
    cdef bint comments_close = True
    cdef uint64_t behind
    if kinds > MOST_ELEMENTS:
        raise ValueError(f"more than {MOST_ELEMENTS} elements")
    for kind in range(kinds):
        starts[kind], ends[kind] = name(elements[kind][0]), name(elements[kind][1])
        closes[kind] = True
    kept = []
    while True:
        start = candidate(html, max(position, start + 1))
        if start < 0:
            break
        behind = word(html, start + 1)
        if (behind & 0xFFFFFF) == 0x2D2D21:  # !--
            stop = comment_stop(html, start + 4) if comments_close else -1
            comments_close = stop >= 0
        else:
            kind = 0
            while kind < kinds and not is_named(behind, starts[kind]):
                kind += 1
            if kind == kinds:
                continue
            stop = element_stop(html, start, ends[kind]) if closes[kind] else -1
            if stop < 0:
                closes[kind] = False
                if to_end:
                    stop = scanner.stop(start)
                    if stop < 0 or html[stop - 2] != c"/":
                        stop = -1
        if stop >= 0 or to_end:
            kept.append((position, start))
            position = stop if stop >= 0 else size
    kept.append((position, size))
    return kept


cdef inline Py_ssize_t candidate(const unsigned char[::1] html, Py_ssize_t start) noexcept nogil:
    """A `<` from `start` on, not behind the next one before `!`, `sc` or `st`; -1 if there is none.

    All that is removed begins so (letters in any case), and few of the tags that stay.
    """
    cdef Py_ssize_t size = html.shape[0], i
    cdef unsigned char found = 0
    while start + BLOCK + 1 < size:
        for i in range(start, start + BLOCK):  # without branches, so that many bytes are compared at once
            found |= (html[i] == c"<") & (
                (html[i + 1] == c"!")
                | ((html[i + 1] | 0x20) == c"s")
                & (((html[i + 2] | 0x20) == c"c") | ((html[i + 2] | 0x20) == c"t"))
            )
        if found:
            break
        start += BLOCK
    return find(html, c"<", start, size)


cdef Name name(numbers):
    cdef Name made
    made.letters, made.fold, made.mask, made.size = numbers
    return made


cdef inline bint is_named(uint64_t behind, Name name) noexcept nogil:
    """Whether eight bytes are a name, and a byte that ends names."""
    return ((behind | name.fold) & name.mask) == name.letters and ends_name(
        <unsigned char> (behind >> name.size)
    )


cdef inline bint ends_name(unsigned char byte) noexcept nogil:
    return (
        byte == 0x20
        or byte == 0x09
        or byte == 0x0A
        or byte == 0x0C
        or byte == 0x0D
        or byte == c"/"
        or byte == c">"
    )


cdef Py_ssize_t comment_stop(const unsigned char[::1] html, Py_ssize_t inner) noexcept nogil:
    """The byte after a comment whose text begins at `inner`; -1 if it does not end."""
    cdef Py_ssize_t size = html.shape[0], at = find(html, c">", inner, size)
    while at >= 0:
        if at == inner or at == inner + 1 and html[inner] == c"-":
            return at + 1
        if at >= inner + 2 and html[at - 1] == c"-" and html[at - 2] == c"-":
            return at + 1
        if at >= inner + 3 and html[at - 1] == c"!" and html[at - 2] == c"-" and html[at - 3] == c"-":
            return at + 1
        at = find(html, c">", at + 1, size)
    return -1


cdef Py_ssize_t element_stop(const unsigned char[::1] html, Py_ssize_t start, Name end) noexcept nogil:
    """The byte after the first end tag behind `start`; the size if it has no `>`; -1 if there is none."""
    cdef Py_ssize_t size = html.shape[0], at = find(html, c"<", start + 1, size), stop
    while at >= 0:
        if is_named(word(html, at + 1), end):
            stop = find(html, c">", at, size)
            return size if stop < 0 else stop + 1
        at = find(html, c"<", at + 1, size)
    return -1
