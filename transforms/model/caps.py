"""The caps: what a record or a page may make large, and where that ends.

One frozen record, handed down to where it is used. Every size and count is looked at before the memory or the
time is spent, so a page over a cap costs what the cap allows.
"""

import json
from dataclasses import asdict, dataclass, field
from typing import Any

from cedar.transforms.model.options import Group, Option, options_of

_KIB, _MIB, _GIB = 1 << 10, 1 << 20, 1 << 30


@dataclass(frozen=True, slots=True, kw_only=True)
class CapOption(Option):
    """What is to be said of a cap: `help` is what it bounds, `hit` what happens where it is hit."""

    hit: str


_GROUP = Group("limits", "docs/limits.md says what happens beyond them")


def _cap(default: int, what: str, hit: str, most: int, *, least: int = 1, unit: str = "number") -> Any:
    about = CapOption(help=what, hit=hit, unit=unit, least=least, most=most, group=_GROUP)
    return field(default=default, metadata={"option": about})


def _size(default: int, what: str, hit: str, most: int = _GIB) -> Any:
    return _cap(default, what, hit, most, least=_KIB, unit="size")


@dataclass(frozen=True, slots=True)
class Caps:
    """The caps with their defaults; `CAPS` tells what each bounds and what happens where it is hit."""

    max_header: int = _size(64 * _KIB, "a WARC or ARC header", "the record is rejected: `too_large`")
    max_body: int = _size(
        8 * _MIB,
        "the body of a page, as transferred and after each coding",
        "its beginning is kept, and the page is `truncated`",
    )
    max_http_header: int = _size(
        64 * _KIB, "an HTTP header", "the fields after it are not read; the body is whole"
    )
    max_codings: int = _cap(3, "nested content codings", "the page is rejected: `bad_coding`", 100)
    max_members: int = _cap(
        1024, "gzip members of a coded body", "its beginning is kept, and the page is `truncated`", 1 << 24
    )
    max_zstd_blocks: int = _cap(
        1 << 17, "zstd blocks of a coded body", "the page counts as `truncated`", 1 << 24
    )
    max_zstd_window: int = _size(
        128 * _MIB,
        "memory that a zstd frame of a file or a body asks for",
        "the frame is rejected: `damaged_member`; the page: `bad_coding`",
        2 * _GIB,
    )
    max_zstd_dictionary: int = _size(
        32 * _MIB,
        "the dictionary of a .warc.zst, stored and inflated",
        "it is not used, and what needs it cannot be read: `damaged_member`, `not_an_archive`",
    )
    max_tags: int = _cap(
        5 << 18,
        "tags of a page, for tree methods",
        "`cetr` stands in, and the column `fallback` says so",
        1 << 30,
    )
    max_attributes: int = _cap(
        1000, "attributes of a tag, for tree methods", "the others are left out", 1 << 20, least=8
    )
    max_depth: int = _cap(
        2048,
        "depth of nested elements, for tree methods",
        "only the outer 512 (and no more than this) keep their tags; the text of all stays",
        2048,
        least=8,
    )

    @property
    def max_block(self) -> int:
        """Bytes of a record's block that are kept: an HTTP header and a body."""
        return self.max_http_header + self.max_body

    @property
    def text(self) -> str:
        """Canonical JSON."""
        return json.dumps(asdict(self), sort_keys=True, separators=(",", ":"))

    @staticmethod
    def of(text: str) -> "Caps":
        """Return the caps that `text` tells; those it does not name have their defaults."""
        return Caps(**json.loads(text))


DEFAULT_CAPS = Caps()


CAPS = tuple(options_of(Caps))
"""All caps, in the order in which a record meets them; what is said of each is a `CapOption`."""
