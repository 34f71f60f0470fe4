from libc.stdint cimport int64_t

cdef const int64_t[::1] STEPS

cdef int rank(const int64_t[::1] scores, int64_t[::1] order) except -1


cdef inline int64_t likelihood(int64_t score) noexcept nogil:
    """The probability of a score, in whole thousandths: the number of steps that it reaches; they ascend."""
    cdef Py_ssize_t first = 0, size = STEPS.shape[0], half
    while size > 0:
        half = size // 2
        if STEPS[first + half] <= score:
            first += half + 1
            size -= half + 1
        else:
            size = half
    return first
