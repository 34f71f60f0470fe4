"""The addresses of links, absolute, as Markdown takes them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

from transforms.extractors.html._attributes import attributes
from transforms.extractors.html._text import rendered

if TYPE_CHECKING:
    from transforms.extractors.cedar._page import SegmentedPage

_MOST_CHARS = 2000
_QUOTED = re.compile(r"[\x00-\x20()<>\\\"`\x7f]")


class Addresses:
    """The addresses of a page's links."""

    def __init__(self, page: SegmentedPage, url: str) -> None:
        """Make them relative to a page's `base`, or to where it is from."""
        self._markup = page.markup
        self._base = url
        tag = page.markup.tags.first("base")
        try:
            href = self._given(tag) if tag >= 0 else ""
            self._base = urljoin(url, href) if href else url
        except ValueError:
            pass  # where the page is from, then

    def _given(self, tag: int) -> str:
        tags = self._markup.tags
        given = attributes(self._markup.html, int(tags.starts[tag]), int(tags.stops[tag]))
        return rendered(given.get(b"href", b""))

    def address(self, tag: int) -> str | None:
        """Return the address of a link; None if it is none of the web."""
        address = self._given(tag)
        if not address or address.startswith("#"):
            return None
        try:
            joined = urljoin(self._base, address)
            scheme = urlsplit(joined).scheme
        except ValueError:
            return None
        if scheme not in ("http", "https") or len(joined) > _MOST_CHARS:
            return None
        return _QUOTED.sub(_quoted, joined)


def _quoted(found: re.Match[str]) -> str:
    return f"%{ord(found[0]):02X}"
