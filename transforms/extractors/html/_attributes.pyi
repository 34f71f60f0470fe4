"""Attributes of tags: see `_attributes.pyx`."""

def attributes(html: bytes, start: int, stop: int) -> dict[bytes, bytes]:
    """Reads the attributes of the tag in bytes [start, stop) of a page, `<` and `>` among them.

    Returns:
        Their names, ASCII letters in lower case, and values without their quotes, references not decoded;
        the first of several of one name.
    """

class AttributeScanner:
    """Reads the attributes of the tags of a page, for compiled modules."""

    def __init__(self, html: bytes) -> None: ...
