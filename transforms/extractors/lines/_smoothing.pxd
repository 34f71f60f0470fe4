"""Smoothing, for other compiled modules."""

cdef double pairwise_sum(const double[:] values) noexcept nogil
cdef int weigh(const double[:] values, const double[:] kernel, double[::1] total) except -1
cdef int put_derivative(const double[:] values, Py_ssize_t alpha, double[::1] slope) except -1
