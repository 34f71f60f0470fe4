"""Tags of a page, and their names: see `_tags.pyx`."""

from typing import Final

from transforms.extractors.html.characters import Flags, Keys, Offsets

QUOTE_LIMIT: Final[int]
"""Bytes within which a quoted value must close to count as one."""

class Tags:
    """The tags of a page in order, t of them; none overlaps another.

    Attributes:
        count: their number.
        starts: int64 (t,), byte of each tag's `<`.
        stops: int64 (t,), byte after its `>`.
        keys: uint64 (t,), the key of its name; 0 for a nameless tag.
        ends: bool (t,), whether it is an end tag.
        block_level: bool (t,), whether it is `br` or a tag of a block-level element: these part words.
    """

    count: int
    @property
    def starts(self) -> Offsets: ...
    @property
    def stops(self) -> Offsets: ...
    @property
    def keys(self) -> Keys: ...
    @property
    def ends(self) -> Flags: ...
    @property
    def block_level(self) -> Flags: ...
    def __len__(self) -> int: ...
    def first_few(self, most: int) -> Tags:
        """These tags, at most `count` of them."""

    def named(self, name: str) -> Flags:
        """Marks the tags, start and end, of elements called `name`. bool (t,)."""

    def first(self, name: str, end: bool = False, start: int = 0) -> int:
        """Which tag is the first from `start` on that starts, or ends, an element; -1 if absent."""

def key(name: str) -> int:
    """The key of an ASCII tag name."""

def lex(html: bytes) -> Tags:
    """Finds all tags of a page in UTF-8 (or any superset of ASCII), and their names."""

def are_block_level(keys: Keys) -> Flags:
    """Marks, of the keys of names, uint64 (t,), those of `br` and of block-level elements. bool (t,)."""
