"""What JSON-LD in a page says of its article (schema.org)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from transforms.extractors.html._attributes import attributes
from transforms.extractors.html._source import Source

MOST_SCRIPTS = 64
MOST_BYTES = 256 << 10
MOST_NODES = 2000
MOST_DEPTH = 32
MOST_PEOPLE = 50

_BY_ID = ("author", "creator", "publisher")

_DECODER = json.JSONDecoder(strict=False)
_SCRIPT_END = re.compile(rb"</script(?=[\t\n\f\r />])", re.IGNORECASE)
_ARTICLES = re.compile("article|posting|report|recipe|review|podcastepisode|videoobject|scholarly")
_PAGES = re.compile("webpage|itempage|creativework|book|product|event|faqpage|aboutpage")
_OTHERS = {"organization", "person", "imageobject", "breadcrumblist", "listitem", "website", "searchaction"}
"""Most types that are neither, in lower case."""

_NESTED = (dict, list)
_APART = frozenset(
    {"comment", "review", "reviews", "isrelatedto", "relatedlink", "haspart", "mentions"}
    | {"itemlistelement", "citation", "ispartof", "video", "subjectof", "about", "author", "publisher"}
)
"""Properties whose values are other things than the page's own, in lower case."""

_BROKEN = {
    "datePublished": re.compile(rb'"datePublished"\s{0,9}:\s{0,9}"([^"\\]{8,40})"'),
    "dateModified": re.compile(rb'"dateModified"\s{0,9}:\s{0,9}"([^"\\]{8,40})"'),
    "author": re.compile(
        rb'"author"\s{0,9}:\s{0,9}[\[{\s]{0,40}(?:"@type"\s{0,9}:\s{0,9}"Person"\s{0,9},\s{0,40})?'
        rb'(?:"name"\s{0,9}:\s{0,9})?"([^"\\]{2,80})"'
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Thing:
    """A thing of a page's JSON-LD, with its properties: an article or the like, or the page around one."""

    is_article: bool
    values: Mapping[str, object]

    def text(self, name: str) -> str | None:
        """A property that is a text, or the name, or the address, of a thing."""
        return text_of(self.values.get(name))


def text_of(value: object, *, keys: tuple[str, ...] = ("name", "@id", "url")) -> str | None:
    """A text, the first of a list, or one of the properties of a thing."""
    for _ in range(4):
        if isinstance(value, list):
            value = value[0] if value else None
        elif isinstance(value, dict):
            value = next((value[key] for key in keys if value.get(key)), None)
        else:
            break
    return value if isinstance(value, str) and value.strip() else None


def names_of(value: object) -> list[tuple[str, bool]]:
    """The names in the value of `author`, and whether each is of an organisation."""
    names: list[tuple[str, bool]] = []
    for person in (value if isinstance(value, list) else [value])[:MOST_PEOPLE]:
        if isinstance(person, str):
            names.append((person, False))
        elif isinstance(person, dict):
            kind = str(person.get("@type", "")).lower()
            inner = person.get("name")
            for name in inner[:20] if isinstance(inner, list) else [inner]:
                names += ((name, "organization" in kind),) if isinstance(name, str) else ()
    return names


def things(source: Source) -> tuple[Thing, ...]:
    """The things of a page's JSON-LD, articles first, otherwise in order.

    Where people and publishers are named by their `@id`, what the page says of them elsewhere stands there.
    """
    found: list[Thing] = []
    named: dict[str, dict[str, object]] = {}
    for number, script in enumerate(scripts(source)):
        if number == MOST_SCRIPTS or len(found) >= MOST_NODES:
            break
        try:
            parsed = _DECODER.decode(script.decode("utf-8", "replace").strip().rstrip(";"))
        except (ValueError, RecursionError):
            values = {
                name: match[1].decode("utf-8", "replace")
                for name, pattern in _BROKEN.items()
                if (match := pattern.search(script))
            }
            found.append(Thing(is_article=True, values=values))
            continue
        found += _things(parsed, named)
    found.sort(key=lambda thing: not thing.is_article)
    return tuple(_with_named(thing, named) for thing in found)


def _with_named(thing: Thing, named: Mapping[str, dict[str, object]]) -> Thing:
    """A thing whose people and publishers are what their `@id` names, if that is said."""
    values = dict(thing.values)
    for name in _BY_ID:
        value = values.get(name)
        if isinstance(value, list):
            values[name] = [_named(each, named) for each in value[:MOST_PEOPLE]]
        elif value is not None:
            values[name] = _named(value, named)
    return Thing(is_article=thing.is_article, values=values)


def _named(value: object, named: Mapping[str, dict[str, object]]) -> object:
    """What a reference by `@id` names, if it says no name itself; followed once: there are no circles."""
    if not isinstance(value, dict) or value.get("name"):
        return value
    return named.get(str(value.get("@id")), value)


def scripts(source: Source) -> Iterator[bytes]:
    """The contents of a page's scripts of JSON-LD, at most `MOST_BYTES` each; longer ones are left out."""
    html = source.original
    for start, stop, _ in source.noted:
        opened = html.find(b">", start, stop)
        # The script's end tag, if it has one, is the last thing in it: a search from its start would be long.
        closed = _SCRIPT_END.search(html, html.rfind(b"</", start, stop), stop)
        end = closed.start() if closed else stop
        if 0 <= opened < end <= opened + MOST_BYTES:
            kind = attributes(html, start, opened + 1).get(b"type", b"").lower()
            if kind.strip().startswith(b"application/ld+json"):
                yield html[opened + 1 : end]


def _things(parsed: object, named: dict[str, dict[str, object]]) -> Iterator[Thing]:
    """The things in a value, inner ones later; `named` gets what is said of each `@id`, first with a name."""
    level: list[object] = [parsed]
    seen = 0
    for _ in range(MOST_DEPTH):
        inner: list[object] = []
        for value in level:
            seen += 1
            if seen > MOST_NODES:
                return
            if isinstance(value, list):
                inner += value[:MOST_NODES]
            elif isinstance(value, dict):
                if value.get("name") and isinstance(identity := value.get("@id"), str):
                    named.setdefault(identity, value)
                kind = str(value.get("@type", "")).lower()
                if not kind or kind in _OTHERS:
                    pass
                elif _ARTICLES.search(kind):
                    yield Thing(is_article=True, values=value)
                elif _PAGES.search(kind):
                    yield Thing(is_article=False, values=value)
                inner += [
                    each
                    for name, each in value.items()
                    if type(each) in _NESTED and name.lower() not in _APART
                ]
        level = inner
