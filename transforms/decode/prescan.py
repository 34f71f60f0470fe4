"""What the head of a page declares of itself: its encoding and its language.

Source: HTML Standard, section 13.2.3.2, "prescan a byte stream to determine its encoding". Linear: each
byte is looked at a fixed number of times, whatever the markup.
"""

import re
from collections.abc import Callable, Iterator, Mapping

from cedar.transforms.decode._prescan import after_comment, attributes, first_html_tag
from cedar.transforms.decode.media import charset_label

HEAD_BYTES = 8192
"""Bytes of a page in which declarations are looked for; the Standard's minimum is 1024."""

_TAG_NAME = re.compile(rb"</?[A-Za-z][^\t\n\f\r />]*+")
_RAW_TEXT = frozenset({b"<script", b"<style", b"<title", b"<textarea", b"<xmp", b"<iframe", b"<noembed"})
"""Start tags of elements that hold text and no tags, if an end tag closes them."""

_XML_ENCODING = re.compile(rb"[\t\n\f\r ]encoding[\t\n\f\r ]*+=[\t\n\f\r ]*+[\"']([^\"']*+)[\"']")
_LANGUAGE = re.compile(r"[A-Za-z0-9_-]{1,35}")


def declared_charset(body: bytes, accept: Callable[[str], bool] | None = None) -> str | None:
    """Return the encoding that a page declares in its head, the first `HEAD_BYTES`: the label as written.

    `<meta charset>` and `<meta http-equiv=content-type>` in their order, then an XML declaration. Labels that
    are not accepted are passed over, as in the Standard. A `<meta>` in the text of a script or a title is not
    one: the Standard's prescan takes it, but browsers then go by the true one.
    """
    head = body[:HEAD_BYTES]
    return next((label for label in _charset_labels(head) if accept is None or accept(label)), None)


def declared_language(html: bytes) -> str | None:
    """Return the language that the first `<html>` tag declares: `lang`, else `xml:lang`.

    None where neither is a language tag in form: 1 to 35 letters, digits, hyphens, underscores. Looks at
    `HEAD_BYTES` of the page.
    """
    head = html[:HEAD_BYTES]
    position = first_html_tag(head)
    if position < 0:
        return None
    found, _ = attributes(head, position + len(b"<html"))
    for name in ("lang", "xml:lang"):
        language = found.get(name, "").strip()
        if _LANGUAGE.fullmatch(language):
            return language
    return None


def _charset_labels(head: bytes) -> Iterator[str]:
    """Yield the labels that a head declares, in the order of their weight."""
    position = 0
    lowered = head.lower()
    # Every label of a `<meta>` stands after this word: with the last of them, the search is over.
    last = lowered.rfind(b"charset")
    unclosed: set[bytes] = set()
    while 0 <= (position := head.find(b"<", position)) < last:
        if head.startswith(b"<!--", position):
            position = after_comment(head, position)
        elif tag := _TAG_NAME.match(head, position):
            found, position = attributes(head, tag.end())
            name = tag[0].lower()
            if name == b"<meta" and (label := _meta_charset(found)):
                yield label
            elif name in _RAW_TEXT and name not in unclosed:
                end = lowered.find(b"</" + name[1:], position)
                if end >= 0:
                    position = end
                else:
                    unclosed.add(name)
        elif head[position + 1 : position + 2] in (b"!", b"/", b"?"):
            stop = head.find(b">", position)
            position = stop + 1 if stop >= 0 else len(head)
        else:
            position += 1
    if head.startswith(b"<?xml"):
        declaration = head[: head.find(b">") + 1]
        if encoding := _XML_ENCODING.search(declaration):
            yield encoding[1].decode("latin-1")


def _meta_charset(attributes: Mapping[str, str]) -> str | None:
    if "charset" in attributes:
        return attributes["charset"].strip()
    if attributes.get("http-equiv", "").strip().lower() == "content-type":
        return charset_label(attributes.get("content"))
    return None
