"""The measures: the golden numbers of the texts, identities, exactness against the plain dynamic program."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cedar.transforms.scoring.metrics import (
    METRICS,
    Agreement,
    Gold,
    TextTokens,
    bag_overlap,
    edit_distance,
    harmonic_mean,
    lcs_length,
    lowered,
    mean_interval,
    normalise,
    shingles,
    snippet_agreement,
    space_saving,
    summarise,
    ttr_agreement,
    ttr_text,
    words,
)

SEQUENCES = st.lists(st.integers(-2, 5), max_size=90)


def measure(name: str, extracted: str, gold: str) -> Agreement:
    found = METRICS[name].function(TextTokens.of(extracted), Gold(TextTokens.of(gold)))
    assert found is not None
    return found


def plain_lcs(a: Sequence[object], b: Sequence[object]) -> int:
    row = [0] * (len(b) + 1)
    for x in a:
        before = row[:]
        for j, y in enumerate(b):
            row[j + 1] = before[j] + 1 if x == y else max(before[j + 1], row[j])
    return row[-1]


def plain_edits(a: Sequence[object], b: Sequence[object]) -> int:
    row = list(range(len(b) + 1))
    for i, x in enumerate(a):
        before, row = row, [i + 1]
        for j, y in enumerate(b):
            row.append(min(before[j] + (x != y), before[j + 1] + 1, row[j] + 1))
    return row[-1]


def test_golden_words() -> None:
    found = measure("lcs", "the cat sat on the mat", "the cat lay on mat")
    assert found.precision == pytest.approx(2 / 3)
    assert found.recall == pytest.approx(0.8)
    assert found.f1 == pytest.approx(0.7273, abs=5e-5)
    assert found.score == pytest.approx(1 - 3 / 7)


def test_golden_order() -> None:
    assert measure("lcs", "b a", "a b").precision == 0.5
    assert measure("bag", "b a", "a b").precision == 1.0


def test_golden_ttr() -> None:
    found = ttr_agreement("abcd", "abxd")
    assert (found.recall, found.precision) == (0.75, 0.75)


def test_greedy_matching_is_not_what_is_measured() -> None:
    assert lcs_length("abcbdab", "bdcaba") == 4


@pytest.mark.parametrize("name", [name for name in METRICS if name != "snippets"])
def test_empty_texts(name: str) -> None:
    assert measure(name, "", "") == Agreement(1, 1, 1)
    assert measure(name, "word", "") == Agreement(0, 1, 0)
    assert measure(name, "", "word") == Agreement(0, 0, 0)
    assert measure(name, "a few words of it", "a few words of it") == Agreement(1, 1, 1)


@given(SEQUENCES, SEQUENCES)
def test_lcs_is_exact_and_symmetric(a: list[int], b: list[int]) -> None:
    assert lcs_length(a, b) == plain_lcs(a, b) == lcs_length(b, a)


@given(SEQUENCES, SEQUENCES)
def test_edit_distance_is_exact_and_symmetric(a: list[int], b: list[int]) -> None:
    assert edit_distance(a, b) == plain_edits(a, b) == edit_distance(b, a)


def test_long_sequences_are_exact() -> None:
    generator = np.random.default_rng(5)
    a, b = (generator.integers(9, size=n).tolist() for n in (700, 500))
    assert lcs_length(a, b) == plain_lcs(a, b)
    assert edit_distance(a, b) == plain_edits(a, b)


@given(SEQUENCES, SEQUENCES)
def test_a_bag_has_at_least_what_stands_in_order(a: list[int], b: list[int]) -> None:
    assert lcs_length(a, b) <= bag_overlap(a, b) == bag_overlap(b, a) <= min(len(a), len(b))


TEXTS = st.lists(st.sampled_from(["ape", "Ape", "bee,", "bee", "猫", "cat"]), max_size=30).map(" ".join)


@given(TEXTS, TEXTS)
@settings(max_examples=40)
def test_identities_of_the_measures(a: str, b: str) -> None:
    forth, back = measure("lcs", a, b), measure("lcs", b, a)
    n, m = len(words(a)), len(words(b))
    common = lcs_length(words(a), words(b))
    assert forth.f1 == pytest.approx(back.f1)
    if n and m:
        assert (forth.precision, forth.recall) == (back.recall, back.precision)
        assert forth.f1 == pytest.approx(harmonic_mean(forth.precision, forth.recall))
        # CleanEval: insertions and deletions, over the length of the alignment
        assert forth.score == pytest.approx(1 - (n + m - 2 * common) / (n + m - common))
    assert forth.f1 <= measure("bag", a, b).f1 <= measure("bag-lower", a, b).f1 + 1e-12


def test_words_are_runs_between_blanks_and_lowered_are_runs_of_word_characters() -> None:
    text = normalise("Don&#8217;t  fuse\u00a0Words, caf\u0065\u0301!")
    assert words(text) == ["Don\u2019t", "fuse", "Words,", "café!"]
    assert lowered(text) == ["don", "t", "fuse", "words", "café"]


def test_each_character_is_a_token_in_scripts_without_blanks() -> None:
    assert words("山里的A4图书馆。") == ["山", "里", "的", "A4", "图", "书", "馆", "。"]
    assert lowered("ひらカタカナー、GO") == ["ひ", "ら", "カ", "タ", "カ", "ナ", "ー", "go"]
    assert words("กา ดี") == ["ก", "า", "ด", "ี"]
    assert words("한국어 문장") == ["한국어", "문장"]


def test_shingles_repeat_and_a_short_text_is_one() -> None:
    assert shingles(list("abcde")) == [tuple("abcd"), tuple("bcde")]
    assert shingles(["a", "b"]) == [("a", "b")]
    assert shingles([]) == []
    assert measure("shingles", "one two three four five", "zero one two three four").f1 == 0.5


def test_ttr_text_has_no_breaks_special_characters_or_extra_blanks() -> None:
    assert ttr_text(' a\nb  "c"\t&\u00ad d ') == "ab c d"


def test_snippets_are_found_whatever_their_case_and_punctuation() -> None:
    extracted = lowered("The heron, they say, waits. Heronry closed.")
    found = snippet_agreement(extracted, ["the HERON they say", "otter"], ["Home | News", "heronry closed"])
    assert (found.recall, found.precision, found.f1) == (0.5, 0.5, 0.5)
    assert snippet_agreement(extracted, ["her"], []).recall == 0.0


def test_snippets_measure_nothing_where_the_gold_has_none() -> None:
    assert METRICS["snippets"].function(TextTokens.of("a"), Gold(TextTokens.of("a"))) is None


def test_summary_has_both_means() -> None:
    found = summarise([Agreement(1.0, 0.5, 2 / 3), Agreement(0.5, 1.0, 2 / 3)])
    assert (found.precision, found.recall, found.f_of_means) == (0.75, 0.75, 0.75)
    assert found.f1.mean == found.f1.low == found.f1.high == pytest.approx(2 / 3)
    assert found.score == pytest.approx(0.5)
    with pytest.raises(ValueError, match="no page"):
        summarise([])


def test_space_saving_is_the_share_that_goes() -> None:
    assert space_saving(5, 100) == 0.95
    assert space_saving(5, 0) == 0.0


def test_interval_is_the_same_for_a_seed_and_narrows_with_pages() -> None:
    values = np.random.default_rng(1).random(2000)
    wide, narrow = mean_interval(values[:40], seed=7), mean_interval(values, seed=7)
    assert wide == mean_interval(values[:40], seed=7) != mean_interval(values[:40], seed=8)
    assert wide.low < wide.mean < wide.high
    # the normal approximation: 1.96 standard errors to each side
    assert narrow.high - narrow.low == pytest.approx(2 * 1.96 * values.std() / 2000**0.5, rel=0.1)
    assert wide.high - wide.low > 4 * (narrow.high - narrow.low)


def test_paired_difference_is_surer_than_either_mean() -> None:
    a = np.random.default_rng(2).random(300)
    difference = mean_interval(a + 0.01 - a)
    assert difference.low == pytest.approx(0.01)
    assert difference.high == pytest.approx(0.01)
