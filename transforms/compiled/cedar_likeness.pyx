"""Twin of `transforms.extractors.cedar_likeness`."""

import numpy as np

from transforms.compiled.cedar_columns cimport Numbers, most, same_size
from transforms.compiled.cedar_text cimport render

cdef enum:
    PASSAGE = 4  # characters from which a text that stands in the title is taken for a part of it


cdef inline bint _is_of_word(unsigned char byte) noexcept nogil:
    return c"a" <= byte <= c"z" or c"0" <= byte <= c"9"


cdef double _share(bytes text, set words):
    """The share of the words of a text, ASCII in small letters, that are among others."""
    cdef const unsigned char[::1] data = text
    cdef Py_ssize_t size = data.shape[0], at = 0, begin, count = 0, common = 0
    while at < size:
        begin = at
        while at < size and _is_of_word(data[at]):
            at += 1
        if at > begin:
            count += 1
            common += text[begin:at] in words
        else:
            at += 1
    return <double>common / <double>count if count > 1 else 0


def _alike(
    const unsigned char[::1] coded not None,
    Numbers starts not None,
    Numbers stops not None,
    str title not None,
    words,
    likeness,
):
    """The likeness to the title of the text in each range: float64, as many."""
    cdef Py_ssize_t count = starts.shape[0], i, at, size, longest = 0
    cdef bint is_ascii
    cdef unsigned char byte
    cdef bytes folded = title.encode(), text
    cdef set known = {word.encode() for word in words}
    same_size(count, stops.shape[0])
    for i in range(count):
        if not 0 <= starts[i] <= stops[i] <= coded.shape[0]:
            raise IndexError("a range outside of the text")
        longest = most(longest, stops[i] - starts[i])
    found = np.empty(count)
    cdef double[::1] result = found
    room = np.empty(longest, np.uint8)
    cdef unsigned char[::1] out = room
    for i in range(count):
        size = render(coded, starts[i], stops[i], out, 0)
        is_ascii = True
        for at in range(size):
            byte = out[at]
            is_ascii &= byte < 0x80
            if c"A" <= byte <= c"Z":
                out[at] = byte | 0x20
        text = room[:size].tobytes()
        if not is_ascii:
            result[i] = likeness(text.decode().lower(), title, words)
        elif size >= PASSAGE and text in folded:
            result[i] = 1
        else:
            result[i] = _share(text, known)
    return found
