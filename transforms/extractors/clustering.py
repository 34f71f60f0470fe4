"""K-means, deterministic: farthest-first start, Lloyd's iterations, optionally one centroid that never moves.

CETR 2010, section 5.2, pins one of k centroids to the origin in every iteration; without it this is ordinary
k-means. Ties go to the lower cluster, and to the earlier point. A cluster without points keeps its centroid.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from transforms.extractors.smoothing import Floats

MAX_ITERATIONS = 100
"""Lloyd iterations after which k-means stops even if labels still change."""


@dataclass(frozen=True, slots=True)
class Clustering:
    """Clusters of n points.

    Attributes:
        labels: intp (n,), the cluster of each point, in [0, k).
        centroids: float64 (k, d).
    """

    labels: NDArray[np.intp]
    centroids: Floats


def k_means(points: Floats, k: int, first: Floats, *, pinned: bool = False) -> Clustering | None:
    """Clusters points by k-means.

    Args:
        points: float64 (d, n), a row a dimension, n at least 1.
        k: number of clusters, at least 2; at most as many as there are distinct points.
        first: float64 (d,), the first centroid. The next ones are the points farthest from those chosen.
        pinned: whether the first centroid stays where it is, in every iteration.

    Returns:
        The clustering, or None if all points are equal.
    """
    chosen, distances, distinct = _farthest_first(points, k, first)
    if distinct < 2:
        return None
    centroids = np.array(chosen[:distinct])
    distances = distances[:distinct]
    labels = _nearest(distances)
    for _ in range(MAX_ITERATIONS):
        means = _means(points, labels, centroids)
        if pinned:
            means[0] = first
        for cluster, moved in enumerate((means != centroids).any(axis=1).tolist()):
            if moved:
                distances[cluster] = _squared_distances(points, means[cluster])
        centroids = means
        previous, labels = labels, _nearest(distances)
        if (labels == previous).all():
            break
    return Clustering(labels, centroids)


def farthest_first(points: Floats, k: int, first: Floats) -> Clustering | None:
    """Clusters points by their nearest centre, the centres chosen by farthest-first traversal and left there.

    Hochbaum and Shmoys, "A best possible heuristic for the k-center problem", 1985.

    Args:
        points: float64 (d, n), a row a dimension, n at least 1.
        k: number of clusters, at least 2; at most as many as there are distinct points.
        first: float64 (d,), the first centre.

    Returns:
        The clustering, its centroids the centres, or None if all points are equal.
    """
    chosen, distances, distinct = _farthest_first(points, k, first)
    if distinct < 2:
        return None
    return Clustering(_nearest(distances[:distinct]), np.array(chosen[:distinct]))


def _farthest_first(points: Floats, k: int, first: Floats) -> tuple[list[Floats], list[Floats], int]:
    """Farthest-first traversal.

    Returns:
        At most k points, `first` and those chosen; for each of them the squared distances of all points,
        float64 (n,); and the number of distinct points, or k if there are more.
    """
    chosen, distances = [first], [_squared_distances(points, first)]
    nearest = distances[0].copy()
    distinct = int(nearest.min() == 0.0)
    while distinct < k:
        farthest = int(nearest.argmax())
        if nearest[farthest] == 0.0:
            break
        distinct += 1
        chosen.append(points[:, farthest])
        distances.append(_squared_distances(points, chosen[-1]))
        np.minimum(nearest, distances[-1], out=nearest)
    return chosen[:k], distances[:k], distinct


def _nearest(distances: list[Floats]) -> NDArray[np.intp]:
    best = distances[0].copy()
    labels = np.zeros(best.size, np.intp)
    for cluster, distance in enumerate(distances[1:], 1):
        np.putmask(labels, distance < best, cluster)
        np.minimum(best, distance, out=best)
    return labels


def _means(points: Floats, labels: NDArray[np.intp], centroids: Floats) -> Floats:
    means = centroids.copy()
    sizes = np.bincount(labels, minlength=len(centroids))
    for axis, row in enumerate(points):
        sums = np.bincount(labels, row, len(centroids))
        np.divide(sums, sizes, out=means[:, axis], where=sizes > 0)
    return means


def _squared_distances(points: Floats, centre: Floats) -> Floats:
    difference = points - centre[:, np.newaxis]
    difference *= difference
    distances: Floats = np.add.reduce(difference, axis=0)
    return distances
