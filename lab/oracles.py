"""VIPS as CETR's authors measured it: of a page's segments those that agree best with the gold.

VIPS cuts pages and does not say which of its segments are content. So CETR's paper (section 6.2) compares
each combination of segments with the gold, and takes the one with the best F1 of bags of words. What is found
so is chosen by the gold: no method could, and the figure tells what segments allow.

A search over permitted degrees of coherence would change nothing: cuts are nested, each union of coarse
segments is one of fine segments, and the finest cut wins. `pdoc` chooses another.

Up to `MAX_EXACT` segments that share a word with the gold, all their unions are tried; segments that share
none only cost precision. Beyond, segments are added and removed one by one as long as F1 grows: what that
finds is a lower bound.
"""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from cedar.transforms.extractors.tree._tree import joined
from cedar.transforms.extractors.tree.tree import read_tree, visible_source
from cedar.transforms.extractors.vips.vips import segmented_page
from cedar.transforms.scoring.metrics import TextTokens

MAX_EXACT = 12
"""Segments of which all unions are tried."""

_MAX_SWEEPS = 20


def segments(html: bytes, pdoc: int) -> list[str]:
    """Return the texts of a page's segments at a permitted degree of coherence, or raise TreeLimitError."""
    tree = read_tree(visible_source(html), keep_hidden=False)
    page = segmented_page(tree)
    texts = page.leaves.tags >= 0
    tags, of_tags = page.leaves.tags[texts], page.blocks.segments(pdoc)[page.blocks.of_leaves[texts]]
    found = []
    kept = np.zeros(tree.tags, bool)
    order = np.argsort(of_tags, kind="stable")
    for own in np.split(tags[order], np.flatnonzero(np.diff(of_tags[order])) + 1):
        kept[own] = True
        found.append(joined(tree, kept).decode())
        kept[own] = False
    return found


def best_union(parts: Sequence[str], gold: TextTokens) -> tuple[str, bool]:
    """Choose from the segments of a page by its gold; tell whether no others are better."""
    wanted = Counter(gold.lowered)
    parts = [part for part in parts if part]
    bags = [Counter(TextTokens.of(part).lowered) for part in parts]
    some = [place for place, bag in enumerate(bags) if bag & wanted]
    is_small = len(some) <= MAX_EXACT
    search = _exact if is_small else _greedy
    chosen = search([bags[place] for place in some], wanted) if some else []
    return "\n".join(parts[some[place]] for place in chosen), is_small


def _exact(bags: Sequence[Counter[str]], wanted: Counter[str]) -> list[int]:
    """Return the union with the best F1 of all; of equal ones the first by the numbers of its segments."""
    words = list(wanted)
    counts = np.array([[bag[word] for word in words] for bag in bags], np.int64)
    sizes = np.array([bag.total() for bag in bags])
    unions = (np.arange(1 << len(bags))[:, None] >> np.arange(len(bags))) & 1
    limits = np.array([wanted[word] for word in words])
    common = np.array([np.minimum(union @ counts, limits).sum() for union in unions])
    f1 = 2 * common / (unions @ sizes + wanted.total())
    return np.flatnonzero(unions[int(f1.argmax())]).tolist()


def _greedy(bags: Sequence[Counter[str]], wanted: Counter[str]) -> list[int]:
    """Segments with most in common first: added and removed, one by one, as long as F1 grows."""
    order = sorted(range(len(bags)), key=lambda place: -(bags[place] & wanted).total())
    chosen: set[int] = set()
    held: Counter[str] = Counter()
    common = size = 0
    for _ in range(_MAX_SWEEPS):
        before = set(chosen)
        for place in order:
            bag = bags[place]
            sign = -1 if place in chosen else 1
            gain = sum(
                min(held[word] + sign * count, wanted[word]) - min(held[word], wanted[word])
                for word, count in bag.items()
            )
            more = size + sign * bag.total()
            # As fractions, for F1 is 2 common / (size + gold).
            if (common + gain) * (size + wanted.total()) > common * (more + wanted.total()):
                chosen ^= {place}
                common, size = common + gain, more
                held.update(bag) if sign > 0 else held.subtract(bag)
        if chosen == before:
            break
    return sorted(chosen)
