"""Names of authors as pages write them."""

from __future__ import annotations

import re
from collections.abc import Iterable

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
_NOBODY = frozenset(_NOBODY_WORDS.split()) | {
    "site admin",
    "super user",
    "staff writer",
    "web desk",
    "news desk",
    "guest author",
    "editorial staff",
}
_OTHERS = re.compile(r"[\W_]+")
_MOST_NAMES = 12
_MOST_CHARS = 60


def without_by(text: str) -> str:
    """A name without the word that says that it wrote."""
    return _BY.sub("", text).strip()


def says_by(text: str) -> bool:
    """Whether a text begins with such a word."""
    return _BY.match(text) is not None


def clean(names: Iterable[str], sites: frozenset[str], most_words: int = 8) -> list[str]:
    """The names of people among names as they are written, each once.

    Args:
        names: as the page has them, perhaps several in one.
        sites: names of the site, squashed, which are nobody's.
        most_words: of a name.
    """
    found: dict[str, str] = {}
    for written in names:
        for part in _parts(without_by(" ".join(written.split()))):
            name = without_by(part).strip(" ,.-–—:•·*\"'()")
            if _is_name(name, most_words) and squashed(name) not in sites:
                found.setdefault(name.casefold(), name)
    return list(found.values())[:_MOST_NAMES]


def squashed(name: str) -> str:
    """The letters and digits of a name, in one case."""
    return _OTHERS.sub("", name.casefold())


def _is_name(name: str, most_words: int) -> bool:
    """Whether it may be the name of somebody."""
    least = 3 if name.isascii() else 2
    return (
        least <= len(name) <= _MOST_CHARS
        and len(name.split()) <= most_words
        and any(character.isalpha() for character in name)
        and not _ADDRESS.search(name)
        and name.casefold() not in _NOBODY
    )


def _parts(text: str) -> list[str]:
    """The names in one text; words and commas part them where each has a first name and a last."""
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
