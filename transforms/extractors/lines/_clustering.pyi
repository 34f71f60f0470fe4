from typing import NamedTuple

from cedar.transforms.extractors.html.characters import Floats, Offsets

class Clustering(NamedTuple):
    labels: Offsets
    centroids: Floats

def k_means(points: Floats, k: int, first: Floats, *, pinned: bool = False) -> Clustering | None: ...
def farthest_first(points: Floats, k: int, first: Floats) -> Clustering | None: ...
