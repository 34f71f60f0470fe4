"""Edges join the pages that share a key, clusters are components, whatever the order and the memory."""

from __future__ import annotations

import random
import tracemalloc
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cedar.transforms.curation import _duplicates
from cedar.transforms.curation.duplicates import (
    PageKeys,
    band_records,
    cluster_id,
    edges_in,
    similarities,
    spread,
    text_records,
    unite,
    url_records,
)
from tests.oracles import duplicates as oracle

TOP = (1 << 64) - 1
words = st.one_of(st.integers(0, 3), st.sampled_from([TOP, TOP - 1, 1 << 63, 1 << 32]), st.integers(0, TOP))
pairs = st.lists(st.tuples(words, st.integers(0, 30)), max_size=80)
triples = st.lists(st.tuples(words, words, st.integers(0, 30)), max_size=80)
ANY_FOLDER = settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])


def array(records: list[tuple[int, ...]], width: int) -> np.ndarray:
    return np.array(records, np.uint64).reshape(len(records), width)


def links(blocks: list[np.ndarray], width: int, memory: int, folder: Path) -> list[tuple[int, int]]:
    return [(int(a), int(b)) for e in edges_in(blocks, width, memory, folder=folder) for a, b in e]


def clusters(edges: list[tuple[int, int]], pages: int) -> list[int]:
    return least_of(list(unite([array(edges, 2)], pages)), pages)


def least_of(found: list[np.ndarray], pages: int) -> list[int]:
    """The least page of each page's cluster; pages that are in none with others are their own."""
    rows = [(int(page), int(least)) for some in found for page, least in some]
    assert [page for page, _ in rows] == sorted({page for page, _ in rows})
    least = dict(rows)
    assert {page for page in least if least[page] == page} == {
        least[page] for page in least if least[page] != page
    }
    return [least.get(page, page) for page in range(pages)]


@pytest.mark.parametrize("width", [2, 3, 4])
@pytest.mark.parametrize("distinct", [1, 5, TOP])
def test_records_are_sorted_by_all_their_words(width: int, distinct: int) -> None:
    chance = random.Random(width)
    records = [tuple(chance.randint(0, distinct) for _ in range(width)) for _ in range(3000)]
    ours = array(records, width)
    _duplicates.sort(ours, np.empty_like(ours))
    assert [tuple(row) for row in ours.tolist()] == sorted(records)


@given(triples)
def test_any_records_are_sorted(records: list[tuple[int, ...]]) -> None:
    ours = array(records, 3)
    _duplicates.sort(ours, np.empty_like(ours))
    assert [tuple(row) for row in ours.tolist()] == sorted(records)


def test_room_that_is_too_small_is_refused() -> None:
    with pytest.raises(ValueError, match="room for 1 records"):
        _duplicates.sort(np.zeros((2, 2), np.uint64), np.zeros((1, 2), np.uint64))


@ANY_FOLDER
@given(records=pairs, size=st.integers(1, 9))
def test_edges_join_the_pages_of_each_key_and_no_others(
    records: list[tuple[int, ...]], size: int, tmp_path: Path
) -> None:
    blocks = [array(records[i : i + size], 2) for i in range(0, len(records), size)]
    groups = oracle.groups(records)
    wanted = [(page, group[0]) for group in groups for page in group]
    found = links(blocks, 2, 1 << 20, tmp_path)
    assert oracle.components(found, 31) == oracle.components(wanted, 31)
    assert set(found) <= set(wanted)


@pytest.mark.parametrize("width", [2, 3])
@pytest.mark.parametrize("distinct", [1, 40, TOP])
def test_what_does_not_fit_in_memory_is_merged_from_runs(width: int, distinct: int, tmp_path: Path) -> None:
    chance = random.Random(distinct)
    records = [(*(chance.randint(0, distinct) for _ in range(width - 1)), page % 900) for page in range(3000)]
    ample = links([array(records, width)], width, 1 << 24, tmp_path)
    chance.shuffle(records)
    scarce = links([array(records, width)], width, 1, tmp_path)
    assert len(scarce) == len(ample)
    assert sorted(scarce) == sorted(ample)
    assert not list(tmp_path.iterdir())


@given(edges=st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), max_size=60), chance=st.randoms())
def test_clusters_are_the_connected_components_in_any_order_of_edges(
    edges: list[tuple[int, int]], chance: random.Random
) -> None:
    expected = oracle.components(edges, 41)
    assert clusters(edges, 41) == expected
    shuffled = [edge[:: chance.choice((1, -1))] for edge in edges]
    chance.shuffle(shuffled)
    assert clusters(shuffled, 41) == expected


@pytest.mark.parametrize("shuffled", [False, True])
def test_a_chain_of_a_thousand_pages_is_one_cluster(shuffled: bool) -> None:
    order = list(range(1000))
    if shuffled:
        random.Random(3).shuffle(order)
    assert clusters(list(pairwise(order)), 1000) == [0] * 1000


def test_an_edge_of_a_page_that_there_is_not_is_refused() -> None:
    with pytest.raises(ValueError, match="an edge of page 7, but there are 3"):
        clusters([(0, 7)], 3)


def test_no_pages_are_no_clusters() -> None:
    assert clusters([], 0) == []


@given(triples, st.integers(0, 6))
def test_records_of_a_key_go_to_one_part_in_their_order(records: list[tuple[int, ...]], bits: int) -> None:
    parts = [[tuple(row) for row in part.tolist()] for part in spread(array(records, 3), bits)]
    assert parts == [[r for r in records if r[0] >> (64 - bits) == part] for part in range(1 << bits)]


def test_a_word_of_more_bits_than_were_said_is_refused() -> None:
    with pytest.raises(ValueError, match="a word of more than 3 bits: 8"):
        spread(array([(7, 0), (8, 0)], 2), 2, 3)
    assert [len(part) for part in spread(array([(7, 0), (1, 0)], 2), 2, 3)] == [1, 0, 0, 1]


def keys(texts: list[str], first: int = 0, scopes: list[int] | None = None) -> PageKeys:
    """Pages whose text, where it is long enough, gives their three keys."""
    hashes = [int.from_bytes(text.encode()) & TOP for text in texts]
    return PageKeys(
        first=first,
        takes_part=np.array([text != "out" for text in texts], bool),
        digests=array([(h, h) for h in hashes], 2),
        has_text=np.array([text != "" for text in texts], bool),
        urls=np.arange(len(texts), dtype=np.uint64),
        keys=array([(h, h ^ 1, h ^ 2) for h in hashes], 3),
        is_signed=np.array([len(text) > 4 for text in texts], bool),
        scopes=np.array(scopes or [0] * len(texts), np.uint64),
    )


def test_empty_texts_and_pages_that_do_not_take_part_have_no_record_of_a_text() -> None:
    pages = keys(["heron", "", "out", "eel"], first=10)
    assert text_records(pages)[:, 2].tolist() == [10, 13]
    assert text_records(pages, only_signed=True)[:, 2].tolist() == [10]
    assert url_records(pages).tolist() == [[0, 10], [1, 11], [3, 13]]


def test_of_equal_texts_only_the_first_has_records_of_bands() -> None:
    pages = keys(["heron", "marsh", "heron", "eel", "heron"], first=5)
    assert band_records(pages)[:, 1].tolist() == [5, 5, 5, 6, 6, 6]


def test_pages_of_two_scopes_share_no_key() -> None:
    pages = keys(["heron", "heron"], scopes=[256, 512])
    assert len(set(text_records(pages)[:, 0].tolist())) == 2
    assert len(set(band_records(pages)[:, 0].tolist())) == 6


def test_similarity_is_the_share_of_equal_lanes() -> None:
    left = np.zeros((2, 112), np.uint32)
    right = left.copy()
    right[1, :28] = 1
    assert similarities(left, right).tolist() == [1.0, 0.75]


def test_a_cluster_is_named_by_the_page_that_is_kept() -> None:
    assert cluster_id("/a.warc.gz", 1, 2) == cluster_id("/a.warc.gz", 1, 2)
    names = {cluster_id("/a.warc.gz", 1, 2), cluster_id("/a.warc.gz", 12, 0), cluster_id("/b.warc.gz", 1, 2)}
    assert len(names) == 3
    assert all(len(name) == 16 for name in names)


@pytest.mark.parametrize("distinct", [1, 1_000_000])
def test_a_million_records_are_grouped_within_the_memory_that_is_given(distinct: int, tmp_path: Path) -> None:
    def blocks() -> Iterator[np.ndarray]:
        chance = np.random.default_rng(1)
        for first in range(0, 1_000_000, 10_000):
            texts = chance.integers(0, distinct, (10_000, 1), np.uint64)
            pages = np.arange(first, first + 10_000, dtype=np.uint64)[:, None]
            yield np.concatenate([texts << np.uint64(40), texts, pages], axis=1)

    memory, edges = 8 << 20, 0
    tracemalloc.start()
    try:
        for some in edges_in(blocks(), 3, memory, folder=tmp_path):
            edges += len(some)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert edges == 999_999 if distinct == 1 else 300_000 < edges < 400_000
    assert peak <= memory + (1 << 20)  # a block at hand, and what makes it
