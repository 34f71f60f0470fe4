"""Names of tags as 64-bit keys, so that a page's tags are classed by a few array operations.

A name ends at a blank, a control character, `/` or `>`; letters are taken in lower case, and names are told
apart by their first eight bytes, which is enough for HTML's.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from transforms.compiled import compiled
from transforms.extractors.html.characters import Flags, Offsets, windows
from transforms.extractors.html.tags import Tags

Keys = NDArray[np.uint64]

_ONES = np.uint64(0x0101010101010101)
_HIGHS = _ONES << np.uint64(7)
_LOWER_CASE = _ONES * np.uint64(0x20)
_SLASHES = _ONES * np.uint64(ord("/"))
_GREATERS = _ONES * np.uint64(ord(">"))
_ONE, _SEVEN = np.uint64(1), np.uint64(7)


def key(name: str) -> int:
    """The key of an ASCII tag name."""
    return int.from_bytes(name.lower().encode()[:8], "little")


# Multiplicative hashing (Knuth, TAOCP 3, section 6.4) into 1,024 slots, with a multiplier that gives each
# of the block-level names a slot of its own.
_MULTIPLIER, _SHIFT = np.uint64(0x35BF_992D_C9E9_C617), np.uint64(54)


def _hashed(names: str) -> Keys:
    """The keys of names, each in its slot; all ones, which is no name's key, in the others."""
    keys = np.unique(np.array([key(name) for name in names.split()], np.uint64))
    table = np.full(1 << 64 - int(_SHIFT), ~np.uint64(0))
    slots = keys * _MULTIPLIER >> _SHIFT
    assert np.unique(slots).size == keys.size
    table[slots] = keys
    return table


_BLOCK_LEVEL = _hashed(
    "address article aside blockquote body br button caption center col colgroup dd details dialog dir div"
    " dl dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr"
    " html iframe legend li listing main menu nav noframes noscript ol optgroup option p plaintext pre search"
    " section select summary table tbody td textarea tfoot th thead title tr ul xmp"
)

BLOCK_LEVEL_KEYS = tuple(int(name) for name in _BLOCK_LEVEL if name != ~np.uint64(0))
"""The keys of `br` and of block-level elements: their tags part words."""


@dataclass(frozen=True, slots=True)
class TagNames:
    """The names of a page's tags.

    Attributes:
        keys: uint64 (t,), as `key` makes them; 0 for a nameless tag.
        ends: bool (t,), whether it is an end tag.
    """

    keys: Keys
    ends: Flags

    @property
    def block_level(self) -> Flags:
        """Marks `br` and the start and end tags of block-level elements: they part words. bool (t,)."""
        return _hashed_in(self.keys, _BLOCK_LEVEL, _MULTIPLIER, _SHIFT)

    def first_start(self, name: str) -> int:
        """Which tag is the first start tag of an element called `name`; -1 if there is none."""
        return _first_start(self.keys, self.ends, key(name))

    def named(self, name: str) -> Flags:
        """Marks the tags, start and end, of elements called `name`. bool (t,)."""
        marks: Flags = self.keys == np.uint64(key(name))
        return marks


def tag_names(html: bytes, tags: Tags) -> TagNames:
    """Reads the names of `tags` in `html`."""
    return TagNames(*_names(html, tags.starts))


@compiled
def _names(html: bytes, starts: Offsets) -> tuple[Keys, Flags]:
    """The keys of the names of tags, and which are end tags."""
    behind = starts + 1
    ends: Flags = np.frombuffer(html, np.uint8).take(behind, mode="clip") == np.uint8(ord("/"))
    word = windows(html)[behind + ends]
    # The lowest byte whose high bit is set here is the first that ends the name (S. E. Anderson, "Bit
    # Twiddling Hacks": bytes less than n). Higher bits may be wrong, and are not looked at.
    marks = _below(word, 0x21) | _below(word ^ _SLASHES, 1) | _below(word ^ _GREATERS, 1)
    lowest = marks & (~marks + _ONE)
    inside = (lowest >> _SEVEN) - _ONE
    return (word | _LOWER_CASE) & inside, ends


@compiled
def _first_start(keys: Keys, ends: Flags, name: int) -> int:
    """Which tag is the first start tag of a key; -1 if there is none."""
    found = ((keys == np.uint64(name)) & ~ends).nonzero()[0]
    return int(found[0]) if found.size else -1


@compiled
def _hashed_in(keys: Keys, table: Keys, multiplier: np.uint64, shift: np.uint64) -> Flags:
    """Which keys are in a table that `_hashed` made. bool (t,)."""
    slots = (keys * multiplier >> shift).view(np.int64)
    marks: Flags = table.take(slots) == keys
    return marks


def _below(words: Keys, bound: int) -> Keys:
    marks: Keys = (words - _ONES * np.uint64(bound)) & ~words & _HIGHS
    return marks
