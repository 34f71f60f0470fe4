from libc.stdint cimport int64_t

from cedar.transforms.extractors.html._growing cimport IntArena

cdef const int64_t[::1] STEPS

cdef int64_t[::1] rank(const int64_t[::1] scores, IntArena room)


cdef inline int64_t likelihood(int64_t score) noexcept nogil:
    """The probability of a score, in whole thousandths: the number of steps that it reaches; they ascend."""
    cdef Py_ssize_t found = 0, half = 512
    while half:
        # Without branches, as no processor could foretell them; after the thousand steps some that none reaches.
        found += half & -<Py_ssize_t>(STEPS[found + half - 1] <= score)
        half >>= 1
    return found
