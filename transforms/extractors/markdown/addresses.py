"""Addresses as Markdown takes them: of the web alone, absolute, and without what would end them."""

from __future__ import annotations

import re
from urllib.parse import urljoin, urlsplit

from transforms.extractors.html._text import rendered

_MOST_CHARS = 2000
_QUOTED = re.compile(r"[\x00-\x20()<>\\\"`|\x7f]")


def web_address(base: str | None, written: bytes) -> str | None:
    """Make an address absolute.

    Args:
        base: what it is relative to.
        written: as an attribute has it.

    Returns:
        An address of http or https; None for others, for those that are too long, and for places in the page.
    """
    address = rendered(written)
    if not address or address.startswith("#"):
        return None
    try:
        absolute = urljoin(base or "", address)
        scheme = urlsplit(absolute).scheme
    except ValueError:
        return None
    if scheme not in ("http", "https") or len(absolute) > _MOST_CHARS:
        return None
    return _QUOTED.sub(_quote, absolute)


def _quote(found: re.Match[str]) -> str:
    return f"%{ord(found[0]):02X}"
