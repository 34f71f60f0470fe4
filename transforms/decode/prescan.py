"""What the head of a page declares of itself: its encoding and its language.

Source: HTML Standard, section 13.2.3.2, "prescan a byte stream to determine its encoding". Linear: each
byte is looked at a fixed number of times, whatever the markup.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from transforms.decode.media import charset_label

HEAD_BYTES = 8192
"""Bytes of a page in which declarations are looked for; the Standard's minimum is 1024."""

_TAG_NAME = re.compile(rb"</?[A-Za-z][^\t\n\f\r />]*+")
_ATTRIBUTE = re.compile(
    rb"[\t\n\f\r /]*+([^\t\n\f\r />][^\t\n\f\r />=]*+)"
    rb"(?:[\t\n\f\r ]*+=[\t\n\f\r ]*+"
    rb"(?:\"([^\"]*+)\"|'([^']*+)'|([\"'])|([^\t\n\f\r >\"'][^\t\n\f\r >]*+)?+))?+"
)
_XML_ENCODING = re.compile(rb"[\t\n\f\r ]encoding[\t\n\f\r ]*+=[\t\n\f\r ]*+[\"']([^\"']*+)[\"']")
_HTML_TAG = re.compile(rb"<[hH][tT][mM][lL][\t\n\f\r />]")  # IGNORECASE looks at each byte: ten times as long
_LANGUAGE = re.compile(r"[A-Za-z0-9_-]{1,35}")


def declared_charset(body: bytes, accept: Callable[[str], bool] | None = None) -> str | None:
    """Return the encoding that a page declares in its head, the first `HEAD_BYTES`: the label as written.

    `<meta charset>` and `<meta http-equiv=content-type>` in their order, then an XML declaration. Labels that
    are not accepted are passed over, as in the Standard.
    """
    head = body[:HEAD_BYTES]
    return next((label for label in _charset_labels(head) if accept is None or accept(label)), None)


def declared_language(html: bytes) -> str | None:
    """Return the language that the first `<html>` tag declares: `lang`, else `xml:lang`.

    None where neither is a language tag in form: 1 to 35 letters, digits, hyphens, underscores. Looks at
    `HEAD_BYTES` of the page.
    """
    head = html[:HEAD_BYTES]
    position = _first_html_tag(head)
    if position < 0:
        return None
    attributes, _ = _attributes(head, position + len(b"<html"))
    for name in ("lang", "xml:lang"):
        language = attributes.get(name, "").strip()
        if _LANGUAGE.fullmatch(language):
            return language
    return None


def _first_html_tag(head: bytes) -> int:
    """Find where the first `<html` outside of comments begins in a head; -1 if nowhere."""
    position = 0
    while tag := _HTML_TAG.search(head, position):
        comment = head.find(b"<!--", position, tag.start())
        if comment < 0:
            return tag.start()
        while 0 <= comment < tag.start():
            position = _after_comment(head, comment)
            comment = head.find(b"<!--", position, tag.start())
        if position <= tag.start():
            return tag.start()
    return -1


def _after_comment(head: bytes, start: int) -> int:
    """Return where the comment at `start` ends; the hyphens that open it may close it, as in the Standard."""
    stop = head.find(b"-->", start + 2)
    return stop + 3 if stop >= 0 else len(head)


def _charset_labels(head: bytes) -> Iterator[str]:
    """Yield the labels that a head declares, in the order of their weight."""
    position = 0
    # Every label of a `<meta>` stands after this word: with the last of them, the search is over.
    last = head.lower().rfind(b"charset")
    while 0 <= (position := head.find(b"<", position)) < last:
        if head.startswith(b"<!--", position):
            position = _after_comment(head, position)
        elif tag := _TAG_NAME.match(head, position):
            attributes, position = _attributes(head, tag.end())
            if tag[0].lower() == b"<meta" and (label := _meta_charset(attributes)):
                yield label
        elif head[position + 1 : position + 2] in (b"!", b"/", b"?"):
            stop = head.find(b">", position)
            position = stop + 1 if stop >= 0 else len(head)
        else:
            position += 1
    if head.startswith(b"<?xml"):
        declaration = head[: head.find(b">") + 1]
        if found := _XML_ENCODING.search(declaration):
            yield found[1].decode("latin-1")


def _meta_charset(attributes: Mapping[str, str]) -> str | None:
    if "charset" in attributes:
        return attributes["charset"].strip()
    if attributes.get("http-equiv", "").strip().lower() == "content-type":
        return charset_label(attributes.get("content"))
    return None


def _attributes(head: bytes, position: int) -> tuple[dict[str, str], int]:
    """Return the attributes of the tag whose name ends at `position`, and where they end.

    Names in lower case, the first of several with one name, values without their quotes, Latin-1. A value
    that the head's end cuts is not an attribute. Source: HTML Standard, "get an attribute".
    """
    attributes: dict[str, str] = {}
    while found := _ATTRIBUTE.match(head, position):
        name, double, single, unclosed, bare = found.groups()
        if unclosed:
            return attributes, len(head)
        position = found.end()
        attributes.setdefault(
            name.decode("latin-1").lower(), (double or single or bare or b"").decode("latin-1")
        )
    return attributes, position
