from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from cedar.transforms.extractors.cedar.model import Forest
from cedar.transforms.extractors.html.characters import Offsets

class Scorer:
    columns: int
    is_wide: bool
    def __init__(self, forest: Forest) -> None: ...
    def scores(self, values: NDArray[np.float32]) -> Offsets: ...

def score_kinds(kinds: Sequence[Scorer], page: NDArray[np.float32]) -> Offsets: ...
