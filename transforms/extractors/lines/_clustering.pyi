"""K-means and farthest-first clusters, and CETR's plane: see `_clustering.pyx`."""

import numpy as np
from numpy.typing import NDArray

from transforms.extractors.html.characters import Flags, Floats

def lloyd(points: Floats, k: int, first: Floats, pinned: bool) -> tuple[NDArray[np.intp], Floats] | None:
    """Labels and centroids of `clustering.k_means`."""

def farthest_first(points: Floats, k: int, first: Floats) -> tuple[NDArray[np.intp], Floats] | None:
    """Labels and centres of `clustering.farthest_first`."""

def off_origin(smooth: Floats, slope: Floats, k: int) -> Flags | None:
    """The points outside of the cluster that is pinned to the origin.

    Args:
        smooth: T', float64 (n,), n at least 1.
        slope: G', float64 (n,).
        k: number of clusters.

    Returns:
        bool (n,), or None if all points are equal.
    """
