"""What `cedar` drops of what it chose for where it stands, in plain sets: furniture and insets."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cedar.transforms.extractors.cedar._drops import COMMON_WORDS, INSET_WORDS, ROW_WORDS
from cedar.transforms.extractors.segments._page import SegmentedPage
from cedar.transforms.extractors.segments.names import ELEMENTS, GROUPS
from tests.oracles.cedar_pages import read_tag

UNIT = 10_000
HIDING = {b"hidden", b"hide", b"is-hidden", b"visually-hidden"}
_ANY, _INSET, _ROW = (b"|".join(sorted(words)) for words in (COMMON_WORDS, INSET_WORDS, ROW_WORDS))
NAME = re.compile(
    rb"(?<!\S)(?:(?:%b)[-_]+)*(?:(?P<row>%b)|%b)(?:[-_]+(?:%b|%b|%b))*(?!\S)"
    % (_ANY, _ROW, _INSET, _ANY, _ROW, _INSET)
)
"""What names an inset: one of the names, alone or with words that are said of any element."""
SURE = {"furniture": UNIT, "inset": 3 * UNIT, "row": 3 * UNIT}
"""The score from which a block stays, by what it stands in."""


def without_furniture(page: SegmentedPage, scores: Sequence[int], kept: Sequence[bool]) -> list[bool]:
    """What stays of blocks of which some stand in forms, buttons, insets, or what a class hides."""
    elements, tenths, left = page.elements, list(page.blocks.word_tenths), list(kept)
    inside: dict[str, set[int]] = {kind: set() for kind in SURE}
    for element in range(1, elements.count):
        blocks = range(elements.first[element], elements.last[element])
        if any(kept[block] and scores[block] < 3 * UNIT for block in blocks):
            inside.get(_kind(page, element, blocks), set()).update(blocks)
    for kind, sure in SURE.items():
        there = [block for block in inside[kind] if left[block]]
        whole = sum(words for words, stays in zip(tenths, left, strict=True) if stays)
        if (kind != "row" or len(there) <= 4) and 3 * sum(tenths[block] for block in there) < whole:
            for block in there:
                left[block] = scores[block] >= sure
    return left


def _kind(page: SegmentedPage, element: int, blocks: range) -> str:
    """What an element is of what goes."""
    groups = {group for number, group in enumerate(GROUPS) if page.elements.groups[element] >> number & 1}
    is_named = not groups.isdisjoint({"about", "advert", "form", "modal", "related", "share"})
    name, tenths = ELEMENTS[page.elements.codes[element]], list(page.blocks.word_tenths)
    is_part = 3 * sum(tenths[block] for block in blocks) < sum(tenths)
    said = _said_of(page, page.elements.opens[element]) if is_named else b""
    linked, chars = (sum(what[block] for block in blocks) for what in (page.blocks.linked, page.blocks.chars))
    found = NAME.search(said) if is_part else None
    if page.title_match.block in blocks:
        return ""
    if found or (name == "aside" and is_part and 3 * linked >= chars):
        return "row" if found and found["row"] else "inset"
    if "form" in groups and page.markup.preformatted_gaps[page.blocks.first_gaps[blocks[0]]]:
        return ""
    hides = b":" not in said and not HIDING.isdisjoint(said.split())
    return "furniture" if name == "button" or (is_part and "form" in groups) or hides else ""


def _said_of(page: SegmentedPage, tag: int) -> bytes:
    """What `class` and `id` say of an element, in small letters."""
    given = read_tag(page.markup.html[page.markup.tags.starts[tag] : page.markup.tags.stops[tag]])
    return f"{given.get('class', '')} {given.get('id', '')}".lower().encode("latin-1")
