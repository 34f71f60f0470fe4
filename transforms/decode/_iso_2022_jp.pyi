YEN: bytes
OVERLINE: bytes

def to_euc_jp(body: bytes, final: bool) -> bytes: ...
