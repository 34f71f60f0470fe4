from libc.stdint cimport int64_t, uint64_t


cdef class Blocks:
    cdef readonly Py_ssize_t count
    cdef readonly const unsigned char[::1] text
    cdef readonly int64_t[::1] starts
    cdef readonly int64_t[::1] stops
    cdef readonly int64_t[::1] first_gaps
    cdef readonly int64_t[::1] last_gaps
    cdef readonly int64_t[::1] word_tenths
    cdef readonly int64_t[::1] chars
    cdef readonly int64_t[::1] linked
    cdef readonly int64_t[::1] plain
    cdef readonly int64_t[:, ::1] kinds
    cdef readonly unsigned char[::1] last_kinds
    cdef readonly uint64_t[::1] texts
    cdef readonly int64_t[::1] word_sums
    cdef readonly int64_t[::1] plain_sums
    cdef readonly int64_t[::1] stop_sums
    cdef readonly int64_t[::1] long_sums
    cdef readonly int64_t[::1] char_sums
    cdef int _measure(self, const unsigned char[::1] in_links, bint whole) except -1
    cdef int _sum(self) except -1
