"""Who wrote a page: where it says so, and which of what it says are names of people."""

import re
from collections.abc import Iterable, Iterator

from cedar.transforms.extractors.segments._headline import squashed
from cedar.transforms.metadata import json_ld
from cedar.transforms.metadata._texts import FirstWords
from cedar.transforms.metadata.dates import MONTHS
from cedar.transforms.metadata.facts import Facts, host_of
from cedar.transforms.metadata.meta_names import AUTHORS, CITED, SITES

_BYLINE = re.compile(rb"byline|by-line|author|autor|auteur|posted-?by|written-?by|writer|creator|journalist")
_OTHER = re.compile(rb"comment|related|bio\b|avatar|image|photo|social|follow|footer|widget|count|desc")
_MOST = 80
_NAME_WORDS = 5
_BY_WORDS = (
    "by von par por di door av af от автор autor przez tekst yazan 作者 文 記者 记者"
    " author auteur autore autoren autora"
)
_BY = re.compile(
    r"^(?:(?:(?:view|see) )?all posts|(?:zeige )?alle beiträge|voir tous les articles|ver todas las entradas"
    r"|(?:co-?)?(?:written|authored)|words|posted|published|reported|submitted|article|story|eingestellt"
    r"|geschrieben|verfasst|veröffentlicht|text|artikel|beitrag|escrito|publicado|écrit|publié|scritto"
    r"|pubblicato|geschreven|geplaatst|skrevet|skriven|opublikowane)? ?"
    rf"(?:{_BY_WORDS.replace(' ', '|')}|da)(?:[:：]\s*|\s+|$)",
    re.IGNORECASE,
)
_FIRST_WORDS = f"{_BY_WORDS} written words posted reported eingestellt geschrieben escrito écrit scritto"
_BEGINS_BYLINE = FirstWords(frozenset(word.encode() for word in _FIRST_WORDS.split()))
_BETWEEN_NAMES = re.compile(r"[,;|&·•/]|,? ?(?:and|und|et|y|e|og|och|en|ve|и|i)", re.IGNORECASE)
_REST = re.compile(
    r"\s*(?:[/|•·]|\s[-–—]\s|\d| (?:in|for|updated|published|posted|für|pour|per|para) ).*", re.DOTALL
)
"""What follows a name in a byline: a desk, a date, where it was published."""

_OF_PERSON = re.compile(rb"(?:^|\s)(?:vcard|fn|n|url|hnuser|username|user-?name)(?=\s|$)")
_TO_PERSON = re.compile(
    rb"author|autor|auteur|user|profile|member|people|person|reporter|journalist|contributor|/u/|/@"
)
_PARTICLES = (
    "de del della der den des di da do dos das du la le van von zu zur zum ten ter bin bint al el ibn y e of"
)
_SMALL_WORDS = frozenset(_PARTICLES.split())
_WORDS_OF_LABELS = (
    "posted on by in at published updated share tweet twitter facebook email e-mail print follow comment"
    " comments view profile more about read save subscribe date time author authors contributors the all"
    " posts from photo photos image images source mins min ago website url contact us news home menu skip"
    " content inhalt"
)
_WEEKDAYS = (
    "monday tuesday wednesday thursday friday saturday sunday montag dienstag mittwoch donnerstag freitag"
    " samstag sonntag lundi mardi mercredi jeudi vendredi samedi dimanche lunes martes miércoles jueves"
)
_LABELS = frozenset(f"{_WORDS_OF_LABELS} {_WEEKDAYS}".split())
_FIRST_NAMES = "april may june august jan mai mar marc juli julia augusta avril"
_NAMES_OF_MONTHS = frozenset(_FIRST_NAMES.split())
"""Names of people that are months', or begin so."""
_HOUSE = re.compile(
    r"(?:^| )(?:staff|team|newsroom|newsdesk|desk|editors|redaktion|redactie|redazione|redacción|rédaction)"
    r"(?: and others)?$",
    re.IGNORECASE,
)
_BRACKETS = re.compile(r"\s*(?:\([^()]*\)?|（[^（）]*）?|\[[^][]*\]?)\s*$")
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
    r"|periodista|giornalista|redattore|корреспондент|обозреватель)"
)
_PLAIN = re.compile(r"[A-Z][a-z]{1,13}(?: [A-Z][a-z]{1,13}){1,3}")
"""Most names: of them only words of roles, of no one, and before a name say anything."""
_ENDED = "autoren autora redactor redakteurin"
_SAYING = frozenset(re.findall("[a-z]+", f"{_NOBODY_WORDS} {_NOBODY_NAMES} {_BY.pattern} {_ROLE} {_ENDED}"))
_AFTER_NAME = re.compile(rf"(?<=\w)[ ,]+(?:{_ROLE}(?:(?: and |, | & ){_ROLE})?)$", re.IGNORECASE)
_REPORTER = re.compile(r"\s*(?:선임|수습|객원)?(?:기자|특파원|記者|记者)$")
"""Reporters of Korea, Japan and China are named so after one word, which is the whole name."""

_IS_ROLE = re.compile(_ROLE, re.IGNORECASE)
_DASH = re.compile(r" (?:[-–—―@]|at) ")
_SIGNS = re.compile(r"[\u200d\u20e3\u2190-\u2bff\ufe0e\ufe0f\U0001f000-\U0001faff\U000e0020-\U000e007f]+")
"""Emoji and other pictures, with what joins and varies them (Unicode, emoji-data.txt)."""

_EDGES = " ,.-–—:•·*\"'()"
_MOST_NAMES = 12
_MOST_PIECES = 8
_MOST_CHARS, _MOST_WORDS = 60, 8


def find_authors(facts: Facts) -> list[str]:
    """Return the names of a page's authors; none where it does not say."""
    sites: frozenset[str] | None = None
    house: list[str] = []  # a team is the author where no person is named
    for names in _sources(facts):
        if names:
            sites = _site_names(facts) if sites is None else sites
            found = clean(names, sites)
            if found and not all(map(_HOUSE.search, found)):
                return found
            house = house or found
    return house


def _sources(facts: Facts) -> Iterator[list[str]]:
    """Yield the names as written, those of each source by themselves."""
    yield from _of_things(facts)
    yield _cited(facts)
    named = facts.contents_by_name(AUTHORS)
    software = set(words_of(facts.meta("generator") or "")) if named else set()
    for contents in named:
        yield [
            _given_first(content)
            for content in contents
            if not content.startswith(("http", "@", "/")) and software.isdisjoint(words_of(content))
        ]
    yield _of_items(facts)
    yield _of_bylines(facts)
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
            if b"content" in given:
                text = given[b"content"].decode("utf-8", "replace")
                found = [text] if _may_name(text) else []
            else:
                found = _names_in(facts.pieces_of(tag), has_one=True) or _whole(facts.text_of(tag))
            if found and not facts.is_aside(tag):
                names += found
        if names:
            return list(dict.fromkeys(names))[:3]
    return []


def _given_first(name: str) -> str:
    """Turn a name that has the family's first, as in `Lima, Ana`."""
    family, comma, given = name.strip().partition(", ")
    return f"{given} {family}" if comma and family.isalpha() and given.isalpha() else name


def words_of(text: str) -> list[str]:
    """Return the words of four letters or more, in lower case."""
    return re.findall(r"[^\W\d_]{4,}", text.lower())


def _of_bylines(facts: Facts) -> list[str]:
    """Read the first byline near the headline: of an element of such a class, or after a word like `by`."""
    marked = facts.places.marked("authors", *facts.around)
    told = facts.texts_that_begin(_BEGINS_BYLINE)
    for tag in sorted({*marked, *told}):
        marks = facts.places.marks(tag, 2)
        is_said = b"author" in marks or b"byline" in marks
        if tag in marked and _BYLINE.search(marks) and not _OTHER.search(marks):
            names = _names_in(
                facts.pieces_of(tag), is_said=is_said, has_one=_OF_PERSON.search(marks) is not None
            )
            names = names or _whole(facts.text_of(tag), least=2) * is_said
        elif tag in told:
            names = _names_in(_line_after(facts, tag), has_one=_leads_to_person(facts, tag))
        else:
            continue
        if names and not facts.is_aside(tag):
            return names
    return []


def _whole(text: str, least: int = 1) -> list[str]:
    """Take a short text as it is, if no label or date is in it."""
    words = without_by(text).split()
    is_name = len(text) <= _MOST and least <= len(words) <= _NAME_WORDS
    return [text] if is_name and ":" not in text and not any(map(_is_label, words)) else []


def _line_after(facts: Facts, tag: int) -> list[str]:
    """Read the text after a tag and, if it is no more than a word like `by`, the text after the next tag."""
    text = facts.text_after(tag)
    return [text] if without_by(text) else [text, facts.text_after(tag + 1)]


def _leads_to_person(facts: Facts, tag: int) -> bool:
    """Tell whether the tag after one is a link to a person."""
    if tag + 1 >= facts.page.tags.count or facts.page.tags.ends[tag + 1]:
        return False
    given = facts.places.attributes(tag + 1)
    return _TO_PERSON.search(given.get(b"href", b"").lower()) is not None


def _names_in(pieces: list[str], *, is_said: bool = True, has_one: bool = False) -> list[str]:
    """Find the names with which a byline begins, of which a tag may part each from the next.

    `is_said`: whether it is a byline without a word like `by`. `has_one`: whether a name may be one word.
    """
    names: list[str] = []
    is_by, is_between = is_said, True
    for piece in pieces[:_MOST_PIECES]:
        text = _REST.sub("", without_by(piece)).strip(_EDGES)
        if not without_by(piece):
            is_by, has_one = True, True
        elif _BETWEEN_NAMES.fullmatch(piece.strip()):
            is_between = True
        elif not is_between:
            break
        elif (is_by or text != piece.strip(_EDGES)) and _may_name(text, has_one=has_one):
            names.append(text)
            is_between = piece.rstrip().endswith((",", "&", " and", " und", " et", " y"))
            is_by = True
        elif names or len(piece) > _MOST:
            break
    return names


def _is_label(word: str) -> bool:
    """Tell whether a word stands in labels, dates and menus, and in no name."""
    bare = word.strip(_EDGES).casefold()
    return bare in _LABELS or (bare in MONTHS and bare not in _NAMES_OF_MONTHS)


def _may_name(text: str, *, has_one: bool = False) -> bool:
    """Tell whether a text may be names of people: a first and a last one each, in capitals; or one word."""
    parts = _parts(text)
    if not text or len(parts) > _MOST_NAMES:
        return False
    for part in parts:
        words = part.split()
        if not (1 < len(words) <= _NAME_WORDS or (words and has_one)):
            return False
        if ":" in part or any(_is_label(word) for word in words):
            return False
        if len(words) > 1 and not all(word in _SMALL_WORDS or not word[0].islower() for word in words):
            return False
    return True


def _site_names(facts: Facts) -> frozenset[str]:
    """Return the names of a page's site, as `squashed` writes them: not an author's."""
    names = set(facts.contents(SITES))
    names |= {json_ld.text_of(thing.values.get("publisher"), keys=("name",)) or "" for thing in facts.things}
    host = host_of(facts.url)
    names |= {host, host.removeprefix("www."), *host.split(".")[:-1]}
    return frozenset(map(squashed, names))


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


def _bare(name: str, sites: frozenset[str]) -> str:
    """Return a name without pictures, its site and its role."""
    name = _BRACKETS.sub("", name) or name
    if not name.isascii():
        name = _REPORTER.sub("", _SIGNS.sub(" ", name)) or name
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
        and not _LABELS.issuperset(name.casefold().split())
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
