"""K-means, deterministic: farthest-first start, Lloyd's iterations, optionally one centroid that never moves.

CETR 2010, section 5.2, pins one of k centroids to the origin in every iteration; without it this is ordinary
k-means. Ties go to the lower cluster, and to the earlier point. A cluster without points keeps its centroid.
"""

from collections import namedtuple

import numpy as np

from libc.stdint cimport int64_t

cdef enum:
    MAX_ITERATIONS = 100


Clustering = namedtuple("Clustering", "labels centroids")
"""Clusters of n points: labels, int64 (n,), the cluster of each, and centroids, float64 (k, d)."""


def k_means(points not None, Py_ssize_t k, const double[:] first not None, *, bint pinned=False):
    """Cluster points, float64 (d, n), n at least 1, by k-means, at most k >= 2 clusters; None if all points are equal.

    `first`, float64 (d,), is the first centroid, which stays if `pinned`. The next ones are the points farthest from
    those chosen.
    """
    cdef const double[:, ::1] rows = np.ascontiguousarray(points)
    _check(rows, k, first)
    cdef Py_ssize_t dimensions = rows.shape[0], size = rows.shape[1], clusters, i, c
    cdef double[:, ::1] centroids = np.empty((k, dimensions)), sums = np.empty((k, dimensions))
    cdef int64_t[:, ::1] numbers = np.empty((2, size), np.int64)
    cdef int64_t[::1] labels = numbers[0], before = numbers[1], sizes = np.empty(k, np.int64)
    # Squared distances from the centroid that is looked at, from the nearest, and from the first one.
    cdef double[:, ::1] squares = np.empty((3, size))
    cdef double[::1] distances = squares[0], nearest = squares[1], from_first = squares[2]
    cdef bint changed
    centroids[0, :] = first
    clusters = _farthest_first(rows, centroids, labels, from_first, nearest, distances)
    if clusters < 2:
        return None
    sums, sizes = sums[:clusters], sizes[:clusters]
    for _ in range(MAX_ITERATIONS):
        before, labels = labels, before
        _means(rows, before, pinned, sizes, sums, centroids)
        if not pinned:
            _squared_distances(rows, centroids[0], from_first)
        nearest[:] = from_first
        labels[:] = 0
        for c in range(1, clusters):
            _squared_distances(rows, centroids[c], distances)
            _nearer(distances, nearest, labels, c)
        changed = False
        for i in range(size):
            if labels[i] != before[i]:
                changed = True
                break
        if not changed:
            break
    return Clustering(np.array(labels), np.array(centroids[:clusters]))


def farthest_first(points not None, Py_ssize_t k, const double[:] first not None):
    """Cluster points as `k_means`, by centres that are chosen by farthest-first traversal, and stay.

    Hochbaum and Shmoys, "A best possible heuristic for the k-center problem", 1985.
    """
    cdef const double[:, ::1] rows = np.ascontiguousarray(points)
    _check(rows, k, first)
    cdef double[:, ::1] centres = np.empty((k, rows.shape[0])), distances = np.empty((3, rows.shape[1]))
    cdef int64_t[::1] labels = np.empty(rows.shape[1], np.int64)
    centres[0, :] = first
    cdef Py_ssize_t found = _farthest_first(rows, centres, labels, distances[0], distances[1], distances[2])
    return None if found < 2 else Clustering(np.asarray(labels), np.array(centres[:found]))


cdef int _check(const double[:, ::1] points, Py_ssize_t k, const double[:] first) except -1:
    if points.shape[0] < 1 or points.shape[1] < 1 or k < 2 or first.shape[0] != points.shape[0]:
        raise ValueError("no points, no clusters, or a first centroid of other dimensions")
    return 0


cdef Py_ssize_t _farthest_first(
    const double[:, ::1] points, double[:, ::1] centroids, int64_t[::1] labels, double[::1] from_first,
    double[::1] nearest, double[::1] distances
) noexcept:
    """Farthest-first traversal from the first centroid on: labels, distances; returns how many are of account.

    That is the number of distinct points, or k if there are more.
    """
    cdef Py_ssize_t size = points.shape[1], k = centroids.shape[0], chosen = 1, distinct = 0, farthest, c, i
    _squared_distances(points, centroids[0], from_first)
    nearest[:] = from_first
    labels[:] = 0
    for i in range(size):
        if from_first[i] == 0.0:
            distinct = 1
            break
    while distinct < k:
        farthest = _highest(nearest)
        if nearest[farthest] == 0.0:
            break
        distinct += 1
        if chosen < k:
            centroids[chosen, :] = points[:, farthest]
            _squared_distances(points, centroids[chosen], distances)
            _nearer(distances, nearest, labels, chosen)
        chosen += 1
    if distinct < min(chosen, k):
        # The first is none of the points, which are so few that they leave the last centroid out.
        nearest[:] = from_first
        labels[:] = 0
        for c in range(1, distinct):
            _squared_distances(points, centroids[c], distances)
            _nearer(distances, nearest, labels, c)
    return distinct


cdef Py_ssize_t _highest(const double[::1] values) noexcept nogil:
    """Where the highest of the values is first, n at least 1."""
    cdef Py_ssize_t i, found = 0
    cdef double highest = values[0]
    for i in range(1, values.shape[0]):
        if values[i] > highest:
            highest = values[i]
            found = i
    return found


cdef void _squared_distances(
    const double[:, ::1] points, const double[::1] centre, double[::1] distances
) noexcept nogil:
    """Squared distances of the points from a centre."""
    cdef Py_ssize_t i, dimension, size = points.shape[1]
    cdef double coordinate = centre[0], difference
    for i in range(size):
        difference = points[0, i] - coordinate
        distances[i] = difference * difference
    for dimension in range(1, centre.shape[0]):
        coordinate = centre[dimension]
        for i in range(size):
            difference = points[dimension, i] - coordinate
            distances[i] += difference * difference


cdef void _nearer(
    const double[::1] distances, double[::1] best, int64_t[::1] labels, Py_ssize_t label
) noexcept nogil:
    """Label the points that are nearer to a centre than to the best so far."""
    cdef Py_ssize_t i, nearest
    cdef double least
    for i in range(labels.shape[0]):
        # Both are found before one is written: so compilers see that several points can go side by side.
        nearest = label if distances[i] < best[i] else labels[i]
        least = distances[i] if distances[i] < best[i] else best[i]
        labels[i] = nearest
        best[i] = least


cdef void _means(
    const double[:, ::1] points, const int64_t[::1] labels, bint pinned,
    int64_t[::1] sizes, double[:, ::1] sums, double[:, ::1] centroids
) noexcept nogil:
    """Move each centroid to the mean of its points; but not a pinned one, nor one without points."""
    cdef Py_ssize_t i, c, dimension
    cdef bint two = sums.shape[1] > 1
    sizes[:] = 0
    sums[:, :] = 0.0
    for i in range(labels.shape[0]):
        c = labels[i]
        sizes[c] += 1
        sums[c, 0] += points[0, i]
        if two:
            sums[c, 1] += points[1, i]
    for dimension in range(1 + two, sums.shape[1]):
        for i in range(labels.shape[0]):
            sums[labels[i], dimension] += points[dimension, i]
    for c in range(pinned, sizes.shape[0]):
        if sizes[c]:
            for dimension in range(sums.shape[1]):
                centroids[c, dimension] = sums[c, dimension] / sizes[c]
