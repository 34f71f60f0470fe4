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
    centroids, distinct = _farthest_first(points, k, first)
    if distinct < 2:
        return None
    centroids = centroids[: min(k, distinct)]
    distances = [_squared_distances(points, centroid) for centroid in centroids]
    labels = _nearest(distances)
    for _ in range(MAX_ITERATIONS):
        means = _means(points, labels, centroids)
        if pinned:
            means[0] = first
        for cluster in np.flatnonzero((means != centroids).any(axis=1)).tolist():
            distances[cluster] = _squared_distances(points, means[cluster])
        centroids = means
        previous, labels = labels, _nearest(distances)
        if (labels == previous).all():
            break
    return Clustering(labels, centroids)


def _farthest_first(points: Floats, k: int, first: Floats) -> tuple[Floats, int]:
    """Farthest-first traversal from `first`; and the number of distinct points, as far as k matters."""
    chosen = [first]
    nearest = _squared_distances(points, first)
    distinct = int(nearest.min() == 0.0)
    while distinct < k or len(chosen) < k:
        farthest = int(nearest.argmax())
        if nearest[farthest] == 0.0:
            break
        distinct += 1
        chosen.append(points[:, farthest])
        np.minimum(nearest, _squared_distances(points, chosen[-1]), out=nearest)
    return np.array(chosen[:k]), distinct


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
