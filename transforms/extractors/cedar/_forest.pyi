import numpy as np
from numpy.typing import NDArray

from transforms.extractors.cedar.model import Forest
from transforms.extractors.html.characters import Offsets

class Scorer:
    """A forest made ready, of trees of four questions at most."""

    columns: int

    def __init__(self, forest: Forest) -> None:
        """Makes a forest ready.

        Raises:
            ValueError: its trees have more questions than can be asked, or ask for columns that it has not.
        """

    def scores(self, values: NDArray[np.float32]) -> Offsets:
        """The scores of n blocks: int64 (n,).

        Args:
            values: float32 (columns, n), the columns of the forest, or these and more after them.

        Raises:
            ValueError: there are fewer columns.
        """
