"""Arrays of bytes, marks, offsets and numbers, and offsets in code points."""

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Flags = NDArray[np.bool_]
Offsets = NDArray[np.int64]
Keys = NDArray[np.uint64]
Floats = NDArray[np.float64]

SPACE = np.uint8(0x20)


def code_points(data: bytes, *offsets: Offsets) -> tuple[Offsets, ...]:
    """Count the code points of UTF-8 before bytes at which some begin: of each int64 (m,) another."""
    # The later bytes of code points, 0x80 to 0xBF, are the lowest as signed numbers (RFC 3629, section 3).
    inner = (np.frombuffer(data, np.int8) < -0x40).nonzero()[0]
    return tuple(some - inner.searchsorted(some) for some in offsets)


def edges(flags: Flags) -> Offsets:
    """Find where runs of marks start and, in turn, stop: half-open, int64 (2 m,) for m runs in bool (n,)."""
    padded = np.zeros(flags.size + 2, bool)
    padded[1:-1] = flags
    found: Offsets = (padded[1:] != padded[:-1]).nonzero()[0]
    return found
