"""Media types: what a Content-Type says, and whether a body is HTML."""

import re

SNIFFED_BYTES = 1445
"""Bytes at the head of a body that sniffing looks at (WHATWG MIME Sniffing, section 5.2)."""

_HTML_TYPES = frozenset({"text/html", "application/xhtml+xml", "application/vnd.wap.xhtml+xml"})
_VAGUE_TYPES = frozenset(
    {"text/plain", "application/octet-stream", "unknown/unknown", "application/unknown", "*/*"}
)
_TYPE = re.compile(r"[ \t\r\n]*+([!#-'*+.0-9A-Z^_`a-z|~-]++/[!#-'*+.0-9A-Z^_`a-z|~-]++)(?=[ \t\r\n;,]|\Z)")
_CHARSET = re.compile(
    r"charset[\t\n\f\r ]*+=[\t\n\f\r ]*+[\"']?[\t\n\f\r ]*+([^\t\n\f\r ;,\"']++)", re.IGNORECASE | re.ASCII
)

# WHATWG MIME Sniffing, section 7.1, table "identifying a resource with an unknown MIME type".
_HTML_START = re.compile(
    rb"[\t\n\f\r ]*+<(?:!--|"
    rb"(?:!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p)[\t\n\f\r >])",
    re.IGNORECASE,
)
_XML_DECLARATION = re.compile(rb"[\t\n\f\r ]*+<\?xml[\t\n\f\r ]", re.IGNORECASE)
_XHTML_ROOT = re.compile(rb"<(?:!doctype[\t\n\f\r ]++)?+html[\t\n\f\r >]", re.IGNORECASE)
_BINARY_START = re.compile(
    rb"%PDF-|\x89PNG|GIF8|\xff\xd8\xff|PK\x03\x04|RIFF....(?:WEBP|WAVE|AVI )|\x1f\x8b\x08", re.DOTALL
)
_BINARY_BYTE = re.compile(rb"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]")
_UTF8_BOM = b"\xef\xbb\xbf"
_UTF16_BOMS = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}


def media_type(content_type: str | None) -> str | None:
    """Read the media type of a Content-Type, `type/subtype` in lower case; None where it has no such form."""
    found = _TYPE.match(content_type or "")
    return found[1].lower() if found else None


def charset_label(content_type: str | None) -> str | None:
    """Return the charset of a Content-Type or of the `content` of a `<meta>`, as written but for quotes.

    As lenient as HTML's "algorithm for extracting a character encoding from a meta element": the parameter
    may stand anywhere.
    """
    found = _CHARSET.search(content_type or "")
    return found[1] if found else None


def is_html(media_type: str | None, body: bytes) -> bool:
    """Tell whether a body is HTML or XHTML.

    The label decides, unless the body begins as a well-known binary format does. Without a label
    or one that says nothing (text/plain, application/octet-stream, ...), the head of the body decides.
    """
    if media_type in _HTML_TYPES:
        return _BINARY_START.match(body) is None
    if media_type is None or media_type in _VAGUE_TYPES:
        return begins_as_html(body)
    return False


def begins_as_html(body: bytes | memoryview) -> bool:
    """Tell whether a body begins as HTML does, or with an XML declaration and then `html`.

    Looks at no more than `SNIFFED_BYTES` after a byte-order mark. Source: WHATWG MIME Sniffing, section
    7.1; the XHTML rule is ours.
    """
    head = bytes(body[: 2 + 2 * SNIFFED_BYTES])
    utf16 = _UTF16_BOMS.get(head[:2])
    if utf16:
        head = head[2:].decode(utf16, "ignore").encode("ascii", "replace")
    head = head.removeprefix(_UTF8_BOM)[:SNIFFED_BYTES]
    return _HTML_START.match(head) is not None or _is_xhtml(head)


def looks_like_text(body: bytes | memoryview) -> bool:
    """Tell whether a body begins as text or HTML does: with a byte-order mark, a tag, or no binary bytes.

    Source: WHATWG MIME Sniffing, section 7.2 (binary data bytes).
    """
    head = bytes(body[:SNIFFED_BYTES])
    return head[:2] in _UTF16_BOMS or _BINARY_BYTE.search(head) is None or begins_as_html(head)


def _is_xhtml(head: bytes) -> bool:
    """Tell whether an XML declaration is followed, after comments and instructions, by `html`."""
    if not _XML_DECLARATION.match(head):
        return False
    position = head.find(b"<")
    while position >= 0:
        if head.startswith(b"<?", position):
            position = head.find(b"?>", position)
        elif head.startswith(b"<!--", position):
            position = head.find(b"-->", position)
        else:
            return _XHTML_ROOT.match(head, position) is not None
        if position >= 0:
            position = head.find(b"<", position)
    return False
