"""Twins of `transforms.extractors.cetr`."""

import numpy as np

from libc.math cimport fabs

from transforms.compiled.clustering cimport cluster
from transforms.compiled.smoothing cimport weigh


def derivative(const double[:] values not None, Py_ssize_t alpha):
    """Mean of the next `alpha` values minus the value."""
    slope = np.empty(values.shape[0])
    put_derivative(values, alpha, slope)
    return slope


def weighted_plane(
    const double[:] ratios not None, const double[:] kernel not None, Py_ssize_t k, Py_ssize_t alpha
):
    """Smoothed ratios, and the lines outside of the cluster that is pinned to the origin, or None."""
    cdef Py_ssize_t size = ratios.shape[0]
    smooth_made = np.empty(size)
    cdef double[::1] smooth = smooth_made
    cdef double[:, ::1] points = np.empty((2, size))
    weigh(ratios, kernel, smooth)
    put_derivative(smooth, alpha, points[0])
    weigh(points[0], kernel, points[1])
    points[0, :] = smooth
    return smooth_made, off_pinned(points, k)


def off_origin(const double[:] smooth not None, const double[:] slope not None, Py_ssize_t k):
    """The lines outside of the cluster that is pinned to the origin, or None if all points are equal."""
    cdef Py_ssize_t size = smooth.shape[0]
    if size != slope.shape[0]:
        raise ValueError("lines without slope")
    cdef double[:, ::1] points = np.empty((2, size))
    points[0, :] = smooth
    points[1, :] = slope
    return off_pinned(points, k)


cdef int put_derivative(const double[:] values, Py_ssize_t alpha, double[::1] slope) except -1:
    """Puts the derivative into `slope`, of the size of the values."""
    cdef Py_ssize_t size = values.shape[0], i, ahead, following
    cdef double total
    if alpha < 1 or slope.shape[0] != size:
        raise ValueError("alpha is below 1, or there is no room for the slope")
    for i in range(size - 1):
        following = min(size - 1 - i, alpha)
        total = 0.0
        for ahead in range(1, following + 1):
            total += values[i + ahead]
        slope[i] = total / following - values[i]
    if size:
        slope[size - 1] = 0.0
    return 0


cdef object off_pinned(double[:, ::1] points, Py_ssize_t k):
    """The points (2, n) outside of the cluster of the origin, or None; the second row without its signs."""
    cdef Py_ssize_t size = points.shape[1], i
    if not size or k < 2:
        raise ValueError("no lines, or no clusters")
    cdef double[:, ::1] centroids = np.empty((k, 2))
    cdef Py_ssize_t[::1] labels = np.empty(size, np.intp)
    kept_made = np.empty(size, np.bool_)
    cdef unsigned char[::1] kept = kept_made.view(np.uint8)
    cdef double[2] origin
    origin[0] = origin[1] = 0.0
    for i in range(size):
        points[1, i] = fabs(points[1, i])
    if cluster(points, <double[:2]> origin, True, centroids, labels) < 2:
        return None
    for i in range(size):
        kept[i] = labels[i] != 0
    return kept_made
