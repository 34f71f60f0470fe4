"""Characters in UTF-8 bytes: where a code point goes on, and which bytes are blanks.

All functions expect valid UTF-8 that does not begin inside a code point. A blank is what `str.isspace`,
`str.strip` and `str.split` take for one.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from transforms.extractors.html._text import count as count

Bytes = NDArray[np.uint8]
Flags = NDArray[np.bool_]
Offsets = NDArray[np.int64]
Keys = NDArray[np.uint64]
Floats = NDArray[np.float64]

SPACE = np.uint8(0x20)

_IS_BLANK: Flags = np.array([chr(code).isspace() for code in range(0x4000)])  # no blank is beyond U+3000


def continuation(data: Bytes) -> Flags:
    """Marks the second and later bytes of code points (RFC 3629, section 3).

    Args:
        data: UTF-8, uint8 (n,).

    Returns:
        bool (n,).
    """
    # As signed numbers, 0x80 to 0xBF are the lowest.
    marks: Flags = data.view(np.int8) < np.int8(-0x40)
    return marks


def edges(flags: Flags) -> Offsets:
    """Where runs of marks start and, in turn, stop: half-open, int64 (2 m,) for m runs in bool (n,)."""
    padded = np.zeros(flags.size + 2, bool)
    padded[1:-1] = flags
    found: Offsets = (padded[1:] != padded[:-1]).nonzero()[0]
    return found


def blanks_as_spaces(data: Bytes) -> Bytes:
    """A copy in which every byte of a Unicode blank is a space: three of them for a blank of three bytes.

    Args:
        data: UTF-8, uint8 (n,).

    Returns:
        uint8 (n,).
    """
    spaced = np.maximum(data, SPACE)
    control = data < np.uint8(0x09)
    control |= (data - np.uint8(0x0E)) < np.uint8(0x0E)
    if control.any():
        spaced[control] = data[control]
    leads = data >= np.uint8(0xC2)
    if not leads.any():
        return spaced
    lead = leads.nonzero()[0]
    first = data[lead]
    two = lead[first == 0xC2]
    two = two[_IS_BLANK[0x80 | (data[two + 1] & 0x3F)]]
    spaced[two] = spaced[two + 1] = SPACE
    # U+1000 to U+3FFF, of three bytes: all other blanks are there.
    three = lead[(first >= 0xE1) & (first <= 0xE3)]
    code = (data[three] & 0x0F).astype(np.int64) << 12
    code |= (data[three + 1] & 0x3F).astype(np.int64) << 6
    code |= data[three + 2] & 0x3F
    three = three[_IS_BLANK[code]]
    spaced[three] = spaced[three + 1] = spaced[three + 2] = SPACE
    return spaced


def windows(data: bytes) -> NDArray[np.uint64]:
    """Every eight bytes of `data` as one little-endian number, NUL behind the end.

    Args:
        data: n bytes.

    Returns:
        uint64 (n + 1,), a read-only view, neither aligned nor contiguous: to be indexed, not worked on.
    """
    view: NDArray[np.uint64] = np.ndarray((len(data) + 1,), np.dtype("<u8"), data + bytes(8), strides=(1,))
    return view
