import numpy as np
import numpy.typing as npt

PROSE: int
CODE_SPAN: int
FENCE: int
DESCRIPTION: int
ADDRESS: int
CODE_PAIR: str
EMPHASIS_PAIR: str
LINK_PAIR: str

def may_hold_personal(source: bytes) -> bool: ...

class Unmarked:
    text: bytes
    starts: npt.NDArray[np.int32]
    stops: npt.NDArray[np.int32]
    kinds: npt.NDArray[np.uint8]
    pairs: list[tuple[str, int, int, int, int]]
    paragraphs: list[tuple[int, int]]
    headings: list[tuple[int, int]]
    def __init__(self, source: bytes) -> None: ...
