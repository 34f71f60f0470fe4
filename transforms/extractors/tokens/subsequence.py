"""The maximum-sum subsequence of a sequence of numbers."""

from __future__ import annotations

import numpy as np

from transforms.extractors.lines.smoothing import Floats


def maximum_subsequence(values: Floats) -> tuple[int, int]:
    """The run of values whose sum is largest, in linear time (Kadane's problem, by prefix sums).

    With prefix sums S, the best run that ends at j begins where the least of S_0 to S_j is first met, and
    that place never moves back as j grows; so the first best end has the first best start as well.

    Args:
        values: float64 (n,), whose partial sums are exact or the ties are not.

    Returns:
        The half-open range; of equal sums that with the earliest start, and then the earliest end. Empty if
        no sum is above 0.
    """
    sums = np.concatenate(([0.0], np.cumsum(values)))
    gains = sums[1:] - np.minimum.accumulate(sums[:-1])
    if not gains.size or gains.max() <= 0.0:
        return 0, 0
    last = int(gains.argmax())
    return int(sums[: last + 1].argmin()), last + 1
