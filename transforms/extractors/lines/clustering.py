"""K-means, deterministic: farthest-first start, Lloyd's iterations, optionally one centroid that never moves.

CETR 2010, section 5.2, pins one of k centroids to the origin in every iteration; without it this is ordinary
k-means. Ties go to the lower cluster, and to the earlier point. A cluster without points keeps its centroid.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from transforms.compiled import compiled
from transforms.extractors.html.characters import Flags
from transforms.extractors.lines.smoothing import Floats

MAX_ITERATIONS = 100
"""Lloyd iterations after which k-means stops even if labels still change."""

_SAFE_QUARTER = 0.2499  # the square of a half, with room for rounding
_ROOM = 0.5  # how far the limit may shrink before the points are chosen anew
_WORTHWHILE = 8.0  # how far it may grow


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
    found = lloyd(points, k, first, pinned)
    return None if found is None else Clustering(*found)


@compiled
def lloyd(
    points: Floats,
    k: int,
    first: Floats,
    pinned: bool,
) -> tuple[NDArray[np.intp], Floats] | None:
    """Labels and centroids of `k_means`."""
    chosen, distances, distinct = _farthest_first(points, k, first)
    if distinct < 2:
        return None
    # On a page's few hundred lines calls cost more than what they do: centroids are plain numbers here.
    centroids = [centre.tolist() for centre in chosen[:distinct]]
    moving = range(int(pinned), distinct)
    from_first, labels = distances[0], _nearest(distances[:distinct])
    rows, fixed, reach = [*points], distances[: moving.start], -1.0
    active: Flags | None = None
    previous = labels.tobytes()
    for _ in range(MAX_ITERATIONS):
        sizes = np.bincount(labels, None, distinct).tolist()
        sums = [np.bincount(labels, row, distinct).tolist() for row in rows]
        for cluster in moving:
            if size := sizes[cluster]:
                centroids[cluster] = [total[cluster] / size for total in sums]
        if pinned:
            # A point that is at most half as far from the pinned centroid as any other centroid is nearest to
            # it (triangle inequality): as a rule most lines of a page, which can be left out meanwhile.
            limit = _SAFE_QUARTER * min([math.dist(centroids[c], centroids[0]) for c in moving]) ** 2
            if not reach <= limit <= _WORTHWHILE * reach:
                reach = limit * _ROOM
                active = from_first > reach
                rows, fixed, previous = [row[active] for row in points], [from_first[active]], b""
        labels = _nearest([*fixed, *[_squared_distances(rows, centroids[c]) for c in moving]])
        written = labels.tobytes()
        if written == previous:
            break
        previous = written
    if active is not None:
        found, labels = labels, np.zeros(points.shape[1], np.intp)
        labels[active] = found
    return labels, np.array(centroids)


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
    chosen, distances = [first], [_squared_distances([*points], first.tolist())]
    nearest = distances[0].copy()
    distinct = int(nearest.min() == 0.0)
    while distinct < k:
        farthest = int(nearest.argmax())
        if nearest[farthest] == 0.0:
            break
        distinct += 1
        chosen.append(points[:, farthest])
        distances.append(_squared_distances([*points], chosen[-1].tolist()))
        np.minimum(nearest, distances[-1], out=nearest)
    return chosen[:k], distances[:k], distinct


def _nearest(distances: list[Floats]) -> NDArray[np.intp]:
    best = distances[0]
    labels: NDArray[np.intp] = np.zeros(best.size, np.intp)
    for cluster, distance in enumerate(distances[1:], 1):
        nearer = distance < best
        if cluster == 1:
            labels = nearer.astype(np.intp)
        else:
            labels[nearer] = cluster
        if cluster + 1 < len(distances):
            best = np.minimum(best, distance)
    return labels


def _squared_distances(rows: list[Floats], centre: list[float]) -> Floats:
    """Squared distances of n points, given as a row float64 (n,) a dimension, from a centre. float64 (n,)."""
    total: Floats | None = None
    for row, coordinate in zip(rows, centre, strict=True):
        difference = row - coordinate
        difference *= difference
        total = difference if total is None else np.add(total, difference, total)
    assert total is not None
    return total
