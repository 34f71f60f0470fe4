"""Who wrote a page."""

from __future__ import annotations

import re
from collections.abc import Iterator

from transforms.metadata import authors, json_ld
from transforms.metadata.facts import Facts

_META_WORDS = (
    "author article:author dc.creator dcterms.creator dc.contributor parsely-author sailthru.author byl "
    "cxenseparse:author og:article:author article:author_name creator"
)
_METAS = tuple(_META_WORDS.split())
_BYLINE = re.compile(rb"byline|by-line|author|autor|auteur|posted-?by|written-?by|writer|creator|journalist")
_OTHER = re.compile(rb"comment|related|bio\b|avatar|image|photo|social|follow|footer|widget|count|desc")
_MOST = 80
_NAME_WORDS = 5


def find_authors(facts: Facts) -> list[str]:
    """The names of a page's authors; none where it does not say."""
    sites = facts.site_names
    for names in (
        _of_things(facts, sites),
        _cited(facts),
        _of_metas(facts, sites),
        _of_items(facts),
        _of_classes(facts),
        _of_things(facts, sites, organisations=True),
    ):
        if found := authors.clean(names, sites):
            return found
    return []


def _of_things(facts: Facts, sites: frozenset[str], *, organisations: bool = False) -> list[str]:
    for thing in facts.things:
        if thing.is_article:
            written = json_ld.names_of(thing.values.get("author") or thing.values.get("creator"))
            names = [name for name, is_organisation in written if is_organisation == organisations]
            if authors.clean(names, sites):
                return names
    return []


def _cited(facts: Facts) -> list[str]:
    """`citation_author` has a name each, perhaps the family's first."""
    names = []
    for name in facts.contents(("citation_author",)):
        family, comma, given = name.partition(", ")
        names.append(f"{given} {family}" if comma else name)
    return names


def _of_metas(facts: Facts, sites: frozenset[str]) -> Iterator[str]:
    for name in _METAS:
        names = [
            content for content in facts.metas.get(name, ()) if not content.startswith(("http", "@", "/"))
        ]
        if authors.clean(names, sites):
            yield from names
            return


def _of_items(facts: Facts) -> list[str]:
    """Of elements that are marked as the author: microdata, then `rel=author`."""
    for attribute, word in ((b"itemprop", b"itemprop"), (b"rel", b"author")):
        names = []
        for tag in facts.markup.with_word(word):
            given = facts.markup.attributes(tag)
            if b"author" not in given.get(attribute, b"").lower().split():
                continue
            text = (
                given[b"content"].decode("utf-8", "replace")
                if b"content" in given
                else facts.markup.text_of(tag)
            )
            if text and len(text) <= _MOST and len(authors.without_by(text).split()) <= _NAME_WORDS:
                names.append(text)
        if names:
            return list(dict.fromkeys(names))[:3]
    return []


def _of_classes(facts: Facts) -> list[str]:
    """Of the first short element around the headline whose class speaks of authors."""
    for tag in facts.markup.telling(*facts.around):
        given = facts.markup.attributes(tag)
        marks = b" ".join(given.get(name, b"") for name in (b"class", b"id")).lower()
        if not _BYLINE.search(marks) or _OTHER.search(marks):
            continue
        text = facts.markup.text_of(tag)
        name = authors.without_by(text)
        is_name = 0 < len(text) <= _MOST and 1 < len(name.split()) <= _NAME_WORDS
        if is_name and (authors.says_by(text) or b"author" in marks or b"byline" in marks):
            return [text]
    return []
