"""Columns about names: of the element around a block, of those further out, of their classes and roles."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from transforms.extractors.cedar_blocks import BR, Page
from transforms.extractors.cedar_columns import Columns, covered
from transforms.extractors.cedar_hints import GROUPS, Hints
from transforms.extractors.cedar_tree import CODE
from transforms.extractors.characters import Offsets

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


def _marks(names: str) -> NDArray[np.bool_]:
    """Marks the codes of elements of some names; the last one is that of the page."""
    marks = np.zeros(len(CODE) + 1, bool)
    marks[[CODE[name] for name in names.split()]] = True
    return marks


_TAG_NAMES = tuple(f"tag.{name}" for name in _TAGS)
_TAG_TABLE = np.stack([_marks(names) for names in _TAGS.values()])


def tag(made: Columns, page: Page, headings: Offsets) -> None:
    """Adds what element the block stands in, and what parted it from the block before.

    Args:
        made: columns of the page's blocks.
        page: the page.
        headings: int64 (n,), as in `cedar_layout.Layout`.
    """
    made.add("tag.heading", headings)
    codes = page.elements.codes
    own = codes[page.nearest]
    made.add_all(_TAG_NAMES, _TAG_TABLE[:, own])
    keys = np.zeros(page.names.keys.size + 2, np.uint64)
    keys[1:-1] = page.names.keys
    made.add("tag.after_br", keys[page.first_gaps] == BR)
    made.add("tag.before_br", keys[page.last_gaps + 1] == BR)
    gap = page.first_gaps.copy()
    gap[1:] -= page.last_gaps[:-1]
    made.add("tag.gap", gap)


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


_MEANING_TABLE = np.stack([_marks(names) for names in _MEANINGS.values()])


def around(made: Columns, page: Page, said: Hints, sums: Offsets) -> None:
    """Adds the names of the elements around the block, and words of their classes and roles.

    Elements that hold nearly all of the page say nothing of a part of it.

    Args:
        made: columns of the page's blocks.
        page: the page.
        said: what is said of its elements.
        sums: int64 (n + 1,), running sums of tenths of words.
    """
    first, last = page.first, page.last
    units = sums[last] - sums[first]
    part = 10 * units < 9 * max(int(sums[-1]), 1)
    codes = page.elements.codes
    marks = np.zeros((len(_MEANINGS) + len(GROUPS) + 1, codes.size), bool)
    marks[: len(_MEANINGS)] = _MEANING_TABLE[:, codes]
    marks[len(_MEANINGS) : -1] = said.groups & part
    marks[-1] = said.hidden & part
    made.add_all(_SAID, covered(made.count, first, last, marks))
    groups = said.groups.view(np.uint8)
    near = groups[:, page.nearest] * 2
    near += groups[:, page.elements.parents[page.nearest]]
    made.add_all(_SAID_NEAR, near)


_SAID = (*(f"name.{name}" for name in _MEANINGS), *(f"class.{name}" for name in GROUPS), "class.hidden")
_SAID_NEAR = tuple(f"class.{name}_near" for name in GROUPS)
