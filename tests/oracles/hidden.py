"""Which elements their markup hides: what `html._styles` is held to."""

from __future__ import annotations

from collections.abc import Mapping

BLANKS = "".join(map(chr, range(0x21)))


def hides(name: str, attributes: Mapping[str, str]) -> bool:
    """Tell whether attributes, by their names in lower case, hide an element."""
    if name in ("html", "body"):
        return False
    display = ""
    for declaration in attributes.get("style", "").split(";"):
        written, colon, value = declaration.partition(":")
        if colon and written.strip(BLANKS).lower() == "display":
            display = value.partition("!")[0].strip(BLANKS).lower()
    return "hidden" in attributes or display == "none"
