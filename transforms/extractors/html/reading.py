"""A page as it is read once, for all that is wanted of it: its source, its tags and its title."""

from dataclasses import dataclass

from cedar.transforms.extractors.html._source import Source, lex, remove_invisible
from cedar.transforms.extractors.html._tags import Tags
from cedar.transforms.extractors.html.title import title

MAX_TAGS = 1 << 19
"""Tags that are read; what follows the last of them is not."""


@dataclass(slots=True)
class PageReading:
    """A page as it was read.

    Attributes:
        html: its rest, without comments, scripts and styles, up to the first tag that is not read.
        title: text of its `<title>`, or what stands in for it (`title.title`); None without.
        is_cut: whether it has tags that are not read.
    """

    source: Source
    html: bytes
    tags: Tags
    title: str | None
    is_cut: bool


def read_page(html: bytes, *, whole: bool = False) -> PageReading:
    """Read a page of valid UTF-8, the first `MAX_TAGS` of its tags if not `whole`."""
    source = remove_invisible(html)
    visible, tags = source.html, source.tags
    is_cut = tags.count > MAX_TAGS and not whole
    if is_cut:
        visible = visible[: int(tags.starts[MAX_TAGS])]
        tags = lex(visible)  # no tag before the cut ends after it
    return PageReading(source, visible, tags, title(visible, tags), is_cut)
