"""Common lines, which many pages have, such as menus and notices: find a text's lines, take common ones out.

C4 drops repeated runs of three sentences (Raffel et al. 2020, section 2.2), CCNet repeated paragraphs
(Wenzek et al. 2020).
"""

import dataclasses
import hashlib
import itertools
import re
from bisect import bisect_right
from collections.abc import Sequence, Set
from typing import NamedTuple

import numpy as np

from cedar.transforms.curation._signals import measure
from cedar.transforms.curation.stop_words import ENGLISH, stop_words
from cedar.transforms.model.annotations import CommonLines, Language, Markdown, Signals
from cedar.transforms.model.records import ExtractedPage

_ITEM = re.compile(rb" *(?:[-*+]|[0-9]+[.)]) ")
"""The marker of a list's item in Markdown."""

MIN_CHARS = 20
"""Characters that a line must have to be compared."""


def long_lines(text: str) -> list[str]:
    """Return the distinct lines of a text that are compared, without blanks at their ends, in order."""
    stripped = (line.strip() for line in text.split("\n"))
    return list(dict.fromkeys(line for line in stripped if len(line) >= MIN_CHARS))


def without_lines(text: str, common: Set[str]) -> tuple[str, int]:
    """Return a text without the common lines, and the number of lines removed."""
    lines = text.split("\n")
    kept = [line for line in lines if line.strip() not in common]
    return "\n".join(kept).strip("\n"), len(lines) - len(kept)


def page_without_lines(page: ExtractedPage, common: Set[str]) -> ExtractedPage:
    """Take common lines out of a page's text and Markdown, and measure the text anew.

    Markdown becomes None if `markdown_without_lines` returns None. Language, own signals and the other
    columns keep their values, which were measured with the lines.
    """
    text, removed = without_lines(page.row.text, common)
    if not removed:
        return dataclasses.replace(page, annotations=_with_count(page, 0))
    encoded = text.encode()
    row = page.row._replace(
        text=text,
        text_digest=hashlib.blake2b(encoded, digest_size=16).hexdigest(),
        text_chars=len(text),
        words=len(text.split()),
        content_ratio=page.row.content_ratio * len(text) / page.row.text_chars,
    )
    language = next((record for record in page.annotations if isinstance(record, Language)), None)
    annotations: list[NamedTuple] = []
    for record in _with_count(page, removed):
        if isinstance(record, Signals):
            annotations.append(_measured(text, language))
        elif isinstance(record, Markdown) and record.markdown is not None:
            annotations.append(Markdown(markdown_without_lines(record.markdown, common)))
        else:
            annotations.append(record)
    return dataclasses.replace(page, row=row, text_bytes=len(encoded), annotations=tuple(annotations))


def _with_count(page: ExtractedPage, removed: int) -> tuple[NamedTuple, ...]:
    """Return a page's annotations with the lines removed, in this run and in those before."""
    others = [record for record in page.annotations if not isinstance(record, CommonLines)]
    before = [record.lines_removed or 0 for record in page.annotations if isinstance(record, CommonLines)]
    return (*others, CommonLines(removed + sum(before)))


def _measured(text: str, language: Language | None) -> Signals:
    spoken = ENGLISH if language is None else language.language
    signals: Signals = measure(text, None if spoken is None else stop_words(spoken))[0]
    return signals


def markdown_without_lines(markdown: str, common: Set[str]) -> str | None:
    """Take lines out of Markdown that Cedar wrote, by the text that a reader sees of them.

    Returns None if the Markdown lacks one of the lines, or if the rest would have another meaning: the line
    is a row of a table, follows a hard line break, or is an item with items below it.
    """
    source = markdown.encode().split(b"\n")
    kept: list[bytes] = []
    found: set[str] = set()
    is_after_common = False
    for number, (line, text) in enumerate(zip(source, _visible_lines(source), strict=True)):
        if text in common:
            before = source[number - 1] if number else b""
            after = next(filter(None, source[number + 1 :]), b"")
            holds_items = _ITEM.match(line) and _indent(after) > _indent(line)
            if line.startswith(b"|") or before.endswith(b"\\") or holds_items:
                return None
            found.add(text)
            is_after_common = True
        elif line or not is_after_common or (kept and kept[-1]):
            kept.append(line)
            is_after_common = False
    return b"\n".join(kept).decode() if found == common else None


def _indent(line: bytes) -> int:
    return len(line) - len(line.lstrip())


def _visible_lines(source: Sequence[bytes]) -> list[str]:
    """Return the visible text of each line of Markdown."""
    from cedar.transforms.extractors.markdown._unmarked import (  # here because it imports all of Markdown
        ADDRESS,
        DESCRIPTION,
        Unmarked,
    )

    seen = Unmarked(b"\n".join(source))
    visible = [""] * len(source)
    line_starts = list(itertools.accumulate((len(line) + 1 for line in source), initial=0))
    at = 0
    for text in seen.text.split(b"\n"):
        # Tabs between cells are not of the source; addresses and descriptions of images are not seen.
        (places,) = np.nonzero(seen.starts[at : at + len(text)] >= 0)
        if len(places) and seen.kinds[at + places[0]] not in (ADDRESS, DESCRIPTION):
            visible[bisect_right(line_starts, seen.starts[at + places[0]]) - 1] += text.decode()
        at += len(text) + 1
    return [text.strip() for text in visible]
