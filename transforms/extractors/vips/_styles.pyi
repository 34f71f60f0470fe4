from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from cedar.transforms.extractors.tree._tree import Tree

SEEN: np.dtype[Any]

@final
class Styles:
    elements: NDArray[np.void]
    def __new__(cls, tree: Tree) -> Styles: ...

def parsed_length(text: bytes, em: float) -> float: ...
def parsed_colour(text: bytes) -> int: ...
