"""Look whether a built site loads anything from elsewhere: python docs/site_check.py site

Scripts, styles, fonts, pictures and frames are looked at, and what styles import. What scripts fetch when
they run is not seen; the theme's fetch one for diagrams of Mermaid, so that such diagrams are refused.
"""

import re
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

ELSEWHERE = re.compile(r"\s*(?:https?:)?//", re.IGNORECASE)
IN_STYLES = re.compile(r"""(?:url\(|@import)\s*["']?((?:https?:)?//[^"')\s;]+)""", re.IGNORECASE)
LOADING = {"src", "srcset", "data", "poster"}
NOT_LOADED = {"canonical", "prev", "next", "alternate", "author", "license", "edit"}
"""What a `<link>` may say of other pages."""


class Loads(HTMLParser):
    """Collects the addresses elsewhere that a page makes a browser load."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._in_style = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Look at the attributes of a tag."""
        values = {name: value or "" for name, value in attrs}
        self._in_style = tag == "style"
        kinds = set(values.get("rel", "").lower().split())
        loaded = [values[name] for name in LOADING & values.keys()]
        if tag == "link" and not kinds & NOT_LOADED:
            loaded.append(values.get("href", ""))
        self.found += [address for address in loaded if ELSEWHERE.match(address)]
        self.found += IN_STYLES.findall(values.get("style", ""))
        if "mermaid" in values.get("class", "").split():
            self.found.append("the script for diagrams of Mermaid")

    def handle_endtag(self, tag: str) -> None:
        """Leave a style."""
        self._in_style = self._in_style and tag != "style"

    def handle_data(self, data: str) -> None:
        """Look at a style."""
        if self._in_style:
            self.found += IN_STYLES.findall(data)


def loads(site: Path) -> Iterator[tuple[Path, str]]:
    """Each file of a site that loads something from elsewhere, and its address."""
    for path in sorted(site.rglob("*")):
        if path.suffix == ".html":
            page = Loads()
            page.feed(path.read_text(encoding="utf-8"))
            yield from ((path, address) for address in page.found)
        elif path.suffix in (".css", ".svg"):
            yield from ((path, address) for address in IN_STYLES.findall(path.read_text(encoding="utf-8")))


def main(site: Path) -> int:
    """Print what is loaded from elsewhere; returns the exit code."""
    if not (site / "index.html").is_file():
        print(f"{site} is not a site: it has no index.html")
        return 2
    found = list(loads(site))
    for path, address in found:
        print(f"{path} loads {address}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
