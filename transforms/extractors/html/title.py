"""The page's title and its head, found among its tags."""

from __future__ import annotations

import re

import numpy as np

from transforms.extractors.html import text
from transforms.extractors.html.tag_names import TagNames
from transforms.extractors.html.tags import Tags

_TITLE_END = re.compile(rb"</title(?=[\t\n\f\r />])", re.IGNORECASE)


def title(html: bytes, tags: Tags, names: TagNames) -> str | None:
    """Text of the first `<title>`, entities decoded, blanks collapsed; None if missing or empty.

    Its content is text up to `</title` (HTML5, RCDATA), or, if that is missing, up to the next `<`.

    Args:
        html: the page without comments, scripts and styles, UTF-8.
        tags: its tags.
        names: their names.
    """
    found = names.first_start("title")
    if found < 0:
        return None
    start = int(tags.stops[found])
    end = _TITLE_END.search(html, start)
    stop = end.start() if end else html.find(b"<", start)
    return text.rendered(html[start : stop if stop >= 0 else len(html)]) or None


def head(tags: Tags, names: TagNames) -> tuple[int, int] | None:
    """The bytes [start, stop) of the page's head.

    From the first `<head>` through the first `</head>` after it, or up to `<body` if that comes first; None
    where there is no `<head>` or neither follows.

    Args:
        tags: the page's tags.
        names: their names.
    """
    opened = np.flatnonzero(names.named("head") & ~names.ends)
    if not opened.size:
        return None
    body = names.named("body") & ~names.ends
    after = slice(opened[0], None)
    closed = np.flatnonzero((names.named("head") & names.ends | body)[after])
    if not closed.size:
        return None
    last = opened[0] + closed[0]
    return int(tags.starts[opened[0]]), int(tags.starts[last] if body[last] else tags.stops[last])
