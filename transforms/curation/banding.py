"""The numbers of lanes and bands of a signature: checks of options need no compiled code for them."""

BANDS = 14
"""Number of bands."""

ROWS = 8
"""Lanes of a band."""

LANES = BANDS * ROWS
"""Lanes of a whole signature."""
