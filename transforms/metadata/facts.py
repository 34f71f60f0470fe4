"""What a page's markup says, gathered once for all that is looked for."""

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
from cedar.transforms.metadata._places import MOST_FINDS, Places
from cedar.transforms.metadata._texts import element_stop, element_text, texts_with_dates
from cedar.transforms.metadata.dates import DateReader
from cedar.transforms.metadata.json_ld import Thing, things

_ENGLISH = re.compile(rb"en(?:[-_]us)?", re.IGNORECASE)
_BEFORE, _AFTER = 60, 160
_REACH = 600

_WHOLE = frozenset(map(key, ("html", "body", "main")))
_QUOTE = key("blockquote")
_ASIDE = re.compile(
    rb"(?:^|[\s_-])(?:comments?|commentlist)(?=$|[\s_-](?!open|closed|enabled|disabled|off\b))"
    rb"|(?:^|[\s_-])(?:related|recommend(?:ed|ations?)?|(?:pull|block)?quotes?)(?=$|[\s_-])"
    rb"|(?:^|\s)sidebar(?=$|[\s_-])|[^_-][_-]sidebar(?=$|\s)"
)
_NO_ASIDE = re.compile(
    rb"(?:^|[\s_-])(?:has|with|no|without)[_-](?:comments?|related|sidebar|quotes?)(?=$|[\s_-])"
)


class Asides:
    """Tags of comments, quotes, sidebars and related things, found as far as they are asked for."""

    def __init__(self, page: PageReading, places: Places, headline: int) -> None:
        self._page, self._places, self._headline = page, places, headline
        self._starts: list[int] = []  # ascending, and apart
        self._stops: list[int] = []
        self._known: dict[bytes, bool] = {}  # pages repeat their classes
        self._seen, self._left = 0, MOST_FINDS

    def hold(self, tag: int) -> bool:
        """Tell whether a tag is in one of them."""
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
        name = int(self._page.tags.keys[tag])
        if name in _WHOLE or name == _QUOTE:
            return name == _QUOTE
        words = self._places.marks(tag, 3)
        if words not in self._known:
            self._known[words] = _ASIDE.search(_NO_ASIDE.sub(b" ", words)) is not None
        return self._known[words]


@dataclass(frozen=True, kw_only=True)
class Facts:
    """What a page says: its tags that may hold metadata, its JSON-LD, articles first, what reads dates."""

    page: PageReading
    found: Headline
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
        return Facts(
            page=page,
            found=headline_of(markup),
            places=places,
            things=things(page.source),
            url=url,
            dates=dates,
        )

    @cached_property
    def base(self) -> str:
        """What its addresses are relative to; "" if neither its URL nor its `<base>` says it."""
        return base_address(self.url or "", self.places.base or "")

    def meta(self, name: str) -> str | None:
        """Return the first content of `<meta>` of this name."""
        contents = self.places.metas.get(name)
        return contents[0] if contents else None

    def contents(self, names: Mapping[str, int]) -> list[str]:
        """Return the contents of `<meta>` of these names, in the order of the names."""
        return [content for contents in self.contents_by_name(names) for content in contents]

    def contents_by_name(self, names: Mapping[str, int]) -> list[list[str]]:
        """Return the same, those of each name by themselves."""
        metas = self.places.metas
        return [metas[name] for name in sorted(metas.keys() & names.keys(), key=names.__getitem__)]

    def text_of(self, tag: int) -> str:
        """Read the text of the element that a tag starts, blanks collapsed; its beginning, if it is long."""
        return element_text(self.page, tag)

    @property
    def headline(self) -> int | None:
        """The tag before its headline; without one, its first `h1` or else its first `h2`."""
        if self.found.text is not None:
            return self.found.first
        return next(iter(self.places.headings), None)

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
        """Tell whether a tag is in a comment, a quote, a sidebar, or what is related: not the page's own."""
        return self._asides.hold(tag)

    def anchors_to_licences(self) -> list[str]:
        """Find where links lead that are marked as its licence, or to Creative Commons from its end."""
        attributes = self.places.attributes
        found = []
        for tag in self.places.to_licences:
            given = attributes(tag)
            if b"license" in given[b"rel"].lower().split() and (href := given.get(b"href")):
                found.append(rendered(href))
        return [*found, *(rendered(attributes(tag)[b"href"]) for tag in self.places.to_commons)]
