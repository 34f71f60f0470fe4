"""Columns about what surrounds a block: the densest container, what repeats, its section, the whole page."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from transforms.compiled import compiled
from transforms.extractors.cedar import cedar_text as kinds_of
from transforms.extractors.cedar.cedar_blocks import SCHEMAS
from transforms.extractors.cedar.cedar_columns import (
    best_run,
    covered,
    distance,
    fill,
    firsts,
    named,
    over,
    side,
)
from transforms.extractors.html.characters import Offsets

_STEPS = 16
"""How far around the densest container its surroundings are told apart."""


CONTAINER = named(
    "box",
    "weight_share weight_share2 own inside distance steps growth plain share run run_distance",
)


@compiled
def container(
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
    """Where the block stands to the densest container, and to the best run of blocks (BTE): `CONTAINER`.

    A container's weight is the unlinked text directly inside of it and of its children, and half of that in
    its grandchildren, times one minus its link density: kin of CETD's DensitySum and of Readability's score.

    Args:
        room: float32 (len(CONTAINER), n), to be filled.
        first: int64 (e,), as in `Page`, and so are the next one and `nearest`.
        last: int64 (e,).
        parents: int64 (e,), as in `Elements`.
        outer: int64 (e,), as in `cedar_layout.Layout`.
        around: int64 (ANCESTORS, n), as in `cedar_layout.Layout`.
        nearest: int64 (n,).
        units: int64 (n,), tenths of words of the blocks.
        plain: int64 (n,), those outside of links.
        unit_sums: int64 (n + 1,), running sums of `units`.
        plain_sums: int64 (n + 1,), running sums of `plain`.
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


REPETITION = (
    "same.siblings1",
    *(f"same.{what}{level}" for level in range(2, 6) for what in ("siblings", "mean")),
    "same.levels",
    "same.texts",
    "same.again",
)


@compiled
def repetition(
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
    """Siblings of one kind around the block, and blocks of one text, in the order of `REPETITION`.

    Args:
        room: float32 (len(REPETITION), n), to be filled.
        first: int64 (e,), as in `Page`, and so is the next one.
        last: int64 (e,).
        parents: int64 (e,), as in `Elements`.
        siblings: int64 (e,), as in `cedar_layout.Layout`.
        nearest: int64 (n,), as in `Page`, and so are the next five.
        kinds: int64 (n, KINDS).
        units: int64 (n,).
        chars: int64 (n,).
        heads: uint64 (n,).
        tails: uint64 (n,).
        unit_sums: int64 (n + 1,), running sums of `units`.
    """
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


SECTIONS = named("part", "plain link_density blocks index level number")


@compiled
def sections(room: NDArray[np.float32], unit_sums: Offsets, plain_sums: Offsets, headings: Offsets) -> None:
    """The text between one heading and the next, in the order of `SECTIONS`.

    Args:
        room: float32 (len(SECTIONS), n), to be filled.
        unit_sums: int64 (n + 1,), running sums of tenths of words.
        plain_sums: int64 (n + 1,), those of the ones outside of links.
        headings: int64 (n,), as in `cedar_layout.Layout`.
    """
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


WHOLE = (
    *named("page", "units link_density long longs blocks per_block articles"),
    *(f"page.schema_{name}" for name in SCHEMAS),
)


@compiled
def whole(
    room: NDArray[np.float32],
    units: Offsets,
    plains: Offsets,
    long: Offsets,
    codes: Offsets,
    article: int,
    schemas: tuple[bool, ...],
) -> None:
    """The page as a whole, in the order of `WHOLE`.

    Args:
        room: float32 (len(WHOLE), n), to be filled.
        units: int64 (n + 1,), running sums over blocks of tenths of words.
        plains: int64 (n + 1,), of those outside of links.
        long: int64 (n + 1,), of plain ones in running text.
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
