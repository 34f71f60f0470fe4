"""The columns of `cedar` that headings make: the section of a block, and its place to the headline."""

from __future__ import annotations

import re

from tests.oracles.cedar_measures import Column, around, heading, over, total
from tests.oracles.cedar_pages import Block, Page


def parts(page: Page) -> list[tuple[int, int]]:
    """For each block the range of blocks of its section: from a heading up to the next one."""
    marks = [heading(element) > 0 for element in page.nearest]
    found = []
    for block in range(len(marks)):
        start = max((i for i in range(block + 1) if marks[i]), default=0)
        stop = min((i for i in range(block + 1, len(marks)) if marks[i]), default=len(marks))
        found.append((start, stop))
    return found


def section_columns(page: Page) -> dict[str, Column]:
    ranges = parts(page)
    held = [page.blocks[start:stop] for start, stop in ranges]
    levels = [heading(element) for element in page.nearest]
    words, plain = ([total(some, what) for some in held] for what in ("words", "plain"))
    return {
        "part.plain": [float(number) for number in plain],
        "part.link_density": [over(w - p, w) for w, p in zip(words, plain, strict=True)],
        "part.blocks": [float(len(some)) for some in held],
        "part.index": [float(i - start) for i, (start, _) in enumerate(ranges)],
        "part.level": [float(levels[start]) for start, _ in ranges],
        "part.number": [float(sum(level > 0 for level in levels[: i + 1])) for i in range(len(levels))],
        "part.title": likenesses(page),
    }


def likenesses(page: Page) -> Column:
    """How like the page's title each block is, of those that are headings."""
    found = [0.0] * len(page.blocks)
    if page.title:
        headings = [heading(element) > 0 for element in page.nearest]
        compared = [i for i, block in enumerate(page.blocks) if headings[i] and block.words < 400][:64]
        for i in compared:
            found[i] = likeness(page.blocks[i].shown.lower(), page.title.lower())
    return found


def headline(page: Page) -> tuple[int | None, float]:
    """The block that is the headline, if one is, and how like the title it is."""
    levels = [heading(element) for element in page.nearest]
    like = likenesses(page)
    if max(like, default=0) >= 0.5:
        return like.index(max(like)), max(like)
    if page.title:
        others = [
            i
            for i, block in enumerate(page.blocks)
            if not levels[i] and 30 < block.words < 400 and 2 * block.linked <= block.chars
        ]
        for i in others[:64]:
            if page.blocks[i].shown.lower() in page.title.lower():
                return i, 1.0
    tops = [i for i, level in enumerate(levels) if level == 1]
    return (tops[0], like[tops[0]]) if len(tops) == 1 else (None, 0.0)


def lead_columns(page: Page) -> dict[str, Column]:
    head, alike = headline(page)
    index = range(len(page.blocks))
    found: dict[str, Column] = {"lead.likeness": [alike for _ in index]}
    if head is None:
        names = ("after", "words", "plain_part", "link_density", "sections")
        far = {f"lead.{name}": [-9999.0 for _ in index] for name in names}
        return found | far | {"lead.level": [5.0 for _ in index]}
    levels = [heading(element) > 0 for element in page.nearest]

    def between(i: int) -> list[Block]:
        return page.blocks[min(i, head) : max(i, head)]

    def sign(i: int) -> int:
        return 1 if i > head else -1

    whole = total(page.blocks, "plain")
    words, plain = ([total(between(i), what) for i in index] for what in ("words", "plain"))
    found["lead.after"] = [float(i - head) for i in index]
    found["lead.words"] = [float(sign(i) * words[i]) for i in index]
    found["lead.plain_part"] = [over(sign(i) * plain[i], whole) for i in index]
    found["lead.link_density"] = [over(words[i] - plain[i], words[i]) for i in index]
    found["lead.sections"] = [float(sum(levels[: i + 1]) - sum(levels[: head + 1])) for i in index]
    nearby = [around(element) for element in page.nearest]
    found["lead.level"] = [
        float(next((level for level, one in enumerate(near) if one.first <= head < one.last), 4))
        for near in nearby
    ]
    return found


def likeness(text: str, title: str) -> float:
    """The share of a heading's words that the title has, both in small letters."""
    if len(text) >= 4 and text in title:
        return 1.0
    words = re.findall(r"[^\W_]+", text)
    known = re.findall(r"[^\W_]+", title)
    return sum(word in known for word in words) / len(words) if len(words) > 1 else 0.0
