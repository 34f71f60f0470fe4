"""Find notices of consent: prose on cookies that a site shows on every page, before its text or after it.

Next to a short text, a notice may have most of a page's words. Its names tell it in every language: `cookie`,
`consent`, `gdpr`, and names of programs that many sites share. A page may be about cookies, too: an element
is no notice if it holds the headline, stands in `main` or an article, or is named a page or a policy; and a
page without other prose has no notice.
"""

import re

import numpy as np

from cedar.transforms.extractors.cedar._drops import names_of, possible_notices
from cedar.transforms.extractors.html.characters import Offsets
from cedar.transforms.extractors.segments._page import SegmentedPage
from cedar.transforms.extractors.segments.names import GROUPS

_NAMED = 1 << list(GROUPS).index("modal")
_NONE = np.zeros(0, np.int64)

_MAX_ELEMENTS = 200
"""Elements of a page whose names are read."""

# `_drops.NOTICE_STARTS` has the first letters of these words: a new word goes there, too.
_CONSENT = re.compile(
    rb"consent|gdpr|onetrust|cookiebot|qc-cmp|cmplz|didomi|usercentrics|truste|osano|iubenda|termly|klaro"
    rb"|evidon|tarteaucitron|axeptio|cookie[-_]?(?:law|control|choice|compliance|disclaimer|hint|info|manage"
    rb"|message|opt|pref|setting|tip|warning|widget|wrap)"
)
_TEXT_OF_ITS_OWN = re.compile(rb"polic|page|article|post|entry|declaration|statement|table")
_NOTICE = re.compile(rb"banner|bar\b|notice|pop|dialog|modal|overlay|box|wall|prompt|alert|toast|layer|sdk")

_MIN_PROSE = 80
"""Tenths of words of a block of prose, with few links."""

_MIN_OTHER_PROSE = 150
"""Tenths of words of all prose of a page besides its notices."""


def consent_notices(page: SegmentedPage) -> Offsets:
    """Find the blocks of notices of consent on a page that has other prose: int64 (m,)."""
    elements, blocks = page.elements, page.blocks
    named = possible_notices(page, _NAMED, _MAX_ELEMENTS)
    if not named:
        return _NONE
    found = np.zeros(blocks.count, bool)
    for element in named:
        first, last = int(elements.first[element]), int(elements.last[element])
        if found[first]:
            continue
        if any(map(_is_notice, names_of(page, element).split())):
            found[first:last] = True
    if not found.any():
        return _NONE
    plain, words = np.asarray(blocks.plain), np.asarray(blocks.word_tenths)
    prose = ~found & (words >= _MIN_PROSE) & (2 * plain > words)
    enough = plain[prose].sum() >= _MIN_OTHER_PROSE
    return found.nonzero()[0] if enough else _NONE


def _is_notice(name: bytes) -> bool:
    """Tell whether a name belongs to a notice, and not to a text about cookies."""
    if name in (b"cookie", b"cookies") or (b"cookie" in name and _NOTICE.search(name)):
        return True
    return bool(_CONSENT.search(name) and (_NOTICE.search(name) or not _TEXT_OF_ITS_OWN.search(name)))
