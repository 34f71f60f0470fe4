"""Clusters of points: k-means and farthest first, both deterministic (see `_clustering`)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from transforms.extractors.html.characters import Floats
from transforms.extractors.lines import _clustering


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
    found = _clustering.lloyd(points, k, first, pinned)
    return None if found is None else Clustering(*found)


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
    found = _clustering.farthest_first(points, k, first)
    return None if found is None else Clustering(*found)
