"""Find the authors of a page: read the places that name them, and keep the names of people."""

import re
from collections.abc import Iterable, Iterator

from cedar.transforms.extractors.segments._headline import squashed
from cedar.transforms.metadata import json_ld
from cedar.transforms.metadata._texts import FirstWords
from cedar.transforms.metadata.bylines import (
    BEGINS_BYLINE,
    EDGES,
    LABELS,
    MAX_NAMES,
    OF_WORK,
    WORDS_BEFORE_NAMES,
    begins_without_by,
    may_name,
    names_in,
    parts_of,
    whole,
    without_by,
)
from cedar.transforms.metadata.facts import Facts
from cedar.transforms.metadata.meta_names import AUTHORS, CITED, SITES
from cedar.transforms.urls.canonical import written_host

_BYLINE = re.compile(
    rb"byline|by-line|author|autor|auteur|posted-?by|written-?by|writer|creator|journalist|reporter"
    rb"|user[-_]?name|nickname"
)
_SAYS_AUTHOR = re.compile(rb"author|byline|writer|autor|auteur|journalist|reporter|user[-_]?name|nickname")
_OTHER = re.compile(
    rb"comment|related|(?<!p)review|prep\b|bio\b|avatar|image|photo|social|follow|footer|widget|count|desc"
)
_OF_PERSON = re.compile(
    rb"(?:^|\s)(?:vcard|fn|n|url|hnuser|(?:[a-z0-9_-]{0,40}[_-])?(?:user[-_]?name|nickname))(?=\s|$)"
)
_TO_PERSON = re.compile(
    rb"author|autor|auteur|user|profile|member|people|person|reporter|journalist|contributor|/u/|/@"
)
_OF_AUTHOR = re.compile(
    rb"/(?:about/)?(?:authors?|autor(?:en|es|a|i)?|auteurs?|writers?|contributors?|editors?|staff|journalists?"
    rb"|reporters?|columnists?|redakteure?|bylines?)/[\w%.~-]{3,}/?[?#\"'\s>]",
    re.IGNORECASE,
)
_ADDRESSES_OF_AUTHORS = FirstWords(
    frozenset(
        b"author authors autor autoren autores autora autori auteur auteurs writer writers contributor"
        b" contributors editor editors staff journalist journalists reporter reporters columnist columnists"
        b" redakteur redakteure byline bylines".split()
    )
)
"""The words of `_OF_AUTHOR`."""
_GROUP = 40
"""Tags between the names of one group."""
_MAX_OF_ITEMS = 3
_BY_INSIDE = re.compile(r"\s(?:by|von|par|por)\s|(?:作者|记者|記者)[:： ]", re.IGNORECASE)
_OF_BUILD = re.compile(
    r"(?:last |site |page )?(?:buil[dt]|generated|modified|updated|edited|deployed)\b", re.IGNORECASE
)
"""Begins a line of the site's software, or of the last change."""
_MIN_SENTENCE_WORDS = 3
"""Words in small letters of a sentence before one like `by`."""
_MAX_DATED_LINES, _MAX_OF_DATED_LINE = 4, 160
_TAGS_TO_NAME = 4
"""Tags between a word like `by` and a name."""
_TAGS_OF_ITEM = 6
"""Tags in an element of an author that may hold the name."""
_HOUSE = re.compile(
    r"(?:^|[ -])(?:staff|team|newsroom|newsdesk|desk|editors|redaktion|redactie|redazione|redacción|rédaction"
    r"|staff writers?|news|media|press|presse|magazine|agency|agentur(?:en)?|agencies|university|institute"
    r"|association|foundation|council|ministry|department|communications|relations|inc|corp|ltd|llc|gmbh|ag|limited|company|reuters|afp|dpa|apa|sda|efe|ansa|upi|pti"
    r"|tass|bloomberg|xinhua|新华社|時事通信)\.?(?: and others)?$|^株式会社|株式会社$",
    re.IGNORECASE,
)
"""Teams and companies: such a name is the author only if no person is named."""
_USER = re.compile(r"[a-z][a-z0-9._-]+")
"""Names of users: a person's name comes first."""
_BRACKETS = re.compile(r"\s*(?:\([^()]*\)?|（[^（）]*）?|\[[^][]*\]?)\s*$")
_ADDRESS = re.compile(r"https?:|www\.|@|\.(?:com|org|net|de|fr|co\.uk|ru|ro|it|nl|pl|es|info)\b")
_NO_LETTERS = re.compile(r"[/\\<>{}=_]|[0-9]")
"""Signs that stand in no person's name, but in names of users."""
_NO_NAME = re.compile(r"https?:|[@/\\<>{}=_:]")
_NOBODY_WORDS = (
    "admin administrator administrador root user editor editors editorial redaktion redaction redazione "
    "redacción redacao redação rédaction redactie webmaster guest anonymous unknown staff author webteam "
    "team none null undefined newsroom contributor name default username nickname login benutzername"
)
_NOBODY_NAMES = (
    "site admin;super user;staff writer;web desk;news desk;guest author;editorial staff;registered member"
    ";registered user;senior member;junior member;new member;active member"
)
_NOBODY = frozenset(_NOBODY_WORDS.split()) | frozenset(_NOBODY_NAMES.split(";"))
_NOBODY_USERS = frozenset(("username", "guest", "anonymous", "gast", "user"))
"""Names where that of a reader stands who has signed in."""
_ROLE = (
    r"(?:(?:senior|staff|chief|managing|associate|assistant|contributing|deputy|executive|guest|news"
    r"|politics|political|sports?|business|science|health|technology|tech|foreign|national|special"
    r"|freelance|lead|vice|principal|research|software|product|general)[ -])*(?:"
    r"editor(?:ial)?(?:[- ]in[- ]chief|[- ]at[- ]large)?|reporter|correspondent|columnist|journalist|writer"
    r"|contributor|producer|photographer|blogger|president|director|fellow|scientist|engineer|professor|analyst"
    r"|manager|(?:co-)?founder|consultant|lecturer|researcher|redakteur(?:in)?|journaliste?|rédact(?:eur|rice)|redactora?"
    r"|periodista|giornalista|redattore|корреспондент|обозреватель)"
)
_PLAIN = re.compile(r"[A-Z][a-z]{1,13}(?: [A-Z][a-z]{1,13}){1,3}")
"""Most names: only words of roles, of nobody, or before a name can make such a text no name."""
_SAYING = WORDS_BEFORE_NAMES.union(
    re.findall("[a-z]+", f"{_NOBODY_WORDS} {_NOBODY_NAMES} {_ROLE} redactor redakteurin")
)
_AFTER_NAME = re.compile(rf"(?<=\w)[ ,]+(?:{_ROLE}(?:(?: and |, | & ){_ROLE})?)$", re.IGNORECASE)
_REPORTER = re.compile(r"\s*(?:선임|수습|객원)?(?:기자|특파원|記者|记者)$")
"""Reporters of Korea, Japan and China are named so after one word, which is the whole name."""

_KOREAN_REPORTER = re.compile(
    r"(?:\[[^][]{1,20}\] ?)?(?:기자명 )?([가-힣]{2,4}) ?(?:(?:선임|수습|객원)?기자|특파원)(?:\W|$)"
)
_IS_ROLE = re.compile(_ROLE, re.IGNORECASE)
_DASH = re.compile(r" (?:[-–—―@]|at) ")
_SIGNS = re.compile(r"[\u200d\u20e3\u2190-\u2bff\ufe0e\ufe0f\U0001f000-\U0001faff\U000e0020-\U000e007f]+")
"""Emoji and other pictures, with what joins and varies them (Unicode, emoji-data.txt)."""

_AND_WORDS = "and und et y e og och en ve и i"
_BEFORE_LINKS = WORDS_BEFORE_NAMES | set(_AND_WORDS.split())
_MAX_CHARS, _MAX_WORDS = 60, 8


def find_authors(facts: Facts) -> list[str]:
    """Return the names of a page's authors; an empty list if it names none.

    A team or a user's name is the author if no person is named, and the site if JSON-LD names nobody else.
    """
    sites: frozenset[str] | None = None
    house: list[str] = []
    for names in _sources(facts):
        if names:
            sites = _site_names(facts) if sites is None else sites
            found = clean(names, sites)
            if people := [name for name in found if not (_HOUSE.search(name) or _USER.fullmatch(name))]:
                return people
            house = house or found
    return house or _site_as_author(facts)


def _sources(facts: Facts) -> Iterator[list[str]]:
    """Yield the names as written, a list per source."""
    articles = [json_ld.names_of(thing.author) for thing in facts.things if thing.is_article]
    for written in articles:
        yield [name for name, is_organisation in written if not is_organisation]
    yield _cited(facts)
    named = facts.contents_by_name(AUTHORS)
    software = set(words_of(facts.meta("generator") or "")) if named else set()
    for contents in named:
        yield [
            _given_first(content)
            for content in contents
            if not content.startswith(("http", "@", "/")) and software.isdisjoint(words_of(content))
        ]
    label = facts.meta("twitter:label1")
    if label and not without_by(label):
        yield facts.contents({"twitter:data1": 0})
    yield _of_items(facts)
    yield _of_bylines(facts)
    yield _of_reporters(facts)
    yield _of_links(facts)
    yield _of_dated_lines(facts)
    for thing in facts.things:
        if thing.is_web_page:
            yield [name for name, is_organisation in json_ld.names_of(thing.author) if not is_organisation]
    for written in articles:
        yield [name for name, is_organisation in written if is_organisation]


def _site_as_author(facts: Facts) -> list[str]:
    """Return the first name that JSON-LD gives for an article's author, also the site's own."""
    for thing in facts.things:
        for name, _ in json_ld.names_of(thing.author) if thing.is_article else ():
            name = without_by(" ".join(name.split()))
            if 1 < len(name) <= _MAX_CHARS and name.casefold() not in _NOBODY and not _NO_NAME.search(name):
                return [name]
    return []


def _cited(facts: Facts) -> list[str]:
    """Read `citation_author`: one name in each, perhaps with the family name first."""
    names = []
    for name in facts.contents(CITED):
        family, comma, given = name.partition(", ")
        names.append(f"{given} {family}" if comma else name)
    return names


def _of_items(facts: Facts) -> list[str]:
    """Read the first group of elements that are marked as the author: microdata, then `rel=author`."""
    places = facts.places
    for attribute, tags in ((b"itemprop", places.authored), (b"rel", places.by_authors)):
        names: list[str] = []
        last = 0
        for tag in tags:
            if b"author" not in places.attributes(tag)[attribute].lower().split():
                continue
            if names and not facts.stand_together(last, tag, _GROUP):
                break
            if names and facts.has_date_between(last, tag):
                break  # the next post of a thread
            found = [] if _is_in_sentence(facts, tag) else _names_of_item(facts, tag)
            if found and not facts.is_aside(tag):
                names += found
                last = tag
        if names:
            return list(dict.fromkeys(names))[:_MAX_OF_ITEMS]
    return []


def _is_in_sentence(facts: Facts, tag: int) -> bool:
    """Tell whether a link continues a sentence, as after "a reply to"; a word like `by` begins a byline."""
    before = facts.text_after(tag - 1).split() if facts.is_link(tag) and tag else []
    return bool(before) and before[-1].islower() and before[-1] not in _BEFORE_LINKS


def _names_of_item(facts: Facts, tag: int) -> list[str]:
    """Read the names of an element that is marked as the author: its content, its text, or a `name` in it."""
    attributes = facts.places.attributes
    given = attributes(tag)
    if b"content" not in given:
        text = facts.text_of(tag)
        if facts.is_link(tag) and may_name(text):
            return [text]  # a link leads to one author, whose names may be elements of their own
        if found := names_in(facts.pieces_of(tag), has_one=True) or whole(text):
            return found
        inner = range(tag + 1, min(tag + 1 + _TAGS_OF_ITEM, facts.page.tags.count))
        given = next((given for at in inner if (given := attributes(at)).get(b"itemprop") == b"name"), {})
        return whole(given.get(b"content", b"").decode("utf-8", "replace").strip())
    text = given[b"content"].decode("utf-8", "replace")
    return [text] if may_name(text) else []


def _given_first(name: str) -> str:
    """Put the given name first in a name such as `Lima, Ana`."""
    family, comma, given = name.strip().partition(", ")
    return f"{given} {family}" if comma and family.isalpha() and given.isalpha() else name


def words_of(text: str) -> list[str]:
    """Return the words of four letters or more, in lower case."""
    return re.findall(r"[^\W\d_]{4,}", text.lower())


def _of_bylines(facts: Facts) -> list[str]:
    """Read the first byline near the headline: of an element of such a class, or after a word like `by`."""
    marked = facts.places.marked("authors", *facts.around)
    bylines = facts.texts_that_begin(BEGINS_BYLINE)
    for tag in sorted({*marked, *bylines}):
        if tag not in marked and begins_without_by(facts.text_after(tag)):
            continue
        marks = facts.places.marks(tag, 2)
        is_said = _SAYS_AUTHOR.search(marks) is not None
        if tag in marked and _BYLINE.search(marks) and not _OTHER.search(marks):
            names = names_in(facts.pieces_of(tag), is_said=is_said, has_one=_names_person(facts, tag, marks))
            names = names or whole(facts.text_of(tag), min_words=2) * is_said
        elif tag in bylines:
            names = names_in(_line_after(facts, tag), is_said=False, has_one=_leads_to_person(facts, tag))
        else:
            continue
        # Signs without blanks may be any label: beside the headline they are a name.
        is_plain = any(name.isascii() or " " in name for name in names) or facts.stands_by_headline(tag)
        is_nobody = len(names) == 1 and names[0].casefold() in _NOBODY_USERS
        if names and is_plain and not is_nobody and not facts.is_aside(tag):
            return names
    return []


def _of_reporters(facts: Facts) -> list[str]:
    """Read the first name beside the headline that the Korean word for a reporter follows."""
    if not facts.places.language.lower().startswith(b"ko"):
        return []
    for tag in range(facts.headline or 0, facts.around[1]):
        found = _KOREAN_REPORTER.match(facts.text_after(tag))
        if found and facts.stands_by_headline(tag) and not facts.is_aside(tag):
            return [found[1]]
    return []


def _names_person(facts: Facts, tag: int, marks: bytes) -> bool:
    """Tell whether an element has a name and nothing else, by its class or as a link of an author."""
    is_link = facts.is_link(tag) and b"author" in marks.split()
    return is_link or _OF_PERSON.search(marks) is not None


def _line_after(facts: Facts, tag: int) -> list[str]:
    """Read the text after a tag and, if it is no more than a word like `by`, the next text."""
    text = facts.text_after(tag)
    if without_by(text):
        return [text]
    for after in range(tag + 1, tag + 1 + _TAGS_TO_NAME):
        if name := facts.text_after(after):
            return [text, name]
    return [text]


def _leads_to_person(facts: Facts, tag: int) -> bool:
    """Tell whether the tag after one is a link to a person."""
    if tag + 1 >= facts.page.tags.count or facts.page.tags.ends[tag + 1]:
        return False
    return _TO_PERSON.search(facts.places.target(tag + 1).lower()) is not None


def _of_links(facts: Facts) -> list[str]:
    """Read the names in links beside the headline that lead to the page of an author."""
    names: list[str] = []
    for tag in facts.links_by_headline(_ADDRESSES_OF_AUTHORS):
        if _OF_AUTHOR.search(facts.source_of(tag)):
            name = facts.text_of(tag)
            if may_name(name) and not _is_in_sentence(facts, tag) and not facts.is_aside(tag):
                names.append(name)
    return names


def _of_dated_lines(facts: Facts) -> list[str]:
    """Read the names in the first line beside the headline that has a date and a word like `by`."""
    for _, tag, _, text in facts.dated_texts[:_MAX_DATED_LINES]:
        is_line = len(text) <= _MAX_OF_DATED_LINE and not _OF_BUILD.match(text)
        by = _BY_INSIDE.search(text) if is_line else None
        names = names_in([text[by.end() :]]) if by and not _is_on_work(text[: by.start()]) else []
        if names and facts.stands_by_headline(tag) and not facts.is_aside(tag):
            return names
    return []


def _is_on_work(before: str) -> bool:
    """Tell whether the words before one like `by` are a sentence, or begin the line of a review."""
    words = [word for word in before.split() if word.islower() and word.isalpha() and word not in LABELS]
    return OF_WORK.match(before) is not None or len(words) >= _MIN_SENTENCE_WORDS


def _site_names(facts: Facts) -> frozenset[str]:
    """Return the names of a page's site, as `squashed` writes them: not an author's."""
    names = set(facts.contents(SITES))
    names |= {json_ld.text_of(thing.values.get("publisher"), keys=("name",)) or "" for thing in facts.things}
    host = written_host(facts.url)
    names |= {host, host.removeprefix("www."), *host.split(".")[:-1]}
    return frozenset(map(squashed, names))


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
        for part in parts_of(without_by(" ".join(written.split()))):
            name = _bare(without_by(part), sites)
            of_site = squashed(name) in sites or (found and squashed(name.partition(" ")[0]) in sites)
            if _is_name(name) and not of_site:
                found.setdefault(name.casefold(), name)
    return list(found.values())[:MAX_NAMES]


def _bare(name: str, sites: frozenset[str]) -> str:
    """Return a name without pictures, its site and its role."""
    name = _BRACKETS.sub("", name) or name
    if not name.isascii():
        name = _REPORTER.sub("", _SIGNS.sub(" ", name)) or name
    head, *tails = [piece.strip(EDGES) for piece in _DASH.split(name)]
    # After the name of a person stands where it is from, whether or not the page names that itself.
    if " " in head or all(squashed(tail) in sites or _IS_ROLE.fullmatch(tail) for tail in tails):
        name = head
    without_role = _AFTER_NAME.sub("", name)
    return " ".join((without_role if " " in without_role else name).split()).strip(EDGES)


def _is_name(name: str) -> bool:
    """Tell whether it may be the name of somebody."""
    least = 3 if name.isascii() else 2
    return (
        least <= len(name) <= _MAX_CHARS
        and len(name.split()) <= _MAX_WORDS
        and any(character.isalpha() for character in name)
        and ":" not in name
        and not _ADDRESS.search(name)
        and (not _NO_LETTERS.search(name) or _USER.fullmatch(name) is not None)
        and name.casefold() not in _NOBODY
        and not _IS_ROLE.fullmatch(name)
        and not LABELS.issuperset(name.casefold().split())
    )
