"""A page as a caller has it: bytes of any encoding, or a string."""

import codecs
import re

from cedar.transforms.decode.charset import decode_text
from cedar.transforms.decode.media import begins_as_html, is_html

_HEAD = 8192
"""Bytes that tell such a format."""

_FRAGMENT = re.compile(
    rb"[\t\n\f\r ]*+<(?:article|aside|blockquote|center|dl|em|footer|form|h[2-6]|header|i|img|li|link|main"
    rb"|meta|nav|ol|pre|section|span|strong|td|tr|ul)[\t\n\f\r />]",
    re.IGNORECASE,
)
_SURROGATE = re.compile("[\ud800-\udfff]")


def check_url(url: object) -> None:
    """Raise TypeError for anything but a string or None."""
    if not isinstance(url, str | None):
        raise TypeError(f"url is a str or None, not {type(url).__name__}")


def mark_utf8(utf8: bytes) -> bytes:
    """Mark text in UTF-8 by a byte-order mark where it might be taken for UTF-16 or ISO-2022-JP."""
    is_sure = b"\0" not in utf8 and b"\x1b" not in utf8
    return utf8 if is_sure or utf8.startswith(codecs.BOM_UTF8) else codecs.BOM_UTF8 + utf8


def refuse_other_formats(html: object) -> None:
    """Raise ValueError for bytes that begin as a binary file does, and a string that begins as a PDF does."""
    if isinstance(html, bytes | bytearray | memoryview):
        is_other = not is_html("text/html", bytes(html[:_HEAD]))
    else:
        is_other = isinstance(html, str) and html.startswith("%PDF-")
    if is_other:
        raise ValueError(
            "not HTML: these are the bytes of a PDF, a picture, an archive or another binary file"
        )


def looks_like_html(utf8: bytes) -> bool:
    """Tell whether a page begins as HTML does, or with an element of a body; JSON, XML and text do not."""
    return begins_as_html(utf8) or _FRAGMENT.match(utf8) is not None


def utf8_of(html: bytes | bytearray | memoryview | str) -> bytes:
    """Make a page valid UTF-8, without a byte-order mark.

    Bytes are decoded as in the pipeline, without an HTTP header; in a string, lone surrogates become U+FFFD.

    Raises TypeError: it is something else.
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
