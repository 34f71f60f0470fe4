"""Histograms of a report: bins of shares, and bins that widen with the values."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_DECADE = 8
"""Bins between powers of ten."""

LOG_BINS = 15 * _DECADE + 1
"""Bins that widen with the values; the first one has what is under 1."""

SHARE_BINS = 40
"""Bins between 0 and 1."""


@dataclass(frozen=True, slots=True)
class Histogram:
    """Counts of values in bins.

    Attributes:
        edges: float64 (n + 1,), ascending; bin i has the values [edges[i], edges[i + 1]).
        counts: int64 (n,).
        logarithmic: whether the bins widen with the values; then the first one has what is not more than 0.
    """

    edges: NDArray[np.float64]
    counts: NDArray[np.int64]
    logarithmic: bool

    @property
    def total(self) -> int:
        """Number of values."""
        return int(self.counts.sum())

    def quantile(self, share: float) -> int:
        """Return the bin in which this share of the values is reached."""
        reached = np.cumsum(self.counts)
        return min(int(reached.searchsorted(share * reached[-1])), self.counts.size - 1)


def log_bins(values: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the bin of each value: 0 for what is under 1, else by powers of ten."""
    bins = np.floor(np.log10(np.maximum(values, 1.0)) * _DECADE + 1e-9).astype(np.int64) + 1
    bins[values < 1.0] = 0
    return np.minimum(bins, LOG_BINS - 1)


def powers_of_ten() -> NDArray[np.float64]:
    """Find where the bins of `log_bins` end, float64 (LOG_BINS,)."""
    powers: NDArray[np.float64] = 10.0 ** (np.arange(LOG_BINS) / _DECADE)
    return powers
