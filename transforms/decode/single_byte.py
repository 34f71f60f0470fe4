"""Text of a byte a character, into UTF-8."""

from __future__ import annotations

import codecs

from transforms.compiled import compiled

REPLACEMENT = "\ufffd"


@compiled
def to_utf8(body: bytes, table: str) -> tuple[bytes, int]:
    """Decode by a table, and encode.

    Args:
        body: the bytes.
        table: the character of each of the 256 bytes, none beyond U+FFFF, and no surrogates.

    Returns:
        The text as UTF-8, and how many U+FFFD are in it.
    """
    text, _ = codecs.charmap_decode(body, "strict", table)
    return text.encode(), text.count(REPLACEMENT)
