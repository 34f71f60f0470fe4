"""Read the JSON-LD of a page: its article, and other things (schema.org)."""

import json
import re
from collections.abc import Iterator, Mapping
from operator import itemgetter
from typing import NamedTuple

from cedar.transforms.extractors.html._attributes import attributes
from cedar.transforms.extractors.html._source import Source
from cedar.transforms.metadata._things import MAX_NODES, things_in

MAX_SCRIPTS = 64
MAX_BYTES = 256 << 10
MAX_PEOPLE = 50

_BY_ID = ("author", "creator", "publisher")

_HOST = re.compile(r"^(?:https?:)?//[^/?#]*")
_MAX_TITLE = 500
_WORD = re.compile(r"[\u3040-\u9fff]|[^\W_]+")
_DECODER = json.JSONDecoder(strict=False)
_SCRIPT_END = re.compile(rb"</script(?=[\t\n\f\r />])", re.IGNORECASE)
_BROKEN = {
    "datePublished": re.compile(rb'"datePublished"\s{0,9}:\s{0,9}"([^"\\]{8,40})"'),
    "dateModified": re.compile(rb'"dateModified"\s{0,9}:\s{0,9}"([^"\\]{8,40})"'),
    "author": re.compile(
        rb'"author"\s{0,9}:\s{0,9}[\[{\s]{0,40}(?:"@type"\s{0,9}:\s{0,9}"Person"\s{0,9},\s{0,40})?'
        rb'(?:"name"\s{0,9}:\s{0,9})?"([^"\\]{2,80})"'
    ),
}


class Thing(NamedTuple):
    """A thing of a page's JSON-LD, with its properties: an article or the like, or the page around one."""

    is_article: bool
    values: Mapping[str, object]

    @property
    def author(self) -> object:
        """The value of `author`, or else of `creator`."""
        return self.values.get("author") or self.values.get("creator")

    @property
    def is_web_page(self) -> bool:
        """Whether it is a page, and not a product, a book or an event on one."""
        return "webpage" in str(self.values.get("@type", "")).lower()

    @property
    def is_video(self) -> bool:
        """Whether it is a video, which pages on other things have, too."""
        return "videoobject" in str(self.values.get("@type", "")).lower()

    @property
    def is_offer(self) -> bool:
        """Whether it is a product or an event, whose dates are those of its sale or of its beginning."""
        kind = str(self.values.get("@type", "")).lower()
        return "product" in kind or "event" in kind

    def text(self, name: str) -> str | None:
        """Return a property that is a text, or the name, or the address, of a thing."""
        return text_of(self.values.get(name))


def text_of(value: object, *, keys: tuple[str, ...] = ("name", "@id", "url")) -> str | None:
    """Return a text, the first of a list, or one of the properties of a thing."""
    for _ in range(4):
        if value is None or isinstance(value, str):
            break
        if isinstance(value, list):
            value = value[0] if value else None
        elif isinstance(value, dict):
            value = next((value[key] for key in keys if value.get(key)), None)
    return value if isinstance(value, str) and value.strip() else None


def names_of(value: object) -> list[tuple[str, bool]]:
    """Return the names in the value of `author`, and whether each is of an organisation."""
    names: list[tuple[str, bool]] = []
    for person in (value if isinstance(value, list) else [value])[:MAX_PEOPLE]:
        if isinstance(person, str):
            names.append((person, False))
        elif isinstance(person, dict):
            kind = str(person.get("@type", "")).lower()
            inner = person.get("name") or _joined(person.get("givenName"), person.get("familyName"))
            for name in inner[:20] if isinstance(inner, list) else [inner]:
                names += ((name, "organization" in kind),) if isinstance(name, str) else ()
    return names


def _joined(given: object, family: object) -> str | None:
    return f"{given} {family}" if isinstance(given, str) and isinstance(family, str) else None


def things(source: Source) -> tuple[Thing, ...]:
    """Return the things of a page's JSON-LD, articles first, otherwise in order.

    A reference by `@id` to a person or a publisher is replaced by the thing with this `@id`.
    """
    found: list[tuple[bool, dict[str, object]]] = []
    named: dict[str, dict[str, object]] = {}
    for number, script in enumerate(scripts(source)):
        if number == MAX_SCRIPTS or len(found) >= MAX_NODES:
            break
        try:
            parsed = _DECODER.decode(script.decode("utf-8", "replace").strip().rstrip(";"))
        except (ValueError, RecursionError):
            values: dict[str, object] = {
                name: match[1].decode("utf-8", "replace")
                for name, pattern in _BROKEN.items()
                if (match := pattern.search(script))
            }
            found.append((True, values))
        else:
            found += things_in(parsed, named)
    found.sort(key=itemgetter(0), reverse=True)
    return tuple(Thing(is_article, _with_named(values, named)) for is_article, values in found)


def own_things(found: tuple[Thing, ...], *, titles: list[str], addresses: list[str]) -> tuple[Thing, ...]:
    """Put the articles with one of the page's titles or addresses first; leave out other pages' articles.

    `found` has articles first. One is of another page if it has a headline and an address, and neither is
    the page's. A video is in the page of another thing if its name is not the page's.
    """
    if not found or not found[0].is_article:
        return found
    is_only = len(found) == 1 or not found[1].is_article
    if is_only and not (titles and addresses):
        return found
    words, paths = [_words(own) for own in dict.fromkeys(titles)], {_path(address) for address in addresses}
    own: list[Thing] = []
    unknown: list[Thing] = []
    rest: list[Thing] = []
    for thing in found:
        if not thing.is_article:
            rest.append(thing)
            continue
        title = thing.text("headline") or thing.text("name") or ""
        main = text_of(thing.values.get("mainEntityOfPage"), keys=("@id", "url"))
        stated = [address for address in (main, thing.text("url")) if address]
        if is_only and not (title and (stated or thing.is_video)):
            unknown.append(thing)
        elif _is_title(title, titles, words) or not paths.isdisjoint(map(_path, stated)):
            own.append(thing)
        elif not (title and titles and (thing.is_video or (stated and addresses))):
            unknown.append(thing)
    return (*own, *unknown, *rest)


def _is_title(title: str, titles: list[str], words_of_titles: list[frozenset[str]]) -> bool:
    """Tell whether a title is in one of some others, or half of the words of the shorter one are the same."""
    if not title or any(title in other for other in titles):
        return bool(title)
    words = _words(title)
    return any(2 * len(words & other) >= min(len(words), len(other)) > 0 for other in words_of_titles)


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text[:_MAX_TITLE].casefold()))


def _path(address: str) -> str:
    """Return the path and the query of an address, without the last slash: two hosts may have one page."""
    return _HOST.sub("", address.strip().partition("#")[0], 1).rstrip("/")


def _with_named(values: dict[str, object], named: Mapping[str, dict[str, object]]) -> Mapping[str, object]:
    """Return the properties of a thing; people and publishers that are an `@id` are looked up."""
    properties: dict[str, object] = {}
    for name in _BY_ID:
        value = values.get(name)
        if isinstance(value, list):
            properties[name] = [_named(each, named) for each in value[:MAX_PEOPLE]]
        elif isinstance(value, dict):
            properties[name] = _named(value, named)
    return {**values, **properties} if properties else values


def _named(value: object, named: Mapping[str, dict[str, object]]) -> object:
    """Follow a reference by `@id` if it has no name itself; once, so that no circle can form."""
    if not isinstance(value, dict) or value.get("name"):
        return value
    return named.get(str(value.get("@id")), value)


def scripts(source: Source) -> Iterator[bytes]:
    """Yield the contents of a page's scripts of JSON-LD that have at most `MAX_BYTES`."""
    html = source.original
    for start, stop, _ in source.noted:
        opened = html.find(b">", start, stop)
        # The script's end tag, if it has one, is the last thing in it: a search from its start would be long.
        closed = _SCRIPT_END.search(html, html.rfind(b"</", start, stop), stop)
        end = closed.start() if closed else stop
        if 0 <= opened < end <= opened + MAX_BYTES:
            kind = attributes(html, start, opened + 1).get(b"type", b"").lower()
            if kind.strip().startswith(b"application/ld+json"):
                yield html[opened + 1 : end]
