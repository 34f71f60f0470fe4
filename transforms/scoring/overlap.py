"""What two texts have in common whatever its order: bags of tokens, and bags of shingles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence

SHINGLE = 4
"""Tokens of a shingle."""


def bag_overlap(a: Sequence[Hashable], b: Sequence[Hashable]) -> int:
    """Number of tokens in common, each as often as in the text that has it less often."""
    return (Counter(a) & Counter(b)).total()


def shingles(tokens: Sequence[str], size: int = SHINGLE) -> list[tuple[str, ...]]:
    """List all runs of `size` tokens, with repetitions; fewer tokens are one run, an empty text none."""
    if len(tokens) <= size:
        return [tuple(tokens)] if tokens else []
    return list(zip(*(tokens[i:] for i in range(size)), strict=False))
