"""Notices of consent: what a page says of its cookies, to every reader, before its text or after it.

They are prose, and next to a short text they may have most of a page's words. Names tell them, which are the
same in all languages: `cookie`, `consent`, `gdpr`, and those of programs that many sites share. A page may
be about cookies, too: what holds the headline, what stands in `main` or an article, and what a name calls a
page or a policy is no notice, and on a page without other prose nothing is.
"""

import re

import numpy as np

from cedar.transforms.extractors.cedar._drops import elements_that_may_be_notices, names_of
from cedar.transforms.extractors.html.characters import Offsets
from cedar.transforms.extractors.segments._page import SegmentedPage
from cedar.transforms.extractors.segments.names import GROUPS

_NAMED = 1 << list(GROUPS).index("modal")
_NONE = np.zeros(0, np.int64)

_MAX_LOOKED_AT = 200
"""Elements of a page whose names are read."""

# How each of these words begins, `_drops.NOTICE_STARTS` knows, too.
_CONSENT = re.compile(
    rb"consent|gdpr|onetrust|cookiebot|qc-cmp|cmplz|didomi|usercentrics|truste|osano|iubenda|termly|klaro"
    rb"|evidon|tarteaucitron|axeptio|cookie[-_]?(?:law|control|choice|compliance|disclaimer|hint|info|manage"
    rb"|message|opt|pref|setting|tip|warning|widget|wrap)"
)
_TEXT_OF_ITS_OWN = re.compile(rb"polic|page|article|post|entry|declaration|statement|table")
_NOTICE = re.compile(rb"banner|bar\b|notice|pop|dialog|modal|overlay|box|wall|prompt|alert|toast|layer|sdk")

_PROSE = 80
"""Tenths of words from which a block with few links is prose,"""

_OTHER_PROSE = 150
"""and of all such prose besides the notices, at least."""


def consent_notices(page: SegmentedPage) -> Offsets:
    """Find the blocks of notices of consent on a page that has other prose: int64 (m,)."""
    elements, blocks = page.elements, page.blocks
    named = elements_that_may_be_notices(page, _NAMED, _MAX_LOOKED_AT)
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
    prose = ~found & (words >= _PROSE) & (2 * plain > words)
    enough = plain[prose].sum() >= _OTHER_PROSE
    return found.nonzero()[0] if enough else _NONE


def _is_notice(name: bytes) -> bool:
    """Tell whether a name is one of a notice, and not of a text about cookies."""
    if name in (b"cookie", b"cookies") or (b"cookie" in name and _NOTICE.search(name)):
        return True
    return bool(_CONSENT.search(name) and (_NOTICE.search(name) or not _TEXT_OF_ITS_OWN.search(name)))
