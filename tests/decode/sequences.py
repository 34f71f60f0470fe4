"""All sequences of the encodings of several bytes, and sums over what the Standard makes of them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator

SUMS = {
    "big5": "8ad7b133fb12bd1d9c3fd3b64e2039210b20ae3a311a350b6fab1ac15630bc2a",
    "euc-jp": "7939062a03cf47e9b346345c9cf23f7dc2c95ff32b2922f00aab8a59bcfb89e3",
    "euc-kr": "f7cfb5a10b60572f74341982c253c9103f65833644e9194340f42b7f6b4baa65",
    "gb18030": "d4ef09dc34306ccc22bfe4eb5a726d8fece942bc7c04fd35fea073556f8242e0",
    "gbk": "d4ef09dc34306ccc22bfe4eb5a726d8fece942bc7c04fd35fea073556f8242e0",
    "iso-2022-jp": "9a779ad6cc8ae7c12d634d5a5acbc4897c73ddaafb8368457599ac48db54cd2e",
    "shift_jis": "9744908d69bd034d23f28623aaf513c00d432331aab611d4aa6d34afd278498d",
}
"""SHA-256 of the texts of `sequences`, a line feed after each, by the Standard as of November 2026."""

_RANGES = (0x81, 0x82, 0x83, 0x84, 0x90, 0xE3, 0xFE)  # in which four bytes of GB18030 begin or end to be any


def sequences(encoding: str) -> Iterator[bytes]:
    """Yield each byte, each pair, and longer ones where an encoding has them; wrong ones, too."""
    if encoding == "iso-2022-jp":
        for escape in (b"", b"\x1b(J", b"\x1b(I"):
            yield from (escape + bytes((byte,)) for byte in range(256))
        for escape in (b"\x1b$@", b"\x1b$B"):
            yield from (escape + bytes((a, b)) for a in range(0x80) for b in range(0x80))
        return
    yield from (bytes((byte,)) for byte in range(256))
    yield from (bytes((a, b)) for a in range(0x80, 0x100) for b in range(256))
    if encoding == "euc-jp":
        yield from (bytes((0x8F, a, b)) for a in range(256) for b in range(256))
    elif encoding in ("gb18030", "gbk"):
        digits = range(0x30, 0x3A)
        yield from (
            bytes((a, b, c, d)) for a in _RANGES for b in digits for c in range(0x81, 0xFF) for d in digits
        )


def sum_of(texts: Iterable[str]) -> str:
    """Sum up texts, in their order."""
    return hashlib.sha256("".join(f"{text}\n" for text in texts).encode()).hexdigest()
