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
    moving = int(pinned)  # the first cluster whose centroid moves
    labels = _nearest(distances)
    for _ in range(MAX_ITERATIONS):
        _move(centroids, points, labels, moving)
        distances[moving:] = _squared_distances(points, centroids[moving:])
        previous, labels = labels, _nearest(distances)
        if (labels == previous).all():
            break
    return Clustering(labels, centroids)


def _farthest_first(points: Floats, k: int, first: Floats) -> tuple[list[Floats], list[Floats], int]:
    """Farthest-first traversal.

    Returns:
        At most k points, `first` and those chosen; for each of them the squared distances of all points,
        float64 (n,); and the number of distinct points, or k if there are more.
    """
    chosen, distances = [first], [*_squared_distances(points, first[np.newaxis])]
    nearest = distances[0].copy()
    distinct = int(nearest.min() == 0.0)
    while distinct < k:
        farthest = int(nearest.argmax())
        if nearest[farthest] == 0.0:
            break
        distinct += 1
        chosen.append(points[:, farthest])
        distances += [*_squared_distances(points, chosen[-1][np.newaxis])]
        np.minimum(nearest, distances[-1], out=nearest)
    return chosen[:k], distances[:k], distinct


def _nearest(distances: list[Floats]) -> NDArray[np.intp]:
    best = distances[0]
    labels = np.zeros(best.size, np.uint8)
    for cluster, distance in enumerate(distances[1:], 1):
        # Later clusters have higher numbers: the maximum is the last that was nearer than all before it.
        nearer = (distance < best).view(np.uint8)
        labels = nearer if cluster == 1 else np.maximum(labels, nearer * np.uint8(cluster))
        if cluster + 1 < len(distances):
            best = np.minimum(best, distance)
    return labels.astype(np.intp)


def _move(centroids: Floats, points: Floats, labels: NDArray[np.intp], moving: int) -> None:
    """Moves the centroids from `moving` on to the means of their points."""
    sizes = np.bincount(labels, minlength=len(centroids))[moving:]
    for axis, row in enumerate(points):
        sums = np.bincount(labels, row, len(centroids))[moving:]
        np.divide(sums, sizes, out=centroids[moving:, axis], where=sizes > 0)


def _squared_distances(points: Floats, centres: Floats) -> Floats:
    """Squared distances of n points from m centres: float64 (m, n) for points (d, n) and centres (m, d)."""
    difference = points - centres[:, :, np.newaxis]
    difference *= difference
    distances: Floats = np.add.reduce(difference, axis=1)
    return distances
