"""Who wrote a page: where it says so, and which of what it says are names of people."""

import re
from collections.abc import Iterable, Iterator
from urllib.parse import urlsplit

from cedar.transforms.metadata import json_ld
from cedar.transforms.metadata.facts import Facts
from cedar.transforms.metadata.meta_names import AUTHORS, CITED, SITES

_BYLINE = re.compile(rb"byline|by-line|author|autor|auteur|posted-?by|written-?by|writer|creator|journalist")
_OTHER = re.compile(rb"comment|related|bio\b|avatar|image|photo|social|follow|footer|widget|count|desc")
_MOST = 80
_NAME_WORDS = 5
_PLAIN_HOST = re.compile(r"https?://([a-zA-Z0-9.-]++)(?::[0-9]*+)?(?:[/?#]|\Z)")
"""The host of most addresses: parting one in general takes many times as long."""

_BY = re.compile(
    r"^(?:(?:written |posted |published |article |story |text )?by|von|par|por|di|door|av|af|autor(?:en|a)?"
    r"|author|auteur|autore|от|автор|przez|tekst|skrevet av|yazan|作者|文|記者|记者|写真)(?:[:：]\s*|\s+)",
    re.IGNORECASE,
)
_APART = re.compile(r" ?(?:;|\||、|•|·) ?")
_AND = re.compile(r",? (?:and|und|et|y|e|og|och|en|ve|и|i|&) |, ?")
_ADDRESS = re.compile(
    r"https?:|www\.|@|\.(?:com|org|net|de|fr|co\.uk|ru|ro|it|nl|pl|es|info)\b|[/\\<>{}=_]|[0-9]"
)
_NOBODY_WORDS = (
    "admin administrator administrador root user editor editors editorial redaktion redaction redazione "
    "redacción redacao redação rédaction redactie webmaster guest anonymous unknown staff author webteam "
    "team none null undefined newsroom contributor name default"
)
_NOBODY_NAMES = "site admin;super user;staff writer;web desk;news desk;guest author;editorial staff"
_NOBODY = frozenset(_NOBODY_WORDS.split()) | frozenset(_NOBODY_NAMES.split(";"))
_ROLE = (
    r"(?:(?:senior|staff|chief|managing|associate|assistant|contributing|deputy|executive|guest|news"
    r"|politics|political|sports?|business|science|health|technology|tech|foreign|national|special"
    r"|freelance|lead)[ -])*(?:"
    r"editor(?:ial)?(?:[- ]in[- ]chief|[- ]at[- ]large)?|reporter|correspondent|columnist|journalist|writer"
    r"|contributor|producer|photographer|blogger|redakteur(?:in)?|journaliste?|rédact(?:eur|rice)|redactora?"
    r"|periodista|giornalista|redattore)"
)
_PLAIN = re.compile(r"[A-Z][a-z]{1,13}(?: [A-Z][a-z]{1,13}){1,3}")
"""Most names: of them only words of roles, of no one, and before a name say anything."""
_ENDED = "autoren autora redactor redakteurin"
_SAYING = frozenset(re.findall("[a-z]+", f"{_NOBODY_WORDS} {_NOBODY_NAMES} {_BY.pattern} {_ROLE} {_ENDED}"))
_AFTER_NAME = re.compile(rf"(?<=\w)[ ,]+(?:{_ROLE}(?:(?: and |, | & ){_ROLE})?)$", re.IGNORECASE)
_IS_ROLE = re.compile(_ROLE, re.IGNORECASE)
_DASH = re.compile(r" (?:[-–—―@]|at) ")
_SIGNS = re.compile(r"[\u200d\u20e3\u2190-\u2bff\ufe0e\ufe0f\U0001f000-\U0001faff\U000e0020-\U000e007f]+")
"""Emoji and other pictures, with what joins and varies them (Unicode, emoji-data.txt)."""

_NO_LETTERS = re.compile(r"[\W_]+")
_EDGES = " ,.-–—:•·*\"'()"
_MOST_NAMES = 12
_MOST_CHARS, _MOST_WORDS = 60, 8


def find_authors(facts: Facts) -> list[str]:
    """Return the names of a page's authors; none where it does not say."""
    sites: frozenset[str] | None = None
    for names in _sources(facts):
        if names:
            sites = _site_names(facts) if sites is None else sites
            if found := clean(names, sites):
                return found
    return []


def _sources(facts: Facts) -> Iterator[list[str]]:
    """Yield the names as written, those of each source by themselves."""
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
    """Read elements that are marked as the author: microdata, then `rel=author`."""
    places = facts.places
    for attribute, tags in ((b"itemprop", places.authored), (b"rel", places.by_authors)):
        names = []
        for tag in tags:
            given = places.attributes(tag)
            if b"author" not in given[attribute].lower().split():
                continue
            text = given[b"content"].decode("utf-8", "replace") if b"content" in given else facts.text_of(tag)
            is_name = 0 < len(text) <= _MOST and len(without_by(text).split()) <= _NAME_WORDS
            if is_name and not facts.is_aside(tag):
                names.append(text)
        if names:
            return list(dict.fromkeys(names))[:3]
    return []


def _of_classes(facts: Facts) -> list[str]:
    """Read the first short element around the headline whose class speaks of authors."""
    for tag in facts.places.marked("authors", *facts.around):
        marks = facts.places.marks(tag, 2)
        if not _BYLINE.search(marks) or _OTHER.search(marks):
            continue
        text = facts.text_of(tag)
        name = without_by(text)
        is_name = 0 < len(text) <= _MOST and 1 < len(name.split()) <= _NAME_WORDS
        is_said = _BY.match(text) is not None or b"author" in marks or b"byline" in marks
        if is_name and is_said and not facts.is_aside(tag):
            return [text]
    return []


def _site_names(facts: Facts) -> frozenset[str]:
    """Return the names of a page's site, as `squashed` writes them: not an author's."""
    names = set(facts.contents(SITES))
    names |= {json_ld.text_of(thing.values.get("publisher"), keys=("name",)) or "" for thing in facts.things}
    host = _host(facts.url)
    names |= {host, host.removeprefix("www."), *host.split(".")[:-1]}
    return frozenset(map(squashed, names))


def _host(url: str | None) -> str:
    if plain := _PLAIN_HOST.match(url or ""):
        return plain[1].lower()
    try:
        return (urlsplit(url or "").hostname) or ""
    except ValueError:
        return ""


def without_by(text: str) -> str:
    """Take the word that says that it wrote from a name."""
    return _BY.sub("", text).strip()


def clean(names: Iterable[str], sites: frozenset[str]) -> list[str]:
    """Find the names of people among names as they are written, perhaps several in one, each once.

    `sites` are names of the site, squashed, which are not an author's.
    """
    found: dict[str, str] = {}
    for written in names:
        if _PLAIN.fullmatch(written) and _SAYING.isdisjoint(written.lower().split()):
            if squashed(written) not in sites:
                found.setdefault(written.casefold(), written)
            continue
        for part in _parts(without_by(" ".join(written.split()))):
            name = _bare(without_by(part), sites)
            if _is_name(name) and squashed(name) not in sites:
                found.setdefault(name.casefold(), name)
    return list(found.values())[:_MOST_NAMES]


def squashed(name: str) -> str:
    """Return the letters and digits of a name, in one case."""
    name = name.casefold()
    return name if name.isalnum() else _NO_LETTERS.sub("", name)


def _bare(name: str, sites: frozenset[str]) -> str:
    """Return a name without pictures, its site and its role."""
    if not name.isascii():
        name = _SIGNS.sub(" ", name)
    head, *tails = [piece.strip(_EDGES) for piece in _DASH.split(name)]
    # After the name of a person stands where it is from, whether or not the page names that itself.
    if " " in head or all(squashed(tail) in sites or _IS_ROLE.fullmatch(tail) for tail in tails):
        name = head
    without_role = _AFTER_NAME.sub("", name)
    return " ".join((without_role if " " in without_role else name).split()).strip(_EDGES)


def _is_name(name: str) -> bool:
    """Tell whether it may be the name of somebody."""
    least = 3 if name.isascii() else 2
    return (
        least <= len(name) <= _MOST_CHARS
        and len(name.split()) <= _MOST_WORDS
        and any(character.isalpha() for character in name)
        and not _ADDRESS.search(name)
        and name.casefold() not in _NOBODY
        and not _IS_ROLE.fullmatch(name)
    )


def _parts(text: str) -> list[str]:
    """Return the names in one text; words and commas part them where each has a first name and a last."""
    parts = []
    for part in _APART.split(text[:600]):
        first = part.partition(",")[0]
        for names in (part, first):
            pieces = [piece.strip() for piece in _AND.split(names)]
            if all(1 < len(piece.split()) < 5 for piece in pieces):
                parts += pieces
                break
        else:
            parts.append(part)
    return parts
