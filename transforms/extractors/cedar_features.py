"""What is known of each block of a page, as numbers: the signals of the papers and some more.

No number is a logarithm or another function that one machine computes otherwise than the next: all are counts
and quotients of counts, and trees ask only which is larger.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from transforms.extractors import cedar_text as kinds_of
from transforms.extractors.cedar_blocks import BR, SCHEMAS, Page
from transforms.extractors.cedar_hints import GROUPS, Hints
from transforms.extractors.cedar_tree import CODE
from transforms.extractors.characters import Flags, Offsets

Column = NDArray[np.float32]

ANCESTORS = 4
"""How many of the elements around a block are measured, wrappers not counted."""

_STEPS = 16
"""How far around the densest container its surroundings are told apart."""

_LONG = 150
"""Tenths of words from which a block counts as running text."""

_TITLES = 64
"""How many headings are compared with the page's title."""


@dataclass(slots=True)
class Columns:
    """Columns in the making.

    Attributes:
        count: number of blocks.
        names: `group.name` of each column.
        values: float32 (n,) each.
    """

    count: int
    names: list[str] = field(default_factory=list)
    values: list[Column] = field(default_factory=list)

    def add(self, name: str, values: NDArray[np.generic]) -> None:
        """Adds a column, (n,)."""
        self.names.append(name)
        self.values.append(values.astype(np.float32))

    def add_same(self, name: str, value: float) -> None:
        """Adds a column of one number for all blocks."""
        self.names.append(name)
        self.values.append(np.full(self.count, value, np.float32))


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


def _running(values: NDArray[np.generic]) -> Offsets:
    sums = np.zeros(values.size + 1, np.int64)
    np.cumsum(values, out=sums[1:])
    return sums


def _over(top: NDArray[np.generic], bottom: NDArray[np.generic] | float) -> NDArray[np.float64]:
    quotient: NDArray[np.float64] = top / np.maximum(bottom, 1)
    return quotient


def facts(page: Page) -> Facts:
    """Counts what the columns are made of."""
    plain = page.units - page.units * page.linked // np.maximum(page.chars, 1)
    long = np.where((page.units >= _LONG) & (2 * plain > page.units), plain, 0)
    return Facts(
        plain,
        _running(page.units),
        _running(plain),
        _running(page.kinds[:, kinds_of.STOP]),
        _running(long),
        _running(~page.names.ends & page.alive),
    )


def columns(page: Page, said: Hints) -> Columns:
    """Measures the blocks of a page.

    Args:
        page: a page of one block or more.
        said: what is said of its elements.

    Returns:
        The columns; always the same ones in the same order.
    """
    made = Columns(page.starts.size)
    known = facts(page)
    headings = _heading_levels(page)
    _own(made, page, known)
    _tag(made, page, headings)
    _neighbours(made, page, known)
    _position(made, known, headings)
    chain = _ancestors(page)
    _densities(made, page, known, chain)
    _container(made, page, known, chain)
    _said(made, page, said, known)
    _repetition(made, page, said, known)
    _sections(made, page, known, headings)
    _whole(made, page, known)
    return made


def _own(made: Columns, page: Page, known: Facts) -> None:
    """Length, link density, punctuation and the like of the block alone."""
    kinds, units = page.kinds, page.units
    made.add("own.units", units)
    made.add("own.plain", known.plain)
    made.add("own.link_density", _over(page.linked, page.chars))
    stops = kinds[:, kinds_of.STOP]
    made.add("own.stops", stops)
    made.add("own.stops_per_unit", _over(stops, units))
    made.add("own.commas", kinds[:, kinds_of.COMMA])
    made.add("own.commas_per_unit", _over(kinds[:, kinds_of.COMMA], units))
    made.add("own.colons_per_unit", _over(kinds[:, kinds_of.COLON], units))
    made.add("own.rules_per_unit", _over(kinds[:, kinds_of.RULE], units))
    made.add("own.signs_per_unit", _over(kinds[:, kinds_of.AT], units))
    made.add("own.digits", _over(kinds[:, kinds_of.DIGIT], page.chars))
    made.add("own.capitals", _over(kinds[:, kinds_of.UPPER], page.chars))
    made.add("own.chars_per_unit", _over(page.chars, units))
    last = page.last_kinds
    made.add("own.ends_stop", last == kinds_of.STOP)
    made.add("own.ends_colon", last == kinds_of.COLON)
    tags = page.last_gaps - page.first_gaps
    made.add("own.tags", tags)
    made.add("own.tag_ratio", _over(page.chars, tags))


_TAGS = {
    "p": "p",
    "li": "li",
    "cell": "td th",
    "div": "div",
    "section": "section article main body",
    "term": "dt dd",
    "code": "pre listing xmp",
    "quote": "blockquote",
    "caption": "figcaption caption figure",
    "control": "button option optgroup select label legend form fieldset summary",
}


def _heading_levels(page: Page) -> Offsets:
    """1 to 6 for blocks in a heading, 0 for others: int64 (n,)."""
    level = np.zeros(len(CODE) + 1, np.int64)
    for number in range(1, 7):
        level[CODE[f"h{number}"]] = number
    return level[page.elements.codes[page.nearest]]


def _tag(made: Columns, page: Page, headings: Offsets) -> None:
    """What element the block stands in, and what parted it from the block before."""
    made.add("tag.heading", headings)
    codes = page.elements.codes
    own = codes[page.nearest]
    for name, members in _TAGS.items():
        table = np.zeros(len(CODE) + 1, bool)
        table[[CODE[member] for member in members.split()]] = True
        made.add(f"tag.{name}", table[own])
    made.add("tag.after_br", np.append(np.uint64(0), page.names.keys)[page.first_gaps] == BR)
    made.add("tag.before_br", np.append(page.names.keys, np.uint64(0))[page.last_gaps] == BR)
    made.add(
        "tag.gap", np.diff(page.first_gaps, prepend=0) - np.append(0, (page.last_gaps - page.first_gaps)[:-1])
    )


def _neighbours(made: Columns, page: Page, known: Facts) -> None:
    """The blocks before and behind, one by one and in windows."""
    count = made.count
    density = _over(page.linked, page.chars)
    stops = page.kinds[:, kinds_of.STOP]
    padded_units = np.pad(page.units, 2)
    padded_density = np.pad(density, 2, constant_values=1.0)
    padded_stops = np.pad(stops, 2)
    for offset in (-2, -1, 1, 2):
        side = slice(2 + offset, 2 + offset + count)
        made.add(f"near.units{offset:+d}", padded_units[side])
        made.add(f"near.link_density{offset:+d}", padded_density[side])
        if abs(offset) == 1:
            made.add(f"near.stops{offset:+d}", padded_stops[side])
    index = np.arange(count)
    for reach in (2, 5, 12):
        first, last = np.maximum(index - reach, 0), np.minimum(index + reach + 1, count)
        units = known.units[last] - known.units[first]
        plain = known.plains[last] - known.plains[first]
        made.add(f"near.plain_window{reach}", plain)
        made.add(f"near.link_density_window{reach}", _over(units - plain, units))
        made.add(f"near.stops_window{reach}", _over(known.stops[last] - known.stops[first], units))
    first, last = np.maximum(index - 3, 0), np.minimum(index + 4, count)
    chars = _running(page.chars)
    tags = page.last_gaps[last - 1] - page.first_gaps[first]
    made.add("near.tag_ratio", _over(chars[last] - chars[first], tags))
    after = np.minimum(index + 6, count)
    before = np.maximum(index - 5, 0)
    made.add("near.plain_before", known.plains[index] - known.plains[before])
    made.add("near.plain_after", known.plains[after] - known.plains[index + 1])
    make_long = known.long[index + 1] - known.long[index] > 0
    made.add("near.blocks_since_long", _since(make_long))
    made.add("near.blocks_to_long", _since(make_long[::-1])[::-1])


def _since(marks: Flags) -> Offsets:
    """How many blocks ago the last marked one stood; the number of blocks where none did."""
    index = np.arange(marks.size)
    last = np.maximum.accumulate(np.where(marks, index, -marks.size))
    return np.minimum(index - last, marks.size)


def _position(made: Columns, known: Facts, headings: Offsets) -> None:
    """Where on the page the block stands, also relative to its first heading."""
    count = made.count
    index = np.arange(count)
    total = known.units[-1]
    made.add("place.index", index)
    made.add("place.from_end", count - 1 - index)
    made.add("place.part", known.units[:-1] / max(total, 1))
    made.add("place.plain_part", known.plains[:-1] / max(known.plains[-1], 1))
    made.add("place.long_before", _over(known.long[:-1], known.long[-1]))
    tops = np.flatnonzero(headings == 1)
    if not tops.size:
        tops = np.flatnonzero(headings == 2)
    first = int(tops[0]) if tops.size else -1
    made.add("place.after_top", index - first if tops.size else np.full(count, -999))
    made.add_same("place.tops", tops.size)


@dataclass(frozen=True, slots=True)
class _Chain:
    """The elements around each block.

    Attributes:
        outer: int64 (e,), of the elements around each that hold the same blocks, the outermost.
        around: int64 (ANCESTORS, n), the nearest elements that hold more blocks than the one before.
    """

    outer: Offsets
    around: Offsets


def _ancestors(page: Page) -> _Chain:
    parents = page.elements.parents
    same = (page.first == page.first[parents]) & (page.last == page.last[parents])
    outer = np.where(same, parents, np.arange(parents.size))
    while True:
        further = outer[outer]
        if np.array_equal(further, outer):
            break
        outer = further
    size = page.last - page.first
    around = np.empty((ANCESTORS, page.nearest.size), np.int64)
    current = outer[page.nearest]
    around[0] = current = np.where(size[current] > 1, current, outer[parents[current]])
    for level in range(1, ANCESTORS):
        around[level] = current = outer[parents[current]]
    return _Chain(outer, around)


def _densities(made: Columns, page: Page, known: Facts, chain: _Chain) -> None:
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
    share = units / max(known.units[-1], 1)
    measures = {
        "blocks": size,
        "plain": plain,
        "share": share,
        "link_density": _over(units - plain, units),
        "density": _over(units, tags + 1),
        "per_block": _over(units, size),
        "stops": _over(stops, units),
        "long": _over(long, plain),
    }
    for level, elements in enumerate(chain.around, 1):
        for name, values in measures.items():
            made.add(f"around{level}.{name}", values[elements])


def _container(made: Columns, page: Page, known: Facts, chain: _Chain) -> None:
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
    weight = (own + children + 0.5 * grandchildren) * _over(plain, units)
    best = int(weight.argmax())
    made.add("box.weight_share", _over(weight[chain.around[0]], weight[best]))
    made.add("box.weight_share2", _over(weight[chain.around[1]], weight[best]))
    made.add("box.own", own[page.nearest])
    made.add("box.inside", _side(made.count, int(first[best]), int(last[best])))
    made.add("box.distance", _distance(made.count, int(first[best]), int(last[best])))
    steps = np.full(made.count, _STEPS, np.int64)
    growth = np.zeros(made.count)
    way = [int(chain.outer[best])]
    while len(way) < _STEPS and way[-1]:
        way.append(int(chain.outer[parents[way[-1]]]))
    for step in range(len(way) - 1, -1, -1):
        blocks = slice(int(first[way[step]]), int(last[way[step]]))
        steps[blocks] = step
        growth[blocks] = _over(plain[best], plain[way[step]])
    made.add("box.steps", steps)
    made.add("box.growth", growth)
    made.add_same("box.plain", plain[best])
    made.add_same("box.share", plain[best] / max(known.plains[-1], 1))

    gain = _running(known.plain - (page.units - known.plain) - 20)
    low = np.minimum.accumulate(gain)
    stop = int((gain - low).argmax())
    start = int(gain[: stop + 1].argmin())
    made.add("box.run", _side(made.count, start, stop))
    made.add("box.run_distance", _distance(made.count, start, stop))


def _side(count: int, first: int, stop: int) -> NDArray[np.int64]:
    """-1 before a range of blocks, 0 inside, 1 behind."""
    side = np.zeros(count, np.int64)
    side[:first] = -1
    side[stop:] = 1
    return side


def _distance(count: int, first: int, stop: int) -> NDArray[np.int64]:
    index = np.arange(count)
    return np.maximum(np.maximum(first - index, index - stop + 1), 0)


_MEANINGS = {
    "article": "article",
    "main": "main",
    "nav": "nav menu",
    "aside": "aside",
    "header": "header",
    "footer": "footer",
    "form": "form fieldset",
    "table": "table",
    "list": "ul ol",
    "figure": "figure",
    "section": "section",
    "details": "details",
    "noscript": "noscript",
    "dialog": "dialog",
}


def _said(made: Columns, page: Page, said: Hints, known: Facts) -> None:
    """Names of the elements around the block, and words of their classes and roles.

    Elements that hold nearly all of the page say nothing of a part of it.
    """
    first, last = page.first, page.last
    units = known.units[last] - known.units[first]
    part = 10 * units < 9 * max(int(known.units[-1]), 1)
    codes = page.elements.codes
    for name, members in _MEANINGS.items():
        marks = np.zeros(codes.size, bool)
        for member in members.split():
            marks |= codes == CODE[member]
        made.add(f"name.{name}", _covered(made.count, first, last, marks))
    near = page.nearest
    for name, marks in zip(GROUPS, said.groups, strict=True):
        made.add(f"class.{name}", _covered(made.count, first, last, marks & part))
        made.add(f"class.{name}_near", marks[near] * 2 + marks[page.elements.parents[near]])
    made.add("class.hidden", _covered(made.count, first, last, said.hidden & part))


def _covered(count: int, first: Offsets, last: Offsets, marks: Flags) -> Offsets:
    """How many of the marked elements hold each block."""
    if not marks.any():
        return np.zeros(count, np.int64)
    change = np.bincount(first[marks], minlength=count + 1) - np.bincount(last[marks], minlength=count + 1)
    return np.cumsum(change[:count])


def _repetition(made: Columns, page: Page, said: Hints, known: Facts) -> None:
    """Siblings of one kind around the block, and blocks of one text."""
    parents = page.elements.parents
    pairs = said.signatures * np.uint64(0x9E3779B97F4A7C15) + parents.astype(np.uint64)
    _, group, sizes = np.unique(pairs, return_inverse=True, return_counts=True)
    alike = sizes[group]
    units = known.units[page.last] - known.units[page.first]
    mean = np.bincount(group, units)[group] / alike
    current = page.nearest
    for level in range(1, 6):
        made.add(f"same.siblings{level}", alike[current])
        if level > 1:
            made.add(f"same.mean{level}", mean[current])
        current = parents[current]
    kept = alike >= 3
    made.add("same.levels", _covered(made.count, page.first, page.last, kept))
    head = _over(page.kinds[:, kinds_of.LETTER], 1).astype(np.uint64)
    text = (
        page.units.astype(np.uint64) << np.uint64(40) | page.chars.astype(np.uint64) << np.uint64(20) | head
    )
    text = text * np.uint64(0x9E3779B97F4A7C15) ^ page.heads ^ page.tails * np.uint64(3)
    _, first, inverse, counts = np.unique(text, return_index=True, return_inverse=True, return_counts=True)
    made.add("same.texts", counts[inverse])
    made.add("same.again", first[inverse] < np.arange(made.count))


def _sections(made: Columns, page: Page, known: Facts, headings: Offsets) -> None:
    """The text between one heading and the next; the block's likeness to the title."""
    count = made.count
    marks = headings > 0
    begins = np.concatenate(([0], np.flatnonzero(marks)))
    ends = np.append(begins[1:], count)
    section = np.cumsum(marks)
    units = (known.units[ends] - known.units[begins])[section]
    plain = (known.plains[ends] - known.plains[begins])[section]
    made.add("part.plain", plain)
    made.add("part.link_density", _over(units - plain, units))
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
    candidates = np.flatnonzero((headings > 0) & (page.units < 400))[:_TITLES]
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
