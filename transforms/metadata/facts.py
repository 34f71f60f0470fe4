"""What a page's markup says, gathered once for all that is looked for."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from urllib.parse import urljoin, urlsplit

from transforms.extractors.html._text import rendered
from transforms.extractors.html.reading import PageReading
from transforms.extractors.segments._markup import Markup
from transforms.metadata._places import Places
from transforms.metadata._texts import element_text, texts_with_dates
from transforms.metadata.asides import Asides
from transforms.metadata.authors import squashed
from transforms.metadata.dates import DateReader
from transforms.metadata.json_ld import Thing, text_of, things
from transforms.metadata.meta_names import SITES

_ENGLISH = re.compile(rb"en(?:[-_]us)?", re.IGNORECASE)
_BEFORE, _AFTER = 60, 160
_REACH = 600
_PLAIN_HOST = re.compile(r"https?://([a-zA-Z0-9.-]++)(?::[0-9]*+)?(?:[/?#]|\Z)")
"""The host of most addresses: parting one in general takes many times as long."""

_SHARED = 8
"""Characters that a heading shares with the title at least."""


@dataclass(frozen=True, kw_only=True)
class Facts:
    """What a page says: its tags that may hold metadata, its JSON-LD, articles first, what reads dates."""

    page: PageReading
    places: Places
    things: tuple[Thing, ...]
    url: str | None
    dates: DateReader

    @staticmethod
    def of(markup: Markup, *, url: str | None, last: date | None) -> "Facts":
        """Gather the facts of a page that is from `url`; `last` is the last day that its dates may have."""
        page, places = markup.reading, Places(markup)
        # 3/5/2024 is the fifth of March in English as in America.
        dates = DateReader(last, _ENGLISH.fullmatch(places.language.strip()) is not None)
        return Facts(page=page, places=places, things=things(page.source), url=url, dates=dates)

    @cached_property
    def base(self) -> str | None:
        """What its addresses are relative to."""
        try:
            return urljoin(self.url or "", self.places.base or "") or None
        except ValueError:
            return self.url

    def meta(self, name: str) -> str | None:
        """The first content of `<meta>` of this name."""
        contents = self.places.metas.get(name)
        return contents[0] if contents else None

    def contents(self, names: Mapping[str, int]) -> list[str]:
        """The contents of `<meta>` of these names, in the order of the names."""
        return [content for contents in self.contents_by_name(names) for content in contents]

    def contents_by_name(self, names: Mapping[str, int]) -> list[list[str]]:
        """The same, those of each name by themselves."""
        metas = self.places.metas
        return [metas[name] for name in sorted(metas.keys() & names.keys(), key=names.__getitem__)]

    def text_of(self, tag: int) -> str:
        """The text of the element that a tag starts, blanks collapsed; its beginning, if it is long."""
        return element_text(self.page, tag)

    @cached_property
    def headline(self) -> int | None:
        """The start tag of its headline: the heading that shares most with its title; else its first `h1`."""
        titles = (self.page.title, *self.places.metas.get("og:title", ()))
        headings, most = self.places.headings, _SHARED - 1
        names = [name for title in titles if title and len(name := title.casefold()) > most]
        best = next(iter(headings), None)
        for tag in headings if names else ():
            text = self.text_of(tag).casefold()
            for name in names:
                if most < len(text) and most < len(name) and (text in name or name in text):
                    best, most = tag, min(len(text), len(name))
            names = [name for name in names if len(name) > most]
            if not names:
                break
        return best

    @cached_property
    def dated_texts(self) -> list[tuple[int, int, str, str]]:
        """The texts after the headline that may hold a date, as `texts_with_dates` gives them."""
        return texts_with_dates(self.page, self.headline or 0, _REACH)

    @property
    def around(self) -> tuple[int, int]:
        """The tags [first, last) around the headline; the first of the page if absent."""
        at = self.headline or 0
        return max(at - _BEFORE, 0), at + _AFTER

    @cached_property
    def _asides(self) -> Asides:
        return Asides(self.page, self.places, self.headline or 0)

    def is_aside(self, tag: int) -> bool:
        """Whether a tag is in a comment, a quote, a sidebar, or in what is related: not the page's own."""
        return self._asides.hold(tag)

    @property
    def site_names(self) -> frozenset[str]:
        """The names of its site, as `squashed` writes them: not an author's."""
        names = set(self.contents(SITES))
        names |= {text_of(thing.values.get("publisher"), keys=("name",)) or "" for thing in self.things}
        host = _host(self.url)
        names |= {host, host.removeprefix("www."), *host.split(".")[:-1]}
        return frozenset(map(squashed, names))

    def anchors_to_licences(self) -> list[str]:
        """Where links lead that are marked as the page's licence, or to Creative Commons from its end."""
        attributes = self.places.attributes
        found = []
        for tag in self.places.to_licences:
            given = attributes(tag)
            if b"license" in given[b"rel"].lower().split() and (href := given.get(b"href")):
                found.append(rendered(href))
        return [*found, *(rendered(attributes(tag)[b"href"]) for tag in self.places.to_commons)]


def _host(url: str | None) -> str:
    if plain := _PLAIN_HOST.match(url or ""):
        return plain[1].lower()
    try:
        return (urlsplit(url or "").hostname) or ""
    except ValueError:
        return ""
