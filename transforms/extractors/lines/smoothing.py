"""Smoothing of per-line values: the Gaussian of CETR (Eq. 1 to 3) and the moving mean of TTR.

CETR 2010, Eq. 1 to 3, with the Gaussian that its prose names (Eq. 1 as printed is constant in i), normalised
to mass 1:

    k_j  = exp(-j^2 / (2 sigma^2)),  -r <= j <= r,  r = ceil(sigma)
    T'_i = sum_j k_j T_{i-j} / sum_j k_j,  both sums over the j for which i - j is a line

The radius is capped at floor((n - 1) / 2). Kernels are symmetric, and results too, to the bit.
"""

import math

import numpy as np

from cedar.transforms.extractors.html._libm import exp
from cedar.transforms.extractors.html.characters import Floats
from cedar.transforms.extractors.lines._smoothing import standard_deviation, weighted_mean

FIXED_SIGMA = 2.0
"""Standard deviation, in lines, of the `fixed` mode."""

FIXED_RADIUS = math.ceil(FIXED_SIGMA)
"""Lines on either side that the `fixed` mode looks at."""

_NO_NEIGHBOUR = 0.025  # of a smaller sigma, exp(-1 / (2 sigma^2)), the neighbours' weight, is 0.0 in float64
_DIRECT_RADIUS = 32  # up to here adding shifted arrays is faster than a Fourier transform
_FIXED_KERNEL: Floats = exp(-(np.arange(FIXED_RADIUS + 1.0) ** 2) / (2.0 * FIXED_SIGMA * FIXED_SIGMA))


def fixed_gaussian(values: Floats) -> Floats:
    """Smooth with a Gaussian of FIXED_SIGMA, as `gaussian` does: the `fixed` mode. float64 (n,)."""
    return weighted_mean(values, _FIXED_KERNEL[: max(1, (values.size + 1) // 2)])


def gaussian(values: Floats, sigma: float) -> Floats:
    """Smooth by a Gaussian of deviation `sigma`; 0: no change. float64 (n,) within the range of `values`."""
    size = values.size
    # Compared before rounding up: sigma can be beyond any integer's use.
    limit = max(0, size - 1) // 2
    radius = math.ceil(sigma) if sigma < limit else limit
    if radius == 0 or sigma < _NO_NEIGHBOUR:
        return values.copy()
    offsets = np.arange(radius + 1, dtype=np.float64)
    kernel = exp(-(offsets * offsets) / (2.0 * sigma * sigma))
    if radius <= _DIRECT_RADIUS:
        return weighted_mean(values, kernel)
    smooth = _convolved_fast(values, kernel) / _mass_inside(kernel, size)
    return np.clip(smooth, values.min(), values.max())


def adaptive_gaussian(values: Floats) -> Floats:
    """Smooth with sigma = std(values), as Eq. 1 to 3 have it: the `literal` mode. float64 (n,)."""
    return gaussian(values, standard_deviation(values))


def _convolved_fast(values: Floats, kernel: Floats) -> Floats:
    """Sum of kernel[|j|] * values[i - j], values beyond the ends being 0.

    By Fourier transform: O(n log n), exact to rounding relative to the largest value.
    """
    size, radius = values.size, kernel.size - 1
    length = 1 << (size + 2 * radius - 1).bit_length()
    both_sides = np.concatenate((kernel[:0:-1], kernel))
    spectrum = np.fft.rfft(values, length) * np.fft.rfft(both_sides, length)
    product: Floats = np.fft.irfft(spectrum, length)[radius : radius + size]
    return product


def _mass_inside(kernel: Floats, size: int) -> Floats:
    """For each of `size` places the sum of the kernel's weights that fall on a place. float64 (size,)."""
    beyond = np.cumsum(kernel[:0:-1])[::-1][:size]  # what place i lacks on its left
    mass = np.full(size, 2.0 * kernel.sum() - kernel[0])
    mass[: beyond.size] -= beyond
    mass[size - beyond.size :] -= beyond[::-1]
    return mass
