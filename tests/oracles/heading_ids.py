"""Which elements have an `id` that repeats their heading, in plain loops; see `segments._elements`."""

from __future__ import annotations

import re

from tests.oracles.cedar_pages import HEADINGS, Block, Element, cut_words, groups_of_words

OF_REMARKS = {"comment", "comments", "disqus", "replies", "reply", "respond"}
BESIDES = {"advert", "comment", "form", "modal", "related", "share"}


def forget_heading_ids(
    elements: list[Element], nearest: list[Element], blocks: list[Block], given: list[dict[str, str]]
) -> None:
    """Take the groups that their `id` alone says from elements whose `id` repeats their heading."""
    ids = {id(element): given[element.opens].get("id", "") for element in elements[1:]}
    repeats = {id(element): repeated(element, ids[id(element)], nearest, blocks) for element in elements[1:]}
    before = {id(element): set(element.groups) for element in elements}
    for element in elements[1:]:
        if not before[id(element)] or not repeats[id(element)]:
            continue
        alike = [
            other
            for other in elements[1:]
            if other.signature == element.signature
            and not before[id(other)] & BESIDES
            and other is not element
            and repeats[id(other)]
        ]
        words = re.findall("[A-Z]*[a-z]+|[A-Z]+", ids[id(element)])
        is_said = len(words) < 2 or (
            len(words) == 2 and not BESIDES.isdisjoint(groups_of_words(cut_words(words[1])))
        )
        if is_said and words and words[-1].lower() in OF_REMARKS:
            continue
        if len(alike) < 2 and (repeats[id(element)] != "exactly" or is_said):
            continue
        inside = [other for other in elements if is_inside(other, element)]
        if any(other.name == "form" or before[id(other)] & {"comment", "form"} for other in inside):
            continue
        others = {name: value for name, value in given[element.opens].items() if name != "id"}
        element.groups = {
            group
            for name in ("class", "role", "itemprop")
            for group in groups_of_words(cut_words(others.get(name, "")))
        }


def is_inside(inner: Element, outer: Element) -> bool:
    """Whether an element stands in another one."""
    while inner.parent is not None:
        inner = inner.parent
        if inner is outer:
            return True
    return False


def repeated(element: Element, written: str, nearest: list[Element], blocks: list[Block]) -> str:
    """How an `id` repeats the heading that comes first in an element: exactly, in part, or "": not."""
    if element.first == element.last or nearest[element.first].name not in HEADINGS:
        return ""
    block = blocks[element.first]
    if block.chars > 100 or len(block.text.encode()) > 1000:
        return ""
    read = written.encode("latin-1")[:1000].decode("utf-8", "replace")
    heading, found = (
        "".join(letter for letter in text.casefold() if letter.isalpha()) for text in (block.shown, read)
    )
    if heading == found:
        return "exactly" if heading else ""
    if min(len(heading), len(found)) >= 4 and (heading.endswith(found) or found.endswith(heading)):
        return "in part"
    return ""
