"""The columns of fields, pictures and like elements, each as it is said in words."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tests.oracles.cedar_measures import Column, around, over, siblings, total, up
from tests.oracles.cedar_pages import COLON, DIGIT, SIGN, Block, Element, Page, read_tag

FAR = 999
PLACES = 8


def part_columns(page: Page) -> dict[str, Column]:
    """The columns `FIELDS`, `PICTURES`, `ITEMS`, `OUTER_ITEMS`, `CELLS` and `SIGNS`."""
    inner = [innermost(page, element) for element in page.nearest]
    outer = [outermost_item(page, element) for element in page.nearest]
    return {
        **_fields(page),
        **_pictures(page),
        **_of_items(page, "item", inner),
        **_of_items(page, "outer", outer),
        **_cells(page, inner),
        **_signs(page),
    }


def tags_between(page: Page, wanted: Callable[[int], bool], first: int, stop: int) -> int:
    return sum(map(wanted, range(first, stop)))


def _fields(page: Page) -> dict[str, Column]:
    size = len(page.tags)

    def is_field(tag: int) -> bool:
        name = page.names[tag]
        if name not in ("input", "select", "textarea") or page.tags[tag].is_end or not page.shown[tag]:
            return False
        source = page.html[page.tags[tag].start : page.tags[tag].stop]
        kind = read_tag(source).get("type", "").lower()
        return name != "input" or kind not in ("hidden", "submit", "button", "image", "reset")

    def inside(element: Element) -> float:
        return float(tags_between(page, is_field, element.opens + 1, element.closes))

    starts = [block.first_gap for block in page.blocks]
    after = [
        tags_between(page, is_field, start, stop)
        for start, stop in zip(starts, [*starts[1:], size], strict=True)
    ]
    with_field = [block for block, fields in enumerate(after) if fields]
    forms = [ancestor(element, "form") for element in page.nearest]
    return {
        "field.after": [float(fields) for fields in after],
        "field.in_form": [inside(form) if form else 0.0 for form in forms],
        "field.distance": [
            float(min([abs(block - other) for other in with_field] + [FAR])) for block in range(len(after))
        ],
        **{
            f"field.around{level + 1}": [inside(around(element)[level]) for element in page.nearest]
            for level in range(4)
        },
    }


def ancestor(element: Element, name: str) -> Element | None:
    current: Element | None = element
    while current and current.name != name:
        current = current.parent
    return current


def pictures_in(page: Page, element: Element) -> int:
    def is_picture(tag: int) -> bool:
        return page.names[tag] == "img" and page.shown[tag]

    return tags_between(page, is_picture, element.opens + 1, element.closes)


def _pictures(page: Page) -> dict[str, Column]:
    return {
        f"picture.around{level + 1}": [
            over(pictures_in(page, element), element.last - element.first)
            for element in (around(nearest)[level] for nearest in page.nearest)
        ]
        for level in range(4)
    }


def like_elements(page: Page, element: Element) -> list[Element]:
    """Those of its like siblings that have a text, and it."""
    return [other for other in siblings(page, element) if other.first < other.last]


def is_item(page: Page, element: Element) -> bool:
    if element.parent is None or element.first == element.last:
        return False
    alike = like_elements(page, element)
    return len(alike) >= 3 and sum(other.last - other.first for other in alike) >= 2 * len(alike)


def innermost(page: Page, element: Element) -> Element | None:
    while element.parent and not is_item(page, element):
        element = element.parent
    return element if is_item(page, element) else None


def outermost_item(page: Page, element: Element) -> Element | None:
    found = None
    while element.parent:
        found = element if is_item(page, element) else found
        element = up(element)
    return found


def _of_items(page: Page, prefix: str, items: Sequence[Element | None]) -> dict[str, Column]:
    names = ["count", "blocks", "words", "alike", "link", "picture", "heading", "price", "prose"]
    rows = [_of_item(page, item) if item else [0.0] * len(names) for item in items]
    return {
        f"{prefix}.{name}": list(column) for name, column in zip(names, zip(*rows, strict=True), strict=True)
    }


def _of_item(page: Page, item: Element) -> list[float]:
    alike = like_elements(page, item)
    count = len(alike)
    held = [page.blocks[other.first : other.last] for other in alike]
    words = [total(blocks, "words") for blocks in held]
    headings = [
        any(
            page.nearest[block].name in ("h1", "h2", "h3", "h4", "h5", "h6")
            for block in range(o.first, o.last)
        )
        for o in alike
    ]
    return [
        float(count),
        over(sum(map(len, held)), count),
        over(sum(words), count),
        over(sum(sum(words) <= 2 * count * own <= 4 * sum(words) for own in words), count),
        over(sum(any(block.linked for block in blocks) for blocks in held), count),
        over(sum(pictures_in(page, other) > 0 for other in alike), count),
        over(sum(headings), count),
        over(sum(any(block.count_of(SIGN) for block in blocks) for blocks in held), count),
        over(sum(any(block.long for block in blocks) for blocks in held), count),
    ]


def _cells(page: Page, items: Sequence[Element | None]) -> dict[str, Column]:
    rows = []
    for block, item in enumerate(items):
        place = block - item.first if item else PLACES
        if item is None or place >= PLACES:
            rows.append([0.0] * 4)
            continue
        alike = like_elements(page, item)
        cells = [
            page.blocks[other.first + place]
            for other in alike
            if other.first + place < other.last and items[other.first + place] is other
        ]
        texts = {cell.text.strip("".join(map(chr, range(33)))) for cell in cells}
        rows.append(
            [
                over(len(cells), len(alike)),
                over(total(cells, "words"), len(cells)),
                over(sum(cell.count_of(DIGIT) > 0 for cell in cells), len(cells)),
                over(len(texts), len(cells)),
            ]
        )
    names = ["present", "words", "digits", "texts"]
    return {f"cell.{name}": list(column) for name, column in zip(names, zip(*rows, strict=True), strict=True)}


def _signs(page: Page) -> dict[str, Column]:
    def share(kind: int, reach: int) -> Column:
        windows = [page.blocks[max(i - reach, 0) : i + reach + 1] for i in range(len(page.blocks))]
        return [over(_count(window, kind), total(window, "chars")) for window in windows]

    return {
        "sign.digits_window3": share(DIGIT, 3),
        "sign.digits_window10": share(DIGIT, 10),
        "sign.colons_window10": share(COLON, 10),
    }


def _count(blocks: Sequence[Block], kind: int) -> int:
    return sum(block.count_of(kind) for block in blocks)
