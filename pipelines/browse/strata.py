"""Samples by strata: as many rows of each kind as of any other, evenly spaced; without chance."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Stratum(NamedTuple):
    """What rows are told apart by: kept, duplicate, dropped or rejected; "" of a language that is not known.

    `rule` is what decided, "" of what is kept; `length` the decimal digits of the number of characters.
    """

    verdict: str
    rule: str
    language: str
    length: int


def spread(codes: NDArray[np.int32], number: int) -> NDArray[np.int64]:
    """Choose some rows, rising, by their strata, (n,), from 0; within a stratum they are evenly spaced.

    Of each stratum equally many, and more of the others where one has fewer.
    """
    sizes = np.bincount(codes)
    rooms = _rooms(sizes, number)
    order, starts = np.argsort(codes, kind="stable"), np.cumsum(sizes) - sizes
    chosen = [
        order[starts[place] + (2 * np.arange(room) + 1) * sizes[place] // (2 * room)]
        for place, room in enumerate(rooms.tolist())
        if room
    ]
    return np.sort(np.concatenate(chosen)) if chosen else np.zeros(0, np.int64)


def _rooms(sizes: NDArray[np.int64], number: int) -> NDArray[np.int64]:
    """Return how many of each stratum are chosen: the same of all, as far as they go."""
    rising = np.sort(sizes)
    before = np.cumsum(rising) - rising
    # What is left for a stratum and all larger ones, equally, once the smaller are whole.
    shares = (number - before) // np.arange(rising.size, 0, -1) if rising.size else rising
    cut = np.flatnonzero(rising > shares)
    if not cut.size:
        return sizes
    share = int(shares[cut[0]])
    rooms = np.minimum(sizes, share)
    larger = np.flatnonzero(sizes > share)
    rooms[larger[: number - int(rooms.sum())]] += 1
    return rooms
