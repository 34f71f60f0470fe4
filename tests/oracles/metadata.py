"""Where pages say something of themselves, tag by tag: what `metadata._places` and `_texts` are held to."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cedar.transforms.metadata._places import MAX_FINDS, MAX_METAS
from cedar.transforms.metadata.meta_names import ALL
from tests.oracles import line_methods
from tests.oracles.attributes import attributes
from tests.oracles.markup import Markup, Tag

_DATES = re.compile(
    rb"date|datum|data(?![A-Za-z0-9_])|fech|publi|posted|byline|time|created|meta|info|authored"
)
_AUTHORS = re.compile(
    rb"byline|by-line|author|autor|auteur|postedby|posted-b|written|writer|creator|journali"
)
_ASIDES = re.compile(
    rb"comment|related|recommen|sidebar|quote|discussi|response|replies|teaser|widget|card|footer"
    rb"|caption|hentry|weather"
)
_CHANGED = re.compile(rb"updat|modif")
_OTHERS = re.compile(rb"modif|updat|comment|related|sidebar|widget|footer|expire|event|copyrigh")
_THINGS = re.compile(rb"article|entry|post|news|page|story|publi|blog|asset|pubdate")
_EMPTY = frozenset(
    name[:8]
    for name in [
        "area",
        "base",
        "br",
        "col",
        "embed",
        "hr",
        "img",
        "input",
        "link",
        "meta",
        "param",
        "source",
        "track",
        "wbr",
    ]
)
_LINKS = re.compile(rb"canonica|licen")

Found = dict[str, object]


def places(page: Markup) -> Found:
    """Find what `Places` has, by its names."""
    tags = list(_tags(page))
    starts = [tag for tag in tags if not tag.is_end]
    items = [
        tag for tag in starts if tag.name not in _EMPTY or (tag.name == "meta" and tag.value(b"itemprop"))
    ]
    headings = [[tag.number for tag in starts if tag.name == name][:8] for name in ("h1", "h2")]
    base = next((tag.given.get(b"href", b"") for tag in tags if tag.name == "base"), b"")
    language = next((tag.given.get(b"lang", b"") for tag in starts if tag.name == "html"), b"")
    late = 3 * len(page.html)
    return {
        "metas": _metas([tag for tag in tags if tag.name == "meta"][:MAX_METAS]),
        "links": _links([tag for tag in tags if tag.name == "link"][:MAX_METAS]),
        "base": rendered(base) or None,
        "language": language,
        "times": [tag.number for tag in starts if tag.name == "time"][:MAX_FINDS],
        "headings": headings[0] + headings[1],
        "published": [tag.number for tag in items if b"datepubl" in tag.value(b"itemprop")][:MAX_FINDS],
        "modified": [tag.number for tag in items if b"datemodi" in tag.value(b"itemprop")][:MAX_FINDS],
        "authored": [tag.number for tag in items if _AUTHORS.search(tag.value(b"itemprop"))][:MAX_FINDS],
        "by_authors": [tag.number for tag in items if _AUTHORS.search(tag.value(b"rel"))][:MAX_FINDS],
        "to_licences": [tag.number for tag in items if b"licen" in tag.value(b"rel")][:MAX_FINDS],
        "to_commons": [
            tag.number
            for tag in starts
            if b"creativecommons.org/" in tag.given.get(b"href", b"") and 4 * tag.start >= late
        ][:MAX_FINDS],
    }


def marked(page: Markup, first: int, last: int) -> Found:
    """Find what `Places.marked` finds in [first, last), by what is asked for."""
    tags = [tag for tag in _tags(page) if first <= tag.number < last and not tag.is_end]

    def said(words: re.Pattern[bytes], *names: bytes) -> list[int]:
        return [tag.number for tag in tags if any(words.search(tag.value(name)) for name in names)]

    names = (b"class", b"id", b"itemprop", b"property")
    others = set(said(_OTHERS, *names))
    dates = [tag for tag in said(_DATES, *names) if tag not in others]
    things = set(said(_THINGS, *names))
    return {
        "dates": dates,
        "things": [tag for tag in dates if tag in things],
        "authors": said(_AUTHORS, b"class", b"id"),
        "changes": said(_CHANGED, b"class", b"id"),
    }


def asides(page: Markup) -> list[int]:
    """Find what `Places.asides` finds."""
    names = (b"class", b"id", b"itemprop")
    starts = [tag for tag in _tags(page) if not tag.is_end]
    return [
        tag.number
        for tag in starts
        if tag.name not in _EMPTY
        and (tag.name in ("blockquo", "nav") or any(_ASIDES.search(tag.value(name)) for name in names))
    ]


class _Tag:
    """A tag of a page with its attributes."""

    def __init__(self, page: Markup, number: int, tag: Tag) -> None:
        self.number, self.start, self.name, self.is_end = number, tag.start, tag.name, tag.is_end
        self.given = attributes(page.html[tag.start : tag.stop])

    def value(self, name: bytes) -> bytes:
        """The value of an attribute, letters in lower case."""
        return self.given.get(name, b"").lower()


def _tags(page: Markup) -> Iterator[_Tag]:
    return (_Tag(page, number, tag) for number, tag in enumerate(page.tags))


def rendered(text: bytes) -> str:
    """Text as it reads in the output."""
    return line_methods.rendered(text.decode())


def _metas(tags: list[_Tag]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for tag in tags:
        content = rendered(tag.given.get(b"content") or tag.given.get(b"value") or b"")
        names = [tag.given.get(name) for name in (b"property", b"name", b"itemprop", b"http-equiv")]
        named = next((name for name in names if name), b"").decode("utf-8", "replace").strip().lower()
        if content and named in ALL:
            found.setdefault(named, []).append(content)
    return found


def _links(tags: list[_Tag]) -> list[tuple[str, str]]:
    return [
        (tag.given[b"rel"].decode("utf-8", "replace").lower(), rendered(href))
        for tag in tags
        if _LINKS.search(tag.value(b"rel")) and (href := tag.given.get(b"href"))
    ]


def texts_after(page: Markup, first: int, most: int) -> list[str]:
    """Read the texts after tags, 600 bytes of each, blank ones left out."""
    return [text for piece in _pieces(page, first, first + most) if (text := rendered(piece))]


def element_text(page: Markup, tag: int) -> str:
    """Read the text of an element, up to 24 tags after its own."""
    tags = page.tags
    depth, stop = 1, tag + 1
    while stop <= min(tag + 24, len(tags) - 1):
        if tags[stop].name == tags[tag].name:
            depth += -1 if tags[stop].is_end else 1
            if not depth:
                break
        stop += 1
    return rendered(b" ".join(_pieces(page, tag, stop)))[:600]


def element_stop(page: Markup, tag: int) -> int:
    """Find the tag that ends an element."""
    depth = 1
    for stop in range(tag + 1, len(page.tags)):
        if page.tags[stop].name == page.tags[tag].name:
            depth += -1 if page.tags[stop].is_end or page.tags[tag].name in ("a", "p") else 1
        if not depth:
            return stop
    return len(page.tags)


def _pieces(page: Markup, first: int, last: int) -> Iterator[bytes]:
    html, tags = page.html, page.tags
    for tag in range(first, min(last, len(tags))):
        piece = html[tags[tag].stop : tags[tag + 1].start if tag + 1 < len(tags) else len(html)]
        yield piece if len(piece) <= 600 else piece[:600].decode("utf-8", "ignore").encode()
