"""Where a page may say something of itself: see `_places.pyx`."""

from transforms.extractors.html.reading import PageReading

MOST_METAS: int
"""Tags of `<meta>`, and of `<link>`, that are read."""

MOST_FINDS: int
"""Tags of any other kind that are noted."""

MOST_MARKED: int
"""Tags that are noted for their class."""

class Places:
    """The tags of a page that may hold metadata: numbers of start tags, ascending.

    Attributes:
        metas: the contents of `<meta>` by the names in `meta_names.ALL`; in order, none empty.
        links: `rel`, in lower case, and `href` of each `<link>` to the page's own address or to a licence.
        base: the `href` of the first `<base>`; None if it has none.
        language: the `lang` of the page as written; empty if it has none.
        times: `<time>`.
        headings: the first eight `h1`, then the first eight `h2`.
        published, modified, authored: those whose `itemprop` speaks of the date of publication, of the last
            change, of the author.
        by_authors: those whose `rel` speaks of the author.
        to_licences: those whose `rel` speaks of a licence.
        to_commons: those of the last quarter of the page whose `href` names an address of Creative Commons.
        dated: those whose class, id, `itemprop` or `property` has a word of dates.
        signed: those whose class or id has a word of authors.
        changed: those whose class or id has a word of a change.
        asides: quotes, and those whose class, id or `itemprop` has a word of comments, quotes, sidebars or of
            what is related.
    """

    metas: dict[str, list[str]]
    links: list[tuple[str, str]]
    base: str | None
    language: bytes
    times: list[int]
    headings: list[int]
    published: list[int]
    modified: list[int]
    authored: list[int]
    by_authors: list[int]
    to_licences: list[int]
    to_commons: list[int]
    dated: list[int]
    signed: list[int]
    changed: list[int]
    asides: list[int]

    def __init__(self, page: PageReading) -> None:
        """Looks at the tags of a page, each once."""

    def attributes(self, tag: int) -> dict[bytes, bytes]:
        """The attributes of a tag; see `html._attributes.attributes`."""
