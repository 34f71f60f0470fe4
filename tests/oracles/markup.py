"""A page's markup by the plain reading of `line_methods`: what is left of it, its tags, its title."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tests.oracles import line_methods
from tests.oracles.attributes import attributes

_TITLE_END = re.compile(rb"</title[\t\n\f\r />]", re.IGNORECASE)


@dataclass(frozen=True)
class Tag:
    """A tag: its bytes [start, stop), the first eight bytes of its name, and its kind."""

    start: int
    stop: int
    name: str
    is_end: bool
    parts_blocks: bool

    @property
    def key(self) -> int:
        """The name as a number, its first letter the lowest byte."""
        return int.from_bytes(self.name.encode("latin-1"), "little")


@dataclass(frozen=True)
class Markup:
    """A page without comments, scripts and styles, its tags in order, and its title."""

    html: bytes
    tags: list[Tag]
    title: str | None


def read(page: bytes) -> Markup:
    """Read a page of valid UTF-8."""
    # One character a byte: offsets are those of bytes, and nothing but ASCII counts for markup.
    given = page.decode("latin-1")
    left = "".join(given[i] for i in line_methods.visible(given))
    tags = [tag(left, start, stop) for start, stop in line_methods.visible_tags(given)]
    html = left.encode("latin-1")
    return Markup(html, tags, title(html, tags))


def tag(text: str, start: int, stop: int) -> Tag:
    """Read the tag in the characters [start, stop)."""
    written = text[start:stop]
    return Tag(start, stop, name(written), written.startswith("</"), line_methods.is_block_level(written))


def name(written: str) -> str:
    """The first eight bytes of a tag's name, letters in lower case."""
    whole = re.split("[\\x00-\\x20/>]", written[1:].removeprefix("/"), maxsplit=1)[0]
    return "".join(chr(ord(letter) | 0x20) for letter in whole[:8])


def title(html: bytes, tags: list[Tag]) -> str | None:
    """The text of the first title; else of `og:title`; else of the first heading, of its first 24 tags."""
    if written := _title(html, tags):
        return written
    for tag in [tag for tag in tags if tag.name == "meta"][:500]:
        given = attributes(html[tag.start : tag.stop])
        named = given.get(b"property") or given.get(b"name") or b""
        text = line_methods.rendered(given.get(b"content", b"").decode())
        if named.strip().lower() == b"og:title" and text:
            return text[:600]
    first = next((at for at, tag in enumerate(tags) if tag.name == "h1" and not tag.is_end), len(tags))
    last = next((at for at in range(first, len(tags)) if tags[at].name == "h1" and tags[at].is_end), first)
    pieces = [
        b" " * (tags[at].name == "br") + html[tags[at].stop : tags[at + 1].start]
        for at in range(first, min(last, first + 24))
    ]
    return line_methods.rendered(b"".join(pieces).decode())[:600].strip() or None


def _title(html: bytes, tags: list[Tag]) -> str | None:
    """The text of the first title, up to its end tag, or else to the next `<`."""
    first = next((tag for tag in tags if tag.name == "title" and not tag.is_end), None)
    if first is None:
        return None
    rest = html[first.stop :]
    end = _TITLE_END.search(rest)
    text = rest[: end.start()] if end else rest.split(b"<")[0]
    return line_methods.rendered(text.decode()) or None
