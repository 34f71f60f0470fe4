"""VIPS' segments as the gold chooses them: the best union where all are tried, a bound elsewhere."""

from __future__ import annotations

import itertools
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cedar.transforms.scoring.gold import GoldSet
from cedar.transforms.scoring.metrics import TextTokens
from lab import judge, oracles
from tests.extractors.vips.boxed_pages import PAGE_1

words = st.lists(st.sampled_from("abcdefg"), max_size=6).map(" ".join)


def f1(text: str, gold: str) -> float:
    a, b = Counter(text.split()), Counter(gold.split())
    return 2 * (a & b).total() / (a.total() + b.total()) if a or b else 1.0


@settings(max_examples=40)
@given(st.lists(words, max_size=7), words)
def test_the_best_union_of_few_segments_is_found(parts: list[str], gold: str) -> None:
    found, is_best = oracles.best_union(parts, TextTokens.of(gold))
    assert is_best
    unions = (" ".join(union) for n in range(len(parts) + 1) for union in itertools.combinations(parts, n))
    assert f1(found, gold) == pytest.approx(max(f1(union, gold) for union in unions))


def test_many_segments_are_added_and_removed_while_f1_grows() -> None:
    gold = " ".join(f"w{n}" for n in range(40))
    parts = [f"w{n} w{n + 1}" for n in range(0, 40, 2)] + ["w1 noise noise", "only noise"]
    found, is_best = oracles.best_union(parts, TextTokens.of(gold))
    assert not is_best
    assert sorted(found.split()) == sorted(gold.split())


def test_segments_that_share_no_word_with_the_gold_are_never_chosen() -> None:
    parts = [f"noise{n}" for n in range(50)]
    found = oracles.best_union([*parts, "the gold"], TextTokens.of("The gold"))
    assert found == ("the gold", True)
    assert oracles.best_union([], TextTokens.of("gold")) == ("", True)


def test_segments_are_those_of_the_permitted_degree() -> None:
    page = b"<body><h1>Head</h1><p>one<p>two</body>"
    assert oracles.segments(page, 10) == ["Head", "one", "two"]
    assert len(oracles.segments(page, 1)) == 1
    assert sum(map(len, oracles.segments(PAGE_1.encode(), 7))) > 0


@pytest.mark.parametrize("pdoc", ["0", "11", "x"])
def test_a_degree_that_there_is_not_is_refused(pdoc: str) -> None:
    with pytest.raises(ValueError, match="from 1 to 10"):
        judge.method_of(f"vips-oracle:pdoc={pdoc}")


def test_pages_on_which_a_better_choice_is_not_ruled_out_are_counted() -> None:
    gold = GoldSet.at(str(Path(__file__).parents[2] / "tests" / "gold" / "handmade"))
    found = judge.judged(gold, "vips-oracle", metric="bag-lower", limit=2)
    assert (found.pages, found.bounds, found.failed) == (2, 2, 0)
    coarse = judge.judged(gold, "vips-oracle:pdoc=3", metric="bag-lower", limit=2)
    assert 0 < coarse.summary.f1.mean < found.summary.f1.mean <= 1
