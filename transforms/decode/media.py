"""Media types: what a Content-Type says, and whether a body is HTML."""

import re

SNIFFED_BYTES = 1445
"""Bytes at the head of a body that sniffing looks at (WHATWG MIME Sniffing, section 5.2)."""

_HTML_TYPES = frozenset({"text/html", "application/xhtml+xml", "application/vnd.wap.xhtml+xml"})
_XML_TYPES = frozenset({"application/xml", "text/xml"})
_VAGUE_TYPES = frozenset(
    {
        "text/plain",
        "application/octet-stream",
        "binary/octet-stream",
        "application/download",
        "application/x-download",
        "application/force-download",
        "application/x-force-download",
        "unknown/unknown",
        "application/unknown",
        "*/*",
    }
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
    rb"%PDF-|\x89PNG|GIF8|\xff\xd8\xff|PK\x03\x04|\x1f\x8b\x08"  # documents, pictures, archives
    rb"|RIFF....(?:WEBP|WAVE|AVI )|....ftyp|ID3[\x02-\x04]|OggS\0|fLaC|\x1aE\xdf\xa3|FLV\x01"  # media
    rb"|Rar!\x1a|7z\xbc\xaf|BZh[1-9]1AY|\xfd7zXZ|\x28\xb5\x2f\xfd|\x04\x22\x4d\x18|MSCF\0"  # archives
    rb"|\xd0\xcf\x11\xe0|[CFZ]WS[\x01-\x40]|8BPS\0|wOF[F2]|II\*\0|MM\0\*|\x7fELF|MZ[^ -~]",  # and more
    re.DOTALL,
)
_BINARY_BYTES = bytes((*range(0x09), 0x0B, *range(0x0E, 0x1B), *range(0x1C, 0x20)))
_TERMINAL_BYTES = b"\x07\x08"
"""Bell and backspace, with which manual pages print bold letters: text of a terminal has many."""

_BINARY_SHARE = 64
"""In a binary file, more than one of so many bytes is a binary byte; text has one now and then."""

_MARKUP = re.compile(
    rb"<(?:!--|(?:!doctype|/?(?:html|head|body|title|meta|link|script|style|div|table|center|font|h[1-6]|p|br))"
    rb"[\t\n\f\r />])",
    re.IGNORECASE,
)
_UTF16_MARKUP = re.compile(rb"<\0[!/?A-Za-z]\0|\0<\0[!/?A-Za-z]")
_UTF32_BE_BOM = b"\0\0\xfe\xff"
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


def is_html(media_type: str | None, body: bytes, charset: str | None = None) -> bool:
    """Tell whether a body is HTML or XHTML, by its media type, the charset of its header, and its beginning.

    The label of HTML is believed, unless the body begins as a binary file does. Under a label of XML, the
    root element decides. Without a label, or under one that says nothing (text/plain, a download), the
    beginning of the body decides.
    """
    if media_type in _HTML_TYPES:
        return _HTML_START.match(body) is not None or begins_as_html(body) or not is_binary(body, charset)
    if media_type in _XML_TYPES:
        return _has_html_root(_sniffed(body))
    if media_type is None or media_type in _VAGUE_TYPES:
        return begins_as_html(body)
    return False


def begins_as_html(body: bytes | memoryview) -> bool:
    """Tell whether a body begins as HTML does, or with an XML declaration and then `html`.

    Looks at no more than `SNIFFED_BYTES` after a byte-order mark. Source: WHATWG MIME Sniffing, section
    7.1; the XHTML rule is ours.
    """
    head = _sniffed(body)
    return _HTML_START.match(head) is not None or (
        _XML_DECLARATION.match(head) is not None and _has_html_root(head)
    )


def is_binary(body: bytes, charset: str | None) -> bool:
    """Tell whether a body that is said to be text begins as a binary file does.

    It begins as a well-known format does, or has many binary bytes (WHATWG MIME Sniffing, section 7.2) and no
    markup. In UTF-16 and UTF-32, each character has such bytes: what begins with a byte-order mark, is
    declared to be in one of them, or has markup in UTF-16 is text.
    """
    if _BINARY_START.match(body):
        return True
    head = body[:SNIFFED_BYTES]
    printed = head.translate(None, _TERMINAL_BYTES)
    binary_bytes = len(printed) - len(printed.translate(None, _BINARY_BYTES))
    if binary_bytes * _BINARY_SHARE <= len(head) or _MARKUP.search(head):
        return False
    is_wide = head[:2] in _UTF16_BOMS or head.startswith(_UTF32_BE_BOM) or _UTF16_MARKUP.search(body[:8192])
    return not (is_wide or (charset or "").lower().startswith(("utf-16", "utf16", "utf-32")))


def looks_like_text(body: bytes | memoryview) -> bool:
    """Tell whether a body begins as text or HTML does: with a byte-order mark, a tag, or no binary bytes.

    Source: WHATWG MIME Sniffing, section 7.2 (binary data bytes).
    """
    head = bytes(body[:SNIFFED_BYTES])
    has_binary = len(head.translate(None, _BINARY_BYTES)) < len(head)
    return head[:2] in _UTF16_BOMS or not has_binary or begins_as_html(head)


def _sniffed(body: bytes | memoryview) -> bytes:
    """Return the bytes that sniffing looks at, without a byte-order mark, those of UTF-16 as ASCII."""
    head = bytes(body[: 2 + 2 * SNIFFED_BYTES])
    utf16 = _UTF16_BOMS.get(head[:2])
    if utf16:
        head = head[2:].decode(utf16, "ignore").encode("ascii", "replace")
    return head.removeprefix(_UTF8_BOM)[:SNIFFED_BYTES]


def _has_html_root(head: bytes) -> bool:
    """Tell whether `html` is the first element, after comments and instructions."""
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
