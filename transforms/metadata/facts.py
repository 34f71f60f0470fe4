"""What a page's markup says, gathered once for all that is looked for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from urllib.parse import urljoin, urlsplit

from transforms.extractors.html._text import rendered
from transforms.metadata.authors import squashed
from transforms.metadata.dates import DateReader
from transforms.metadata.json_ld import Thing, text_of
from transforms.metadata.markup import PageMarkup

_ENGLISH = re.compile(rb"en(?:[-_]us)?", re.IGNORECASE)
_BEFORE, _AFTER = 60, 160
_SHARED = 8
"""Characters that a heading shares with the title at least."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What a page says.

    Attributes:
        markup: its tags.
        metas: the contents of `<meta>` by name.
        things: its JSON-LD, articles first.
        links: `rel` and `href` of each `<link>`.
        url: where it is from.
        base: what its addresses are relative to.
        headline: the start tag of its headline; None if there is none.
        dates: reads its dates.
    """

    markup: PageMarkup
    metas: Mapping[str, list[str]]
    things: tuple[Thing, ...]
    links: tuple[tuple[str, str], ...]
    url: str | None
    base: str | None
    headline: int | None
    dates: DateReader

    @staticmethod
    def of(
        markup: PageMarkup,
        metas: Mapping[str, list[str]],
        things: tuple[Thing, ...],
        *,
        url: str | None,
        last: date | None,
    ) -> Facts:
        """Gather the facts of a page.

        Args:
            markup: the page.
            metas: its `<meta>`.
            things: its JSON-LD.
            url: where it is from.
            last: the last day that its dates may have.
        """
        try:
            base = urljoin(url or "", markup.base() or "") or None
        except ValueError:
            base = url
        return Facts(
            markup=markup,
            metas=metas,
            things=things,
            links=tuple(markup.links()),
            url=url,
            base=base,
            headline=_headline(markup, metas.get("og:title", [])),
            dates=DateReader(last, _month_first(markup)),
        )

    def meta(self, name: str) -> str | None:
        """The first content of this name."""
        return next(iter(self.metas.get(name, ())), None)

    def contents(self, names: Iterable[str]) -> list[str]:
        """The contents of these names, in the order of the names."""
        return [content for name in names for content in self.metas.get(name, ())]

    @property
    def around(self) -> tuple[int, int]:
        """The tags [first, last) around the headline; the first of the page, where there is none."""
        at = self.headline or 0
        return max(at - _BEFORE, 0), at + _AFTER

    @property
    def site_names(self) -> frozenset[str]:
        """The names of its site, as `squashed` writes them: nobody's."""
        names = [
            *self.contents(("og:site_name", "application-name", "twitter:site", "dc.publisher", "publisher"))
        ]
        names += [
            name for thing in self.things if (name := text_of(thing.values.get("publisher"), keys=("name",)))
        ]
        host = _host(self.url)
        names += [host, host.removeprefix("www."), *host.split(".")[:-1]]
        return frozenset(map(squashed, names))

    def anchors_to_licences(self) -> list[str]:
        """Where links lead that are marked as the page's licence, or to Creative Commons from its end."""
        html, found = self.markup.source.html, []
        for word in (b"license", b"creativecommons.org/"):
            for tag in self.markup.with_word(word):
                given = self.markup.attributes(tag)
                marked = b"license" in given.get(b"rel", b"").lower().split()
                if (href := given.get(b"href")) and (
                    marked or (word != b"license" and int(self.markup.tags.starts[tag]) * 4 >= len(html) * 3)
                ):
                    found.append(rendered(href))
        return found


def _host(url: str | None) -> str:
    try:
        return (urlsplit(url or "").hostname) or ""
    except ValueError:
        return ""


def _headline(markup: PageMarkup, titles: list[str]) -> int | None:
    """The heading that shares most with the page's title; else its first `h1`."""
    names = [name.casefold() for name in (markup.page.title, *titles) if name]
    headings = markup.headings()
    shared = []
    for tag in headings:
        text = markup.text_of(tag).casefold()
        shared.append(max((min(len(text), len(n)) for n in names if text in n or n in text), default=0))
    most = max(shared, default=0)
    if most >= _SHARED:
        return headings[shared.index(most)]
    return headings[0] if headings else None


def _month_first(markup: PageMarkup) -> bool:
    """Whether the page is in English as in America, by its `lang`."""
    tag = markup.tags.first("html")
    language = markup.attributes(tag).get(b"lang", b"") if tag >= 0 else b""
    return bool(_ENGLISH.fullmatch(language.strip()))
