# Words and runs of words that come again: see `_repeats.pyx`.

cimport cython
from libc.stdint cimport uint32_t, uint64_t

from cedar.transforms.curation._tokens cimport Tokens
from cedar.transforms.extractors.html._bytes cimport GOLDEN_RATIO

cdef enum:
    MIN_TOP = 2
    MAX_TOP = 4
    MIN_DUPLICATE = 5
    MAX_DUPLICATE = 10


cdef struct Entry:
    uint64_t key
    uint32_t count


@cython.final
cdef class CountTable:
    """Counts by key, with room for a number of keys that is known before; a key's slot stays."""

    cdef Entry* entries
    cdef Py_ssize_t slots
    cdef int shift

    # Set the number of slots and the shift that leads a key to one, while the table is empty; never for more.
    cdef void shape(self, Py_ssize_t room) noexcept nogil

    cdef inline Py_ssize_t slot(self, uint64_t key) noexcept nogil:
        """The slot of a key, or the one where it is to go."""
        cdef Py_ssize_t at = <Py_ssize_t>(key * GOLDEN_RATIO >> self.shift)
        # In bits, not in branches: whether a key came before is nothing that a processor could foretell.
        while (self.entries[at].key ^ key) & (0 - <uint64_t>(self.entries[at].count != 0)):
            at = at + 1 & self.slots - 1
        return at

    cdef inline Py_ssize_t put(self, uint64_t key, uint32_t count) noexcept nogil:
        """Add to the count of a key; give its slot."""
        cdef Py_ssize_t at = self.slot(key)
        self.entries[at].key = key
        self.entries[at].count += count
        return at


cdef struct Repeats:
    # Characters of the n-gram that comes most often, times its count; n from `MIN_TOP` on.
    double[MAX_TOP - MIN_TOP + 1] top
    # Characters of n-grams that came before; n from `MIN_DUPLICATE` on.
    double[MAX_DUPLICATE - MIN_DUPLICATE + 1] duplicate
    Py_ssize_t distinct  # tokens in lower case
    double entropy  # of them, in nats
    Py_ssize_t stop_words  # how many of those asked for are there


cdef int find_repeats(Tokens tokens, const uint64_t[::1] stop_words, Repeats* found) except -1
