import numpy as np
from numpy.typing import NDArray

from transforms.curation._tokens import Tokens
from transforms.model.annotations import Signals

def measure(text: str, stop_words: NDArray[np.uint64] | None) -> tuple[Signals, Tokens]: ...
