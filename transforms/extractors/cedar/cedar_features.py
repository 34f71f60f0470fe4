"""What is known of each block of a page, as numbers: the signals of the papers and some more.

No number is a logarithm or another function that one machine computes otherwise than the next: all are counts
and quotients of counts, and trees ask only which is larger.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from transforms.compiled import compiled
from transforms.extractors.cedar import cedar_likeness, cedar_names, cedar_surroundings
from transforms.extractors.cedar import cedar_text as kinds_of
from transforms.extractors.cedar.cedar_blocks import Page
from transforms.extractors.cedar.cedar_columns import Columns, fill, named, over, running, since
from transforms.extractors.cedar.cedar_hints import Hints
from transforms.extractors.cedar.cedar_layout import ANCESTORS, Layout
from transforms.extractors.cedar.cedar_tree import CODE
from transforms.extractors.html.characters import Bytes, Flags, Offsets

_LONG = 150
"""Tenths of words from which a block counts as running text."""


@dataclass(frozen=True, slots=True)
class Facts:
    """Counts that several groups of columns share.

    Attributes:
        plain: int64 (n,), tenths of words outside of links.
        units, plains, stops, long, chars: int64 (n + 1,) each: running sums over blocks of tenths of words,
            of those outside of links, of ends of sentences, of plain ones in running text, and of characters.
        starts_before: int64 (t + 1,), start tags among the first tags.
    """

    plain: Offsets
    units: Offsets
    plains: Offsets
    stops: Offsets
    long: Offsets
    chars: Offsets
    starts_before: Offsets


@compiled
def _facts(
    units: Offsets, linked: Offsets, chars: Offsets, kinds: NDArray[np.int64], ends: Flags, alive: Flags
) -> tuple[Offsets, Offsets, Offsets, Offsets, Offsets, Offsets, Offsets]:
    """Counts what the columns are made of: the attributes of `Facts`, of those of a page and its tags."""
    plain = units - units * linked // np.maximum(chars, 1)
    long = np.where((units >= _LONG) & (2 * plain > units), plain, 0)
    return (
        plain,
        running(units),
        running(plain),
        running(kinds[:, kinds_of.STOP]),
        running(long),
        running(chars),
        running(~ends & alive),
    )


def columns(page: Page, said: Hints, layout: Layout) -> Columns:
    """Measures the blocks of a page.

    Args:
        page: a page of one block or more.
        said: what is said of its elements.
        layout: the elements around its blocks, and its headings.

    Returns:
        The columns; always the same ones in the same order.
    """
    made = Columns.empty(page.starts.size)
    elements, names = page.elements, page.names
    known = Facts(*_facts(page.units, page.linked, page.chars, page.kinds, names.ends, page.alive))
    sums = (known.units, known.plains, known.stops, known.long)
    gaps = page.first_gaps, page.last_gaps
    ranges = page.first, page.last
    headings = layout.headings
    _own(
        made.rows(_OWN), page.kinds, page.units, known.plain, page.linked, page.chars, page.last_kinds, *gaps
    )
    cedar_names.tag(made, page, headings)
    _neighbours(
        made.rows(_NEIGHBOURS), page.kinds, page.units, page.linked, page.chars, sums, known.chars, *gaps
    )
    _position(made.rows(_POSITION), known.units, known.plains, known.long, headings)
    _densities(
        made.rows(_AROUND), *ranges, elements.opens, elements.closes, layout.around, known.starts_before, sums
    )
    cedar_surroundings.container(
        made.rows(cedar_surroundings.CONTAINER),
        *ranges,
        elements.parents,
        layout.outer,
        layout.around,
        page.nearest,
        page.units,
        known.plain,
        known.units,
        known.plains,
    )
    cedar_names.around(made, page, said, known.units)
    cedar_surroundings.repetition(
        made.rows(cedar_surroundings.REPETITION),
        *ranges,
        elements.parents,
        layout.siblings,
        page.nearest,
        page.kinds,
        page.units,
        page.chars,
        page.heads,
        page.tails,
        known.units,
    )
    cedar_surroundings.sections(made.rows(cedar_surroundings.SECTIONS), known.units, known.plains, headings)
    made.rows(("part.title",))[0] = cedar_likeness.title_likeness(page, headings)
    cedar_surroundings.whole(
        made.rows(cedar_surroundings.WHOLE),
        known.units,
        known.plains,
        known.long,
        elements.codes,
        CODE["article"],
        page.schemas,
    )
    return made


_OWN = named(
    "own",
    "units plain link_density stops stops_per_unit commas commas_per_unit colons_per_unit rules_per_unit"
    " signs_per_unit digits capitals chars_per_unit ends_stop ends_colon tags tag_ratio",
)


@compiled
def _own(
    room: NDArray[np.float32],
    kinds: NDArray[np.int64],
    units: Offsets,
    plain: Offsets,
    linked: Offsets,
    chars: Offsets,
    last_kinds: Bytes,
    first_gaps: Offsets,
    last_gaps: Offsets,
) -> None:
    """Length, link density, punctuation and the like of the block alone, in the order of `_OWN`."""
    stops, commas = kinds[:, kinds_of.STOP], kinds[:, kinds_of.COMMA]
    tags = last_gaps - first_gaps
    columns = (
        units,
        plain,
        over(linked, chars),
        stops,
        over(stops, units),
        commas,
        over(commas, units),
        over(kinds[:, kinds_of.COLON], units),
        over(kinds[:, kinds_of.RULE], units),
        over(kinds[:, kinds_of.AT], units),
        over(kinds[:, kinds_of.DIGIT], chars),
        over(kinds[:, kinds_of.UPPER], chars),
        over(chars, units),
        last_kinds == kinds_of.STOP,
        last_kinds == kinds_of.COLON,
        tags,
        over(chars, tags),
    )
    fill(room, columns)


_NEAR = tuple(
    f"near.{what}{offset:+d}"
    for offset in (-2, -1, 1, 2)
    for what in ("units", "link_density", "stops")
    if what != "stops" or abs(offset) == 1
)
_NEAR_ROWS = np.array([[0], [1], [0], [1], [2], [0], [1], [2], [0], [1]])
_NEAR_OFFSETS = np.array([[0], [0], [1], [1], [1], [3], [3], [3], [4], [4]])
_REACHES = np.array([[2], [5], [12]])
_WINDOWS = tuple(
    f"near.{what}_window{reach}" for reach in (2, 5, 12) for what in ("plain", "link_density", "stops")
)


_NEIGHBOURS = (
    *_NEAR,
    *_WINDOWS,
    *named("near", "tag_ratio plain_before plain_after blocks_since_long blocks_to_long"),
)

_Sums = tuple[Offsets, Offsets, Offsets, Offsets]
"""Running sums of units, of plain ones, of stops, and of long plain ones, as in `Facts`."""


@compiled
def _neighbours(
    room: NDArray[np.float32],
    kinds: NDArray[np.int64],
    units: Offsets,
    linked: Offsets,
    chars: Offsets,
    sums: _Sums,
    char_sums: Offsets,
    first_gaps: Offsets,
    last_gaps: Offsets,
) -> None:
    """The blocks before and behind, one by one and in windows, in the order of `_NEIGHBOURS`."""
    count = units.size
    padded = np.zeros((3, count + 4))
    padded[1] = 1
    padded[0, 2:-2] = units
    padded[1, 2:-2] = over(linked, chars)
    padded[2, 2:-2] = kinds[:, kinds_of.STOP]
    index = np.arange(count)
    room[: len(_NEAR)] = padded[_NEAR_ROWS, index + _NEAR_OFFSETS]
    first, last = np.maximum(index - _REACHES, 0), np.minimum(index + _REACHES + 1, count)
    unit_sums, plain_sums, stop_sums, long_sums = sums
    some = unit_sums[last] - unit_sums[first]
    plain = plain_sums[last] - plain_sums[first]
    stops = stop_sums[last] - stop_sums[first]
    windows = np.stack((plain, over(some - plain, some), over(stops, some)), 1)
    room[len(_NEAR) : len(_NEAR) + len(_WINDOWS)] = windows.reshape(-1, count)
    first, last = np.maximum(index - 3, 0), np.minimum(index + 4, count)
    tags = last_gaps[last - 1] - first_gaps[first]
    after = np.minimum(index + 6, count)
    before = np.maximum(index - 5, 0)
    is_long = long_sums[index + 1] - long_sums[index] > 0
    columns = (
        over(char_sums[last] - char_sums[first], tags),
        plain_sums[index] - plain_sums[before],
        plain_sums[after] - plain_sums[index + 1],
        since(is_long),
        since(is_long[::-1])[::-1],
    )
    fill(room[len(_NEAR) + len(_WINDOWS) :], columns)


_POSITION = named(
    "place",
    "index from_end part plain_part long_before after_top tops",
)


@compiled
def _position(
    room: NDArray[np.float32], units: Offsets, plains: Offsets, long: Offsets, headings: Offsets
) -> None:
    """Where on the page the block stands, also relative to its first heading, as in `_POSITION`.

    Args:
        room: to be filled.
        units: int64 (n + 1,), as in `Facts`, and so are the next two.
        plains: int64 (n + 1,).
        long: int64 (n + 1,).
        headings: int64 (n,), as in `cedar_layout.Layout`.
    """
    count = headings.size
    index = np.arange(count)
    tops = (headings == 1).nonzero()[0]
    if not tops.size:
        tops = (headings == 2).nonzero()[0]
    columns = (
        index,
        count - 1 - index,
        units[:-1] / max(units[-1], 1),
        plains[:-1] / max(plains[-1], 1),
        over(long[:-1], long[-1]),
        index - tops[0] if tops.size else -999,
        tops.size,
    )
    fill(room, columns)


@compiled
def _densities(
    room: NDArray[np.float32],
    first: Offsets,
    last: Offsets,
    opens: Offsets,
    closes: Offsets,
    around: Offsets,
    starts_before: Offsets,
    sums: _Sums,
) -> None:
    """Text density, link density and weight of the elements around the block (CETD, CoreEx): `_AROUND`.

    Args:
        room: to be filled.
        first: int64 (e,), as in `Page`.
        last: int64 (e,), as in `Page`.
        opens: int64 (e,), as in `Elements`.
        closes: int64 (e,), as in `Elements`.
        around: int64 (ANCESTORS, n), as in `cedar_layout.Layout`.
        starts_before: int64 (t + 1,), as in `Facts`.
        sums: of the blocks.
    """
    unit_sums, plain_sums, stop_sums, long_sums = sums
    size = last - first
    units = unit_sums[last] - unit_sums[first]
    plain = plain_sums[last] - plain_sums[first]
    stops = stop_sums[last] - stop_sums[first]
    long = long_sums[last] - long_sums[first]
    limit = starts_before.size - 1
    tags = starts_before[np.minimum(closes, limit)] - starts_before[opens + 1]
    measures = np.empty((size.size, len(_MEASURES)), np.float32)
    measures[:, 0] = size
    measures[:, 1] = plain
    measures[:, 2] = units / max(unit_sums[-1], 1)
    measures[:, 3] = over(units - plain, units)
    measures[:, 4] = over(units, tags + 1)
    measures[:, 5] = over(units, size)
    measures[:, 6] = over(stops, units)
    measures[:, 7] = over(long, plain)
    room[:] = measures[around].transpose(0, 2, 1).reshape(room.shape)


_MEASURES = ("blocks", "plain", "share", "link_density", "density", "per_block", "stops", "long")
_AROUND = tuple(f"around{level + 1}.{measure}" for level in range(ANCESTORS) for measure in _MEASURES)
