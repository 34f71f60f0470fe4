"""Smoothing of per-line values, for other compiled modules."""

cdef void fill_means(const double[::1] values, const double[::1] kernel, double[::1] total) noexcept nogil
cdef void fill_slopes(const double[::1] values, Py_ssize_t alpha, double[::1] slope) noexcept nogil
cdef double pairwise_sum(const double[::1] values) noexcept nogil
cdef double deviation(const double[::1] values, double mean, double[::1] squares) noexcept nogil
