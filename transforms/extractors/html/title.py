"""The page's title and its head, found among its tags."""

import re

from cedar.transforms.extractors.html._attributes import attributes
from cedar.transforms.extractors.html._tags import Tags, key
from cedar.transforms.extractors.html._text import rendered

_TITLE_END = re.compile(rb"</title(?=[\t\n\f\r />])", re.IGNORECASE)


_MAX_METAS = 500
_MAX_PIECES = 24
_MAX_CHARS = 600


def title(html: bytes, tags: Tags) -> str | None:
    """Text of the first `<title>`; if missing or empty, `og:title`; else the text of the first `h1`.

    Entities are decoded, blanks collapsed; None where a page has none of them. The page is UTF-8 without
    comments, scripts and styles.
    """
    return title_element(html, tags) or _of_meta(html, tags) or _of_heading(html, tags)


def title_element(html: bytes, tags: Tags) -> str | None:
    """The content of `<title>`: up to `</title` (HTML5, RCDATA), or, if that is missing, to the next `<`."""
    found = tags.first("title")
    if found < 0:
        return None
    start = int(tags.stops[found])
    end = _TITLE_END.search(html, start)
    stop = end.start() if end else html.find(b"<", start)
    return rendered(html[start : stop if stop >= 0 else len(html)]) or None


def _of_meta(html: bytes, tags: Tags) -> str | None:
    for tag in (tags.keys == key("meta")).nonzero()[0][:_MAX_METAS].tolist():
        given = attributes(html, int(tags.starts[tag]), int(tags.stops[tag]))
        named = given.get(b"property") or given.get(b"name") or b""
        if named.strip().lower() == b"og:title" and (text := rendered(given.get(b"content", b""))):
            return text[:_MAX_CHARS]
    return None


def _of_heading(html: bytes, tags: Tags) -> str | None:
    first = tags.first("h1")
    if first < 0:
        return None
    last = min(tags.first("h1", end=True, start=first), first + _MAX_PIECES)
    if last < 0:
        return None
    starts, stops = tags.starts[first + 1 : last + 1].tolist(), tags.stops[first:last].tolist()
    breaks = (tags.keys[first:last] == key("br")).tolist()
    pieces = (b" " * br + html[stop:start] for br, stop, start in zip(breaks, stops, starts, strict=True))
    return rendered(b"".join(pieces))[:_MAX_CHARS].strip() or None


def head(tags: Tags) -> tuple[int, int] | None:
    """Return the bytes [start, stop) of the page's head.

    From the first `<head>` through the first `</head>` after it, or up to `<body` if that comes first; None
    without a `<head>`, or if neither follows.
    """
    opened = tags.first("head")
    if opened < 0:
        return None
    closed, body = tags.first("head", end=True, start=opened), tags.first("body", start=opened)
    if closed < 0 and body < 0:
        return None
    ends_with_body = closed < 0 or 0 <= body < closed
    return int(tags.starts[opened]), int(tags.starts[body] if ends_with_body else tags.stops[closed])
