"""Tags and comments in the head of a page, as regular expressions find them."""

from __future__ import annotations

import re

_HTML_TAG = re.compile(rb"<[hH][tT][mM][lL][\t\n\f\r />]")
_ATTRIBUTE = re.compile(
    rb"[\t\n\f\r /]*+([^\t\n\f\r />][^\t\n\f\r />=]*+)"
    rb"(?:[\t\n\f\r ]*+=[\t\n\f\r ]*+"
    rb"(?:\"([^\"]*+)\"|'([^']*+)'|([\"'])|([^\t\n\f\r >\"'][^\t\n\f\r >]*+)?+))?+"
)


def first_html_tag(head: bytes) -> int:
    """Find where the first `<html` outside of comments begins; -1 if nowhere."""
    position = 0
    while tag := _HTML_TAG.search(head, position):
        comment = head.find(b"<!--", position, tag.start())
        if comment < 0:
            return tag.start()
        position = after_comment(head, comment)
    return -1


def after_comment(head: bytes, start: int) -> int:
    """Return where the comment at `start` ends."""
    stop = head.find(b"-->", start + 2)
    return stop + 3 if stop >= 0 else len(head)


def attributes(head: bytes, position: int) -> tuple[dict[str, str], int]:
    """Return the attributes of the tag whose name ends at `position`, and where they end."""
    attributes: dict[str, str] = {}
    while found := _ATTRIBUTE.match(head, position):
        name, double, single, unclosed, bare = found.groups()
        if unclosed:
            return attributes, len(head)
        position = found.end()
        value = (double or single or bare or b"").decode("latin-1")
        attributes.setdefault(name.decode("latin-1").lower(), value)
    return attributes, position
