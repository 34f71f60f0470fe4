from transforms.extractors.html._growing cimport ByteBuffer

cdef enum:
    MOST_PREFIX = 256  # sixteen frames of eleven bytes at most


cdef class PrefixedLines(ByteBuffer):
    cdef unsigned char[MOST_PREFIX] prefix
    cdef Py_ssize_t prefix_size, bare_size
    cdef int next_line(self, bint is_empty) except -1
    cdef int put_lines(self, list lines) except -1
