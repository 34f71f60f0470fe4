from transforms.curation._tokens import Tokens

BANDS: int
ROWS: int
SHINGLE: int

def sign(tokens: Tokens) -> tuple[bytes, bytes] | None: ...
