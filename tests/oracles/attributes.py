"""Attributes of tags, read by an expression: what `html._attributes` is held to."""

from __future__ import annotations

import re

_BLANK = rb"[ \t\n\f\r]"
_NAME = re.compile(rb"<[^ \t\n\f\r/]*")
_ATTRIBUTE = re.compile(
    rb"(?:%(blank)s|/)*([^ \t\n\f\r/][^ \t\n\f\r/=]*)%(blank)s*"
    rb"(?:=%(blank)s*(?:\"([^\"]*)\"?|'([^']*)'?|([^ \t\n\f\r]*)))?" % {b"blank": _BLANK}
)


def attributes(tag: bytes) -> dict[bytes, bytes]:
    """Read the attributes of a tag, `<` and `>` among its bytes."""
    inner = tag[:-1]
    name = _NAME.match(inner)
    found: dict[bytes, bytes] = {}
    for attribute in _ATTRIBUTE.finditer(inner, name.end() if name else 0):
        value = next((group for group in attribute.groups()[1:] if group is not None), b"")
        found.setdefault(attribute[1].lower(), value)
    return found
