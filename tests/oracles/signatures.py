"""Signatures of texts, plainly: what `cedar.transforms.curation._signatures` is held to."""

from __future__ import annotations

from functools import reduce

from tests.oracles.signals import tokens

_BITS64, _BITS32 = (1 << 64) - 1, (1 << 32) - 1
_PHI = 0x9E3779B97F4A7C15


def mix(x: int) -> int:
    """MurmurHash3's finaliser, 64 bits."""
    x = (x ^ x >> 33) * 0xFF51AFD7ED558CCD & _BITS64
    x = (x ^ x >> 33) * 0xC4CEB9FE1A85EC53 & _BITS64
    return x ^ x >> 33


def token_hash(token: str) -> int:
    """FNV-1a, 64 bits, of a token in lower case, mixed."""
    return mix(
        reduce(
            lambda h, byte: (h ^ byte) * 1099511628211 & _BITS64, token.lower().encode(), 1469598103934665603
        )
    )


def _shingle(hashes: list[int]) -> int:
    folded = 0
    for one in hashes:
        folded = (folded + one) * _PHI & _BITS64
        folded ^= folded >> 29
    return mix(folded | 1) >> 32


def _lane(x: int, lane: int) -> int:
    seed = mix(1 + (lane + 1) * _PHI & _BITS64)
    v = x * (seed & _BITS32 | 1) + (seed >> 32) & _BITS32
    v = (v ^ v >> 15) * 0x2C1B3C6D & _BITS32
    return v ^ v >> 12


def minima(text: str) -> list[int] | None:
    """The least value of each of the 112 lanes; None below five tokens."""
    hashes = [token_hash(token) for token in tokens(text)]
    shingles = {_shingle(hashes[i : i + 5]) for i in range(len(hashes) - 4)}
    return [min(_lane(x, lane) for x in shingles) for lane in range(112)] if shingles else None


def band_keys(text: str, bands: int = 14, rows: int = 8) -> list[int] | None:
    """The keys of the bands; None below five tokens."""
    least = minima(text)
    if least is None:
        return None
    return [
        reduce(
            lambda k, v: mix((k + v) * _PHI & _BITS64), least[rows * band : rows * band + rows], mix(band + 1)
        )
        for band in range(bands)
    ]


def candidate_probability(similarity: float, bands: int = 14, rows: int = 8) -> float:
    """The probability that two texts of a Jaccard similarity share a key."""
    return float(1 - (1 - similarity**rows) ** bands)
