"""Small arithmetic that the columns of blocks share."""

from libc.stdint cimport int64_t

from cedar.transforms.extractors.html._growing cimport IntArena

cdef inline float over(double top, double bottom) noexcept nogil:
    """A quotient; a divisor below one counts as one."""
    return <float>(top / (bottom if bottom > 1 else 1))


cdef inline float part(int64_t top, int64_t bottom) noexcept nogil:
    """A quotient of counts; a divisor below one counts as one."""
    return <float>(<double>top / <double>max(bottom, <int64_t>1))


cdef inline float side(Py_ssize_t block, Py_ssize_t first, Py_ssize_t stop) noexcept nogil:
    """-1 before a range of blocks, 0 inside, 1 after."""
    return 1 if block >= stop else -1 if block < first else 0


cdef inline float distance(Py_ssize_t block, Py_ssize_t first, Py_ssize_t stop) noexcept nogil:
    """How many blocks away a range of blocks is, 0 inside."""
    return <float>max(max(first - block, block - stop + 1), <Py_ssize_t>0)


cdef inline Py_ssize_t least(Py_ssize_t one, Py_ssize_t other) noexcept nogil:
    return one if one < other else other


cdef inline Py_ssize_t most(Py_ssize_t one, Py_ssize_t other) noexcept nogil:
    return one if one > other else other


cdef struct Run:
    int64_t sum  # of all gains so far
    int64_t low  # the least of the sums
    int64_t best  # the greatest rise from a least sum
    Py_ssize_t low_at
    Py_ssize_t start
    Py_ssize_t stop


cdef inline Run no_run() noexcept nogil:
    """The search for the best run before the first block."""
    cdef Run run
    run.sum = run.low = run.best = run.low_at = run.start = run.stop = 0
    return run


cdef inline void extend(Run *run, int64_t gain, Py_ssize_t block) noexcept nogil:
    """Take the gain of the next block into the search for the run [start, stop) of the largest sum (BTE).

    Of several such runs it finds the one that stops first, and of these the one that starts first.
    """
    run.sum += gain
    if run.sum < run.low:
        run.low = run.sum
        run.low_at = block + 1
    elif run.sum - run.low > run.best:
        run.best = run.sum - run.low
        run.start = run.low_at
        run.stop = block + 1


cdef int find_firsts(const int64_t[::1] keys, int64_t[::1] found, IntArena room) except -1
