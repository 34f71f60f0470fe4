import numpy as np
from numpy.typing import NDArray

from transforms.extractors.html.characters import Offsets

def firsts(keys: NDArray[np.uint64]) -> Offsets: ...
