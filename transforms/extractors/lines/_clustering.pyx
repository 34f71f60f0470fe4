"""K-means, deterministic: farthest-first start, Lloyd's iterations, optionally one centroid that never moves.

CETR 2010, section 5.2, pins one of k centroids to the origin in every iteration; without it this is ordinary
k-means. Ties go to the lower cluster, and to the earlier point. A cluster without points keeps its centroid.
"""

from collections import namedtuple

import numpy as np

from libc.stdint cimport int64_t

cdef enum:
    MAX_ITERATIONS = 100

# Leaving out points that the pinned centroid is nearest to saves 4 % of `cetr` (`nox -s bench_count`).
# The square of a half, allowing for rounding; how far the limit may shrink before the points are chosen again,
# and how far it may grow.
cdef double SAFE_QUARTER = 0.2499, ROOM = 0.5, WORTHWHILE = 8.0


Clustering = namedtuple("Clustering", "labels centroids")
"""Clusters of n points: labels, int64 (n,), the cluster of each, and centroids, float64 (k, d)."""


def k_means(points not None, Py_ssize_t k, const double[:] first not None, *, bint pinned=False):
    """Cluster points, float64 (d, n), n at least 1, by k-means, at most k >= 2 clusters; None if all points are equal.

    `first`, float64 (d,), is the first centroid, which stays if `pinned`. The next ones are the points farthest from
    those chosen.
    """
    cdef const double[:, ::1] all_points = np.ascontiguousarray(points), seen = all_points
    _check(all_points, k, first)
    cdef Py_ssize_t dimensions = all_points.shape[0], size = all_points.shape[1], active = size, clusters, i, c
    made, found = np.empty((k, dimensions)), np.empty(size, np.int64)
    cdef double[:, ::1] centroids = made, sums = np.empty((k, dimensions)), rows = np.empty((dimensions + 3, size))
    cdef int64_t[:, ::1] numbers = np.empty((3, size), np.int64)
    cdef int64_t[::1] labels = found, now = numbers[0], before = numbers[1], chosen = numbers[2]
    cdef int64_t[::1] sizes = np.empty(k, np.int64)
    # Squared distances from the centroid that is looked at, from the nearest, and from the first one.
    cdef double[::1] distances = rows[dimensions], best = rows[dimensions + 1], from_first = rows[dimensions + 2]
    cdef double reach = -1.0, limit
    cdef bint changed
    centroids[0, :] = first
    clusters = _farthest_first(all_points, centroids, labels, from_first, best, distances)
    if clusters < 2:
        return None
    sums, sizes = sums[:clusters], sizes[:clusters]
    before[:] = labels
    for _ in range(MAX_ITERATIONS):
        _means(seen, before[:active], pinned, sizes, sums, centroids)
        changed = False
        if pinned:
            limit = SAFE_QUARTER * _least_squared_distance(centroids, clusters)
            if not reach <= limit <= WORTHWHILE * reach:
                # Points that the pinned centroid is certainly nearest to are left out meanwhile.
                reach = limit * ROOM
                active = 0
                for i in range(size):
                    chosen[active] = i
                    active += from_first[i] > reach
                _take(all_points, chosen[:active], rows)
                seen = rows
                changed = True
        for i in range(active):
            now[i] = 0
        for c in range(clusters):
            if c == 0 and pinned:
                for i in range(active):
                    best[i] = from_first[chosen[i]]
                continue
            _squared_distances(seen, centroids[c], active, distances)
            if c == 0:
                best[:active] = distances[:active]
                continue
            _nearer(distances, best, now, c, active)
        if not changed:
            for i in range(active):
                if now[i] != before[i]:
                    changed = True
                    break
        before, now = now, before
        if not changed:
            break
    if pinned:
        labels[:] = 0
    for i in range(active):
        labels[chosen[i] if pinned else i] = before[i]
    return Clustering(found, made[:clusters])


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
    _squared_distances(points, centroids[0], size, from_first)
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
            _squared_distances(points, centroids[chosen], size, distances)
            _nearer(distances, nearest, labels, chosen, size)
        chosen += 1
    if distinct < min(chosen, k):
        # The first is none of the points, which are so few that they leave the last centroid out.
        nearest[:] = from_first
        labels[:] = 0
        for c in range(1, distinct):
            _squared_distances(points, centroids[c], size, distances)
            _nearer(distances, nearest, labels, c, size)
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
    const double[:, ::1] points, const double[::1] centre, Py_ssize_t size, double[::1] distances
) noexcept nogil:
    """Squared distances of the first `size` points from a centre."""
    cdef Py_ssize_t i, dimension
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
    const double[::1] distances, double[::1] best, int64_t[::1] labels, Py_ssize_t label, Py_ssize_t size
) noexcept nogil:
    """Label the first `size` points that are nearer to a centre than to the best so far."""
    cdef Py_ssize_t i
    cdef Py_ssize_t nearest
    cdef double least
    for i in range(size):
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


cdef double _least_squared_distance(const double[:, ::1] centroids, Py_ssize_t clusters) noexcept nogil:
    """The least squared distance of another centroid from the first one; `clusters` is at least 2."""
    cdef Py_ssize_t c, dimension
    cdef double total, difference, least = 0.0
    for c in range(1, clusters):
        total = 0.0
        for dimension in range(centroids.shape[1]):
            difference = centroids[c, dimension] - centroids[0, dimension]
            total += difference * difference
        if c == 1 or total < least:
            least = total
    return least


cdef void _take(const double[:, ::1] points, const int64_t[::1] which, double[:, ::1] rows) noexcept nogil:
    """Copy some of the points to the beginning of `rows`."""
    cdef Py_ssize_t i, dimension
    for dimension in range(points.shape[0]):
        for i in range(which.shape[0]):
            rows[dimension, i] = points[dimension, which[i]]
