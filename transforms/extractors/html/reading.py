"""A page as it is read once, for all that is wanted of it: what is left of its source, and its tags."""

from __future__ import annotations

from dataclasses import dataclass

from transforms.extractors.html._source import Source, remove_invisible
from transforms.extractors.html._tags import Tags, lex
from transforms.extractors.html.title import title

MAX_TAGS = 1 << 18
"""Tags that are read; what follows the last of them is not."""


@dataclass(frozen=True, slots=True)
class PageReading:
    """A page as it was read.

    Attributes:
        source: the page as given, and what of it is left without comments, scripts and styles.
        tags: the first `MAX_TAGS` tags of what is left.
        title: text of its `<title>`, or None.
    """

    source: Source
    tags: Tags
    title: str | None


def read_page(html: bytes) -> PageReading:
    """Read a page of valid UTF-8."""
    source = remove_invisible(html)
    visible, tags = read_tags(source.html)
    return PageReading(source, tags, title(visible, tags))


def read_tags(html: bytes) -> tuple[bytes, Tags]:
    """Find the first `MAX_TAGS` tags of a page without comments, scripts and styles.

    Returns:
        What of the page they are in, and the tags.
    """
    tags = lex(html)
    if tags.count <= MAX_TAGS:
        return html, tags
    return html[: int(tags.starts[MAX_TAGS])], tags.first_few(MAX_TAGS)
