"""Longest common subsequence and edit distance of two sequences, exact, bit-parallel.

A column of the dynamic program is one big integer, a bit a token: |b| steps over |a| / 64 machine words.
Python's own integers do this as fast as compiled libraries do on texts of a page's length.
`difflib.SequenceMatcher` cannot stand in: its matching is greedy, and below the true length on most texts.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterator, Sequence


def lcs_columns(a: Sequence[Hashable], b: Sequence[Hashable]) -> Iterator[int]:
    """Yield a column for each token of `b` (Crochemore et al. 2001; Hyyrö 2004).

    A column has a bit for each token of `a`. A 0 bit: the longest common subsequence of `a` and of `b` up to
    here grows by one at this token.
    """
    masks = _masks(a)
    column = all_ones = (1 << len(a)) - 1
    for token in b:
        mask = masks.get(token)
        if mask is not None:
            matches = column & mask
            column = ((column + matches) | (column - matches)) & all_ones
        yield column


def lcs_length(a: Sequence[Hashable], b: Sequence[Hashable]) -> int:
    """Length of the longest common subsequence."""
    if len(a) < len(b):
        a, b = b, a  # fewer steps over more bits
    if not b:
        return 0
    [column] = deque(lcs_columns(a, b), maxlen=1)
    return len(a) - column.bit_count()


def edit_distance(a: Sequence[Hashable], b: Sequence[Hashable]) -> int:
    """Levenshtein distance: insertions, deletions and substitutions cost 1 each (Myers 1999; Hyyrö 2003)."""
    if len(a) < len(b):
        a, b = b, a
    masks = _masks(a)
    all_ones = (1 << len(a)) - 1
    last = (all_ones + 1) >> 1
    rises, falls, distance = all_ones, 0, len(a)  # differences between neighbours in a column
    for token in b:
        matches = masks.get(token, 0) | falls
        diagonal = (((matches & rises) + rises) ^ rises) | matches
        to_the_right_up = falls | (all_ones & ~(rises | diagonal))
        to_the_right_down = rises & diagonal
        if to_the_right_up & last:
            distance += 1
        elif to_the_right_down & last:
            distance -= 1
        shifted = to_the_right_up << 1 | 1
        falls = shifted & diagonal & all_ones
        rises = (to_the_right_down << 1 | ~(shifted | diagonal)) & all_ones
    return distance


def _masks(sequence: Sequence[Hashable]) -> dict[Hashable, int]:
    """Token -> the places where it stands, as bits."""
    masks: dict[Hashable, int] = {}
    bit = 1
    for token in sequence:
        masks[token] = masks.get(token, 0) | bit
        bit <<= 1
    return masks
