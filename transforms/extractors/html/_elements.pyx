"""What is known of HTML's elements by their names, once for all methods, and lookup by 64-bit keys.

Names are told apart by their first eight bytes, in lower case, which is enough for HTML's.
"""

import numpy as np

from cedar.transforms.extractors.html._bytes cimport GOLDEN_RATIO

_STEP = 0xBF58476D1CE4E5B9

_COMMON = (
    "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure"
    " footer form h1 h2 h3 h4 h5 h6 header hgroup html legend li listing main menu nav ol p plaintext pre search"
    " section summary table tbody td tfoot th thead tr ul xmp"
)
IN_TREE = f"{_COMMON} button head label noscript optgroup option select textarea"
"""Elements that `segments` has in its tree."""

VOIDS = "area base br col embed hr img input link meta param source track wbr"

_NAMES = {
    BLOCK_LEVEL: f"{_COMMON} br button col colgroup frame frameset head hr iframe noframes noscript optgroup option"
    " select textarea title",
    BOX: f"{_COMMON} frameset hr",
    VOID: VOIDS,
    FORMER_VOID: "basefont bgsound frame keygen",
    HOLDING_VOID: "embed source track wbr",
    UNSEEN: "script style title iframe noframes noembed xmp template",
}


def key(str name not None):
    """The key of an ASCII name: its first eight bytes, in lower case, as one little-endian number."""
    return int.from_bytes(name.lower().encode()[:8], "little")


cdef class Lookup:
    """Numbers by their keys: multiplicative hashing without collisions (Knuth, TAOCP 3, 6.4)."""

    def __init__(self, numbers not None):
        """Make the table: numbers of 0 or more by keys other than 0."""
        keys = np.array(list(numbers), np.uint64)
        if len(set(keys.tolist())) < keys.size or 0 in keys:
            raise ValueError("keys that are equal, or 0")
        # As few slots, for the cache's sake, as leave a multiplier to be found among some dozens.
        bits = max((keys.size**2).bit_length() - 3, keys.size.bit_length() + 1)
        self.shift = 64 - bits
        multiplier = GOLDEN_RATIO
        while True:
            slots = keys * np.uint64(multiplier) >> np.uint64(self.shift)
            if len(set(slots.tolist())) == keys.size:
                break
            multiplier = multiplier * _STEP % (1 << 64)
        self.multiplier = multiplier
        table, values = np.zeros(1 << bits, np.uint64), np.full(1 << bits, -1, np.int64)
        table[slots], values[slots] = keys, list(numbers.values())
        self.keys, self.values = table, values


def _traits():
    found = {}
    for trait, names in _NAMES.items():
        for name in names.split():
            found[key(name)] = found.get(key(name), 0) | trait
    return found


_TRAITS = Lookup(_traits())
