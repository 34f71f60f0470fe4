"""Footnotes, images and roles of well-formed documents, told plainly; to hold compiled code against."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html.parser import HTMLParser
from urllib.parse import urljoin

NOWHERE = "z"
"""A name that no paragraph has."""

SIGN = re.compile(r"\[?(\d{1,4}|[a-z]|†)\]?")


@dataclass(frozen=True)
class Link:
    """A link to a paragraph by its name; `form` has its sign for {} and its address for #."""

    form: str
    sign: str
    target: str

    @property
    def html(self) -> str:
        return self.form.replace("#", f"#{self.target}").replace("{}", self.sign)

    @property
    def text(self) -> str:
        """What is visible of it."""
        return re.sub(r"<[^<>]*>", "", self.html)

    @property
    def is_raised(self) -> bool:
        return (
            "sup" in self.form or "noteref" in self.form or re.search(r"(fn|note)\d", self.target) is not None
        )


@dataclass(frozen=True)
class Paragraph:
    """Words and links with a blank between them, and the name of the paragraph, if it has one."""

    name: str
    content: Sequence[str | Link]


def html(paragraphs: Sequence[Paragraph]) -> str:
    return "".join(
        f"<p id='{each.name}'>"
        + " ".join(part if isinstance(part, str) else part.html for part in each.content)
        for each in paragraphs
    )


def markdown(paragraphs: Sequence[Paragraph]) -> str:
    """The document, its notes at the end.

    A raised sign that leads to a later paragraph is a reference, and that paragraph a note.
    """
    names = [each.name for each in paragraphs]
    numbers: dict[int, int] = {}
    texts = []
    for place, each in enumerate(paragraphs):
        words = []
        for part in each.content:
            if isinstance(part, str):
                words.append(part)
                continue
            target = names.index(part.target) if part.target in names else -1
            if target > place and part.is_raised and SIGN.fullmatch(part.sign):
                words.append(f"[^{numbers.setdefault(target, len(numbers) + 1)}]")
            else:
                words.append(part)
        texts.append(words)
    flow = [_text(texts[place], [*names, NOWHERE]) for place in range(len(texts)) if place not in numbers]
    notes = [
        f"[^{number}]: {_text(texts[place], names[place + 1 :])}".rstrip()
        for place, number in numbers.items()
    ]
    return "\n\n".join([*filter(None, flow), *notes])


def _text(words: Sequence[str | Link], after: Sequence[str]) -> str:
    """Words; arrows, and signs at the beginning, are left out where they lead to nothing that comes after."""
    out: list[str] = []
    for number, word in enumerate(words):
        if isinstance(word, Link):
            is_back = word.sign == "↩" or (number == 0 and SIGN.fullmatch(word.sign))
            out += [] if is_back and word.target not in after else [word.text]
        else:
            out.append(word)
    return " ".join(out)


class Images(HTMLParser):
    """The addresses and descriptions of a page's images."""

    def __init__(self, base: str) -> None:
        super().__init__()
        self.base = base
        self.found: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag != "img" or {given.get("width"), given.get("height")} & {"0", "1"}:
            return
        addresses = [given.get(name, "") for name in ("data-src", "data-original", "data-lazy-src", "src")]
        addresses += [given.get(name, "").split(" ")[0].rstrip(",") for name in ("data-srcset", "srcset")]
        for address in filter(None, addresses):
            absolute = urljoin(self.base, address)
            if absolute.startswith(("http:", "https:")) and not address.startswith("#"):
                self.found.append((" ".join(given.get("alt", "").split()), absolute))
                return


class Roles(HTMLParser):
    """The numbers of the start tags whose attributes make headings, notes and posts of them."""

    def __init__(self) -> None:
        super().__init__()
        self.tags = -1
        self.titles: dict[int, int] = {}
        self.notes: set[int] = set()
        self.posts: set[int] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags += 1
        given = {name: value or "" for name, value in attrs}
        names = set(given.get("class", "").lower().split())
        if tag == "blockquote":
            self.posts |= {self.tags} if names & {"postcontent", "messagetext"} else set()
        elif tag in ("div", "section") and names & {"callout", "admonition"}:
            self.notes.add(self.tags)
        elif tag in ("div", "section", "p") and given.get("role", "").lower() == "heading":
            level = given.get("aria-level", "")
            self.titles[self.tags] = min(max(int(level), 1), 6) if level.isdigit() else 2

    def handle_endtag(self, tag: str) -> None:
        self.tags += 1
