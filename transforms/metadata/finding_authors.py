"""Who wrote a page."""

import re
from collections.abc import Iterator

from transforms.metadata import authors, json_ld
from transforms.metadata.facts import Facts
from transforms.metadata.meta_names import AUTHORS, CITED

_BYLINE = re.compile(rb"byline|by-line|author|autor|auteur|posted-?by|written-?by|writer|creator|journalist")
_OTHER = re.compile(rb"comment|related|bio\b|avatar|image|photo|social|follow|footer|widget|count|desc")
_MOST = 80
_NAME_WORDS = 5


def find_authors(facts: Facts) -> list[str]:
    """The names of a page's authors; none where it does not say."""
    sites: frozenset[str] | None = None
    for names in _sources(facts):
        if names:
            sites = facts.site_names if sites is None else sites
            if found := authors.clean(names, sites):
                return found
    return []


def _sources(facts: Facts) -> Iterator[list[str]]:
    """The names as written, those of each source by themselves."""
    yield from _of_things(facts)
    yield _cited(facts)
    for contents in facts.contents_by_name(AUTHORS):
        yield [content for content in contents if not content.startswith(("http", "@", "/"))]
    yield _of_items(facts)
    yield _of_classes(facts)
    yield from _of_things(facts, organisations=True)


def _of_things(facts: Facts, *, organisations: bool = False) -> Iterator[list[str]]:
    for thing in facts.things:
        if thing.is_article:
            written = json_ld.names_of(thing.values.get("author") or thing.values.get("creator"))
            yield [name for name, is_organisation in written if is_organisation == organisations]


def _cited(facts: Facts) -> list[str]:
    """`citation_author` has a name each, perhaps the family's first."""
    names = []
    for name in facts.contents(CITED):
        family, comma, given = name.partition(", ")
        names.append(f"{given} {family}" if comma else name)
    return names


def _of_items(facts: Facts) -> list[str]:
    """Of elements that are marked as the author: microdata, then `rel=author`."""
    places = facts.places
    for attribute, tags in ((b"itemprop", places.authored), (b"rel", places.by_authors)):
        names = []
        for tag in tags:
            given = places.attributes(tag)
            if b"author" not in given[attribute].lower().split():
                continue
            text = given[b"content"].decode("utf-8", "replace") if b"content" in given else facts.text_of(tag)
            is_name = 0 < len(text) <= _MOST and len(authors.without_by(text).split()) <= _NAME_WORDS
            if is_name and not facts.is_aside(tag):
                names.append(text)
        if names:
            return list(dict.fromkeys(names))[:3]
    return []


def _of_classes(facts: Facts) -> list[str]:
    """Of the first short element around the headline whose class speaks of authors."""
    for tag in facts.places.marked("authors", *facts.around):
        marks = facts.places.marks(tag, 2)
        if not _BYLINE.search(marks) or _OTHER.search(marks):
            continue
        text = facts.text_of(tag)
        name = authors.without_by(text)
        is_name = 0 < len(text) <= _MOST and 1 < len(name.split()) <= _NAME_WORDS
        is_said = authors.says_by(text) or b"author" in marks or b"byline" in marks
        if is_name and is_said and not facts.is_aside(tag):
            return [text]
    return []
