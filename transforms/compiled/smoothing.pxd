"""What the compiled modules share of `transforms.compiled.smoothing`."""

cdef double pairwise_sum(const double[:] values) noexcept nogil
cdef int weigh(const double[:] values, const double[:] kernel, double[::1] total) except -1
