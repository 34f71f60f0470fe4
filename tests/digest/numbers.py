"""Pseudo-random choices made of `random()` alone, which is the same in every version of Python."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

Item = TypeVar("Item")


class Numbers:
    """Choices that follow from a seed.

    Args:
        seed: any text.
    """

    def __init__(self, seed: str) -> None:
        self._next = random.Random(seed).random

    def share(self) -> float:
        """Draw a number of [0, 1)."""
        return self._next()

    def between(self, first: int, last: int) -> int:
        """Draw a whole number from `first` to `last`, both included."""
        return first + int(self._next() * (last - first + 1))

    def one_of(self, items: Sequence[Item]) -> Item:
        """Draw one of some items."""
        return items[int(self._next() * len(items))]
