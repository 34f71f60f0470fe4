EMAIL: int
IP: int
PHONE: int

def find_personal(text: str, kinds: int) -> list[tuple[int, int, int]]: ...
