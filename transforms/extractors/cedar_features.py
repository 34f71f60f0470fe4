"""What is known of each block of a page, as numbers: the signals of the papers and some more.

No number is a logarithm or another function that one machine computes otherwise than the next: all are counts
and quotients of counts, and trees ask only which is larger.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from transforms.compiled import compiled
from transforms.extractors import cedar_names
from transforms.extractors import cedar_text as kinds_of
from transforms.extractors.cedar_blocks import SCHEMAS, Page
from transforms.extractors.cedar_columns import (
    Columns,
    best_run,
    covered,
    distance,
    fill,
    firsts,
    named,
    over,
    running,
    side,
    since,
)
from transforms.extractors.cedar_hints import Hints
from transforms.extractors.cedar_layout import ANCESTORS, Layout
from transforms.extractors.cedar_tree import CODE
from transforms.extractors.characters import Bytes, Flags, Offsets

_STEPS = 16
"""How far around the densest container its surroundings are told apart."""

_LONG = 150
"""Tenths of words from which a block counts as running text."""

_TITLES = 64
"""How many headings are compared with the page's title."""


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
    _container(
        made.rows(_CONTAINER),
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
    _repetition(
        made.rows(_REPETITION),
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
    _sections(made.rows(_SECTIONS), known.units, known.plains, headings)
    made.rows(("part.title",))[0] = _title_likeness(page, headings)
    _whole(
        made.rows(_WHOLE),
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


_CONTAINER = named(
    "box",
    "weight_share weight_share2 own inside distance steps growth plain share run run_distance",
)


@compiled
def _container(
    room: NDArray[np.float32],
    first: Offsets,
    last: Offsets,
    parents: Offsets,
    outer: Offsets,
    around: Offsets,
    nearest: Offsets,
    units: Offsets,
    plain: Offsets,
    unit_sums: Offsets,
    plain_sums: Offsets,
) -> None:
    """Where the block stands to the densest container, and to the best run of blocks (BTE): `_CONTAINER`.

    A container's weight is the unlinked text directly inside of it and of its children, and half of that in
    its grandchildren, times one minus its link density: kin of CETD's DensitySum and of Readability's score.
    """
    count = nearest.size
    own = np.bincount(nearest, plain, parents.size)
    children = np.bincount(parents, own, parents.size)
    children[0] -= own[0]
    grandchildren = np.bincount(parents, children, parents.size)
    grandchildren[0] -= children[0]
    all_units = unit_sums[last] - unit_sums[first]
    all_plain = plain_sums[last] - plain_sums[first]
    weight = (own + children + 0.5 * grandchildren) * over(all_plain, all_units)
    best = int(weight.argmax())
    start, stop = int(first[best]), int(last[best])
    steps = np.full(count, _STEPS, np.int64)
    growth = np.zeros(count)
    way = [int(outer[best])]
    while len(way) < _STEPS and way[-1]:
        way.append(int(outer[parents[way[-1]]]))
    for step in range(len(way) - 1, -1, -1):
        blocks = slice(int(first[way[step]]), int(last[way[step]]))
        steps[blocks] = step
        growth[blocks] = over(all_plain[best], all_plain[way[step]])
    run = best_run(plain - (units - plain) - 20)
    columns = (
        over(weight[around[0]], weight[best]),
        over(weight[around[1]], weight[best]),
        own[nearest],
        side(count, start, stop),
        distance(count, start, stop),
        steps,
        growth,
        all_plain[best],
        all_plain[best] / max(plain_sums[-1], 1),
        side(count, *run),
        distance(count, *run),
    )
    fill(room, columns)


_REPETITION = (
    "same.siblings1",
    *(f"same.{what}{level}" for level in range(2, 6) for what in ("siblings", "mean")),
    "same.levels",
    "same.texts",
    "same.again",
)


@compiled
def _repetition(
    room: NDArray[np.float32],
    first: Offsets,
    last: Offsets,
    parents: Offsets,
    siblings: Offsets,
    nearest: Offsets,
    kinds: NDArray[np.int64],
    units: Offsets,
    chars: Offsets,
    heads: NDArray[np.uint64],
    tails: NDArray[np.uint64],
    unit_sums: Offsets,
) -> None:
    """Siblings of one kind around the block, and blocks of one text, in the order of `_REPETITION`."""
    alike = np.bincount(siblings)[siblings]
    mean = np.bincount(siblings, unit_sums[last] - unit_sums[first])[siblings] / alike
    current = nearest
    columns: list[NDArray[np.generic]] = [alike[current]]
    for _ in range(2, 6):
        current = parents[current]
        columns += [alike[current], mean[current]]
    columns.append(covered(nearest.size, first, last, (alike >= 3)[None])[0])
    letters = kinds[:, kinds_of.LETTER].astype(np.uint64)
    text = units.astype(np.uint64) << np.uint64(40) | chars.astype(np.uint64) << np.uint64(20) | letters
    text = text * np.uint64(0x9E3779B97F4A7C15) ^ heads ^ tails * np.uint64(3)
    same = firsts(text)
    columns += [np.bincount(same)[same], same != np.arange(same.size)]
    fill(room, columns)


_SECTIONS = named("part", "plain link_density blocks index level number")


@compiled
def _sections(room: NDArray[np.float32], unit_sums: Offsets, plain_sums: Offsets, headings: Offsets) -> None:
    """The text between one heading and the next, in the order of `_SECTIONS`."""
    count = headings.size
    marks = headings > 0
    begins = np.concatenate(([0], marks.nonzero()[0]))
    ends = np.append(begins[1:], count)
    section = np.cumsum(marks)
    units = (unit_sums[ends] - unit_sums[begins])[section]
    plain = (plain_sums[ends] - plain_sums[begins])[section]
    columns = (
        plain,
        over(units - plain, units),
        (ends - begins)[section],
        np.arange(count) - begins[section],
        headings[np.minimum(begins, count - 1)][section],
        section,
    )
    fill(room, columns)


_WORDS = re.compile(r"[^\W_]+")


def _title_likeness(page: Page, headings: Offsets) -> NDArray[np.float64]:
    """Share of the words of a heading, or a short block, that the title has, float64 (n,)."""
    likeness = np.zeros(headings.size)
    if page.title:
        title = page.title.lower()
        some = ((headings > 0) & (page.units < 400)).nonzero()[0][:_TITLES]
        words = frozenset(_WORDS.findall(title))
        likeness[some] = _alike(page.coded, page.starts[some], page.stops[some], title, words, _likeness)
    return likeness


@compiled
def _alike(
    coded: Bytes,
    starts: Offsets,
    stops: Offsets,
    title: str,
    words: frozenset[str],
    likeness: Callable[[str, str, frozenset[str]], float],
) -> NDArray[np.float64]:
    """The likeness to the title of the text in each range: float64, as many.

    Args:
        coded: uint8 (m,), text as in `Page`.
        starts: int64 (k,), where the ranges begin.
        stops: int64 (k,), where they stop.
        title: the title, in small letters.
        words: its words.
        likeness: `_likeness`.
    """
    found = []
    for start, stop in zip(starts.tolist(), stops.tolist(), strict=True):
        found.append(likeness(kinds_of.readable(coded[start:stop].tobytes()).lower(), title, words))
    return np.array(found, np.float64)


def _likeness(text: str, title: str, words: frozenset[str]) -> float:
    """How like a text is to the title, both in small letters."""
    if len(text) >= _PASSAGE and text in title:
        return 1.0
    found = _WORDS.findall(text)
    return sum(word in words for word in found) / len(found) if len(found) > 1 else 0.0


_PASSAGE = 4
"""Characters from which a text that stands in the title is taken for a part of it."""


_WHOLE = (
    *named("page", "units link_density long longs blocks per_block articles"),
    *(f"page.schema_{name}" for name in SCHEMAS),
)


@compiled
def _whole(
    room: NDArray[np.float32],
    units: Offsets,
    plains: Offsets,
    long: Offsets,
    codes: Offsets,
    article: int,
    schemas: tuple[bool, ...],
) -> None:
    """The page as a whole, in the order of `_WHOLE`.

    Args:
        room: to be filled.
        units: int64 (n + 1,), as in `Facts`, and so are the next two.
        plains: int64 (n + 1,).
        long: int64 (n + 1,).
        codes: int64 (e,), as in `Elements`.
        article: the code of articles.
        schemas: as in `Page`.
    """
    count = room.shape[1]
    columns = (
        units[-1],
        (units[-1] - plains[-1]) / max(units[-1], 1),
        long[-1] / max(plains[-1], 1),
        np.count_nonzero(np.diff(long)),
        count,
        units[-1] / count,
        np.count_nonzero(codes == article),
        *schemas,
    )
    fill(room, columns)
