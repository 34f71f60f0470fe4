"""Facts of a page's markup, gathered once for dates, authors and the other fields."""

import re
from bisect import bisect_right
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
from cedar.transforms.metadata._places import Places
from cedar.transforms.metadata._texts import (
    SHORT,
    FirstWords,
    element_pieces,
    element_text,
    text_after,
    texts_with_dates,
)
from cedar.transforms.metadata.dates import DateReader
from cedar.transforms.metadata.json_ld import Thing, own_things, things
from cedar.transforms.metadata.others import ANCHOR, BEFORE, Others, has_one

_ENGLISH = re.compile(rb"en(?:[-_]us)?", re.IGNORECASE)
_AFTER = 160
_RIGHT_BEFORE, _RIGHT_ABOVE = 20, 10
_REACH = 1400

_PARTS = frozenset(map(key, ("main", "article", "nav")))
_CELLS = frozenset(map(key, ("td", "th")))
_TAGS_TO_LINK = 30
_MAX_DATED = 60
_LINK_OF_DATE = 60
"""Characters of a link that may be no more than a date and a name."""


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
            is_persian=language[:3].lower().startswith((b"fa", b"prs")),
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
        if at < 0 or not at - BEFORE <= tag < at + _AFTER:
            return False
        first, last = (self.found.last + 1, tag) if tag > at else (tag, at)
        return not has_one(self.places.any_headings, first, last)

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
        return last - first <= reach and not has_one(self.places.any_headings, first, last)

    def links_by_headline(self, words: FirstWords) -> list[int]:
        """Find the links between the headline and the next heading that lead to one of some words."""
        first = self.found.last
        if first < 0:
            return []
        headings = self.places.any_headings
        after = bisect_right(headings, first)
        return words.links_to(self.page, first, min([first + BEFORE, *headings[after : after + 1]]))

    @cached_property
    def is_of_offer(self) -> bool:
        """Whether the page says of itself that it is a product or an event, and no article."""
        if self.things and self.things[0].is_article:
            return False
        kind = self.meta("og:type") or ""
        return kind.startswith(("product", "event")) or any(thing.is_offer for thing in self.things)

    def has_date_between(self, first: int, last: int) -> bool:
        """Tell whether an element of microdata in [first, last) is a date of publication."""
        return has_one(self.places.published, first, last)

    def is_link(self, tag: int) -> bool:
        """Tell whether a tag is a link."""
        return self.places.kind_of(tag)[0] == ANCHOR

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
        anchors = (self.page.tags.keys[first : tag + 1] == ANCHOR).nonzero()[0]
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
        return max(at - BEFORE, 0), at + _AFTER

    @cached_property
    def _others(self) -> Others:
        return Others(self.markup, self.places, self.found, headline=self.headline or 0, base=self.base)

    def is_aside(self, tag: int) -> bool:
        """Tell whether a tag is in what others wrote, or what leads to other pages; see `Others`."""
        return self._others.hold(tag)

    def anchors_to_licences(self) -> tuple[list[str], list[str]]:
        """Return the targets of links marked as the licence; and those in asides or to Creative Commons."""
        attributes = self.places.attributes
        own: list[str] = []
        others: list[str] = []
        for tag in self.places.to_licences:
            given = attributes(tag)
            if b"license" in given[b"rel"].lower().split() and (href := given.get(b"href")):
                (others if self.is_aside(tag) else own).append(rendered(href))
        others += [rendered(attributes(tag)[b"href"]) for tag in self.places.to_commons]
        return own, others


def _addresses(places: Places, url: str | None) -> list[str]:
    """Return the addresses that a page has: where it was fetched, and those that it states."""
    stated = [href for rel, href in places.links if "canonical" in rel]
    return [address for address in (url, *places.metas.get("og:url", ()), *stated) if address]
