"""Images and roles of well-formed documents, told plainly; to hold compiled code against."""

from __future__ import annotations

from html.parser import HTMLParser
from urllib.parse import urljoin


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
        elif tag in ("div", "section") and (names & {"callout", "admonition"} or names == {"note"}):
            self.notes.add(self.tags)
        elif tag in ("div", "section", "p") and given.get("role", "").lower() == "heading":
            level = given.get("aria-level", "")
            self.titles[self.tags] = min(max(int(level), 1), 6) if level.isdigit() else 2

    def handle_endtag(self, tag: str) -> None:
        self.tags += 1
