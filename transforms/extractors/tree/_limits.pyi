"""What is looked for in a page before it is parsed, byte by byte and tag by tag."""

from transforms.extractors.html._tags import Tags

def has_controls(html: bytes) -> bool:
    """Tell whether a page has bytes below the space that are not blanks of HTML, or a form feed."""

def long_stretches(html: bytes, bracket: int, chunk: int) -> list[tuple[int, int]]:
    """Find the stretches from a bracket up to the next one, or an end of the page, that fill a whole chunk.

    Args:
        html: the page.
        bracket: the byte.
        chunk: bytes of a chunk, at least 1; the first one begins with the page.

    Returns:
        The half-open ranges of bytes, in order.
    """

def flattened(html: bytes, tags: Tags, levels: int) -> bytes:
    """Take the tags of elements that are nested deeper than some levels out of a page: see `limits.flatten`.

    Args:
        html: the page without comments, scripts and styles.
        tags: its tags.
        levels: elements within each other that stay.
    """
