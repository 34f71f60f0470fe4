"""Python's codec for a byte a character: what `cedar.transforms.decode._single_byte` is held to."""

from __future__ import annotations

import codecs


def to_utf8(body: bytes, table: str) -> tuple[bytes, int]:
    """Decode by a table, and encode."""
    text, _ = codecs.charmap_decode(body, "strict", table)
    return text.encode(), text.count("\ufffd")
