"""Mappings of few numbers in little memory: a launcher holds those of a hundred thousand shards."""

from __future__ import annotations

import functools
from array import array
from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

T = TypeVar("T")
_shared = functools.lru_cache(maxsize=1024)(tuple[str, ...])


class Packed(Mapping[str, T]):
    """A mapping that cannot be changed, of `names` to numbers, or to what `make` makes of a few numbers each.

    `numbers` are those of all values, one after the other; below 2**53, if they are whole.
    """

    __slots__ = ("_make", "_names", "_numbers")

    def __init__(self, names: tuple[str, ...], numbers: list[float], make: Callable[..., T]) -> None:
        self._names = _shared(names)
        self._numbers = array("d", numbers)
        self._make = make

    def __getitem__(self, name: str) -> T:
        if name not in self._names:
            raise KeyError(name)
        place, numbers = self._names.index(name), self._numbers
        if len(numbers) == len(self._names):
            return self._make(numbers[place])
        width = len(numbers) // len(self._names)
        return self._make(*numbers[place * width : (place + 1) * width])

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __repr__(self) -> str:
        return repr(dict(self))
