"""A page as a caller has it: bytes of any encoding, or a string."""

from __future__ import annotations

import re

from transforms.decode.charset import decode_text

_SURROGATE = re.compile("[\ud800-\udfff]")


def utf8_of(html: bytes | str) -> bytes:
    """Make a page valid UTF-8.

    Args:
        html: the page. Bytes are decoded as in the pipeline, without an HTTP header; in a string, lone
            surrogates become U+FFFD.
    """
    if isinstance(html, bytes):
        return decode_text(html, header_label=None, truncated=False).utf8
    try:
        return html.encode()
    except UnicodeEncodeError:
        return _SURROGATE.sub("\ufffd", html).encode()
