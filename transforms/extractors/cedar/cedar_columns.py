"""Columns of numbers about blocks, and the small arithmetic they share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from transforms.compiled import compiled
from transforms.extractors.html.characters import Flags, Offsets

ROOM = 240
"""How many columns there are at most: of blocks, of votes, and of the page's kind."""


@dataclass(frozen=True, slots=True)
class Columns:
    """Columns in the making, for n blocks.

    Attributes:
        room: float32 (k, n), the columns; the first ones are filled.
        names: `group.name` of each that is filled.
    """

    room: NDArray[np.float32]
    names: list[str] = field(default_factory=list)

    @classmethod
    def empty(cls, count: int) -> Columns:
        """Room for the columns of `count` blocks."""
        return cls(np.empty((ROOM, count), np.float32))

    @property
    def count(self) -> int:
        """Number of blocks."""
        return int(self.room.shape[1])

    @property
    def values(self) -> NDArray[np.float32]:
        """The columns that are filled: float32 (len(names), n)."""
        return self.room[: len(self.names)]

    def rows(self, names: Sequence[str]) -> NDArray[np.float32]:
        """Room for columns of these names, to be filled: float32 (len(names), n)."""
        first = len(self.names)
        self.names.extend(names)
        return self.room[first : first + len(names)]


def named(group: str, names: str) -> tuple[str, ...]:
    """The names of a group's columns."""
    return tuple(f"{group}.{name}" for name in names.split())


def fill(room: NDArray[np.float32], columns: Iterable[NDArray[np.generic] | float]) -> None:
    """Fills room, (k, n), with k columns, (n,), or numbers that are the same for all blocks."""
    for row, column in zip(room, columns, strict=True):
        row[:] = column


def running(values: NDArray[np.generic]) -> Offsets:
    """Sums of the first 0, 1, ..., n numbers: int64 (n + 1,)."""
    sums = np.zeros(values.size + 1, np.int64)
    values.cumsum(out=sums[1:])
    return sums


@compiled
def firsts(keys: NDArray[np.uint64]) -> Offsets:
    """For each key the index of the first that equals it: int64, as many."""
    order = keys.argsort(kind="stable")
    ordered = keys[order]
    differs = np.ones(keys.size, bool)
    differs[1:] = ordered[1:] != ordered[:-1]
    found = np.empty(keys.size, np.int64)
    found[order] = order[differs][differs.cumsum() - 1]
    return found


def over(top: NDArray[np.generic], bottom: NDArray[np.generic] | float) -> NDArray[np.float64]:
    """Quotients; what is divided by less than one is divided by one."""
    quotient: NDArray[np.float64] = top / np.maximum(bottom, 1)
    return quotient


def side(count: int, first: int, stop: int) -> Offsets:
    """-1 before a range of blocks, 0 inside, 1 behind: int64 (count,)."""
    sides = np.zeros(count, np.int64)
    sides[:first] = -1
    sides[stop:] = 1
    return sides


def distance(count: int, first: int, stop: int) -> Offsets:
    """How many blocks away a range of blocks is, 0 inside: int64 (count,)."""
    index = np.arange(count)
    return np.maximum(np.maximum(first - index, index - stop + 1), 0)


def best_run(gains: Offsets) -> tuple[int, int]:
    """The run of blocks [start, stop) of the largest sum (BTE), the first of them and the shortest."""
    sums = running(gains)
    stop = int((sums - np.minimum.accumulate(sums)).argmax())
    return int(sums[: stop + 1].argmin()), stop


def since(marks: Flags) -> Offsets:
    """How many blocks ago the last marked one stood; the number of blocks where none did."""
    index = np.arange(marks.size)
    last = np.maximum.accumulate(np.where(marks, index, -marks.size))
    return np.minimum(index - last, marks.size)


def covered(count: int, first: Offsets, last: Offsets, marks: NDArray[np.bool_]) -> Offsets:
    """How many of the marked elements hold each block, for several kinds of marks.

    Args:
        count: number of blocks n.
        first: int64 (e,), the first block of each element.
        last: int64 (e,), one past its last.
        marks: bool (k, e).

    Returns:
        int64 (k, n).
    """
    row, element = marks.nonzero()
    size = marks.shape[0] * (count + 1)
    change = np.bincount(row * (count + 1) + first[element], minlength=size)
    change -= np.bincount(row * (count + 1) + last[element], minlength=size)
    sums: Offsets = change.reshape(-1, count + 1).cumsum(1)[:, :count]
    return sums
