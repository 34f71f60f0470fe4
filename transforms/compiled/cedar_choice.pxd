# Order and likelihood of scores: `transforms.extractors.cedar_choice`.

from libc.stdint cimport int64_t


cdef int rank(const int64_t[::1] scores, int64_t[::1] order) except -1


cdef inline int64_t likelihood(const int64_t[::1] steps, int64_t score) noexcept nogil:
    """The number of steps that a score reaches; they ascend."""
    cdef Py_ssize_t first = 0, size = steps.shape[0], half
    while size > 0:
        half = size // 2
        if steps[first + half] <= score:
            first += half + 1
            size -= half + 1
        else:
            size = half
    return first
