"""What stands on a page besides its text: forms, buttons, what a class hides; captions that a class names.

Frameworks hide elements by a class, of which only their style sheets say so.
"""

from __future__ import annotations

import re

import numpy as np

from transforms.extractors.cedar.model import UNIT
from transforms.extractors.html.characters import Flags, Offsets
from transforms.extractors.segments._page import SegmentedPage
from transforms.extractors.segments.names import CODE, GROUPS

_CLASS = re.compile(rb"""\sclass\s*+=\s*+(?:"([^"]*+)|'([^']*+)|([^\s"'>]++))""", re.IGNORECASE)
_HIDING = frozenset((b"hidden", b"hide", b"is-hidden", b"visually-hidden"))
_FORM, _MODAL, _CAPTION = (1 << list(GROUPS).index(group) for group in ("form", "modal", "caption"))
_BUTTON = CODE["button"]
_LONGEST_TAG = 2_000
_LONGEST_CAPTION = 600  # tenths of words
_WHOLE = 11  # more tenths of a page's words than any element holds
_SURE = UNIT
_PART = 3


def drop_furniture(page: SegmentedPage, scores: Offsets, kept: Flags) -> None:
    """Drop doubtful blocks of `kept`, bool (n,), in forms, in buttons, and in what a class hides.

    `scores` are those of `model`, int64 (n,). The rule is ours; docs/cedar.md says what it gains.

    A form is what its names say is one, without the headline and with less than a third of the page's words.
    Nothing goes if a third of the text stands in such elements.
    """
    groups = np.asarray(page.elements.groups) & (_FORM | _MODAL)
    asked = (groups.astype(bool) | (np.asarray(page.elements.codes) == _BUTTON)).nonzero()[0]
    # Nearly all pages end here: what would go is in none of these elements.
    if not asked.size or not _furniture(page, asked, kept & (scores < _SURE)).any():
        return
    words = np.asarray(page.blocks.word_tenths)
    there = kept & page.elements.inside(_furniture(page, asked, kept), page.blocks, _WHOLE)
    if _PART * words[there].sum() < words[kept].sum():
        kept &= ~there | (scores >= _SURE)


def _furniture(page: SegmentedPage, asked: Offsets, blocks: Flags) -> Flags:
    """Mark furniture among elements `asked`, int64 (k,), that hold some of `blocks`, bool (n,): bool (e,)."""
    elements, sums, head = page.elements, page.blocks.word_sums, page.headline.block
    marks = np.zeros(elements.count, bool)
    before = np.concatenate(([0], np.cumsum(blocks)))
    first, last = np.asarray(elements.first)[asked], np.asarray(elements.last)[asked]
    for element in asked[before[last] > before[first]].tolist():
        group, begin, end = elements.groups[element], elements.first[element], elements.last[element]
        said = _class_of(page, element) if group & _MODAL else b""
        marks[element] = (
            elements.codes[element] == _BUTTON
            or (group & _FORM and _PART * (sums[end] - sums[begin]) < sums[-1] and not begin <= head < end)
            or (b":" not in said and not _HIDING.isdisjoint(said.split()))
        )
    return marks


def captions(page: SegmentedPage) -> Flags:
    """Mark the blocks of captions, bool (n,): of elements of that name, and short ones of such a class."""
    elements, sums = page.elements, page.blocks.word_sums
    marks = np.isin(elements.codes, (CODE["figcaption"], CODE["caption"]))
    for element in (np.asarray(elements.groups) & _CAPTION).nonzero()[0].tolist():
        if sums[elements.last[element]] - sums[elements.first[element]] <= _LONGEST_CAPTION:
            marks[element] |= b"caption" in _class_of(page, element)
    found: Flags = elements.inside(marks, page.blocks, _WHOLE)
    return found


def _class_of(page: SegmentedPage, element: int) -> bytes:
    """What `class` says of an element, in small letters."""
    at, tags = page.elements.opens[element], page.markup.tags
    start = tags.starts[at]
    found = _CLASS.search(page.markup.html, start, min(tags.stops[at], start + _LONGEST_TAG))
    return next(filter(None, found.groups()), b"").lower() if found else b""
