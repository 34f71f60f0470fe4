"""Where pages say something of themselves, tag by tag: what `metadata._places` and `_texts` are held to."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tests.oracles.attributes import attributes
from transforms.extractors.html._tags import key
from transforms.extractors.html._text import rendered
from transforms.extractors.html.reading import PageReading
from transforms.metadata._places import MOST_FINDS, MOST_MARKED, MOST_METAS
from transforms.metadata.meta_names import ALL

_DATES = re.compile(rb"date|datum|data|fech|publi|posted|byline|time|created|meta|info|authored")
_AUTHORS = re.compile(
    rb"byline|by-line|author|autor|auteur|postedby|posted-b|written|writer|creator|journali"
)
_LINKS = re.compile(rb"canonica|licen")

Found = dict[str, object]


def places(page: PageReading) -> Found:
    """Find what `Places` has, by its names."""
    tags = list(_tags(page))
    starts = [tag for tag in tags if not tag.is_end]
    items = [tag for tag in starts if b"itemprop" in tag.given][:MOST_FINDS]
    headings = [[tag.number for tag in starts if tag.name == key(name)][:8] for name in ("h1", "h2")]
    base = next((tag.given.get(b"href", b"") for tag in tags if tag.name == key("base")), b"")
    language = next((tag.given.get(b"lang", b"") for tag in starts if tag.name == key("html")), b"")
    late = 3 * len(page.source.html)
    return {
        "metas": _metas([tag for tag in tags if tag.name == key("meta")][:MOST_METAS]),
        "links": _links([tag for tag in tags if tag.name == key("link")][:MOST_METAS]),
        "base": rendered(base) or None,
        "language": language,
        "times": [tag.number for tag in starts if tag.name == key("time")][:MOST_FINDS],
        "headings": headings[0] + headings[1],
        "published": [tag.number for tag in items if b"datepubl" in tag.value(b"itemprop")],
        "modified": [tag.number for tag in items if b"datemodi" in tag.value(b"itemprop")],
        "authored": [tag.number for tag in items if _AUTHORS.search(tag.value(b"itemprop"))],
        "by_authors": [tag.number for tag in starts if _AUTHORS.search(tag.value(b"rel"))][:MOST_FINDS],
        "to_licences": [tag.number for tag in starts if b"licen" in tag.value(b"rel")][:MOST_FINDS],
        "to_commons": [
            tag.number
            for tag in starts
            if b"creativecommons.org/" in tag.given.get(b"href", b"") and 4 * tag.start >= late
        ][:MOST_FINDS],
        "dated": [
            tag.number
            for tag in starts
            if any(_DATES.search(tag.value(name)) for name in (b"class", b"id", b"property"))
            or (tag in items and _DATES.search(tag.value(b"itemprop")))
        ][:MOST_MARKED],
        "signed": [
            tag.number
            for tag in starts
            if any(_AUTHORS.search(tag.value(name)) for name in (b"class", b"id"))
        ][:MOST_MARKED],
    }


class _Tag:
    """A tag of a page with its attributes."""

    def __init__(self, page: PageReading, number: int) -> None:
        self.number = number
        self.start = int(page.tags.starts[number])
        self.name = int(page.tags.keys[number])
        self.is_end = bool(page.tags.ends[number])
        self.given = attributes(page.source.html[self.start : int(page.tags.stops[number])])

    def value(self, name: bytes) -> bytes:
        """The value of an attribute, letters in lower case."""
        return bytes(byte | 0x20 for byte in self.given.get(name, b""))


def _tags(page: PageReading) -> Iterator[_Tag]:
    return (_Tag(page, number) for number in range(page.tags.count))


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


def texts_after(page: PageReading, first: int, most: int) -> list[str]:
    """Read the texts after tags, 600 bytes of each, blank ones left out."""
    return [text for piece in _pieces(page, first, first + most) if (text := rendered(piece))]


def element_text(page: PageReading, tag: int) -> str:
    """Read the text of an element, up to 24 tags after its own."""
    keys, ends = page.tags.keys, page.tags.ends
    depth, stop = 1, tag + 1
    while stop <= min(tag + 24, page.tags.count - 1):
        if keys[stop] == keys[tag]:
            depth += -1 if ends[stop] else 1
            if not depth:
                break
        stop += 1
    return rendered(b" ".join(_pieces(page, tag, stop)))[:600]


def _pieces(page: PageReading, first: int, last: int) -> Iterator[bytes]:
    html, starts, stops = page.source.html, page.tags.starts.tolist(), page.tags.stops.tolist()
    for tag in range(first, min(last, len(stops))):
        piece = html[stops[tag] : starts[tag + 1] if tag + 1 < len(starts) else len(html)]
        yield piece if len(piece) <= 600 else piece[:600].decode("utf-8", "ignore").encode()
