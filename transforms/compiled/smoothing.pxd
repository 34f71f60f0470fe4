"""What the compiled modules share of `transforms.compiled.smoothing`."""

cdef double pairwise_sum(const double[:] values) noexcept nogil
