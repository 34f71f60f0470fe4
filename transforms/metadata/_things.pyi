from typing import Final

MAX_NODES: Final[int]

def things_in(
    parsed: object, named: dict[str, dict[str, object]]
) -> list[tuple[bool, dict[str, object]]]: ...
