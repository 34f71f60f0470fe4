"""What stands on a page besides its text: forms, buttons, insets, what a class hides; captions by class.

Frameworks hide elements by a class, of which only their style sheets say so.
"""

from __future__ import annotations

import re

import numpy as np

from transforms.extractors.cedar.model import UNIT
from transforms.extractors.html.characters import Flags, Offsets
from transforms.extractors.segments._page import SegmentedPage
from transforms.extractors.segments.names import CODE, GROUPS

_SAYING = re.compile(rb"""\s(?:class|id)\s*+=\s*+(?:"([^"]*+)|'([^']*+)|([^\s"'>]++))""", re.IGNORECASE)
_HIDING = frozenset((b"hidden", b"hide", b"is-hidden", b"visually-hidden"))
_INSETS = (
    "ads? adverts? advertisement advertising byline consent cookies? cta dialog gdpr modal newsletters?"
    " onetrust overlay popup promos? promotion related share sharing signup social sponsor(?:ed)? subscribe"
)
_ROWS = "authors? bio date meta tags?"
_ANY = (
    "area article banner bar blog block body bottom box buttons? component container content entry footer"
    " form group header holder info inline inner items? links? list message module news notice outer page"
    " panel policy post row sdk section settings slot story text top unit widget wrap(?:per)?"
)
_NAME = re.compile(
    r"(?<!\S)(?:(?:{0})[-_]+)*+(?:(?P<row>{1})|{2})(?:[-_]+(?:{0}|{1}|{2}))*+(?!\S)".format(
        *(words.replace(" ", "|") for words in (_ANY, _ROWS, _INSETS))
    ).encode()
)
"""What names an inset: one of the names, alone or with words that are said of any element."""

_FORM, _CAPTION = (1 << list(GROUPS).index(group) for group in ("form", "caption"))
_NAMED = sum(
    1 << number
    for number, group in enumerate(GROUPS)
    if group in ("about", "advert", "form", "modal", "related", "share")
)
_BUTTON, _ASIDE = CODE["button"], CODE["aside"]
_LONGEST_TAG = 2_000
_LONGEST_CAPTION = 600  # tenths of words
_WHOLE = 11  # more tenths of a page's words than any element holds
_PART = 3
_FURNITURE, _INSET, _ROW = range(3)
_SURE = (UNIT, 3 * UNIT, 3 * UNIT)
"""The score from which a block stays, by what it stands in."""
_FEW = 4


def drop_furniture(page: SegmentedPage, scores: Offsets, kept: Flags) -> None:
    """Drop doubtful blocks of `kept`, bool (n,), in forms, buttons, insets, and in what a class hides.

    `scores` are those of `model`, int64 (n,). The rule is ours; docs/cedar.md says what it gains.

    A form or an inset is what its names say is one, with less than a third of the page's words. What holds
    the headline is neither, and nothing goes if a third of the text stands in such elements. Dates, tags and
    writers go where they are few blocks: many are those of entries.
    """
    codes = np.asarray(page.elements.codes)
    named = np.asarray(page.elements.groups) & _NAMED
    asked = (named | (codes == _BUTTON) | (codes == _ASIDE)).nonzero()[0]
    # Nearly all pages end here: what would go is in none of these elements.
    if not asked.size or not (found := _furniture(page, asked, kept & (scores < max(_SURE)))):
        return
    words = np.asarray(page.blocks.word_tenths)
    for kind in sorted({kind for kind, _ in found}):
        there = np.zeros(kept.size, bool)
        for of, blocks in found:
            there[blocks] |= of == kind
        there &= kept
        few = kind != _ROW or np.count_nonzero(there) <= _FEW
        if few and _PART * words[there].sum() < words[kept].sum():
            kept &= ~there | (scores >= _SURE[kind])


def _furniture(page: SegmentedPage, asked: Offsets, blocks: Flags) -> list[tuple[int, slice]]:
    """Find furniture in elements `asked`, int64 (k,), that hold some of `blocks`, bool (n,): kind, place."""
    elements, sums, head = page.elements, page.blocks.word_sums, page.headline.block
    found: list[tuple[int, slice]] = []
    before = np.concatenate(([0], np.cumsum(blocks)))
    first, last = np.asarray(elements.first)[asked], np.asarray(elements.last)[asked]
    for element in asked[before[last] > before[first]].tolist():
        group, code = elements.groups[element], elements.codes[element]
        begin, end = elements.first[element], elements.last[element]
        if begin <= head < end:
            continue
        is_part = _PART * (sums[end] - sums[begin]) < sums[-1]
        said = _said_of(page, element) if group & _NAMED else b""
        if is_part and (name := _NAME.search(said)):
            found.append((_ROW if name["row"] else _INSET, slice(begin, end)))
        elif code == _ASIDE and is_part and _is_linked(page, begin, end):
            found.append((_INSET, slice(begin, end)))
        elif (
            code == _BUTTON
            or (is_part and group & _FORM)
            or (b":" not in said and not _HIDING.isdisjoint(said.split()))
        ):
            found.append((_FURNITURE, slice(begin, end)))
    return found


def _is_linked(page: SegmentedPage, begin: int, end: int) -> bool:
    """Whether a third of the characters of blocks [begin, end) is in links, or more."""
    return _PART * sum(page.blocks.linked[begin:end]) >= sum(page.blocks.chars[begin:end])


def captions(page: SegmentedPage) -> Flags:
    """Mark the blocks of captions, bool (n,): of elements of that name, and short ones of such a class."""
    elements, sums = page.elements, page.blocks.word_sums
    marks = np.isin(elements.codes, (CODE["figcaption"], CODE["caption"]))
    for element in (np.asarray(elements.groups) & _CAPTION).nonzero()[0].tolist():
        if sums[elements.last[element]] - sums[elements.first[element]] <= _LONGEST_CAPTION:
            marks[element] |= b"caption" in _said_of(page, element)
    found: Flags = elements.inside(marks, page.blocks, _WHOLE)
    return found


def _said_of(page: SegmentedPage, element: int) -> bytes:
    """What `class` and `id` say of an element, in small letters."""
    at, tags = page.elements.opens[element], page.markup.tags
    start = tags.starts[at]
    found = _SAYING.findall(page.markup.html, start, min(tags.stops[at], start + _LONGEST_TAG))
    return b" ".join(map(b"".join, found)).lower()
