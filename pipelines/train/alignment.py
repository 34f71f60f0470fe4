"""How much of each block is in a page's known text: a longest common subsequence of words, traced back."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress

import numpy as np

from transforms.extractors.html.characters import Flags, Floats
from transforms.scoring.alignment import lcs_columns
from transforms.scoring.tokens import lowered, normalise

_MOST_WORDS = 60_000
_SECOND_PASS = 20
_FOUND_ELSEWHERE = 0.8
_SHORTEST_ELSEWHERE = 4


def tokens(text: str) -> list[str]:
    """Words in lower case, as the measure has them that judges the table."""
    return lowered(normalise(text))


def content_shares(blocks: Sequence[Sequence[str]], gold: Sequence[str]) -> Floats:
    """Return the share of each of n blocks' words that belongs to the known text. float64 (n,), in [0, 1].

    Words count where they are part of a longest common subsequence. A block of which nearly all is in what is
    left of the known text, in order, counts as well: some texts do not follow the order of the page.
    """
    words = [word for block in blocks for word in block][:_MOST_WORDS]
    stops = np.cumsum([len(block) for block in blocks])
    in_page, in_gold = common(words, gold)
    elsewhere = np.zeros(len(words), bool)
    if np.count_nonzero(~in_gold) >= _SECOND_PASS:
        left = np.flatnonzero(~in_page)
        again, _ = common(
            list(compress(words, (~in_page).tolist())), list(compress(gold, (~in_gold).tolist()))
        )
        elsewhere[left[again]] = True

    def per_block(marks: Flags) -> Floats:
        sums = np.concatenate(([0], np.cumsum(marks)))
        ends = sums[np.minimum(stops, len(words))]
        counts: Floats = np.diff(ends, prepend=0).astype(np.float64)
        return counts

    lengths = np.diff(stops, prepend=0)
    first = per_block(in_page) / np.maximum(lengths, 1)
    both = first + per_block(elsewhere) / np.maximum(lengths, 1)
    moved = (both >= _FOUND_ELSEWHERE) & (lengths >= _SHORTEST_ELSEWHERE)
    return np.where(moved, both, first)


def common(left: Sequence[str], right: Sequence[str]) -> tuple[Flags, Flags]:
    """Mark a longest common subsequence in both of two sequences: bool (len(left),), bool (len(right),)."""
    in_left, in_right = np.zeros(len(left), bool), np.zeros(len(right), bool)
    if not left or not right:
        return in_left, in_right
    size = (len(right) + 7) // 8
    rows = [column.to_bytes(size, "little") for column in lcs_columns(right, left)]
    i, j = len(left), len(right)
    while i and j:
        at = j - 1
        if rows[i - 1][at >> 3] >> (at & 7) & 1:
            j = at
            continue
        i -= 1
        if not i or rows[i - 1][at >> 3] >> (at & 7) & 1:
            in_left[i] = in_right[at] = True
            j = at
    return in_left, in_right
