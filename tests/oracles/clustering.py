"""K-means and farthest-first clusters, point by point."""

from __future__ import annotations

from collections.abc import Sequence

Point = tuple[float, ...]


def squared_distance(a: Point, b: Point) -> float:
    return sum((x - y) * (x - y) for x, y in zip(a, b, strict=True))


def nearest(point: Point, centroids: Sequence[Point]) -> int:
    """The cluster whose centroid is nearest; of equals the lower."""
    return min(range(len(centroids)), key=lambda c: squared_distance(point, centroids[c]))


def farthest_first(points: Sequence[Point], k: int, first: Point) -> list[Point]:
    """Centres: the first one, and then the point farthest from all chosen; of equals the earlier.

    At most as many as there are distinct points, one if they are all equal.
    """
    chosen = [first]
    while len(chosen) < min(k, len(set(points))):
        chosen.append(max(points, key=lambda p: min(squared_distance(p, c) for c in chosen)))
    return chosen


def k_means(
    points: Sequence[Point], k: int, first: Point, *, pinned: bool
) -> tuple[list[int], list[Point]] | None:
    """Lloyd's iterations: centroids move to the means of their points, until no point changes its cluster.

    A pinned first centroid stays where it is; so does one without points.
    """
    if len(set(points)) < 2:
        return None
    centroids = farthest_first(points, k, first)
    labels = [nearest(point, centroids) for point in points]
    for _ in range(100):
        for cluster in range(pinned, len(centroids)):
            members = [point for point, label in zip(points, labels, strict=True) if label == cluster]
            if members:
                centroids[cluster] = tuple(
                    sum(values) / len(members) for values in zip(*members, strict=True)
                )
        before, labels = labels, [nearest(point, centroids) for point in points]
        if labels == before:
            break
    return labels, centroids
