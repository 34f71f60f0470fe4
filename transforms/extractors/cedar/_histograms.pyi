import numpy as np
from numpy.typing import NDArray

from transforms.extractors.html.characters import Floats

def histograms(
    bins: NDArray[np.uint8],
    leaf: NDArray[np.uint8],
    slope: Floats,
    curve: Floats,
    sizes: tuple[int, int],
) -> Floats:
    """Sums of slopes and curvatures in each bin of each leaf, for each column: (k, leaves, bins, 2)."""
