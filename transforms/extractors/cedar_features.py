"""What is known of each block of a page, as numbers: the signals of the papers and some more.

No number is a logarithm or another function that one machine computes otherwise than the next: all are counts
and quotients of counts, and trees ask only which is larger.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from transforms.extractors import cedar_names
from transforms.extractors import cedar_text as kinds_of
from transforms.extractors.cedar_blocks import SCHEMAS, Page
from transforms.extractors.cedar_columns import (
    Columns,
    covered,
    distance,
    numbered,
    over,
    running,
    side,
    since,
)
from transforms.extractors.cedar_hints import Hints
from transforms.extractors.cedar_layout import ANCESTORS, Layout
from transforms.extractors.cedar_tree import CODE
from transforms.extractors.characters import Offsets

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
        sums: int64 (n + 1,) each: running sums over blocks of units, plain units, stops, long plain units.
        tags_before: int64 (t + 1,), start tags among the first tags.
    """

    plain: Offsets
    units: Offsets
    plains: Offsets
    stops: Offsets
    long: Offsets
    starts_before: Offsets


def facts(page: Page) -> Facts:
    """Counts what the columns are made of."""
    plain = page.units - page.units * page.linked // np.maximum(page.chars, 1)
    long = np.where((page.units >= _LONG) & (2 * plain > page.units), plain, 0)
    return Facts(
        plain,
        running(page.units),
        running(plain),
        running(page.kinds[:, kinds_of.STOP]),
        running(long),
        running(~page.names.ends & page.alive),
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
    known = facts(page)
    headings = layout.headings
    _own(made, page, known)
    cedar_names.tag(made, page, headings)
    _neighbours(made, page, known)
    _position(made, known, headings)
    _densities(made, page, known, layout.around)
    _container(made, page, known, layout)
    cedar_names.around(made, page, said, known.units)
    _repetition(made, page, layout, known)
    _sections(made, page, known, headings)
    _whole(made, page, known)
    return made


def _own(made: Columns, page: Page, known: Facts) -> None:
    """Length, link density, punctuation and the like of the block alone."""
    kinds, units = page.kinds, page.units
    made.add("own.units", units)
    made.add("own.plain", known.plain)
    made.add("own.link_density", over(page.linked, page.chars))
    stops = kinds[:, kinds_of.STOP]
    made.add("own.stops", stops)
    made.add("own.stops_per_unit", over(stops, units))
    made.add("own.commas", kinds[:, kinds_of.COMMA])
    made.add("own.commas_per_unit", over(kinds[:, kinds_of.COMMA], units))
    made.add("own.colons_per_unit", over(kinds[:, kinds_of.COLON], units))
    made.add("own.rules_per_unit", over(kinds[:, kinds_of.RULE], units))
    made.add("own.signs_per_unit", over(kinds[:, kinds_of.AT], units))
    made.add("own.digits", over(kinds[:, kinds_of.DIGIT], page.chars))
    made.add("own.capitals", over(kinds[:, kinds_of.UPPER], page.chars))
    made.add("own.chars_per_unit", over(page.chars, units))
    last = page.last_kinds
    made.add("own.ends_stop", last == kinds_of.STOP)
    made.add("own.ends_colon", last == kinds_of.COLON)
    tags = page.last_gaps - page.first_gaps
    made.add("own.tags", tags)
    made.add("own.tag_ratio", over(page.chars, tags))


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


def _neighbours(made: Columns, page: Page, known: Facts) -> None:
    """The blocks before and behind, one by one and in windows."""
    count = made.count
    padded = np.zeros((3, count + 4))
    padded[1] = 1
    padded[0, 2:-2] = page.units
    padded[1, 2:-2] = over(page.linked, page.chars)
    padded[2, 2:-2] = page.kinds[:, kinds_of.STOP]
    index = np.arange(count)
    made.add_all(_NEAR, padded[_NEAR_ROWS, index + _NEAR_OFFSETS])
    first, last = np.maximum(index - _REACHES, 0), np.minimum(index + _REACHES + 1, count)
    units = known.units[last] - known.units[first]
    plain = known.plains[last] - known.plains[first]
    stops = known.stops[last] - known.stops[first]
    windows = np.stack((plain, over(units - plain, units), over(stops, units)), 1)
    made.add_all(_WINDOWS, windows.reshape(-1, count))
    first, last = np.maximum(index - 3, 0), np.minimum(index + 4, count)
    chars = running(page.chars)
    tags = page.last_gaps[last - 1] - page.first_gaps[first]
    made.add("near.tag_ratio", over(chars[last] - chars[first], tags))
    after = np.minimum(index + 6, count)
    before = np.maximum(index - 5, 0)
    made.add("near.plain_before", known.plains[index] - known.plains[before])
    made.add("near.plain_after", known.plains[after] - known.plains[index + 1])
    make_long = known.long[index + 1] - known.long[index] > 0
    made.add("near.blocks_since_long", since(make_long))
    made.add("near.blocks_to_long", since(make_long[::-1])[::-1])


def _position(made: Columns, known: Facts, headings: Offsets) -> None:
    """Where on the page the block stands, also relative to its first heading."""
    count = made.count
    index = np.arange(count)
    total = known.units[-1]
    made.add("place.index", index)
    made.add("place.from_end", count - 1 - index)
    made.add("place.part", known.units[:-1] / max(total, 1))
    made.add("place.plain_part", known.plains[:-1] / max(known.plains[-1], 1))
    made.add("place.long_before", over(known.long[:-1], known.long[-1]))
    tops = (headings == 1).nonzero()[0]
    if not tops.size:
        tops = (headings == 2).nonzero()[0]
    first = int(tops[0]) if tops.size else -1
    made.add("place.after_top", index - first if tops.size else np.full(count, -999))
    made.add_same("place.tops", tops.size)


def _densities(made: Columns, page: Page, known: Facts, around: Offsets) -> None:
    """Text density, link density and weight of the elements around the block (CETD, CoreEx)."""
    first, last = page.first, page.last
    size = last - first
    units = known.units[last] - known.units[first]
    plain = known.plains[last] - known.plains[first]
    stops = known.stops[last] - known.stops[first]
    long = known.long[last] - known.long[first]
    limit = page.names.keys.size
    opens, closes = page.elements.opens + 1, np.minimum(page.elements.closes, limit)
    tags = known.starts_before[closes] - known.starts_before[opens]
    measures = np.empty((size.size, len(_MEASURES)), np.float32)
    measures[:, 0] = size
    measures[:, 1] = plain
    measures[:, 2] = units / max(known.units[-1], 1)
    measures[:, 3] = over(units - plain, units)
    measures[:, 4] = over(units, tags + 1)
    measures[:, 5] = over(units, size)
    measures[:, 6] = over(stops, units)
    measures[:, 7] = over(long, plain)
    made.add_all(_AROUND, measures[around].transpose(0, 2, 1).reshape(-1, made.count))


_MEASURES = ("blocks", "plain", "share", "link_density", "density", "per_block", "stops", "long")
_AROUND = tuple(f"around{level + 1}.{measure}" for level in range(ANCESTORS) for measure in _MEASURES)


def _container(made: Columns, page: Page, known: Facts, layout: Layout) -> None:
    """Where the block stands to the densest container, and to the best run of blocks (BTE).

    A container's weight is the unlinked text directly inside of it and of its children, and half of that in
    its grandchildren, times one minus its link density: kin of CETD's DensitySum and of Readability's score.
    """
    parents = page.elements.parents
    count = parents.size
    own = np.bincount(page.nearest, known.plain, count)
    children = np.bincount(parents, own, count)
    children[0] -= own[0]
    grandchildren = np.bincount(parents, children, count)
    grandchildren[0] -= children[0]
    first, last = page.first, page.last
    units = known.units[last] - known.units[first]
    plain = known.plains[last] - known.plains[first]
    weight = (own + children + 0.5 * grandchildren) * over(plain, units)
    best = int(weight.argmax())
    made.add("box.weight_share", over(weight[layout.around[0]], weight[best]))
    made.add("box.weight_share2", over(weight[layout.around[1]], weight[best]))
    made.add("box.own", own[page.nearest])
    made.add("box.inside", side(made.count, int(first[best]), int(last[best])))
    made.add("box.distance", distance(made.count, int(first[best]), int(last[best])))
    steps = np.full(made.count, _STEPS, np.int64)
    growth = np.zeros(made.count)
    way = [int(layout.outer[best])]
    while len(way) < _STEPS and way[-1]:
        way.append(int(layout.outer[parents[way[-1]]]))
    for step in range(len(way) - 1, -1, -1):
        blocks = slice(int(first[way[step]]), int(last[way[step]]))
        steps[blocks] = step
        growth[blocks] = over(plain[best], plain[way[step]])
    made.add("box.steps", steps)
    made.add("box.growth", growth)
    made.add_same("box.plain", plain[best])
    made.add_same("box.share", plain[best] / max(known.plains[-1], 1))

    gain = running(known.plain - (page.units - known.plain) - 20)
    low = np.minimum.accumulate(gain)
    stop = int((gain - low).argmax())
    start = int(gain[: stop + 1].argmin())
    made.add("box.run", side(made.count, start, stop))
    made.add("box.run_distance", distance(made.count, start, stop))


def _repetition(made: Columns, page: Page, layout: Layout, known: Facts) -> None:
    """Siblings of one kind around the block, and blocks of one text."""
    parents = page.elements.parents
    group = layout.siblings
    alike = np.bincount(group)[group]
    units = known.units[page.last] - known.units[page.first]
    mean = np.bincount(group, units)[group] / alike
    current = page.nearest
    for level in range(1, 6):
        made.add(f"same.siblings{level}", alike[current])
        if level > 1:
            made.add(f"same.mean{level}", mean[current])
        current = parents[current]
    many = (alike >= 3)[None]
    made.add("same.levels", covered(made.count, page.first, page.last, many)[0])
    head = over(page.kinds[:, kinds_of.LETTER], 1).astype(np.uint64)
    text = (
        page.units.astype(np.uint64) << np.uint64(40) | page.chars.astype(np.uint64) << np.uint64(20) | head
    )
    text = text * np.uint64(0x9E3779B97F4A7C15) ^ page.heads ^ page.tails * np.uint64(3)
    same = numbered(text)
    made.add("same.texts", np.bincount(same)[same])
    order = same.argsort(kind="stable")
    again = np.zeros(made.count, bool)
    again[order[1:]] = same[order[1:]] == same[order[:-1]]
    made.add("same.again", again)


def _sections(made: Columns, page: Page, known: Facts, headings: Offsets) -> None:
    """The text between one heading and the next; the block's likeness to the title."""
    count = made.count
    marks = headings > 0
    begins = np.concatenate(([0], marks.nonzero()[0]))
    ends = np.append(begins[1:], count)
    section = np.cumsum(marks)
    units = (known.units[ends] - known.units[begins])[section]
    plain = (known.plains[ends] - known.plains[begins])[section]
    made.add("part.plain", plain)
    made.add("part.link_density", over(units - plain, units))
    made.add("part.blocks", (ends - begins)[section])
    made.add("part.index", np.arange(count) - begins[section])
    made.add("part.level", headings[np.minimum(begins, count - 1)][section])
    made.add("part.number", section)
    made.add("part.title", _title_likeness(page, headings))


_WORDS = re.compile(r"[^\W_]+")


def _title_likeness(page: Page, headings: Offsets) -> NDArray[np.float64]:
    """Share of the words of a heading, or a short block, that the title has, float64 (n,)."""
    likeness = np.zeros(headings.size)
    if not page.title:
        return likeness
    title = page.title.lower()
    words = set(_WORDS.findall(title))
    candidates = ((headings > 0) & (page.units < 400)).nonzero()[0][:_TITLES]
    for block in candidates.tolist():
        text = page.text(block).lower()
        if len(text) >= 4 and text in title:
            likeness[block] = 1.0
        else:
            found = _WORDS.findall(text)
            common = sum(word in words for word in found)
            likeness[block] = common / len(found) if len(found) > 1 else 0.0
    return likeness


def _whole(made: Columns, page: Page, known: Facts) -> None:
    """The page as a whole."""
    units, plain = int(known.units[-1]), int(known.plains[-1])
    made.add_same("page.units", units)
    made.add_same("page.link_density", (units - plain) / max(units, 1))
    made.add_same("page.long", known.long[-1] / max(plain, 1))
    made.add_same("page.longs", int(np.count_nonzero(np.diff(known.long))))
    made.add_same("page.blocks", made.count)
    made.add_same("page.per_block", units / made.count)
    made.add_same("page.articles", int(np.count_nonzero(page.elements.codes == CODE["article"])))
    for name, found in zip(SCHEMAS, page.schemas, strict=True):
        made.add_same(f"page.schema_{name}", found)
