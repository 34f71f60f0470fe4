from typing import Any

import numpy as np
from numpy.typing import NDArray

from transforms.curation._tokens import Tokens

def measure(text: str, stop_words: NDArray[np.uint64] | None) -> tuple[dict[str, Any], Tokens]: ...
