"""What the compiled modules share of `transforms.compiled.clustering`."""

cdef Py_ssize_t cluster(
    const double[:, ::1] points, const double[:] first, bint pinned,
    double[:, ::1] centroids, Py_ssize_t[::1] labels
) except -1
