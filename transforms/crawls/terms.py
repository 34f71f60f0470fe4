"""`--select`: which pages of a crawl, as words over the columns of Common Crawl's index.

    domain=example.com,example.org lang=eng !mime=application/pdf

A word is a key, an equals sign and values with commas: any of the values must hold, and all of the words. A
`!` in front negates a word. In quotes a value may hold spaces and commas; values of `surt`, `url` and `url~`
may hold commas also without.
"""

import functools
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from cedar.transforms.curation.languages import GROUPS, language_asked

SUBSETS = ("warc", "crawldiagnostics", "robotstxt")
"""The parts of a crawl that the index is cut by: successes are `warc`."""

_HEAD = re.compile(r"(!?)([a-z]+[~+]?)=")
_VALUE = re.compile(r'"([^"]*)"|([^\s",]+)')
_WHOLE_VALUE = re.compile(r'"([^"]*)"|([^\s"]+)')
_SHOWN = 40


class SelectionError(ValueError):
    """An expression that cannot be understood; the message says where, and what to write."""


@dataclass(frozen=True, slots=True)
class Key:
    """What a word may ask for: a column of the index.

    `clean` gives a value its one form, or raises `ValueError` with what to write instead; values that are
    `whole` may hold commas without quotes.
    """

    column: str
    clean: Callable[[str], str]
    whole: bool = False


def _language(text: str) -> str:
    code = language_asked(text)
    return GROUPS.get(code, code)  # the index has the codes of groups alone


def _host_asked(text: str) -> str:
    host = text.lower().strip(".")
    if not re.fullmatch(r"[^\s/:@]+", host):
        raise ValueError("write it as example.com")
    if host.isascii():
        return host
    try:
        return host.encode("idna").decode("ascii")
    except UnicodeError as error:
        raise ValueError("it is not a name of a host") from error


def _in_form(form: str, hint: str, text: str) -> str:
    """Return a value in lower case; ValueError with the hint where it has not the form."""
    if not re.fullmatch(form, text.lower()):
        raise ValueError(hint)
    return text.lower()


def _subset(text: str) -> str:
    if text not in SUBSETS:
        raise ValueError(f"one of {', '.join(SUBSETS)}")
    return text


KEYS: Mapping[str, Key] = {
    "domain": Key("url_host_registered_domain", _host_asked),
    "host": Key("url_host_name", _host_asked),
    "tld": Key("url_host_tld", _host_asked),
    "surt": Key("url_surtkey", str, whole=True),
    "url": Key("url", str, whole=True),
    "url~": Key("url", str, whole=True),
    "lang": Key("content_languages", _language),
    "lang+": Key("content_languages", _language),
    "mime": Key("content_mime_detected", functools.partial(_in_form, "(?s).*/.*", "write it as text/html")),
    "status": Key("fetch_status", functools.partial(_in_form, "[1-9][0-9]{2}", "write it as 200")),
    "charset": Key("content_charset", str.lower),
    "truncated": Key("content_truncated", str.lower),
}
"""The keys of words, but for `subset`, which chooses files of the index and not rows."""


@dataclass(frozen=True, slots=True, order=True)
class Term:
    """A word: a key, any of whose values must hold; or none of them, where it is negated."""

    key: str
    values: tuple[str, ...]
    negated: bool = False

    @property
    def column(self) -> str:
        """The column that it looks at."""
        return KEYS[self.key].column

    def __str__(self) -> str:
        quoted = KEYS[self.key].whole and len(self.values) > 1
        values = (f'"{v}"' if quoted or re.search(r"[\s,]", v) else v for v in self.values)
        return f"{'!' * self.negated}{self.key}={','.join(values)}"


@dataclass(frozen=True, slots=True)
class Selection:
    """Which rows of the index are wanted: of one of `SUBSETS`, those for which all terms hold."""

    terms: tuple[Term, ...]
    subset: str = "warc"

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that the terms look at, each once."""
        return tuple(dict.fromkeys(term.column for term in self.terms))

    def __str__(self) -> str:
        """Return the canonical form: two expressions that say the same in other order have the same."""
        subset = () if self.subset == "warc" else (f"subset={self.subset}",)
        return " ".join((*map(str, self.terms), *subset))


def parse_selection(text: str) -> Selection:
    """Read the selection that an expression is; raise SelectionError, which names the place, if not valid."""
    terms: set[Term] = set()
    subset: str | None = None
    for place, term in _words(text):
        if term.key != "subset":
            terms.add(term)
        elif subset is not None or term.negated or len(term.values) > 1:
            raise SelectionError(f"at {place}: subset is one of {', '.join(SUBSETS)}, and given once")
        else:
            subset = term.values[0]
    if not terms:
        raise SelectionError("it has no words (write it as 'tld=is lang=isl')")
    return Selection(tuple(sorted(terms)), subset or "warc")


def _words(text: str) -> Iterator[tuple[str, Term]]:
    """Yield the words, each with its text for messages."""
    at = 0
    while True:
        while at < len(text) and text[at].isspace():
            at += 1
        if at == len(text):
            return
        place = repr(text[at : at + _SHOWN])
        head = _HEAD.match(text, at)
        if head is None:
            raise SelectionError(f"at {place}: no word (write it as lang=eng)")
        key = Key("", _subset) if head[2] == "subset" else KEYS.get(head[2])
        if key is None:
            raise SelectionError(f"at {place}: no key {head[2]!r} (one of {', '.join(KEYS)}, subset)")
        values = []
        at = head.end()
        while True:
            found = (_WHOLE_VALUE if key.whole else _VALUE).match(text, at)
            value = "" if found is None else found[1] if found[2] is None else found[2]
            if found is None or not value:
                raise SelectionError(f"at {place}: {head[2]} needs a value")
            try:
                values.append(key.clean(value))
            except ValueError as error:
                raise SelectionError(f"at {place}: not a valid {head[2]}: {value!r} ({error})") from error
            at = found.end()
            if text[at : at + 1] != ",":
                break
            at += 1
        if at < len(text) and not text[at].isspace():
            raise SelectionError(f'at {place}: quotes are for whole values (write it as url="a b")')
        yield place, Term(head[2], tuple(sorted(set(values))), bool(head[1]))
