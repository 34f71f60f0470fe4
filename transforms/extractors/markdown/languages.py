"""The language of code, as its markup says."""

from __future__ import annotations

import re
from collections.abc import Iterable

from transforms.extractors.html._attributes import attributes

_NAMING = re.compile(
    r"(?:^|\s)(?:lang(?:uage)?[-:]|highlight-(?:source|text)-|brush:\s?)([A-Za-z0-9+#._-]{1,20})(?=[\s;]|$)"
)
_HIGHLIGHTERS = ("hljs", "sourceCode")
"""Classes next to which a language stands, as a rule after them."""

_NO_LANGUAGES = (
    "text plain plaintext none undefined nohighlight no-highlight highlight hljs prettyprint code source"
    " linenums notranslate html-basic wrap copy"
)
_NONE = frozenset(_NO_LANGUAGES.split())
_NAMED = (b"data-lang", b"data-language", b"data-code-language", b"syntax")
_LANGUAGE = re.compile(r"[a-z0-9+#._-]{1,20}")


def language(html: bytes, tags: Iterable[tuple[int, int]]) -> str:
    """Return the first language that tags name, in lower case; "" where none does.

    Args:
        html: a page.
        tags: where the tags that are asked begin and end in it.
    """
    for start, stop in tags:
        given = attributes(html, start, stop)
        names = [given.get(name, b"").decode("utf-8", "replace").strip().lower() for name in _NAMED]
        written = given.get(b"class", b"").decode("utf-8", "replace")
        names += [found[1].lower() for found in _NAMING.finditer(written)]
        words = written.split()
        for at in [words.index(highlighter) for highlighter in _HIGHLIGHTERS if highlighter in words]:
            names += [word.lower() for word in (*words[at + 1 : at + 2], *words[max(at - 1, 0) : at])]
        for name in names:
            if name not in _NONE and _LANGUAGE.fullmatch(name):
                return name
    return ""
