"""Lookup of 64-bit keys in a fixed table: multiplicative hashing without collisions (Knuth, TAOCP 3, 6.4)."""

import numpy as np

_WORD = 64
_FIRST_MULTIPLIER = 0x9E3779B97F4A7C15
_STEP = 0xBF58476D1CE4E5B9


cdef class Lookup:
    """Numbers by their keys; each key has a slot of its own."""

    def __init__(self, numbers not None):
        """Makes the table: numbers of 0 or more by keys other than 0."""
        keys = np.array(list(numbers), np.uint64)
        if np.unique(keys).size < keys.size or 0 in keys:
            raise ValueError("keys that are equal, or 0")
        # As few slots, for the cache's sake, as leave a multiplier to be found among some dozens.
        bits = max((keys.size**2).bit_length() - 3, keys.size.bit_length() + 1)
        self.shift = _WORD - bits
        multiplier = _FIRST_MULTIPLIER
        while True:
            slots = keys * np.uint64(multiplier) >> np.uint64(self.shift)
            if np.unique(slots).size == keys.size:
                break
            multiplier = multiplier * _STEP % (1 << _WORD)
        self.multiplier = multiplier
        table, values = np.zeros(1 << bits, np.uint64), np.full(1 << bits, -1, np.int64)
        table[slots], values[slots] = keys, list(numbers.values())
        self.keys, self.values = table, values
