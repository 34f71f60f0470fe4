"""The scale of an axis: from values to places, and the round numbers that are marked on it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from transforms.extractors.html.characters import Floats


@dataclass(frozen=True, slots=True)
class Scale:
    """The values that an axis goes from and to."""

    bottom: float
    top: float

    @staticmethod
    def over(values: Floats, more: Sequence[float]) -> Scale:
        """Make the scale that has room for all values, and for 0."""
        finite = values[np.isfinite(values)]
        bottom = min([float(finite.min(initial=0.0)), *more])
        top = max([float(finite.max(initial=0.0)), *more])
        return Scale(bottom, top if top > bottom else bottom + 1.0)

    def share(self, value: float) -> float:
        """Return the share of the axis below a value, from 0 to 1; what lies beyond stands at the ends."""
        return (min(max(value, self.bottom), self.top) - self.bottom) / (self.top - self.bottom)

    def ticks(self) -> Iterator[float]:
        """Yield round numbers between the ends, three to six of them."""
        rough = (self.top - self.bottom) / 5
        power = 10.0 ** math.floor(math.log10(rough))
        step = next(power * factor for factor in (1, 2, 2.5, 5, 10) if power * factor >= rough * 0.999)
        first = math.ceil(self.bottom / step - 1e-9)
        for index in range(first, first + 12):
            if index * step > self.top * (1 + 1e-9):
                return
            yield index * step
