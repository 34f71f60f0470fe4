import numpy as np
from numpy.typing import NDArray

from cedar.transforms.curation._tokens import Tokens
from cedar.transforms.model.annotations import Signals

def measure(text: str, stop_words: NDArray[np.uint64] | None) -> tuple[Signals, Tokens]: ...
