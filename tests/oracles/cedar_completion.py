"""How `cedar` makes a choice whole, in plain loops over the elements of a page."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, takewhile

from tests.oracles.attributes import attributes
from tests.oracles.cedar_headings import headline
from tests.oracles.cedar_measures import outermost, siblings, up
from tests.oracles.cedar_pages import Block, Element, Page


def complete(page: Page, scores: Sequence[int], chosen: Sequence[bool], *, one_text: bool) -> list[bool]:
    """What stays of what was chosen, and of what completes it."""
    kept = list(chosen)
    series = [element for element in page.elements if _items(page, element)]
    for element in page.elements:
        if element.name in ("table", "pre") and _stays_whole(page, element, chosen):
            for block in range(element.first, element.last):
                kept[block] = True
        stays = (element in series or (element.name in ("ul", "ol") and _is_short(page, element))) and (
            _is_mostly(page, element, chosen) or _belongs(page, element, chosen)
        )
        is_last = element.name == "dl" and one_text and _belongs(page, element, chosen, amid=False)
        if stays or is_last:
            for block in range(element.first, element.last):
                if not _is_link(page.blocks[block]):
                    kept[block] = True
    if one_text:
        among = [one for one in series if _is_plain(page, one) and _is_among(page, one, scores, chosen)]
        kept = _with_series(page, among, kept)
    for block in range(len(kept)):
        if _is_code(page, block) and not _in_pre(page, block):
            kept[block] |= _stands_with_text(page, range(block, block + 1), page.nearest[block], chosen)
    for block in _with_terms(page, kept):
        kept[block] = True
    for element in page.elements[1:]:
        if _are_lines(page, element, chosen):
            kept[element.first : element.last] = [True] * (element.last - element.first)
    before = list(kept)
    for block in range(len(kept)):
        if kept[block] or scores[block] <= -20_000:
            continue
        kept[block] = _is_title_of_box(page, block, before) or (
            _level(page, block) >= 2
            and not _is_link(page.blocks[block])
            and _has_kept_section(page, block, kept)
        )
    return kept


def _is_title_of_box(page: Page, block: int, kept: Sequence[bool]) -> bool:
    """Whether a block is a heading, or named as one, in an element all other blocks of which stay."""
    box = _above(page, block)
    others = [other for other in range(box.first, box.last) if other != block]
    is_card = len([one for one in siblings(page, box) if _has_text(one)]) >= 3
    is_named = "title" in page.nearest[block].groups
    if not is_card and (_is_link(page.blocks[block]) or not is_named):
        return False
    beside = block + 1 if block + 1 < box.last else block - 1
    return (
        _is_near(page, beside, box)
        and (_level(page, block) >= 2 or is_named)
        and page.blocks[block].words <= 80
        and all(kept[other] for other in others)
        and 30 <= sum(page.blocks[other].words for other in others) <= 1500
    )


def _above(page: Page, block: int) -> Element:
    """The element around all that holds a block alone."""
    return up(outermost(page.nearest[block]))


def _is_near(page: Page, block: int, holder: Element) -> bool:
    nearest = page.nearest[block]
    return any(one is holder for one in (nearest, up(nearest), up(up(nearest))))


def _has_kept_section(page: Page, heading: int, kept: Sequence[bool]) -> bool:
    """Whether most of what stands below a heading stays, a card of six blocks at most below it apart."""
    holder = _above(page, heading)
    below = list(range(heading + 1, holder.last))
    card = 0
    while card < len(below) and not kept[below[card]]:
        if _level(page, below[card]) and not _is_link(page.blocks[below[card]]):
            return False
        card += 1
    section = list(takewhile(lambda other: not _level(page, other), below[card:]))
    if card > 6 or not section:
        return False
    if not _is_near(page, section[0], holder):
        return False
    stay = [other for other in section if kept[other]]
    return _words(page, stay) >= 100 and 2 * _words(page, stay) >= _words(page, section)


def _stands_with_text(page: Page, code: range, element: Element, chosen: Sequence[bool]) -> bool:
    """Whether blocks of code stand in an element near theirs, most other words of which were chosen."""
    links = sum(page.blocks[block].linked for block in code)
    if 4 * links > sum(page.blocks[block].chars for block in code):
        return False
    for around in _ancestors(element)[:6]:
        if around.name in ("", "body"):
            return False
        others = [other for other in range(around.first, around.last) if not _is_code(page, other)]
        stay = _words(page, [other for other in others if chosen[other]])
        if stay >= 100 and 2 * stay >= _words(page, others):
            return True
    return False


def _in_pre(page: Page, block: int) -> bool:
    passed = [
        tag for tag in page.tags[: page.blocks[block].first_gap] if tag.name in ("pre", "listing", "xmp")
    ]
    return bool(passed) and not passed[-1].is_end


def _is_code(page: Page, block: int) -> bool:
    """Whether a block is in `pre`, or one `code`."""
    first, last = page.blocks[block].first_gap, page.blocks[block].last_gap
    if _in_pre(page, block):
        return True
    inside = page.tags[first:last]
    if len(inside) < 2 or any(tag.name != "code" for tag in (inside[0], inside[-1])):
        return False
    before = page.html[page.tags[first - 1].stop if first else 0 : inside[0].start]
    return not inside[0].is_end and inside[-1].is_end and not before.strip()


def _with_terms(page: Page, kept: Sequence[bool]) -> list[int]:
    """The blocks of terms, links apart, right before a description of which half stays."""
    found = []
    for parent in page.elements:
        parts = [one for one in page.elements if one.parent is parent and _has_text(one)]
        parts = [one for one in parts if one.name in ("dt", "dd")]
        for before, description in pairwise(parts):
            if (before.name, description.name) != ("dt", "dd") or not _is_mostly(page, description, kept):
                continue
            run = list(takewhile(lambda one: one.name == "dt", reversed(parts[: parts.index(description)])))
            # What stands between them goes with them.
            blocks = range(run[-1].first, description.first)
            found += [block for block in blocks if not _is_link(page.blocks[block])]
    return found


def _are_lines(page: Page, element: Element, chosen: Sequence[bool]) -> bool:
    """Whether an element holds the lines of a page of a PDF, most of which were chosen."""
    lines = [one for one in page.elements if one.parent is element and _has_text(one)]
    blocks = range(element.first, element.last)
    if not 5 <= len(lines) == len(blocks) or any(page.blocks[block].linked for block in blocks):
        return False
    if any(page.nearest[block] is not line for block, line in zip(blocks, lines, strict=True)):
        return False
    words = [max(page.blocks[block].words, 1) for block in blocks]
    stay = sum(count for count, block in zip(words, blocks, strict=True) if chosen[block])
    if not 8 * sum(words) <= 10 * stay < 10 * sum(words) or len({line.name for line in lines}) > 1:
        return False
    given = [
        attributes(page.html[page.tags[line.opens].start : page.tags[line.opens].stop]) for line in lines
    ]
    named = {each.get(b"class", b"").split(b" ")[0] for each in given}
    return (len(named) == 1 and named != {b""}) or all(
        b"absolute" in each.get(b"style", b"") for each in given
    )


def _has_text(element: Element) -> bool:
    return element.first < element.last


def _ancestors(element: Element) -> list[Element]:
    """The elements around one, the page last; the page is around itself."""
    around = []
    while element.parent:
        element = element.parent
        around.append(element)
    return around


def _inside(page: Page, holder: Element, *names: str) -> list[Element]:
    """Elements of some names, with text, inside of one."""
    return [
        element
        for element in page.elements
        if element.name in names and _has_text(element) and any(one is holder for one in _ancestors(element))
    ]


def _is_link(block: Block) -> bool:
    return 2 * block.linked > block.chars


def _is_mostly(page: Page, element: Element, chosen: Sequence[bool]) -> bool:
    """Whether half of an element's words were chosen."""
    inside = range(element.first, element.last)
    words = sum(max(page.blocks[block].words, 1) for block in inside)
    return 2 * sum(max(page.blocks[block].words, 1) for block in inside if chosen[block]) >= words


def _belongs(page: Page, element: Element, chosen: Sequence[bool], *, amid: bool = True) -> bool:
    """Whether an element stands `amid` text that was chosen, or after it in its article or section."""
    before, after = element.first - 1, element.last
    if before > 0 and _level(page, before) and not chosen[before]:
        before -= 1
    if after < len(chosen) - 1 and _level(page, after) and not chosen[after]:
        after += 1
    if before < 0 or not chosen[before]:
        return False
    inside = page.blocks[element.first : element.last]
    links, chars = sum(block.linked for block in inside), sum(block.chars for block in inside)
    holders = [one for one in _ancestors(element)[:4] if one.first <= before]
    is_amid = after < len(chosen) and chosen[after] and any(after < one.last for one in holders)
    is_list = element.name not in ("table", "pre")
    if is_amid:
        return amid and (not is_list or 2 * links <= chars)
    if element.name not in ("table", "pre", "ul", "ol", "dl"):
        return False
    most = 3 * chars if element.name == "table" else chars
    if not holders or holders[0].name in ("", "body") or 4 * links > most:
        return False
    above = range(holders[0].first, element.first)
    words = sum(max(page.blocks[block].words, 1) for block in above)
    stay = sum(max(page.blocks[block].words, 1) for block in above if chosen[block])
    return stay >= 100 and 2 * stay >= words and not (is_list and holders[0].last > element.last)


def _words(page: Page, blocks: Sequence[int]) -> int:
    return sum(max(page.blocks[block].words, 1) for block in blocks)


def _items(page: Page, element: Element) -> list[Element]:
    """The children of one kind that hold an element nearly; none where it is no series."""
    blocks = range(element.first, element.last)
    children = [one for one in page.elements if one.parent is element and one is not element]
    terms = [one for one in children if one.name == "dt" and _has_text(one)]
    for child in children:
        if element.name in ("", "body"):
            continue
        alike = [one for one in siblings(page, child) if _has_text(one)]
        if len(terms) >= 3 and child.name == "dd":
            continue
        if len(terms) >= 3 and any(one is terms[-1] for one in siblings(page, child)):
            alike += [one for one in children if one.name == "dd" and _has_text(one)]
        held = sum(one.last - one.first for one in alike)
        if (
            len(alike) >= 3
            and 10 * held >= 7 * len(blocks)
            and len(blocks) <= 3 * len(alike)
            and _words(page, blocks) <= 150 * len(alike)
        ):
            return alike
    return []


def _is_plain(page: Page, element: Element) -> bool:
    """Whether at most one of four items of a series is a link alone, and long ones have few links."""
    items = _items(page, element)
    of_items = [page.blocks[item.first : item.last] for item in items]
    links = [blocks for blocks in of_items if all(block.linked == block.chars for block in blocks)]
    blocks = page.blocks[element.first : element.last]
    is_linked = 4 * sum(block.linked for block in blocks) > sum(block.chars for block in blocks)
    words = sum(max(block.words, 1) for block in blocks)
    return 4 * len(links) <= len(items) and not (is_linked and words > 60 * len(items))


def _is_among(page: Page, element: Element, scores: Sequence[int], chosen: Sequence[bool]) -> bool:
    """Whether a series, not too unlikely, is in an element with half of the text and little else."""
    own = range(element.first, element.last)
    if sum(scores[i] * max(page.blocks[i].words, 1) for i in own) < -17_500 * _words(page, own):
        return False
    for around in _ancestors(element)[:16]:
        there = range(around.first, around.last)
        every = _words(page, [i for i, is_chosen in enumerate(chosen) if is_chosen])
        if 2 * _words(page, [i for i in there if chosen[i]]) >= every:
            others = [i for i in there if i not in own]
            return 2 * _words(page, [i for i in others if chosen[i]]) >= _words(page, others)
    return False


def _with_series(page: Page, series: Sequence[Element], kept: Sequence[bool]) -> list[bool]:
    """What stays, with series between two parts of it; the headline is one, if chosen or not."""
    found = list(kept)
    held = {block for element in series for block in range(element.first, element.last)}
    head, _ = headline(page)
    for one, other in pairwise([i for i, stays in enumerate(kept) if stays or i == head]):
        gaps = "".join("s" if i in held else "." for i in range(one + 1, other)).split("s")
        if max(map(len, gaps)) <= 20:
            for block in held.intersection(range(one + 1, other)):
                found[block] = True
    return found


def _is_short(page: Page, element: Element) -> bool:
    """Whether a list has as many items as blocks."""
    return element.last - element.first <= len(_inside(page, element, "li"))


def _stays_whole(page: Page, element: Element, chosen: Sequence[bool]) -> bool:
    """Whether a `pre` or a table stays whole."""
    mostly, belongs = _is_mostly(page, element, chosen), _belongs(page, element, chosen)
    if element.name == "pre":
        return (
            mostly or belongs or _stands_with_text(page, range(element.first, element.last), element, chosen)
        )
    if _inside(page, element, "table"):
        return False
    rows, cells = len(_inside(page, element, "tr")), len(_inside(page, element, "td", "th"))
    blocks = element.last - element.first
    if rows < 2 or cells < 2 * rows:
        return False
    return (mostly and blocks <= cells) or (belongs and blocks <= 2 * cells)


def _level(page: Page, block: int) -> int:
    """The level of the heading that a block stands in directly; 0 if there is none."""
    name = page.nearest[block].name
    return int(name[1]) if name in ("h1", "h2", "h3", "h4", "h5", "h6") else 0
