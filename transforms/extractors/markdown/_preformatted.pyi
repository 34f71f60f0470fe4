"""Reads preformatted blocks; see `_preformatted.pyx`."""

from collections.abc import Mapping

def is_gutter(given: Mapping[bytes, bytes]) -> bool:
    """Whether attributes are those of line numbers beside code."""
