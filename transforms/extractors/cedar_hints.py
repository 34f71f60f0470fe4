"""What authors say of their elements: words in `class`, `id`, `role` and `itemprop`, and hidden elements.

A value is cut into words of letters at anything else and before capitals; words are told apart by their first
eight letters. All of a page's words are looked up at once, so that the cost is that of a few array
operations.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from transforms.extractors.cedar_blocks import Page
from transforms.extractors.characters import Bytes, Flags, Offsets, windows
from transforms.extractors.tag_names import key

GROUPS = {
    "content": (
        "content contents article articles entry story body text main page copy prose richtext "
        "markdown md wysiwyg rte postbody maincontent"
    ),
    "title": "title headline heading subtitle",
    "nav": (
        "nav navbar navigation navi menu menus submenu mainmenu sitenav gnav breadcrumb breadcrumbs "
        "crumb crumbs topbar toolbar dropdown pager pagination pagenav paging toc"
    ),
    "header": "header head masthead banner top topnav logo branding brand hero",
    "footer": "footer foot bottom colophon copyright legal contentinfo",
    "side": "sidebar side aside rail widget widgets secondary right left panel complementary column col",
    "comment": "comment comments disqus reply replies respond response responses discussion feedback",
    "thread": (
        "thread threads message messages topic topics forum answer answers question questions qa "
        "bbs post posts"
    ),
    "share": (
        "share sharing sharer social facebook twitter addthis follow linkedin pinterest whatsapp icons"
    ),
    "related": (
        "related recommended recommendations recommend similar more also popular trending latest "
        "readmore suggested suggestions most next prev previous teaser teasers recent"
    ),
    "advert": (
        "ad ads advert adverts advertisement advertising sponsor sponsored sponsors promo promos "
        "promotion outbrain taboola dfp gpt adsense upsell cta"
    ),
    "about": (
        "meta byline author authors date dates time timestamp tag tags category categories info "
        "posted published kicker credit credits source bio"
    ),
    "caption": (
        "caption captions figure image images photo photos gallery slide slider slideshow carousel "
        "thumb thumbnail media video"
    ),
    "form": (
        "form search login signin signup register subscribe newsletter input checkout filter "
        "filters facet facets sort select"
    ),
    "product": (
        "product products price prices sku description desc spec specs specification specifications "
        "detail details feature features shop cart buy"
    ),
    "review": "review reviews rating ratings testimonial testimonials",
    "list": "list listing listings grid card cards item items result results row tile tiles feed",
    "modal": (
        "modal popup overlay cookie cookies consent gdpr alert notice dialog tooltip print noprint "
        "offscreen screen sr visually skip hidden hide"
    ),
    "code": "code highlight snippet syntax",
    "user": "user users profile avatar signature member username",
    "faq": "faq accordion tab tabs tabpanel collapse toggle step steps",
}
"""Words by what they speak for."""

_LIMIT = 8
_WORDS = sorted(
    (key(word), index) for index, words in enumerate(GROUPS.values()) for word in set(words.split())
)
_KEYS = np.array([word for word, _ in _WORDS], np.uint64)
_GROUP = np.array([group for _, group in _WORDS], np.int64)
_LOWER = np.uint64(0x2020202020202020)
_LETTER: Flags = np.array([chr(b).isalpha() and b < 0x80 for b in range(256)])
_CAPITAL: Flags = np.array([chr(b).isupper() and b < 0x80 for b in range(256)])
_MASKS = np.array([(1 << 8 * length) - 1 for length in range(_LIMIT + 1)], np.uint64)
_EQUALS, _GT = np.uint8(ord("=")), np.uint8(ord(">"))

_ATTRIBUTES = ("class", "id", "role", "itemprop")
_STATE_ATTRIBUTES = ("style", "aria-hidden")


@dataclass(frozen=True, slots=True)
class Hints:
    """What is said of e elements.

    Attributes:
        groups: bool (g, e), whether a word of the group (in the order of `GROUPS`) is said of the element.
        signatures: uint64 (e,), equal for elements of one name and one `class`.
        hidden: bool (e,), whether the element is not to be seen.
    """

    groups: NDArray[np.bool_]
    signatures: NDArray[np.uint64]
    hidden: Flags


@dataclass(frozen=True, slots=True)
class _Values:
    """Values of attributes: their elements and byte ranges in the page, int64 (v,) each."""

    elements: Offsets
    starts: Offsets
    stops: Offsets


def hints(page: Page) -> Hints:
    """Reads what is said of a page's elements."""
    count = page.elements.codes.size
    groups = np.zeros((len(GROUPS), count), bool)
    signatures = (page.elements.codes + 2).astype(np.uint64)
    hidden = np.zeros(count, bool)
    if count < 2:
        return Hints(groups, signatures, hidden)
    data = np.frombuffer(page.html, np.uint8)
    view = windows(page.html)
    found = _attributes(page, data, view)
    words = [found[name] for name in _ATTRIBUTES]
    _read_words(data, view, words, groups)
    classes = found["class"]
    last = np.maximum(classes.stops - 8, classes.starts)
    mixed = view[classes.starts] * np.uint64(0x9E3779B97F4A7C15)
    mixed ^= view[last] * np.uint64(0xC2B2AE3D27D4EB4F)
    signatures[classes.elements] ^= mixed + (classes.stops - classes.starts).astype(np.uint64)
    _read_states(page, found, hidden)
    return Hints(groups, signatures, hidden)


def _attributes(page: Page, data: Bytes, view: NDArray[np.uint64]) -> dict[str, _Values]:
    """The values of the attributes looked at, of the elements' start tags."""
    opens = page.elements.opens[1:]
    starts, stops = page.tags.starts[opens], page.tags.stops[opens]
    equals = np.flatnonzero(data == _EQUALS)
    equals = equals[equals >= 8]
    owner = starts.searchsorted(equals) - 1
    inside = (owner >= 0) & (equals < stops[np.maximum(owner, 0)])
    equals, owner = equals[inside], owner[inside]
    before = view[equals - 8]
    folded = before | _LOWER
    quotes = {quote: np.flatnonzero(data == quote) for quote in b"\"'"}
    result = {}
    for name in (*_ATTRIBUTES, *_STATE_ATTRIBUTES):
        tail = name[-7:]
        shift = np.uint64(8 * (8 - len(tail)))
        here = (folded >> shift) == np.uint64(key(tail))
        if len(name) < 8:
            # Folded, blanks stay what they are; a hyphen would make it another attribute.
            parted = ((before >> (shift - np.uint64(8))) & np.uint64(0xFF)) <= np.uint64(0x2F)
            parted &= ((before >> (shift - np.uint64(8))) & np.uint64(0xFF)) != np.uint64(ord("-"))
            here &= parted
        at, tag = equals[here], owner[here]
        result[name] = _values(page.html, data, quotes, at, tag, stops)
    return result


def _values(
    html: bytes, data: Bytes, quotes: dict[int, Offsets], at: Offsets, tag: Offsets, stops: Offsets
) -> _Values:
    """The values behind the equals signs `at` of the start tags `tag`."""
    value_starts = at + 1
    value_stops = stops[tag] - 1
    first = data.take(value_starts, mode="clip")
    plain = np.ones(at.size, bool)
    for quote, places in quotes.items():
        quoted = np.flatnonzero(first == quote)
        plain[quoted] = False
        value_starts[quoted] += 1
        closing = np.append(places, len(html))[places.searchsorted(value_starts[quoted])]
        value_stops[quoted] = np.minimum(closing, value_stops[quoted])
    for index in np.flatnonzero(plain).tolist():
        start, stop = int(value_starts[index]), int(value_stops[index])
        blank = html.find(b" ", start, stop)
        value_stops[index] = blank if blank >= 0 else stop
    some = value_stops > value_starts
    return _Values(tag[some] + 1, value_starts[some], value_stops[some])


def _read_words(
    data: Bytes, view: NDArray[np.uint64], values: list[_Values], groups: NDArray[np.bool_]
) -> None:
    """Looks up the words of values, and marks their elements in `groups`."""
    elements = np.concatenate([some.elements for some in values])
    starts = np.concatenate([some.starts for some in values])
    lengths = np.concatenate([some.stops for some in values]) - starts
    total = int(lengths.sum())
    if not total:
        return
    begins = np.cumsum(lengths) - lengths
    at = np.repeat(starts - begins, lengths) + np.arange(total)
    letters = data[at]
    inside = _LETTER[letters]
    capital = _CAPITAL[letters]
    opens = inside.copy()
    # A letter begins a word behind a non-letter, or as a capital behind a small letter.
    opens[1:] &= ~inside[:-1] | (capital[1:] & ~capital[:-1])
    opens[begins] = inside[begins]
    closes = inside.copy()
    closes[:-1] &= ~inside[1:] | opens[1:]
    ends = begins + lengths - 1
    closes[ends] = inside[ends]
    first = np.flatnonzero(opens)
    sizes = np.minimum(np.flatnonzero(closes) - first + 1, _LIMIT)
    words = (view[at[first]] | _LOWER) & _MASKS[sizes]
    slot = np.minimum(_KEYS.searchsorted(words), _KEYS.size - 1)
    known = _KEYS[slot] == words
    owner = begins.searchsorted(first[known], "right") - 1
    groups[_GROUP[slot[known]], elements[owner]] = True


def _read_states(page: Page, found: dict[str, _Values], hidden: Flags) -> None:
    """Marks the elements that are hidden by `style`, by `hidden` or by `aria-hidden`."""
    styles = found["style"]
    for element, start, stop in zip(
        styles.elements.tolist(), styles.starts.tolist(), styles.stops.tolist(), strict=True
    ):
        style = page.html[start : min(stop, start + 512)].lower().replace(b" ", b"")
        hidden[element] |= b"display:none" in style or b"visibility:hidden" in style
    aria = found["aria-hidden"]
    for element, start in zip(aria.elements.tolist(), aria.starts.tolist(), strict=True):
        hidden[element] |= page.html[start : start + 4].lower() == b"true"
    # ` hidden` as an attribute without a value, in the order of the page.
    at = page.html.find(b" hidden")
    opens = page.elements.opens[1:]
    starts, stops = page.tags.starts[opens], page.tags.stops[opens]
    while at >= 0:
        owner = int(starts.searchsorted(at)) - 1
        if owner >= 0 and at < stops[owner] and page.html[at + 7 : at + 8] in b" >=/":
            tail = page.html[int(starts[owner]) : at]
            hidden[owner + 1] |= tail.count(b'"') % 2 == 0 and tail.count(b"'") % 2 == 0
        at = page.html.find(b" hidden", at + 7)
