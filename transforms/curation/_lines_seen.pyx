"""Which lines of a text came before in it."""

from libc.stdint cimport uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcmp, memcpy

from transforms.curation._tokens cimport mix

cdef enum:
    FIRST_SLOTS = 64
    WORD = 8

cdef extern from *:
    """
    #define SPREAD 0x9E3779B97F4A7C15ULL
    """
    const uint64_t SPREAD


cdef class LinesSeen:
    """A set of lines that are not empty, compared byte by byte."""

    def __cinit__(self):
        self._slots = FIRST_SLOTS
        self._count = 0
        self._lines = <Line*> calloc(self._slots, sizeof(Line))
        if self._lines is NULL:
            raise MemoryError()

    def __dealloc__(self):
        free(self._lines)

    cdef bint add(self, const unsigned char* start, Py_ssize_t size) except -1:
        """Adds a line, which stays where it is as long as the set; gives whether it was there before."""
        cdef Line* line
        if 2 * self._count >= self._slots:
            self._grow()
        line = _find(self._lines, self._slots, start, size)
        if line.size:
            return True
        line.start, line.size = start, size
        self._count += 1
        return False

    cdef int _grow(self) except -1:
        cdef:
            Py_ssize_t slots = 4 * self._slots, i
            Line* lines = <Line*> calloc(slots, sizeof(Line))
        if lines is NULL:
            raise MemoryError()
        for i in range(self._slots):
            if self._lines[i].size:
                _find(lines, slots, self._lines[i].start, self._lines[i].size)[0] = self._lines[i]
        free(self._lines)
        self._lines, self._slots = lines, slots
        return 0


cdef Line* _find(Line* lines, Py_ssize_t slots, const unsigned char* start, Py_ssize_t size) noexcept nogil:
    """The slot of a line, or the one where it is to go."""
    cdef Py_ssize_t at = <Py_ssize_t> (_hash(start, size) >> 8) & slots - 1
    while lines[at].size and not (lines[at].size == size and memcmp(lines[at].start, start, size) == 0):
        at = at + 1 & slots - 1
    return &lines[at]


cdef uint64_t _hash(const unsigned char* start, Py_ssize_t size) noexcept nogil:
    cdef uint64_t hash = <uint64_t> size, word
    cdef Py_ssize_t at = 0
    while at + WORD <= size:
        memcpy(&word, start + at, WORD)
        hash = (hash ^ word) * SPREAD
        hash ^= hash >> 32
        at += WORD
    word = 0
    memcpy(&word, start + at, size - at)
    return mix(hash ^ word)
