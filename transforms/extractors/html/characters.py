"""Arrays of bytes, marks and offsets, and where code points continue in valid UTF-8."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Flags = NDArray[np.bool_]
Offsets = NDArray[np.int64]
Keys = NDArray[np.uint64]
Floats = NDArray[np.float64]

SPACE = np.uint8(0x20)


def continuation(data: Bytes) -> Flags:
    """Mark the second and later bytes of code points (RFC 3629, section 3).

    Args:
        data: UTF-8, uint8 (n,).

    Returns:
        bool (n,).
    """
    # As signed numbers, 0x80 to 0xBF are the lowest.
    marks: Flags = data.view(np.int8) < np.int8(-0x40)
    return marks


def edges(flags: Flags) -> Offsets:
    """Find where runs of marks start and, in turn, stop: half-open, int64 (2 m,) for m runs in bool (n,)."""
    padded = np.zeros(flags.size + 2, bool)
    padded[1:-1] = flags
    found: Offsets = (padded[1:] != padded[:-1]).nonzero()[0]
    return found
