"""The columns of `cedar`, each as it is said in words: block by block, without running sums."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from cedar.transforms.extractors.cedar.columns import MEANINGS, PLACED_IN
from cedar.transforms.extractors.segments.names import GROUPS, SCHEMAS
from tests.oracles.cedar_headings import lead_columns, section_columns
from tests.oracles.cedar_measures import (
    Column,
    around,
    heading,
    outermost,
    over,
    siblings,
    stops,
    total,
    up,
)
from tests.oracles.cedar_pages import (
    COLON,
    COMMA,
    DIGIT,
    RULE,
    SIGN,
    STOP,
    UPPER,
    Block,
    Element,
    Page,
    kind_of,
)
from tests.oracles.cedar_parts import part_columns


def columns(page: Page, schemas: Sequence[bool]) -> dict[str, Column]:
    """The columns of the first scores, by name."""
    found: dict[str, Column] = {}
    for family in (
        _own,
        _tag,
        _neighbours,
        _position,
        _densities,
        _container,
        _names,
        _repetition,
        section_columns,
        lead_columns,
        part_columns,
    ):
        found |= family(page)
    blocks = page.blocks
    words, plain, long = (total(blocks, what) for what in ("words", "plain", "long"))
    whole = {
        "units": words,
        "link_density": over(words - plain, words),
        "long": over(long, plain),
        "longs": sum(block.long > 0 for block in blocks),
        "blocks": len(blocks),
        "per_block": words / len(blocks),
        "articles": sum(element.name == "article" for element in page.elements),
        **{f"schema_{name}": said for name, said in zip(SCHEMAS, schemas, strict=True)},
    }
    return found | {f"page.{name}": [float(value)] * len(blocks) for name, value in whole.items()}


def _own(page: Page) -> dict[str, Column]:
    def per_word(kind: int) -> Callable[[Block], float]:
        return lambda block: over(block.count_of(kind), block.words)

    def ends_in(kind: int) -> Callable[[Block], float]:
        return lambda block: kind_of(block.solid[-1]) == kind

    measures: dict[str, Callable[[Block], float]] = {
        "units": lambda block: block.words,
        "plain": lambda block: block.plain,
        "link_density": lambda block: over(block.linked, block.chars),
        "stops": lambda block: block.count_of(STOP),
        "stops_per_unit": per_word(STOP),
        "commas": lambda block: block.count_of(COMMA),
        "commas_per_unit": per_word(COMMA),
        "colons_per_unit": per_word(COLON),
        "rules_per_unit": per_word(RULE),
        "signs_per_unit": per_word(SIGN),
        "digits": lambda block: over(block.count_of(DIGIT), block.chars),
        "capitals": lambda block: over(block.count_of(UPPER), block.chars),
        "chars_per_unit": lambda block: over(block.chars, block.words),
        "ends_stop": ends_in(STOP),
        "ends_colon": ends_in(COLON),
        "tags": lambda block: block.last_gap - block.first_gap,
        "tag_ratio": lambda block: over(block.chars, block.last_gap - block.first_gap),
    }
    return {
        f"own.{name}": [float(measure(block)) for block in page.blocks] for name, measure in measures.items()
    }


def _tag(page: Page) -> dict[str, Column]:
    found: dict[str, Column] = {"tag.heading": [heading(element) for element in page.nearest]}
    for kind, names in PLACED_IN.items():
        found[f"tag.{kind}"] = [element.name in names.split() for element in page.nearest]
    names = ["", *page.names, ""]  # before the first gap and after the last one
    ends = [0, *(block.last_gap for block in page.blocks)]
    found["tag.after_br"] = [names[block.first_gap] == "br" for block in page.blocks]
    found["tag.before_br"] = [names[block.last_gap + 1] == "br" for block in page.blocks]
    found["tag.gap"] = [block.first_gap - end for block, end in zip(page.blocks, ends, strict=False)]
    return found


def since(marks: Sequence[bool]) -> Column:
    """How many blocks ago the last marked one stood; the number of blocks where none did."""
    found = []
    for block in range(len(marks)):
        before = [other for other in range(block + 1) if marks[other]]
        found.append(float(block - before[-1] if before else len(marks)))
    return found


def _neighbours(page: Page) -> dict[str, Column]:
    blocks = page.blocks
    found: dict[str, Column] = {}

    def around(block: int, before: int, after: int) -> list[Block]:
        return blocks[max(block - before, 0) : block + after + 1]

    index = range(len(blocks))
    for offset in (-2, -1, 1, 2):
        others = [blocks[i + offset] if 0 <= i + offset < len(blocks) else None for i in index]
        found[f"near.units{offset:+d}"] = [other.words if other else 0 for other in others]
        found[f"near.link_density{offset:+d}"] = [
            over(other.linked, other.chars) if other else 1 for other in others
        ]
        if abs(offset) == 1:
            found[f"near.stops{offset:+d}"] = [other.count_of(STOP) if other else 0 for other in others]
    for reach in (2, 5, 12):
        windows = [around(i, reach, reach) for i in index]
        words, plain = ([total(some, what) for some in windows] for what in ("words", "plain"))
        found[f"near.plain_window{reach}"] = [float(number) for number in plain]
        found[f"near.link_density_window{reach}"] = [
            over(all_words - unlinked, all_words) for all_words, unlinked in zip(words, plain, strict=True)
        ]
        found[f"near.stops_window{reach}"] = [over(stops(windows[i]), words[i]) for i in index]
    windows = [around(i, 3, 3) for i in index]
    found["near.tag_ratio"] = [
        over(total(some, "chars"), some[-1].last_gap - some[0].first_gap) for some in windows
    ]
    found["near.plain_before"] = [total(blocks[max(i - 5, 0) : i], "plain") for i in index]
    found["near.plain_after"] = [total(blocks[i + 1 : i + 6], "plain") for i in index]
    long = [block.long > 0 for block in blocks]
    found["near.blocks_since_long"] = since(long)
    found["near.blocks_to_long"] = since(long[::-1])[::-1]
    return found


def _position(page: Page) -> dict[str, Column]:
    blocks = page.blocks
    levels = [heading(element) for element in page.nearest]
    tops = [i for i, level in enumerate(levels) if level == 1]
    tops = tops or [i for i, level in enumerate(levels) if level == 2]
    index = range(len(blocks))

    def before(what: str) -> Column:
        return [over(total(blocks[:i], what), total(blocks, what)) for i in index]

    return {
        "place.index": [float(i) for i in index],
        "place.from_end": [float(len(blocks) - 1 - i) for i in index],
        "place.part": before("words"),
        "place.plain_part": before("plain"),
        "place.long_before": before("long"),
        "place.after_top": [float(i - tops[0]) if tops else -999.0 for i in index],
        "place.tops": [float(len(tops)) for _ in index],
    }


def inside(page: Page, element: Element) -> list[Block]:
    return page.blocks[element.first : element.last]


def _densities(page: Page) -> dict[str, Column]:
    found: dict[str, Column] = {}
    whole = total(page.blocks, "words")
    for level in range(4):
        for block, nearest in enumerate(page.nearest):
            element = around(nearest)[level]
            held = inside(page, element)
            words, plain = total(held, "words"), total(held, "plain")
            tags = sum(
                page.shown[tag] and not page.tags[tag].is_end
                for tag in range(element.opens + 1, min(element.closes, len(page.tags)))
            )
            measures = {
                "blocks": len(held),
                "plain": plain,
                "share": over(words, whole),
                "link_density": over(words - plain, words),
                "density": over(words, tags + 1),
                "per_block": over(words, len(held)),
                "stops": over(stops(held), words),
                "long": over(total(held, "long"), plain),
            }
            for name, measure in measures.items():
                found.setdefault(f"around{level + 1}.{name}", [0.0] * len(page.blocks))[block] = measure
    return found


def best_run(gains: Sequence[int]) -> tuple[int, int]:
    """The run [start, stop) of the largest sum above 0: of several the first to stop, then to start."""
    best = (0, 0, 0)
    for stop in range(1, len(gains) + 1):
        for start in range(stop):
            if sum(gains[start:stop]) > best[0]:
                best = (sum(gains[start:stop]), start, stop)
    return best[1], best[2]


def beside(prefix: str, count: int, start: int, stop: int, names: tuple[str, str]) -> dict[str, Column]:
    """Before (-1), in (0) or after (1) a range of blocks, and how far away."""
    sides = [float(1 if i >= stop else -1 if i < start else 0) for i in range(count)]
    distances = [float(max(start - i, i - stop + 1, 0)) for i in range(count)]
    return {f"{prefix}.{names[0]}": sides, f"{prefix}.{names[1]}": distances}


def _container(page: Page) -> dict[str, Column]:
    count = len(page.blocks)
    own: Counter[int] = Counter()
    for block, element in zip(page.blocks, page.nearest, strict=True):
        own[id(element)] += block.plain

    def children(element: Element) -> list[Element]:
        return [child for child in page.elements if child.parent is element]

    def weight(element: Element) -> float:
        nearer = children(element)
        further = [grandchild for child in nearer for grandchild in children(child)]
        held = inside(page, element)
        text = own[id(element)] + sum(own[id(e)] for e in nearer) + 0.5 * sum(own[id(e)] for e in further)
        return text * over(total(held, "plain"), total(held, "words"))

    weights = {id(element): weight(element) for element in page.elements}
    best = max(page.elements, key=lambda element: weights[id(element)])
    plain = total(inside(page, best), "plain")
    steps, growth = [16.0] * count, [0.0] * count
    way = [outermost(best)]
    while way[-1].parent and len(way) < 16:
        way.append(outermost(way[-1].parent))
    for step in range(len(way) - 1, -1, -1):
        for block in range(way[step].first, way[step].last):
            steps[block] = step
            growth[block] = over(plain, total(inside(page, way[step]), "plain"))
    nearby = [around(element) for element in page.nearest]
    return {
        "box.weight_share": [over(weights[id(near[0])], weights[id(best)]) for near in nearby],
        "box.weight_share2": [over(weights[id(near[1])], weights[id(best)]) for near in nearby],
        "box.own": [float(own[id(element)]) for element in page.nearest],
        **beside("box", count, best.first, best.last, ("inside", "distance")),
        "box.steps": steps,
        "box.growth": growth,
        "box.plain": [float(plain)] * count,
        "box.share": [over(plain, total(page.blocks, "plain"))] * count,
        **beside(
            "box",
            count,
            *best_run([2 * block.plain - block.words - 20 for block in page.blocks]),
            ("run", "run_distance"),
        ),
    }


def _names(page: Page) -> dict[str, Column]:
    whole = max(total(page.blocks, "words"), 1)

    def is_part(element: Element) -> bool:
        return 10 * total(inside(page, element), "words") < 9 * whole

    def holding(wanted: Callable[[Element], Any]) -> Column:
        marked = [element for element in page.elements[1:] if wanted(element)]
        return [
            float(sum(element.first <= block < element.last for element in marked))
            for block in range(len(page.blocks))
        ]

    found = {
        f"name.{meaning}": holding(lambda element, names=names: element.name in names.split())
        for meaning, names in MEANINGS.items()
    }
    for group in GROUPS:
        found[f"class.{group}"] = holding(
            lambda element, group=group: group in element.groups and is_part(element)
        )
        found[f"class.{group}_near"] = [
            2.0 * (group in element.groups) + (group in up(element).groups) for element in page.nearest
        ]
    return found | {"class.hidden": holding(lambda element: element.hidden and is_part(element))}


def _repetition(page: Page) -> dict[str, Column]:
    found: dict[str, Column] = {}
    current = list(page.nearest)
    for level in range(1, 6):
        alike = [siblings(page, element) for element in current]
        found[f"same.siblings{level}"] = [float(len(some)) for some in alike]
        if level > 1:
            found[f"same.mean{level}"] = [
                sum(total(inside(page, other), "words") for other in some) / len(some) for some in alike
            ]
        current = [up(element) for element in current]
    texts = [block.text.strip("".join(map(chr, range(33)))) for block in page.blocks]
    found["same.texts"] = [float(texts.count(text)) for text in texts]
    found["same.again"] = [float(text in texts[:i]) for i, text in enumerate(texts)]
    repeated = [element for element in page.elements if len(siblings(page, element)) >= 3]
    found["same.levels"] = [
        float(sum(element.first <= block < element.last for element in repeated))
        for block in range(len(page.blocks))
    ]
    return found
