cdef bint has_signs(const unsigned char[::1] text, Py_ssize_t start, Py_ssize_t stop) noexcept nogil
