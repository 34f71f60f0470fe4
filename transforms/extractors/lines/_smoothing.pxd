"""Smoothing of per-line values, for other compiled modules."""

cdef double pairwise_sum(const double[::1] values) noexcept nogil
cdef double deviation(const double[::1] values, double mean, double[::1] squares) noexcept nogil
