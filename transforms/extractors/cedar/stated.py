"""What a page says its article is: the `articleBody` of its JSON-LD, and what was chosen besides."""

from __future__ import annotations

import html
import json
import re
from contextlib import suppress

from transforms.extractors.cedar.model import UNIT
from transforms.extractors.html.characters import Flags, Offsets
from transforms.extractors.segments._page import SegmentedPage, rows_of_words

_TEXT = re.compile(rb'"articleBody"\s*+:\s*+("(?:[^"\\]++|\\.)*+")', re.DOTALL)
_TAG = re.compile(r"<[^<>]*+>")
_SCRIPTS, _MOST_BYTES = 16, 1 << 20
_FEWEST = 40
_SURE = 2 * UNIT  # a score of content, whatever the page says


def drop_unstated(page: SegmentedPage, scores: Offsets, kept: Flags) -> None:
    """Drop doubtful blocks of `kept`, bool (n,), that the stated text lacks, after the first that it has.

    `scores` are those of `model`, int64 (n,). The rule is ours; docs/cedar.md says what it gains.

    Rows of three words are compared. The text is believed if three fifths of it were chosen, and they are
    half of what was. What stands before it may be a standfirst, a block of fewer than two rows a heading.
    """
    stated = set[int]()
    for start, stop, _ in page.source.noted[:_SCRIPTS]:
        for text in _TEXT.findall(page.source.original, start, min(stop, start + _MOST_BYTES)):
            with suppress(ValueError):  # no JSON
                stated |= rows_of_words(_TAG.sub(" ", html.unescape(json.loads(text, strict=False))))
    if len(stated) < _FEWEST:
        return
    rows = {block: rows_of_words(page.blocks.read(block)) for block in kept.nonzero()[0].tolist()}
    shares = {block: len(own & stated) / len(own) for block, own in rows.items() if len(own) > 1}
    found = [block for block, share in shares.items() if share >= 0.8]
    chosen = sum(len(rows[block]) for block in found)
    if 5 * chosen >= 3 * len(stated) and 2 * chosen >= sum(map(len, rows.values())):
        for block, share in shares.items():
            if share < 0.2 and block > found[0] and scores[block] < _SURE:
                kept[block] = False
