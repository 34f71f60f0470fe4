"""A page as a caller has it: bytes of any encoding, or a string."""

from __future__ import annotations

import re

from transforms.decode.charset import decode_text

_SURROGATE = re.compile("[\ud800-\udfff]")


def check_url(url: object) -> None:
    """Refuse what is neither a string nor None, by a TypeError."""
    if not isinstance(url, str | None):
        raise TypeError(f"url is a str or None, not {type(url).__name__}")


def utf8_of(html: bytes | bytearray | memoryview | str) -> bytes:
    """Make a page valid UTF-8, without a byte-order mark.

    Bytes are decoded as in the pipeline, without an HTTP header; in a string, lone surrogates become U+FFFD.

    Raises:
        TypeError: it is something else.
    """
    if isinstance(html, bytes | bytearray | memoryview):
        return decode_text(bytes(html), header_label=None, truncated=False).utf8
    if not isinstance(html, str):
        raise TypeError(f"a page is bytes or a str, not {type(html).__name__}")
    html = html.removeprefix("\ufeff")
    try:
        return html.encode()
    except UnicodeEncodeError:
        return _SURROGATE.sub("\ufffd", html).encode()
