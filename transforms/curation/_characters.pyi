BULLETS: str
TERMINALS: str
WIDE_TERMINALS: str
CLOSERS: str
DENSE_RANGES: tuple[tuple[int, int], ...]

def kind_of(character: str) -> int: ...
