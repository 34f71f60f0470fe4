# What twins share that read trees: `transforms.extractors.dom`.

from libc.stdint cimport uint64_t


cdef bint is_unseen(const unsigned char[::1] data, Py_ssize_t name, uint64_t key) noexcept nogil
cdef bint is_hidden(const unsigned char[::1] data, Py_ssize_t start, Py_ssize_t stop, uint64_t key) noexcept nogil
