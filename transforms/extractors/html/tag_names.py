"""Names of tags that stand apart from them, as the trees still keep them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from transforms.extractors.html._tags import Tags, are_block_level
from transforms.extractors.html._tags import key as key
from transforms.extractors.html.characters import Flags
from transforms.extractors.html.characters import Keys as Keys


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
        return are_block_level(self.keys)

    def named(self, name: str) -> Flags:
        """Marks the tags, start and end, of elements called `name`. bool (t,)."""
        marks: Flags = self.keys == np.uint64(key(name))
        return marks


def tag_names(_: bytes, tags: Tags) -> TagNames:
    """The names of the tags."""
    return TagNames(tags.keys, tags.ends)
