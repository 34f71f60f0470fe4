"""Candidates come as often as the curve says, near texts are found: against exact similarities."""

from __future__ import annotations

import random
from collections import defaultdict

import pytest

from cedar.transforms.curation.signatures import sign_text
from tests.dedup.corpora import edited, jaccard, shingles, words
from tests.oracles.signatures import candidate_probability


def bands(text: list[str]) -> set[tuple[int, bytes]]:
    keys, _ = sign_text(" ".join(text))
    assert keys is not None
    return {(band, keys[8 * band : 8 * band + 8]) for band in range(14)}


@pytest.mark.slow
def test_the_share_of_candidates_follows_the_curve() -> None:
    found: dict[int, list[tuple[float, bool]]] = defaultdict(list)
    for pair in range(3000):
        text = words(pair, 120)
        other = edited(text, 1 + pair % 9, seed=pair)
        similarity = jaccard(shingles(text), shingles(other))
        found[int(similarity * 20)].append((similarity, bool(bands(text) & bands(other))))
    checked = 0
    for pairs in found.values():
        mean = sum(similarity for similarity, _ in pairs) / len(pairs)
        if len(pairs) < 200 or mean < 0.45:
            continue
        expected = sum(candidate_probability(similarity) for similarity, _ in pairs) / len(pairs)
        assert abs(sum(shared for _, shared in pairs) / len(pairs) - expected) <= 0.06
        checked += 1
    assert checked >= 5


def test_near_texts_are_found_and_far_ones_are_not() -> None:
    chance = random.Random(4)
    texts = [words(seed, 150) for seed in range(200)]
    texts += [edited(chance.choice(texts), chance.choice((1, 1, 2, 3, 4)), seed=n) for n in range(800)]
    runs = [shingles(text) for text in texts]
    keys = [bands(text) for text in texts]
    near: dict[str, list[bool]] = {"0.9": [], "0.8": [], "none": []}
    holders: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for number, each in enumerate(runs):
        for run in each:
            holders[run].append(number)
    pairs = {(a, b) for group in holders.values() for a in group for b in group if a < b}
    for a, b in pairs:
        similarity = jaccard(runs[a], runs[b])
        if similarity >= 0.8:
            near["0.9" if similarity >= 0.9 else "0.8"].append(bool(keys[a] & keys[b]))
    for _ in range(20_000):
        a, b = sorted(chance.sample(range(len(texts)), 2))
        if (a, b) not in pairs:
            near["none"].append(bool(keys[a] & keys[b]))
    assert min(map(len, near.values())) > 100
    assert sum(near["0.9"]) / len(near["0.9"]) >= 0.99
    assert sum(near["0.8"]) / len(near["0.8"]) >= 0.90
    assert not any(near["none"])
