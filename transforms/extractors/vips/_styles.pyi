from typing import final

import numpy as np
from numpy.typing import NDArray

from transforms.extractors.html.characters import Flags
from transforms.extractors.tree._tree import Tree

@final
class Styles:
    sizes: NDArray[np.float32]
    weights: NDArray[np.int16]
    backgrounds: NDArray[np.int32]
    displays: NDArray[np.uint8]
    visibles: Flags
    def __new__(cls, tree: Tree) -> Styles: ...

def parsed_length(text: bytes, em: float) -> float: ...
def parsed_colour(text: bytes) -> int: ...
