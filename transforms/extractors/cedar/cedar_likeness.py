"""How like the headings of a page are to its title."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from transforms.compiled import compiled
from transforms.extractors.cedar.cedar_blocks import Page
from transforms.extractors.cedar.cedar_text import readable
from transforms.extractors.html.characters import Bytes, Offsets

_TITLES = 64
"""How many headings are compared with the page's title."""

_PASSAGE = 4
"""Characters from which a text that stands in the title is taken for a part of it."""

_WORDS = re.compile(r"[^\W_]+")


def title_likeness(page: Page, headings: Offsets) -> NDArray[np.float64]:
    """Share of the words of a heading that the page's title has.

    Args:
        page: the page.
        headings: int64 (n,), as in `cedar_layout.Layout`.

    Returns:
        float64 (n,), in [0, 1]: 1 where the title holds the heading as it is; 0 where no heading stands, or a
        long one, behind the first `_TITLES` of them, and where the page has no title.
    """
    likeness = np.zeros(headings.size)
    if page.title:
        title = page.title.lower()
        some = ((headings > 0) & (page.units < 400)).nonzero()[0][:_TITLES]
        words = frozenset(_WORDS.findall(title))
        likeness[some] = _alike(page.coded, page.starts[some], page.stops[some], title, words, _likeness)
    return likeness


@compiled
def _alike(
    coded: Bytes,
    starts: Offsets,
    stops: Offsets,
    title: str,
    words: frozenset[str],
    likeness: Callable[[str, str, frozenset[str]], float],
) -> NDArray[np.float64]:
    """The likeness to the title of the text in each range: float64, as many.

    Args:
        coded: uint8 (m,), text as in `Page`.
        starts: int64 (k,), where the ranges begin.
        stops: int64 (k,), where they stop.
        title: the title, in small letters.
        words: its words.
        likeness: `_likeness`.
    """
    found = []
    for start, stop in zip(starts.tolist(), stops.tolist(), strict=True):
        found.append(likeness(readable(coded[start:stop].tobytes()).lower(), title, words))
    return np.array(found, np.float64)


def _likeness(text: str, title: str, words: frozenset[str]) -> float:
    """How like a text is to the title, both in small letters."""
    if len(text) >= _PASSAGE and text in title:
        return 1.0
    found = _WORDS.findall(text)
    return sum(word in words for word in found) / len(found) if len(found) > 1 else 0.0
