"""Attributes of tags, and the tags whose attributes speak of dates and authors: see `_attributes.pyx`."""

from transforms.extractors.html._tags import Tags

def attributes(html: bytes, start: int, stop: int) -> dict[bytes, bytes]:
    """Reads the attributes of the tag in bytes [start, stop) of a page, `<` and `>` among them.

    Returns:
        Their names, ASCII letters in lower case, and values without their quotes, references not decoded;
        the first of several of one name.
    """

def telling(html: bytes, tags: Tags, first: int, last: int) -> list[int]:
    """Lists the start tags among tags [first, last) that have a word of dates or authors in them."""
