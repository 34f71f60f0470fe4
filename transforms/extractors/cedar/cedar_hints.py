"""What authors say of their elements: words in `class`, `id`, `role` and `itemprop`, and hidden elements.

A value is cut into words of letters at anything else and before capitals; words are told apart by their first
eight letters. All of a page's words are looked up at once, so that the cost is that of a few array
operations.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from transforms.compiled import compiled
from transforms.extractors.cedar.cedar_blocks import Page
from transforms.extractors.cedar.cedar_lookup import Lookup, lookup
from transforms.extractors.html.characters import Bytes, Flags, Offsets, windows
from transforms.extractors.html.tag_names import key

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
_GROUPS_OF_WORDS = lookup(dict(reversed(_WORDS)))  # a word of several groups speaks for the first
_LOWER = np.uint64(0x2020202020202020)
_LETTER: Flags = np.array([chr(b).isalpha() and b < 0x80 for b in range(256)])
_CAPITAL: Flags = np.array([chr(b).isupper() and b < 0x80 for b in range(256)])
_MASKS = np.array([(1 << 8 * length) - 1 for length in range(_LIMIT + 1)], np.uint64)
_QUOTES = (np.uint8(ord('"')), np.uint8(ord("'")))
_EQUALS, _BLANK = np.uint8(ord("=")), np.uint8(0x20)
_PARTS: Flags = np.array([b <= 0x20 or b in b"\"'/" for b in range(256)])
_ENDS: Flags = np.array([b <= 0x20 or b in b">/=" for b in range(256)])

_UNSEEN = (b"isplay:none", b"isplay: none", b"ISPLAY: NONE", b"isibility:hidden", b"isibility: hidden")
_ATTRIBUTES = tuple(
    (len(name), np.uint64(8 * (8 - len(name))), np.uint64(key(name)))
    for name in ("class", "id", "role", "itemprop")
)
"""Attributes that are looked at: length of the name, its place in the eight bytes before `=`, its key.
The first one is the class."""


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


_SHORTEST = 8
"""Bytes of the shortest tag with an attribute that is looked at: `<p id=x>`."""

_BEFORE = bytes(8)


@dataclass(frozen=True, slots=True)
class _StartTags:
    """The start tags of elements that may say something, one behind the other.

    Attributes:
        elements: int64 (k,), whose they are.
        text: the tags, behind eight bytes of nothing.
        starts: int64 (k,), where each begins in `text`.
        stops: int64 (k,), the byte behind it.
        shifts: int64 (k,), how much further on each stands in the page.
        data: uint8 (len(text),), the same bytes.
        quotes: where the quotes of each kind are, ascending.
    """

    elements: Offsets
    text: bytes
    starts: Offsets
    stops: Offsets
    shifts: Offsets
    data: Bytes
    quotes: tuple[Offsets, ...]

    def owners(self, at: Offsets) -> tuple[Offsets, Offsets]:
        """Of positions in `text`: those inside of a tag, and its index."""
        owner = self.starts.searchsorted(at) - 1
        inside = owner >= 0
        return at[inside], owner[inside]


@dataclass(frozen=True, slots=True)
class _Values:
    """Values of v attributes.

    Attributes:
        tags: int64 (v,), the tag each stands in.
        starts: int64 (v,), its first byte in the text of the tags.
        stops: int64 (v,), the byte behind it.
        classes: bool (v,), whether it is a `class`.
    """

    tags: Offsets
    starts: Offsets
    stops: Offsets
    classes: Flags


def hints(page: Page) -> Hints:
    """Reads what is said of a page's elements."""
    tags, elements = page.tags, page.elements
    return Hints(
        *_hints(
            page.html, tags.starts, tags.stops, elements.opens, elements.codes, len(GROUPS), _GROUPS_OF_WORDS
        )
    )


@compiled
def _hints(
    html: bytes,
    starts: Offsets,
    stops: Offsets,
    opens: Offsets,
    codes: Offsets,
    group_count: int,
    group_of: Lookup,
) -> tuple[NDArray[np.bool_], NDArray[np.uint64], Flags]:
    """The attributes of `Hints`.

    Args:
        html: a page.
        starts: int64 (t,), where its tags begin.
        stops: int64 (t,), where they end.
        opens: int64 (e,), the start tags of its elements; that of element 0 is not looked at.
        codes: int64 (e,), their names.
        group_count: number of groups g.
        group_of: the group of each word.
    """
    groups = np.zeros((group_count, codes.size), bool)
    signatures = (codes + 2).astype(np.uint64)
    hidden = np.zeros(codes.size, bool)
    tags = _start_tags(html, starts[opens[1:]], stops[opens[1:]])
    if not tags.elements.size:
        return groups, signatures, hidden
    view = windows(tags.text)
    found = _attributes(tags, view)
    _read_words(tags, view, found, groups, group_of)
    owner = found.tags[found.classes]
    begins, lengths = found.starts[found.classes], (found.stops - found.starts)[found.classes]
    # Short values are mixed with what follows on the page.
    view = windows(html)
    begins = begins + tags.shifts[owner]
    mixed = view[begins] * np.uint64(0x9E3779B97F4A7C15)
    mixed ^= view[np.maximum(begins + lengths - 8, begins)] * np.uint64(0xC2B2AE3D27D4EB4F)
    signatures[tags.elements[owner]] ^= mixed + lengths.astype(np.uint64)
    _read_states(tags, hidden)
    return groups, signatures, hidden


def _start_tags(html: bytes, starts: Offsets, stops: Offsets) -> _StartTags:
    """The start tags that are long enough to say something, of those of the elements from 1 on."""
    lengths = stops - starts
    long = (lengths >= _SHORTEST).nonzero()[0]
    starts, stops, lengths = starts[long], stops[long], lengths[long]
    ranges = zip(starts.tolist(), stops.tolist(), strict=True)
    text = b"".join([_BEFORE, *(html[start:stop] for start, stop in ranges)])
    data = np.frombuffer(text, np.uint8)
    ends = lengths.cumsum() + len(_BEFORE)
    begins = ends - lengths
    quotes = tuple((data == quote).nonzero()[0] for quote in _QUOTES)
    return _StartTags(long + 1, text, begins, ends, starts - begins, data, quotes)


def _attributes(tags: _StartTags, view: NDArray[np.uint64]) -> _Values:
    """The values of the attributes looked at."""
    data = tags.data
    equals = (data == _EQUALS).nonzero()[0]
    # The trees have learned from pages whose first bytes were not looked at.
    equals = equals[equals + tags.shifts[0] > len(_BEFORE)]
    folded = view[equals - len(_BEFORE)] | _LOWER
    lengths = np.zeros(equals.size, np.int64)
    for length, shift, name in _ATTRIBUTES:
        lengths[(folded >> shift) == name] = length
    named = lengths.nonzero()[0]
    at, lengths = equals[named], lengths[named]
    # What stands before the name parts attributes: a blank, a quote or a slash, and no hyphen.
    apart = _PARTS[data[at - lengths - 1]]
    at, owner = tags.owners(at[apart])
    return _values(tags, at, owner, lengths[apart] == _ATTRIBUTES[0][0])


def _values(tags: _StartTags, at: Offsets, owner: Offsets, classes: Flags) -> _Values:
    """The values behind the equals signs `at` of the tags `owner`."""
    data = tags.data
    starts = at + 1
    stops = tags.stops[owner] - 1
    first = data[starts]
    plain = np.ones(at.size, bool)
    for quote, places in zip(_QUOTES, tags.quotes, strict=True):
        quoted = (first == quote).nonzero()[0]
        plain[quoted] = False
        starts[quoted] += 1
        closing = np.append(places, data.size)[places.searchsorted(starts[quoted])]
        stops[quoted] = np.minimum(closing, stops[quoted])
    if plain.any():
        blanks = np.append((data <= _BLANK).nonzero()[0], data.size)
        next_blank = blanks[blanks.searchsorted(starts[plain])]
        stops[plain] = np.minimum(next_blank, stops[plain])
    some = stops > starts
    return _Values(owner[some], starts[some], stops[some], classes[some])


def _read_words(
    tags: _StartTags,
    view: NDArray[np.uint64],
    values: _Values,
    groups: NDArray[np.bool_],
    group_of: Lookup,
) -> None:
    """Looks up the words of values, and marks their elements in `groups`."""
    # Where values lie in one another, what has been read is not read again: words end where values do.
    reached = np.maximum.accumulate(values.stops)
    starts = values.starts.copy()
    starts[1:] = np.maximum(starts[1:], reached[:-1])
    new = values.stops > starts
    starts, owners = starts[new], values.tags[new]
    lengths = values.stops[new] - starts
    total = int(lengths.sum())
    if not total:
        return
    begins = np.cumsum(lengths) - lengths
    at = np.repeat(starts - begins, lengths) + np.arange(total)
    letters = tags.data[at]
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
    first = opens.nonzero()[0]
    sizes = np.minimum(closes.nonzero()[0] - first + 1, _LIMIT)
    words = (view[at[first]] | _LOWER) & _MASKS[sizes]
    group = group_of.find(words)
    known = group >= 0
    owner = begins.searchsorted(first[known], "right") - 1
    groups[group[known], tags.elements[owners[owner]]] = True


def _read_states(tags: _StartTags, hidden: Flags) -> None:
    """Marks the elements that are hidden by `style`, by `hidden` or by `aria-hidden`."""
    text, data = tags.text, tags.data
    at = np.array([place for needle in _UNSEEN for place in _places(text, needle)], np.int64)
    hidden[tags.elements[tags.owners(at)[1]]] = True
    at, owner = tags.owners(np.array(list(_places(text, b"hidden")), np.int64))
    aria = [
        text[place - 5 : place] == b"aria-"
        and text[place + 6 : place + 12].lstrip(b"=\"'").startswith(b"true")
        for place in at.tolist()
    ]
    hidden[tags.elements[owner[np.array(aria, bool)]]] = True
    # As an attribute of its own: between blanks and outside of quotes, so after an even number of them.
    alone = (data[at - 1] <= _BLANK) & _ENDS[data[at + 6]]
    at, owner = at[alone], owner[alone]
    for places in tags.quotes:
        even = (places.searchsorted(at) - places.searchsorted(tags.starts[owner])) % 2 == 0
        at, owner = at[even], owner[even]
    hidden[tags.elements[owner]] = True


def _places(text: bytes, needle: bytes) -> Iterator[int]:
    at = text.find(needle)
    while at >= 0:
        yield at
        at = text.find(needle, at + 1)
