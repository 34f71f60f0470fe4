"""How many lanes a signature has, and how they are parted into bands: what options are checked with.

No compiled code is needed to know it; `_signatures` has the same numbers.
"""

BANDS = 14
"""Number of bands."""

ROWS = 8
"""Lanes of a band."""

LANES = BANDS * ROWS
"""Lanes of a whole signature."""
