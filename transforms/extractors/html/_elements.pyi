from collections.abc import Mapping
from typing import Final

IN_TREE: Final[str]
VOIDS: Final[str]

class Lookup:
    def __init__(self, numbers: Mapping[int, int]) -> None: ...

def key(name: str) -> int: ...
