"""How wide the texts of a tree are, and how many words they have."""

import numpy as np

from libc.stdint cimport int64_t

from transforms.extractors.tree._tree cimport Tree

cdef enum:
    _SPACE = 0x20


def text_extents(Tree tree not None):
    cdef const unsigned char[::1] text = tree.shrunk
    cdef Py_ssize_t tag, at, stop
    cdef int64_t wide, words
    cdef unsigned char byte, following
    cdef bint in_word
    widths_array, words_array = np.empty(tree.tags, np.float32), np.empty(tree.tags, np.int64)
    cdef float[::1] widths = widths_array
    cdef int64_t[::1] counts = words_array
    for tag in range(tree.tags):
        at, stop = tree.shrunk_of[tag] + 1, tree.shrunk_of[tag + 1]
        wide = words = 0
        in_word = False
        while at < stop:
            byte = text[at]
            following = text[at + 1] if at + 1 < stop else 0
            if byte == _SPACE:
                in_word = False
            elif byte < 0xE2 or byte == 0xE2 and following < 0xBA:  # below U+2E80
                if (byte & 0xC0) != 0x80:
                    words += not in_word
                    in_word = True
            else:
                wide += 1
                if _is_word_alone(byte, following):
                    words += 1
                    in_word = False
                else:
                    words += not in_word
                    in_word = True
                at += 2 if byte < 0xF0 else 3
            at += 1
        widths[tag] = 0.5 * (tree.chars_of[tag] + wide)
        counts[tag] = words
    return widths_array, words_array


cdef inline bint _is_word_alone(unsigned char byte, unsigned char following) noexcept nogil:
    """Whether the first bytes of a character are those of Han or kana: U+3040 to U+9FFF and F900 to FAFF."""
    if byte == 0xE3:
        return following >= 0x81
    return 0xE4 <= byte <= 0xE9 or byte == 0xEF and 0xA4 <= following <= 0xAB or byte == 0xF0 and following >= 0xA0
