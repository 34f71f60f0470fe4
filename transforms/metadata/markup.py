"""A page's markup as metadata are read from it: meta, links, and the tags around its headline."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from transforms.extractors.html._attributes import attributes, telling
from transforms.extractors.html._source import Source
from transforms.extractors.html._tags import Tags, key
from transforms.extractors.html._text import rendered
from transforms.extractors.html.reading import PageReading

MOST_METAS = 500
MOST_FINDS = 200
_PIECES = 24
_BYTES = 600

_META, _LINK, _TIME, _BASE, _A = (np.uint64(key(name)) for name in ("meta", "link", "time", "base", "a"))
_HEADINGS = tuple(np.uint64(key(name)) for name in ("h1", "h2"))


@dataclass(frozen=True, slots=True)
class PageMarkup:
    """A page's tags, and what stands between them.

    Attributes:
        page: the page as it was read.
    """

    page: PageReading

    @property
    def source(self) -> Source:
        """The page without comments, scripts and styles."""
        return self.page.source

    @property
    def tags(self) -> Tags:
        """Its tags."""
        return self.page.tags

    def attributes(self, tag: int) -> Mapping[bytes, bytes]:
        """The attributes of a tag."""
        return attributes(self.source.html, int(self.tags.starts[tag]), int(self.tags.stops[tag]))

    def metas(self) -> dict[str, list[str]]:
        """The contents of `<meta>` by name, property or itemprop in lower case; in order, none empty."""
        found: dict[str, list[str]] = {}
        for tag in np.flatnonzero(self.tags.keys == _META)[:MOST_METAS].tolist():
            given = self.attributes(tag)
            content = given.get(b"content") or given.get(b"value")
            if not content:
                continue
            for name in (b"property", b"name", b"itemprop", b"http-equiv"):
                named = given.get(name)
                if named and (text := rendered(content)):
                    found.setdefault(named.decode("utf-8", "replace").strip().lower(), []).append(text)
                    break
        return found

    def links(self) -> Iterator[tuple[str, str]]:
        """The `rel` (lower case) and `href` of each `<link>`."""
        for tag in np.flatnonzero(self.tags.keys == _LINK)[:MOST_METAS].tolist():
            given = self.attributes(tag)
            if (rel := given.get(b"rel")) and (href := given.get(b"href")):
                yield rel.decode("utf-8", "replace").lower(), rendered(href)

    def base(self) -> str | None:
        """The `href` of the first `<base>`."""
        for tag in np.flatnonzero(self.tags.keys == _BASE)[:1].tolist():
            if href := self.attributes(tag).get(b"href"):
                return rendered(href)
        return None

    def times(self) -> list[int]:
        """The start tags of `<time>`."""
        return self._starts(_TIME)

    def with_word(self, word: bytes) -> list[int]:
        """The start tags in which a word stands, at most `MOST_FINDS`, in order."""
        html, starts, stops = self.source.html, self.tags.starts, self.tags.stops
        found: list[int] = []
        position = html.find(word)
        while position >= 0 and len(found) < MOST_FINDS:
            tag = int(starts.searchsorted(position, "right")) - 1
            if tag >= 0 and position < stops[tag]:
                if not self.tags.ends[tag] and (not found or found[-1] != tag):
                    found.append(tag)
                position = int(stops[tag])
            position = html.find(word, position + 1)
        return found

    def telling(self, first: int, last: int) -> list[int]:
        """The start tags among [first, last) that speak of dates or authors."""
        return telling(self.source.html, self.tags, first, last)

    def headings(self) -> list[int]:
        """The start tags of `h1`, then those of `h2`, few of each."""
        return [tag for key in _HEADINGS for tag in self._starts(key)[:8]]

    def text_of(self, tag: int) -> str:
        """The text of the element that a tag starts, blanks collapsed; its beginning, if it is long."""
        keys, ends = self.tags.keys, self.tags.ends
        depth, last = 1, min(tag + _PIECES, self.tags.count - 1)
        stop = tag + 1
        while stop <= last:
            if keys[stop] == keys[tag]:
                depth += -1 if ends[stop] else 1
                if not depth:
                    break
            stop += 1
        return rendered(b" ".join(text for text in self._pieces(tag, stop)))[:_BYTES]

    def pieces_after(self, tag: int, most: int) -> list[str]:
        """The texts between the tags after a tag, blanks collapsed, none empty; of `most` tags."""
        return [text for piece in self._pieces(tag, tag + most) if (text := rendered(piece))]

    def _pieces(self, first: int, last: int) -> list[bytes]:
        """What stands after each of the tags [first, last), up to the next, blank ones left out."""
        return self.tags.texts(self.source.html, first, last, _BYTES)

    def _starts(self, name: np.uint64) -> list[int]:
        marked = (self.tags.keys == name) & ~self.tags.ends
        return [int(tag) for tag in np.flatnonzero(marked)[:MOST_FINDS]]
