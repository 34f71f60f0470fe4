from libc.stdint cimport int64_t


cdef class ByteBuffer:
    cdef unsigned char[::1] bytes
    cdef Py_ssize_t size
    cdef int reserve(self, Py_ssize_t length) except -1
    cdef int put_byte(self, unsigned char byte) except -1
    cdef int put(self, const unsigned char[::1] text, Py_ssize_t start, Py_ssize_t stop) except -1
    cdef int put_text(self, str text) except -1
    cdef int insert(self, Py_ssize_t at, unsigned char byte) except -1
    cdef str text(self, Py_ssize_t start)


cdef class Records:
    cdef Py_ssize_t width, count
    cdef int64_t[::1] numbers
    cdef Py_ssize_t add(self) except -1


cdef enum:
    MOST_PREFIX = 256  # sixteen frames of eleven bytes at most


cdef class PrefixedLines(ByteBuffer):
    cdef unsigned char[MOST_PREFIX] prefix
    cdef Py_ssize_t prefix_size, bare_size
    cdef int next_line(self, bint is_empty) except -1
    cdef int put_lines(self, list lines) except -1
