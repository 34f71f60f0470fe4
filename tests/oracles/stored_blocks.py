"""Where a stored block of deflate may begin, as RFC 1951, section 3.2.4 has it."""

from __future__ import annotations


def may_be_stored(before: bytes) -> bool:
    for at in range(1, len(before) - 3):
        length, complement = (int.from_bytes(before[at + n : at + n + 2], "little") for n in (0, 2))
        begins = length ^ complement == 0xFFFF and before[at - 1] >> 6 == 0
        if begins and at + 4 + length > len(before):
            return True
    return False
