cdef void fill_means(const double[:] values, const double[:] kernel, double[::1] total) noexcept nogil
cdef void fill_slopes(const double[:] values, Py_ssize_t alpha, double[::1] slope) noexcept nogil
