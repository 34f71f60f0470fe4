"""The fields of a head, as regular expressions find them."""

from __future__ import annotations

import re

_FIELD = re.compile(
    r"^([!#-'*+.0-9A-Z^_`a-z|~-]++)[ \t]*+:([^\n]*+(?:\n[ \t][^\n]*+)*+)", re.MULTILINE | re.ASCII
)


def fields(head: bytes, utf8: bool) -> tuple[tuple[str, str], ...]:
    """Names in lower case, and values with the lines folded into them; UTF-8 where all of the head is."""
    try:
        text = head.decode("utf-8" if utf8 else "latin-1")
    except UnicodeDecodeError:
        text = head.decode("latin-1")
    return tuple((name.lower(), _unfolded(value)) for name, value in _FIELD.findall(text))


def _unfolded(value: str) -> str:
    return " ".join(line.strip(" \t\r") for line in value.split("\n")).strip(" ")
