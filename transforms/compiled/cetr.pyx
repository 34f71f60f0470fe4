"""Twins of `transforms.extractors.cetr`."""

import numpy as np

from libc.math cimport fabs

from transforms.compiled.clustering cimport cluster


def derivative(const double[:] values not None, Py_ssize_t alpha):
    """Mean of the next `alpha` values minus the value."""
    cdef Py_ssize_t size = values.shape[0], i, ahead, following
    cdef double[::1] slope = np.empty(size)
    cdef double total
    if alpha < 1:
        raise ValueError("alpha is below 1")
    for i in range(size - 1):
        following = min(size - 1 - i, alpha)
        total = 0.0
        for ahead in range(1, following + 1):
            total += values[i + ahead]
        slope[i] = total / following - values[i]
    if size:
        slope[size - 1] = 0.0
    return np.asarray(slope)


def off_origin(const double[:] smooth not None, const double[:] slope not None, Py_ssize_t k):
    """The lines outside of the cluster that is pinned to the origin, or None if all points are equal."""
    cdef Py_ssize_t size = smooth.shape[0], i
    if not size or size != slope.shape[0] or k < 2:
        raise ValueError("no lines, lines without slope, or no clusters")
    cdef double[:, ::1] points = np.empty((2, size)), centroids = np.empty((k, 2))
    cdef Py_ssize_t[::1] labels = np.empty(size, np.intp)
    cdef unsigned char[::1] kept = np.empty(size, np.uint8)
    cdef double[2] origin
    origin[0] = origin[1] = 0.0
    for i in range(size):
        points[0, i] = smooth[i]
        points[1, i] = fabs(slope[i])
    if cluster(points, <double[:2]> origin, True, centroids, labels) < 2:
        return None
    for i in range(size):
        kept[i] = labels[i] != 0
    return np.asarray(kept).view(np.bool_)
