from numpy import uint32, uint64
from numpy.typing import NDArray

from cedar.transforms.curation._tokens import Tokens

SHINGLE: int

def sign(tokens: Tokens) -> tuple[bytes, bytes] | tuple[None, None]: ...
def keys_of(minima: NDArray[uint32], bands: int, rows: int) -> NDArray[uint64]: ...
