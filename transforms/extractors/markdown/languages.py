"""The language of code, as its markup says."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from transforms.extractors.cedar.names import CODE
from transforms.extractors.html._attributes import attributes

if TYPE_CHECKING:
    from transforms.extractors.cedar._page import SegmentedPage
    from transforms.extractors.markdown._containers import Containers

_CLASS = re.compile(
    r"(?:^|\s)(?:language-|lang-|highlight-source-|highlight-text-|brush:\s?|sourceCode\s+|hljs\s+"
    r"|prettyprint\s+lang-)([A-Za-z0-9+#._-]{1,20})(?=[\s;]|$)"
)
_NO_LANGUAGES = (
    "text plain plaintext none nohighlight highlight hljs prettyprint code source linenums notranslate"
    " html-basic wrap copy"
)
_NONE = frozenset(_NO_LANGUAGES.split())
_NAMED = (b"data-lang", b"data-language", b"data-code-language", b"syntax")
_OF_TABLES = frozenset(CODE[name] for name in ("table", "tbody", "tr", "td"))
_NEAR = 3
"""Elements whose class may name it: that of code, and two around it; parts of tables are not counted."""

_LANGUAGE = re.compile(r"[a-z0-9+#._-]{1,20}")


def language_of(page: SegmentedPage, containers: Containers, element: int) -> str:
    """The language of an element of code, in lower case; "" where its markup does not say.

    Asked are the `code` in it, itself, and the two elements around it.
    """
    tags, elements = page.markup.tags, page.elements
    tag = int(elements.opens[element]) + 1
    asked = []
    while tag < tags.count and tag < int(elements.opens[element]) + 3 and not tags.ends[tag]:
        asked.append(attributes(page.markup.html, int(tags.starts[tag]), int(tags.stops[tag])))
        tag += 1
    around = element
    near = 0
    while around and near < _NEAR:
        asked.append(containers.attributes(around))
        near += int(elements.codes[around]) not in _OF_TABLES
        around = int(elements.parents[around])
    return _first(asked)


def _first(asked: Iterable[Mapping[bytes, bytes]]) -> str:
    for given in asked:
        names = [given.get(name, b"").decode("utf-8", "replace").strip().lower() for name in _NAMED]
        written = given.get(b"class", b"").decode("utf-8", "replace")
        names += [found[1].lower() for found in _CLASS.finditer(written)]
        for name in names:
            if name not in _NONE and _LANGUAGE.fullmatch(name):
                return name
    return ""
