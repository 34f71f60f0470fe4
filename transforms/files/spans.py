"""Ranges of a file that lie near each other, joined: few requests for a little more than was asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Joining:
    """When ranges are joined.

    Attributes:
        gap: bytes between two ranges that are read and thrown away rather than skipped by another request.
        most: bytes of a joined range, so that asking again costs little; a longer single one stays as it is.
    """

    gap: int
    most: int


@dataclass(frozen=True, slots=True)
class Span:
    """Ranges that are asked for as one: the bytes [start, stop), the ranges numbered [first, last)."""

    start: int
    stop: int
    first: int
    last: int


def spans(ranges: Sequence[tuple[int, int]], joining: Joining) -> Iterator[Span]:
    """Join half-open ranges, in order of their starts; together the spans hold each once, in order.

    A range that begins before the one before ends begins a span.
    """
    if not ranges:
        return
    first, (start, stop) = 0, ranges[0]
    for number, (begin, end) in enumerate(ranges[1:], 1):
        if not (0 <= begin - stop <= joining.gap and end - start <= joining.most):
            yield Span(start, stop, first, number)
            first, start = number, begin
        stop = end
    yield Span(start, stop, first, len(ranges))
