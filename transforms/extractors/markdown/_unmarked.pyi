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

class Unmarked:
    text: bytes
    starts: npt.NDArray[np.int64]
    stops: npt.NDArray[np.int64]
    kinds: npt.NDArray[np.uint8]
    pairs: list[tuple[str, int, int, int, int]]
    paragraphs: list[tuple[int, int]]
    headings: list[tuple[int, int]]
    def __init__(self, source: bytes) -> None: ...
