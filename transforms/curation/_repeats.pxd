# Words and runs of words that come again: see `_repeats.pyx`.

from libc.stdint cimport uint64_t

from transforms.curation._tokens cimport Tokens

cdef enum:
    SHORTEST_TOP = 2
    LONGEST_TOP = 4
    SHORTEST_DUPLICATE = 5
    LONGEST_DUPLICATE = 10


cdef struct Repeats:
    # Characters of the n-gram that comes most often, times its count; n from `SHORTEST_TOP` on.
    double[LONGEST_TOP - SHORTEST_TOP + 1] top
    # Characters of n-grams that came before; n from `SHORTEST_DUPLICATE` on.
    double[LONGEST_DUPLICATE - SHORTEST_DUPLICATE + 1] duplicate
    Py_ssize_t distinct  # tokens in lower case
    double entropy  # of them, in nats
    Py_ssize_t stop_words  # how many of those asked for are there


cdef int find_repeats(Tokens tokens, const uint64_t[::1] stop_words, Repeats* found) except -1
