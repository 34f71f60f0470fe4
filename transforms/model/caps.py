"""The caps: what a record or a page may make large, and where that ends.

One frozen record, handed down to where it is used. Every size and count is looked at before the memory or the
time is spent, so a page over a cap costs what the cap allows.
"""

from __future__ import annotations

import json
import typing
from dataclasses import asdict, dataclass, fields
from typing import Annotated

_KIB, _MIB, _GIB = 1 << 10, 1 << 20, 1 << 30


@dataclass(frozen=True, slots=True)
class AboutCap:
    """What is to be said of a cap besides its default.

    Attributes:
        what: what it bounds.
        hit: what happens where it is hit.
        most: its largest value; what counts beyond could not be represented.
        least: its smallest value.
        is_size: whether it counts bytes.
    """

    what: str
    hit: str
    most: int
    least: int = 1
    is_size: bool = False


def _size(what: str, hit: str, most: int = _GIB) -> AboutCap:
    return AboutCap(what, hit, most, is_size=True)


@dataclass(frozen=True, slots=True)
class Caps:
    """The caps with their defaults; `CAPS` tells what each bounds and what happens where it is hit."""

    max_header: Annotated[int, _size("a WARC or ARC header", "the record is rejected: `too_large`")] = (
        64 * _KIB
    )
    max_body: Annotated[
        int,
        _size(
            "the body of a page, as transferred and after each coding",
            "its beginning is kept, and the page is `truncated`",
        ),
    ] = 8 * _MIB
    max_http_header: Annotated[
        int, _size("an HTTP header", "the fields after it are not read; the body is whole")
    ] = 64 * _KIB
    max_codings: Annotated[
        int, AboutCap("content codings upon each other", "the page is rejected: `bad_coding`", 100)
    ] = 3
    max_members: Annotated[
        int,
        AboutCap(
            "gzip members of a coded body", "its beginning is kept, and the page is `truncated`", 1 << 24
        ),
    ] = 1024
    max_zstd_blocks: Annotated[
        int, AboutCap("zstd blocks of a coded body", "the page counts as `truncated`", 1 << 24)
    ] = 1 << 17
    max_zstd_window: Annotated[
        int,
        _size(
            "memory that a zstd frame asks for, of a file or a body",
            "the frame is rejected: `damaged_member`; the page: `bad_coding`",
            2 * _GIB,
        ),
    ] = 128 * _MIB
    max_zstd_dictionary: Annotated[
        int,
        _size(
            "the dictionary of a .warc.zst, stored and inflated",
            "it is not used, and what needs it cannot be read: `damaged_member`, `not_an_archive`",
        ),
    ] = 32 * _MIB
    max_tags: Annotated[
        int,
        AboutCap(
            "tags of a page, for tree methods", "`cetr` stands in, and the column `fallback` says so", 1 << 30
        ),
    ] = 5 << 18
    max_attributes: Annotated[
        int, AboutCap("attributes of a tag, for tree methods", "the others are left out", 1 << 20, least=8)
    ] = 1000
    max_depth: Annotated[
        int,
        AboutCap(
            "elements within each other, for tree methods",
            "only the outer 512 (and no more than this) keep their tags; the text of all stays",
            2048,
            least=8,
        ),
    ] = 2048

    @property
    def max_block(self) -> int:
        """Bytes of a record's block that are kept: an HTTP header and a body."""
        return self.max_http_header + self.max_body

    @property
    def text(self) -> str:
        """Canonical JSON."""
        return json.dumps(asdict(self), sort_keys=True, separators=(",", ":"))

    @staticmethod
    def of(text: str) -> Caps:
        """Return the caps that `text` tells; those it does not name have their defaults."""
        return Caps(**json.loads(text))


DEFAULT_CAPS = Caps()


@dataclass(frozen=True, slots=True)
class Cap:
    """One cap as people see it: its Python name, its default, and what is to be said of it."""

    name: str
    default: int
    about: AboutCap

    @property
    def shown(self) -> str:
        """Its default as the command line takes it."""
        units = ((_GIB, "GiB"), (_MIB, "MiB"), (_KIB, "KiB"))
        for unit, name in units:
            if self.about.is_size and self.default % unit == 0:
                return f"{self.default // unit}{name}"
        return str(self.default)


def _caps() -> tuple[Cap, ...]:
    hints = typing.get_type_hints(Caps, include_extras=True)
    return tuple(
        Cap(f.name, getattr(DEFAULT_CAPS, f.name), typing.get_args(hints[f.name])[1]) for f in fields(Caps)
    )


CAPS = _caps()
"""All caps, in the order in which a record meets them."""
