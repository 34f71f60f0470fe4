"""Smoothing of per-line values, their spread, and the derivative of CETR: see `_smoothing.pyx`."""

from transforms.extractors.html.characters import Floats

def standard_deviation(values: Floats) -> float:
    """Population standard deviation (the sum is divided by n) of float64 (n,); 0.0 if n is 0."""

def mean_and_deviation(values: Floats) -> tuple[float, float]:
    """Mean and population standard deviation of float64 (n,), n at least 1."""

def weighted_mean(values: Floats, kernel: Floats) -> Floats:
    """Mean of each value and its neighbours that exist, weighted by a symmetric kernel.

    Args:
        values: float64 (n,).
        kernel: float64 (r + 1,), the weights of the value itself, of its neighbours, and so on; 2 r < n, or
            both n and r are 0.

    Returns:
        float64 (n,).
    """

def moving_mean(values: Floats, radius: int, *, truncated: bool = False) -> Floats:
    """Mean of the values from i - radius to i + radius that exist (TTR 2008, Eq. 1).

    Args:
        values: float64 (n,).
        radius: at least 0.
        truncated: cut the running sum to an integer after every addition, as the authors' program does.

    Returns:
        float64 (n,).
    """

def derivative(values: Floats, alpha: int) -> Floats:
    """G (Eq. 4): mean of the next `alpha` values, fewer at the end, minus the value; 0 for the last.

    Args:
        values: float64 (n,).
        alpha: at least 1.

    Returns:
        float64 (n,).
    """
