"""Lookup of 64-bit keys in a fixed table: multiplicative hashing without collisions (Knuth, TAOCP 3, 6.4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from transforms.extractors.html.characters import Offsets

_WORD = 64
_FIRST_MULTIPLIER = 0x9E3779B97F4A7C15
_STEP = 0xBF58476D1CE4E5B9


@dataclass(frozen=True, slots=True)
class Lookup:
    """Numbers by their keys; each key has a slot of its own.

    Attributes:
        multiplier: the slot of a key is the highest bits of its product with this.
        shift: where these bits begin.
        keys: uint64 (s,), the key in each slot, 0 in those of none; s is a power of two.
        values: int64 (s,), its number, of 0 or more; -1 in the slots of none.
        limit: all numbers are less.
    """

    multiplier: int
    shift: int
    keys: NDArray[np.uint64]
    values: Offsets
    limit: int

    def find(self, keys: NDArray[np.uint64]) -> Offsets:
        """The number of each key; -1 for those that are not in the table. int64, as many."""
        slots = (keys * np.uint64(self.multiplier) >> np.uint64(self.shift)).view(np.int64)
        return np.where(self.keys[slots] == keys, self.values[slots], -1)


def lookup(numbers: Mapping[int, int]) -> Lookup:
    """A table of the numbers, of 0 or more, by keys other than 0."""
    keys = np.array(list(numbers), np.uint64)
    # As few slots, for the cache's sake, as leave a multiplier to be found among some dozens.
    bits = max((keys.size**2).bit_length() - 3, keys.size.bit_length() + 1)
    shift = _WORD - bits
    multiplier = _FIRST_MULTIPLIER
    while True:
        slots = keys * np.uint64(multiplier) >> np.uint64(shift)
        if np.unique(slots).size == keys.size:
            break
        multiplier = multiplier * _STEP % (1 << _WORD)
    table, values = np.zeros(1 << bits, np.uint64), np.full(1 << bits, -1, np.int64)
    table[slots], values[slots] = keys, list(numbers.values())
    return Lookup(multiplier, shift, table, values, max(numbers.values()) + 1)
