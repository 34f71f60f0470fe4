"""Tokens of a page, tags and words, one after the other; and the stretch with the largest sum."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tests.oracles.line_methods import is_block_level, visible, visible_tags

BLANK = re.compile("&nbsp;|&#160;|&#xa0;|&#xA0;|&#XA0;|&#32;")
UNSPACED = re.compile("[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")


@dataclass(frozen=True)
class Tag:
    length: int


@dataclass(frozen=True)
class Word:
    """A word, whether it follows on another with nothing between them, and the block-level tags before it."""

    text: str
    fused: bool
    block: int


def tokens(page: str) -> list[Tag | Word]:
    """The tokens of a page, comments, scripts and styles apart."""
    text = "".join(page[i] for i in visible(page))
    found: list[Tag | Word] = []
    after = block = 0
    for start, stop in [*visible_tags(page), (len(text), len(text))]:
        found += words(text[after:start], block)
        if start < stop:
            found.append(Tag(stop - start))
            block += is_block_level(text[start:stop])
        after = stop
    return found


def words(text: str, block: int) -> list[Word]:
    """The words of a text without tags: a character of a script without blanks begins one."""
    found: list[Word] = []
    at, continues = 0, False
    while at < len(text):
        blank = BLANK.match(text, at)
        if blank or text[at].isspace():
            at, continues = blank.end() if blank else at + 1, False
            continue
        if not continues or UNSPACED.match(text, at):
            found.append(Word("", continues, block))
        found[-1] = Word(found[-1].text + text[at], found[-1].fused, block)
        at, continues = at + 1, True
    return found


def best_stretch(values: Sequence[float]) -> tuple[int, int]:
    """The stretch of the largest sum, of all of them one after another; the first of equals."""
    best, found = 0.0, (0, 0)
    for start in range(len(values)):
        for stop in range(start + 1, len(values) + 1):
            if sum(values[start:stop]) > best:
                best, found = sum(values[start:stop]), (start, stop)
    return found
