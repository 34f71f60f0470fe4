import numpy as np
from numpy.typing import NDArray

from transforms.extractors.html.characters import Flags, Floats

class Clustering:
    labels: NDArray[np.intp]
    centroids: Floats

def k_means(points: Floats, k: int, first: Floats, *, pinned: bool = False) -> Clustering | None: ...
def farthest_first(points: Floats, k: int, first: Floats) -> Clustering | None: ...
def off_origin(smooth: Floats, slope: Floats, k: int) -> Flags | None: ...
