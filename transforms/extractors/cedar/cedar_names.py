"""Columns about names: of the element around a block, of those further out, of their classes and roles."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from transforms.compiled import compiled
from transforms.extractors.cedar.cedar_blocks import BR, Page
from transforms.extractors.cedar.cedar_columns import Columns, covered, fill
from transforms.extractors.cedar.cedar_hints import GROUPS, Hints
from transforms.extractors.cedar.cedar_tree import CODE
from transforms.extractors.html.characters import Flags, Offsets

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


_TAG = ("tag.heading", *(f"tag.{name}" for name in _TAGS), "tag.after_br", "tag.before_br", "tag.gap")
_TAG_TABLE = np.stack([_marks(names) for names in _TAGS.values()])


def tag(made: Columns, page: Page, headings: Offsets) -> None:
    """Adds what element the block stands in, and what parted it from the block before.

    Args:
        made: columns of the page's blocks.
        page: the page.
        headings: int64 (n,), as in `cedar_layout.Layout`.
    """
    _tag(
        made.rows(_TAG),
        headings,
        page.elements.codes,
        page.nearest,
        page.names.keys,
        page.first_gaps,
        page.last_gaps,
        _TAG_TABLE,
        int(BR),
    )


@compiled
def _tag(
    room: NDArray[np.float32],
    headings: Offsets,
    codes: Offsets,
    nearest: Offsets,
    keys: NDArray[np.uint64],
    first_gaps: Offsets,
    last_gaps: Offsets,
    table: NDArray[np.bool_],
    br: int,
) -> None:
    """Fills room with the columns of `_TAG`; `table` is `_TAG_TABLE`, `br` the name of that tag."""
    padded = np.zeros(keys.size + 2, np.uint64)
    padded[1:-1] = keys
    gap = first_gaps.copy()
    gap[1:] -= last_gaps[:-1]
    room[0] = headings
    room[1:-3] = table[:, codes[nearest]]
    fill(room[-3:], (padded[first_gaps] == br, padded[last_gaps + 1] == br, gap))


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
    _said(
        made.rows(_SAID),
        said.groups,
        said.hidden,
        page.first,
        page.last,
        page.elements.codes,
        page.elements.parents,
        page.nearest,
        sums,
        _MEANING_TABLE,
    )


@compiled
def _said(
    room: NDArray[np.float32],
    groups: NDArray[np.bool_],
    hidden: Flags,
    first: Offsets,
    last: Offsets,
    codes: Offsets,
    parents: Offsets,
    nearest: Offsets,
    sums: Offsets,
    meanings: NDArray[np.bool_],
) -> None:
    """Fills room with the columns of `_SAID`; `meanings` is `_MEANING_TABLE`."""
    part = 10 * (sums[last] - sums[first]) < 9 * max(int(sums[-1]), 1)
    marks = np.concatenate((meanings[:, codes], groups & part, (hidden & part)[None]))
    room[: len(marks)] = covered(nearest.size, first, last, marks)
    near = groups.view(np.uint8)[:, nearest] * 2
    near += groups.view(np.uint8)[:, parents[nearest]]
    room[len(marks) :] = near


_SAID = (
    *(f"name.{name}" for name in _MEANINGS),
    *(f"class.{name}" for name in GROUPS),
    "class.hidden",
    *(f"class.{name}_near" for name in GROUPS),
)
