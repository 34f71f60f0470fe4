from libc.stdint cimport int64_t, uint32_t, uint64_t

from transforms.extractors.html._tags cimport Tags


cdef class Hints:
    cdef readonly uint32_t[::1] groups
    cdef readonly uint64_t[::1] signatures
    cdef readonly unsigned char[::1] hidden
    cdef int _read(
        self, const unsigned char[::1] html, Tags tags, const int64_t[::1] opens, const int64_t[::1] codes
    ) except -1
