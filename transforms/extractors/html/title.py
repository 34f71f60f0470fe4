"""The page's title and its head, found among its tags."""

from __future__ import annotations

import re

from transforms.extractors.html._tags import Tags
from transforms.extractors.html._text import rendered

_TITLE_END = re.compile(rb"</title(?=[\t\n\f\r />])", re.IGNORECASE)


def title(html: bytes, tags: Tags) -> str | None:
    """Text of the first `<title>`, entities decoded, blanks collapsed; None if missing or empty.

    Its content is text up to `</title` (HTML5, RCDATA), or, if that is missing, up to the next `<`.

    Args:
        html: the page without comments, scripts and styles, UTF-8.
        tags: its tags.
    """
    found = tags.first("title")
    if found < 0:
        return None
    start = int(tags.stops[found])
    end = _TITLE_END.search(html, start)
    stop = end.start() if end else html.find(b"<", start)
    return rendered(html[start : stop if stop >= 0 else len(html)]) or None


def head(tags: Tags) -> tuple[int, int] | None:
    """Return the bytes [start, stop) of the page's head.

    From the first `<head>` through the first `</head>` after it, or up to `<body` if that comes first; None
    where there is no `<head>` or neither follows.
    """
    opened = tags.first("head")
    if opened < 0:
        return None
    closed, body = tags.first("head", end=True, start=opened), tags.first("body", start=opened)
    if closed < 0 and body < 0:
        return None
    ends_with_body = closed < 0 or 0 <= body < closed
    return int(tags.starts[opened]), int(tags.starts[body] if ends_with_body else tags.stops[closed])
