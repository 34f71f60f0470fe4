"""Facts of a page's markup, gathered once for dates, authors and the other fields."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from cedar.transforms.extractors.html._tags import key
from cedar.transforms.extractors.html._text import rendered
from cedar.transforms.extractors.html.addresses import base_address
from cedar.transforms.extractors.html.reading import PageReading
from cedar.transforms.extractors.segments._headline import Headline, headline_of
from cedar.transforms.extractors.segments._markup import Markup
from cedar.transforms.metadata._places import MAX_FINDS, Places
from cedar.transforms.metadata._texts import (
    SHORT,
    FirstWords,
    element_pieces,
    element_stop,
    element_text,
    text_after,
    texts_with_dates,
)
from cedar.transforms.metadata.dates import DateReader
from cedar.transforms.metadata.json_ld import Thing, own_things, things

_ENGLISH = re.compile(rb"en(?:[-_]us)?", re.IGNORECASE)
_BEFORE, _AFTER = 60, 160
_RIGHT_BEFORE = 20
_REACH = 1400

_WHOLE = frozenset(map(key, ("html", "body", "main")))
_PARTS = frozenset(map(key, ("main", "article", "nav")))
_CELLS = frozenset(map(key, ("td", "th")))
_ANCHOR = key("a")
_TAGS_TO_LINK = 30
_MAX_DATED = 60
_LINK_OF_DATE = 60
"""Characters of a link that may be no more than a date and a name."""

_QUOTE, _CAPTION, _ASIDE_ELEMENT, _FOOTER = key("blockquote"), key("figcaption"), key("aside"), key("footer")
_ARTICLE, _PARAGRAPH = key("article"), key("p")
_ASIDE = re.compile(
    rb"(?:^|[\s_-])(?:comments?|commentlist)(?=$|[\s_-](?!open|closed|enabled|disabled|off\b))"
    rb"|(?:^|[\s_-])(?:related|recommend(?:ed|ations?)?|(?:pull|block)?quotes?)(?=$|[\s_-])"
    rb"|(?:^|\s)(?:replies|(?:customer-|product-|user-)?reviews)(?=$|\s)"
    rb"|(?:^|\s)sidebar(?=$|[\s_-])|[^_-][_-]sidebar(?=$|\s)"
)
_NO_ASIDE = re.compile(
    rb"(?:^|[\s_-])(?:has|with|no|without)[_-](?:comments?|related|sidebar|quotes?)(?=$|[\s_-])"
)


_CARD = re.compile(
    rb"(?:^|\s)(?:(?:[a-z]{1,12}[_-])?(?:card|teaser|widget|discussions?|responses)"
    rb"|(?:(?:site|page|global)[_-]?)?footer)(?=$|\s)"
)
"""A box that may hold another story, or what others say of this one."""
_OWN_CARD = re.compile(rb"author|byline|meta|entry|(?:^|\s)blog(?=$|\s)")
_OTHERS_BELOW = re.compile(
    r"(?:(?:\d{1,5}|one) )?(?:comments?|discussion|responses?|replies|reply|thoughts?|kommentare?"
    r"|commentaires?|réponses?|comentarios?|respuestas|pensamientos|gedanken|commenti|pensieri|reacties?|комментари[ийяев]{1,3})"
    r"(?:\W{1,3}\d{1,5}\W{0,2}|:| (?:on|to|zu|sur|à|en|su|op|к) .{0,200})?"
    r"|(?:related|recommended|popular|trending|most read|read next|you may also like)\b.{0,30}"
    r"|latest|(?:latest|more) (?:stories|news|articles|posts|from)\b.{0,30}",
    re.IGNORECASE,
)
"""A heading above what others wrote."""
_TAGS_TO_HEADING, _RIGHT_ABOVE = 8, 10
_REVIEW = re.compile(rb"/(?:\w*Review|\w*Comments?|Answer)\s*$")
"""The types of items that others wrote on the page."""
_TAGS_OF_REVIEW = 40
"""Tags between the start of a review and its author or date."""


def _has_one(ascending: list[int], first: int, last: int) -> bool:
    """Tell whether one of some ascending numbers is in [first, last)."""
    return bisect_left(ascending, first) < bisect_left(ascending, last)


class Asides:
    """Comments, quotes, sidebars and related things of a page, found only up to the last tag asked for."""

    def __init__(self, page: PageReading, places: Places, headline: int) -> None:
        self._page, self._places, self._headline = page, places, headline
        self._starts: list[int] = []  # ascending, and apart
        self._stops: list[int] = []
        self._known: dict[bytes, tuple[bool, bool]] = {}  # pages repeat their classes
        self._seen, self._left = 0, MAX_FINDS

    def hold(self, tag: int) -> bool:
        """Tell whether a tag is in an aside."""
        if tag >= self._seen:
            self._look_up_to(tag + 1)
        at = bisect_right(self._starts, tag) - 1
        return at >= 0 and tag < self._stops[at]

    def _look_up_to(self, last: int) -> None:
        found = self._places.asides(self._seen, last, self._left)
        self._seen = last
        stop = self._stops[-1] if self._stops else 0
        for tag in found:
            if tag >= stop and self._is_aside(tag):
                end = element_stop(self._page, tag)
                if not tag < self._headline < end:
                    self._starts.append(tag)
                    self._stops.append(stop := end)
        self._left -= len(found)
        if found and not self._left:  # more of them may follow
            self._starts.append(max(found[-1], stop, self._headline))
            self._stops.append(self._page.tags.count)

    def _is_aside(self, tag: int) -> bool:
        name = self._places.kind_of(tag)[0]
        if name in _WHOLE or name in (_QUOTE, _CAPTION):
            return name not in _WHOLE
        words = self._places.marks(tag, 3)
        if words not in self._known:
            is_aside = _ASIDE.search(_NO_ASIDE.sub(b" ", words)) is not None
            self._known[words] = is_aside, _CARD.search(words) is not None and not _OWN_CARD.search(words)
        is_aside, is_card = self._known[words]
        if is_aside and name != _ASIDE_ELEMENT:
            return True
        if name == _ARTICLE and not is_card:
            return not self._is_right_after_headline(tag) and self._is_headed_by_link(tag)
        if name == _FOOTER and self._is_of_article(tag):
            return False
        if name not in (_ASIDE_ELEMENT, _FOOTER) and not is_card:
            return False
        # One right after the headline may hold its date and its author.
        is_above = name == _ASIDE_ELEMENT and -_RIGHT_ABOVE <= tag - self._headline < 0
        if not (is_above or self._is_right_after_headline(tag)):
            return True
        return _has_one(self._places.any_headings, tag, element_stop(self._page, tag))

    def _is_right_after_headline(self, tag: int) -> bool:
        """Tell whether a tag is near the headline, and no paragraph is between them."""
        is_near = 0 <= tag - self._headline < _BEFORE
        return is_near and not self._has_tag(_PARAGRAPH, self._headline, tag)

    def _has_tag(self, name: int, first: int, last: int) -> bool:
        """Tell whether a tag of a name is in [first, last)."""
        return bool((self._page.tags.keys[max(first, 0) : last] == name).any())

    def _is_headed_by_link(self, tag: int) -> bool:
        """Tell whether an article begins with a heading that is a link, as other pages' articles do."""
        headings = self._places.any_headings
        at = bisect_left(headings, tag)
        if at == len(headings) or headings[at] - tag > _TAGS_TO_HEADING:
            return False
        return self._has_tag(_ANCHOR, tag, headings[at] + 2)

    def _is_of_article(self, tag: int) -> bool:
        """Tell whether a footer is in the article that holds the headline."""
        keys, ends = self._page.tags.keys, self._page.tags.ends
        opened = ((keys[: self._headline + 1] == _ARTICLE) & ~ends[: self._headline + 1]).nonzero()[0]
        return opened.size > 0 and self._headline < tag < element_stop(self._page, int(opened[-1]))


@dataclass(frozen=True, kw_only=True)
class Facts:
    """Facts of a page: its headline, the tags that may hold metadata, its JSON-LD, articles first."""

    markup: Markup
    page: PageReading
    found: Headline
    places: Places
    things: tuple[Thing, ...]
    url: str | None
    dates: DateReader
    headline: int | None
    """The tag before its headline; without one, its first `h1` or else its first `h2`."""

    @staticmethod
    def of(markup: Markup, *, url: str | None, last: date | None) -> "Facts":
        """Gather the facts of a page that is from `url`; `last` is the last day that its dates may have."""
        page, places, found = markup.reading, Places(markup), headline_of(markup)
        # 3/5/2024 is the fifth of March in English as in America.
        language = places.language.strip()
        dates = DateReader(
            last,
            month_first=_ENGLISH.fullmatch(language) is not None,
            is_persian=language[:2].lower() == b"fa",
        )
        return Facts(
            markup=markup,
            page=page,
            found=found,
            places=places,
            things=own_things(
                things(page.source),
                titles=[title for title in (found.text, markup.title) if title],
                addresses=_addresses(places, url),
            ),
            url=url,
            dates=dates,
            headline=next(iter(places.headings), None) if found.text is None else found.first,
        )

    @cached_property
    def base(self) -> str:
        """The base of the page's relative addresses; "" if neither its URL nor its `<base>` states one."""
        return base_address(self.url or "", self.places.base or "")

    def meta(self, name: str) -> str | None:
        """Return the first content of `<meta>` of this name."""
        contents = self.places.metas.get(name)
        return contents[0] if contents else None

    def contents(self, names: Mapping[str, int]) -> list[str]:
        """Return the contents of `<meta>` of these names, in the order of the names."""
        return [content for contents in self.contents_by_name(names) for content in contents]

    def contents_by_name(self, names: Mapping[str, int]) -> list[list[str]]:
        """Return the contents of `<meta>` of these names, a list per name, in the order of the names."""
        metas = self.places.metas
        if names.keys().isdisjoint(metas):
            return []
        return [metas[name] for name in sorted(metas.keys() & names.keys(), key=names.__getitem__)]

    def text_of(self, tag: int) -> str:
        """Read the text of the element that a tag starts, blanks collapsed; its beginning, if it is long."""
        return element_text(self.page, tag)

    def text_after(self, tag: int) -> str:
        """Read the text between a tag and the next one, or its beginning; "" without such a tag."""
        return text_after(self.page, tag)

    def source_of(self, tag: int) -> bytes:
        """Return a tag as it is written."""
        tags = self.page.tags
        return self.page.html[int(tags.starts[tag]) : int(tags.stops[tag])]

    def pieces_of(self, tag: int) -> list[str]:
        """Read the texts between the tags of the element that a tag starts, as far as `text_of` reads it."""
        return element_pieces(self.page, tag)

    def texts_that_begin(self, words: FirstWords) -> list[int]:
        """Find the tags after the headline, and near it, before a text that begins with one of some words."""
        at = self.headline or 0
        return words.texts_that_begin(self.page, at, at + _AFTER)

    @cached_property
    def dated_texts(self) -> list[tuple[int, int, str, str]]:
        """The texts after the headline that may hold a date, as `texts_with_dates` gives them."""
        return texts_with_dates(self.page, self.headline or 0, _REACH)

    def stands_by_headline(self, tag: int) -> bool:
        """Tell whether a tag is near the headline, and no other heading is between them."""
        at = self.found.first
        if at < 0 or not at - _BEFORE <= tag < at + _AFTER:
            return False
        first, last = (self.found.last + 1, tag) if tag > at else (tag, at)
        return not _has_one(self.places.any_headings, first, last)

    def stands_right_above(self, tag: int) -> bool:
        """Tell whether a tag is right above the headline, in the same part of the page."""
        first, last = tag + 1, self.found.first
        if not self.stand_together(first, last, _RIGHT_ABOVE):
            return False
        return not any(int(name) in _PARTS for name in self.page.tags.keys[first:last])

    def is_cell(self, tag: int) -> bool:
        """Tell whether a tag is a cell of a table."""
        return self.places.kind_of(tag)[0] in _CELLS

    def stand_together(self, first: int, last: int, reach: int) -> bool:
        """Tell whether a tag is at most `reach` after another, and no heading is between them."""
        return last - first <= reach and not _has_one(self.places.any_headings, first, last)

    def links_by_headline(self, words: FirstWords) -> list[int]:
        """Find the links between the headline and the next heading that lead to one of some words."""
        first = self.found.last
        if first < 0:
            return []
        headings = self.places.any_headings
        after = bisect_right(headings, first)
        return words.links_to(self.page, first, min([first + _BEFORE, *headings[after : after + 1]]))

    @cached_property
    def is_of_offer(self) -> bool:
        """Whether the page says of itself that it is a product or an event, and no article."""
        if self.things and self.things[0].is_article:
            return False
        kind = self.meta("og:type") or ""
        return kind.startswith(("product", "event")) or any(thing.is_offer for thing in self.things)

    def has_date_between(self, first: int, last: int) -> bool:
        """Tell whether an element of microdata in [first, last) is a date of publication."""
        return _has_one(self.places.published, first, last)

    def is_link(self, tag: int) -> bool:
        """Tell whether a tag is a link."""
        return self.places.kind_of(tag)[0] == _ANCHOR

    @cached_property
    def days_of_kinds(self) -> dict[tuple[int, int, bool], frozenset[str]]:
        """The days of elements alike, as far as they were asked for."""
        return {}

    @cached_property
    def _texts_of_kinds(self) -> dict[tuple[int, int, bool], list[str]]:
        texts: dict[tuple[int, int, bool], list[str]] = {}
        for _, tag, _, text in self.dated_texts[:_MAX_DATED]:
            texts.setdefault(self.places.kind_of(tag), []).append(text)
        return texts

    @cached_property
    def _days_of_texts(self) -> dict[tuple[int, int, bool], set[str]]:
        return {}

    def days_after(self, tag: int) -> set[str]:
        """Return the first two days of texts after the headline that follow tags of one name and class."""
        kind = self.places.kind_of(tag)
        if kind not in self._days_of_texts:
            days = self._days_of_texts[kind] = set()
            for text in self._texts_of_kinds.get(kind, ()):
                if len(days) < 2 and (found := self.dates.written(text, SHORT)):
                    days.add(found[:10])
        return self._days_of_texts[kind]

    def is_in_teaser(self, tag: int) -> bool:
        """Tell whether a tag is in a link with much other text, which leads to another page."""
        if not self.markup.linked_gaps[tag + 1]:
            return False
        first = max(tag - _TAGS_TO_LINK, 0)
        anchors = (self.page.tags.keys[first : tag + 1] == _ANCHOR).nonzero()[0]
        return anchors.size > 0 and len(self.text_of(first + int(anchors[-1]))) > _LINK_OF_DATE

    def texts_before(self) -> list[tuple[int, int, str, str]]:
        """Find the texts right before the headline that may hold a date, as `texts_with_dates` gives them."""
        last = self.found.first
        first = max(last - _RIGHT_BEFORE, 0)
        return texts_with_dates(self.page, first, last - first) if last > 0 else []

    @property
    def around(self) -> tuple[int, int]:
        """The tags [first, last) around the headline; without one, the first of the page."""
        at = self.headline or 0
        return max(at - _BEFORE, 0), at + _AFTER

    @cached_property
    def _asides(self) -> Asides:
        return Asides(self.page, self.places, self.headline or 0)

    def is_aside(self, tag: int) -> bool:
        """Tell whether a tag is in a comment, a quote, a sidebar, a related thing, or below their heading."""
        return self._asides.hold(tag) or self._is_below_others(tag) or self._is_in_review(tag)

    def _is_in_review(self, tag: int) -> bool:
        """Tell whether the nearest item of microdata around a tag is a review, a comment or an answer."""
        has_items = self.places.authored or self.places.published
        for at in range(tag, max(tag - _TAGS_OF_REVIEW, 0) if has_items else tag, -1):
            if b"itemscope" in self.source_of(at).lower():
                stop = element_stop(self.page, at)
                kind = self.places.attributes(at).get(b"itemtype", b"")
                if stop > tag and b"Person" not in kind and not at < (self.headline or 0) < stop:
                    return _REVIEW.search(kind) is not None
        return False

    def _is_below_others(self, tag: int) -> bool:
        headings = self.places.any_headings
        at = bisect_left(headings, tag) - 1
        if at < 0 or headings[at] <= self.found.last:
            return False
        return _OTHERS_BELOW.fullmatch(self.text_of(headings[at])) is not None

    def anchors_to_licences(self) -> list[str]:
        """Return the targets of links marked as the licence, then of links to Creative Commons at the end."""
        attributes = self.places.attributes
        found = []
        for tag in self.places.to_licences:
            given = attributes(tag)
            if b"license" in given[b"rel"].lower().split() and (href := given.get(b"href")):
                found.append(rendered(href))
        return [*found, *(rendered(attributes(tag)[b"href"]) for tag in self.places.to_commons)]


def _addresses(places: Places, url: str | None) -> list[str]:
    """Return the addresses that a page has: where it was fetched, and those that it states."""
    stated = [href for rel, href in places.links if "canonical" in rel]
    return [address for address in (url, *places.metas.get("og:url", ()), *stated) if address]
