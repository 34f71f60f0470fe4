"""Smoothing and the derivative of CETR and TTR, value by value."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean, pstdev


def standard_deviation(values: Sequence[float]) -> float:
    return pstdev(values) if values else 0.0


def weighted_mean(values: Sequence[float], kernel: Sequence[float]) -> list[float]:
    """CETR, Eq. 2 and 3: the kernel holds k_0 to k_r; both sums are over the lines that there are."""
    smooth = []
    for i in range(len(values)):
        near = [j for j in range(len(values)) if abs(i - j) < len(kernel)]
        weights = [kernel[abs(i - j)] for j in near]
        smooth.append(sum(w * values[j] for w, j in zip(weights, near, strict=True)) / sum(weights))
    return smooth


def moving_mean(values: Sequence[float], radius: int) -> list[float]:
    """TTR, Eq. 1."""
    means = []
    for i in range(len(values)):
        near = values[max(0, i - radius) : i + radius + 1]
        means.append(sum(near) / len(near))
    return means


def derivative(values: Sequence[float], alpha: int) -> list[float]:
    """CETR, Eq. 4; the window shortens at the end of the page, and the last line's G is 0."""
    return [
        fmean(ahead) - value if (ahead := values[i + 1 : i + 1 + alpha]) else 0.0
        for i, value in enumerate(values)
    ]
