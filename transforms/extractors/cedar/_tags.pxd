from libc.stdint cimport int64_t

cdef enum:
    NO_CODE = 255  # as in `names`, and so are the others
    OTHER = 0
    ANCHOR = 1
    PREFORMATTED = 2
    LINE_BREAK = 3
    UNSEEN = 4


cdef class Tags:
    cdef readonly Py_ssize_t count
    cdef readonly bytes html
    cdef readonly str title
    cdef readonly const int64_t[::1] starts
    cdef readonly const int64_t[::1] stops
    cdef readonly const unsigned char[::1] ends
    cdef readonly unsigned char[::1] codes
    cdef readonly unsigned char[::1] roles
    cdef readonly unsigned char[::1] shown
    cdef readonly unsigned char[::1] parting
    cdef readonly unsigned char[::1] hidden_gaps
    cdef readonly unsigned char[::1] linked_gaps
    cdef readonly unsigned char[::1] preformatted_gaps
    cdef readonly int64_t[::1] starts_before
    cdef int _class(self, const unsigned char[::1] html, object keys) except -1
    cdef int _mark_gaps(self, const unsigned char[::1] html) except -1
