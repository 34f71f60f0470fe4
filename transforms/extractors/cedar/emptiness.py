"""Pages without content: a login, an error, a redirect, a wall of consent, a page that only scripts fill.

Their few words are likely or not like those of any page. What tells them is what the page is made of, in any
language: a field for a password, a refresh, the number of an error, the names that authors give such pages.
"""

import re

import numpy as np

from cedar.transforms.extractors.cedar._choice import Choice
from cedar.transforms.extractors.html.characters import Flags
from cedar.transforms.extractors.segments._page import SegmentedPage
from cedar.transforms.extractors.segments.names import CODE

_UNLIKELY = 200
"""Thousandths below which what is likeliest is still no content."""

_FEW = 600
"""Tenths of words: a text this long is one, whatever its page is made of."""

_FEWER = 200
"""The same on a page with a login, which stands in the corner of many a page, or with a refresh."""

_FEWEST = 80
"""Tenths of words of what stands for a page until a script brings it, at most."""

_SIGNS = re.compile(
    rb"""<input\b[^>]*\btype\s*=\s*["']?password\b|<meta\b[^>]*\bhttp-equiv\s*=\s*["']?refresh\b""",
    re.IGNORECASE,
)
_NAMES = re.compile(
    rb"(?:class|id|role|name)\s*=[^>]*?(?:consent|cookie|gdpr|captcha|challenge|log-?in|sign-?in"
    rb"|error-?\d|\b404\b|error-page|page-error|not-?found|redirect|maintenance)",
    re.IGNORECASE,
)
_WAITING = re.compile(
    rb"(?:class|id|role)\s*=[^>]*?(?:loading|loader|spinner|skeleton|splash|progressbar)", re.IGNORECASE
)
"""Names of what is shown until a script brings the page."""

_STATUS = re.compile(r"(?<![\w.,:/$€£-])(?:30[1-378]|4(?:0[0-9]|10|29|51)|50[0-4])(?![\w.,:/%$€£-])")
"""The number of a redirect or an error."""

_LONGEST_TAG = 2_000


def has_content(page: SegmentedPage, chosen: Choice) -> bool:
    """Return whether what was chosen is content: one block of the page, or more."""
    if chosen.likeliest < _UNLIKELY and page.blocks.link_chars:
        return False  # navigation
    if chosen.tenths < _FEWER and _SIGNS.search(page.markup.html):
        return False
    if chosen.tenths >= _FEW:
        return True
    if chosen.tenths <= _FEWEST and _is_waiting(page, chosen.kept):
        return False
    unseen = page.elements.inside(np.asarray(page.elements.codes) == CODE["noscript"], page.blocks, 11)
    return not (_is_named(page, chosen.kept) or unseen[chosen.kept].all())


def _is_named(page: SegmentedPage, kept: Flags) -> bool:
    """Whether a title, or names around all that was chosen, say that it is an error, a login or the like."""
    blocks = kept.nonzero()[0]
    headings = np.asarray(page.elements.headings)[blocks] > 0
    titles = [page.markup.title or "", *(page.blocks.read(int(block)) for block in blocks[headings])]
    return bool(
        any(_STATUS.search(title) for title in titles)
        or any(_NAMES.search(tag) for tag in _tags_around(page, int(blocks[0]), int(blocks[-1])))
    )


def _is_waiting(page: SegmentedPage, kept: Flags) -> bool:
    """Whether all that was chosen stands in for a page that a script brings: "Loading...", in any language.

    Names around it say so, or it is one text that ends with an ellipsis, with hardly any other besides links.
    """
    blocks = kept.nonzero()[0]
    if any(_WAITING.search(tag) for tag in _tags_around(page, int(blocks[0]), int(blocks[-1]))):
        return True
    if blocks.size > 1 or b"<script" not in page.source.original:
        return False
    others = int(np.asarray(page.blocks.plain).sum()) - int(page.blocks.plain[blocks[0]])
    return others <= _FEWEST and page.blocks.read(int(blocks[0])).endswith(("...", "…"))


def _tags_around(page: SegmentedPage, first: int, last: int) -> list[bytes]:
    """The start tags of the elements that hold two blocks, with names as authors write them."""
    elements, tags = page.elements, page.markup.tags
    found, element = [], int(elements.nearest[first])
    while element:
        if elements.last[element] > last:
            start, stop = tags.starts[elements.opens[element]], tags.stops[elements.opens[element]]
            found.append(page.markup.html[start : min(stop, start + _LONGEST_TAG)])
        element = int(elements.parents[element])
    return found
