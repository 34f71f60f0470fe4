"""Words found again in another text, and how two texts agree."""

from __future__ import annotations

import time
from difflib import SequenceMatcher

from hypothesis import given
from hypothesis import strategies as st

from cedar.pipelines.drawing.words import agreement, differences, partners, words
from cedar.pipelines.explain.drawn import marked_words
from cedar.transforms.extractors.extraction import Block


def test_words_are_runs_of_letters_and_single_ideographs() -> None:
    found = words("The mill, 1841: 山里的 café")
    assert [word.key for word in found] == ["the", "mill", "1841", "山", "里", "的", "café"]
    assert [word.stop - word.start for word in found] == [3, 4, 4, 1, 1, 1, 4]


def test_agreement_counts_bags_of_words() -> None:
    found = agreement("a b b c", "b c c d")
    assert (found.shares.precision, found.shares.recall) == (0.5, 0.5)
    assert (found.missing, found.surplus) == (2, 2)
    assert found.shares.f1 == 0.5
    assert agreement("", "").shares.f1 == 1.0
    assert agreement("a", "").shares.precision == 0.0


@given(st.lists(st.sampled_from("abcde"), max_size=30), st.lists(st.sampled_from("abcde"), max_size=30))
def test_what_is_found_again_is_a_common_subsequence(ours: list[str], theirs: list[str]) -> None:
    found = [(place, other) for place, other in enumerate(partners(ours, theirs)) if other >= 0]
    assert all(ours[place] == theirs[other] for place, other in found)
    assert found == sorted(found, key=lambda pair: pair[1])
    assert len({other for _, other in found}) == len(found)


@given(st.lists(st.text("abc", min_size=1, max_size=3), max_size=40), st.data())
def test_a_text_with_words_left_out_is_found_whole(ours: list[str], data: st.DataObject) -> None:
    keys = [f"{key}{place}" for place, key in enumerate(ours)]
    kept = data.draw(st.lists(st.booleans(), min_size=len(keys), max_size=len(keys)))
    part = [key for key, is_kept in zip(keys, kept, strict=True) if is_kept]
    assert [other >= 0 for other in partners(keys, part)] == kept


def test_repeated_words_are_matched_as_well_as_by_a_full_search() -> None:
    theirs = ["the", "mill", "turns", "the", "mill", "stops"]
    ours = ["home", "news", *theirs, "home", "news"]
    matched = sum(other >= 0 for other in partners(ours, theirs))
    blocks = SequenceMatcher(None, ours, theirs, autojunk=False).get_matching_blocks()
    assert matched == sum(block.size for block in blocks) == 6


def test_long_texts_without_a_common_order_end_soon() -> None:
    ours, theirs = ["a", "b"] * 100_000, ["b", "a", "c"] * 60_000
    start = time.process_time()
    partners(ours, theirs)
    assert time.process_time() - start < 10


def test_marks_join_neighbouring_words() -> None:
    blocks = (
        Block("Home and News!", False, 0, None, None, "/a"),
        Block("The mill turns.", True, 1, None, None, "/b"),
    )
    dropped, kept = marked_words(blocks, "home and the mill")
    assert [(piece.text, piece.mark) for piece in dropped] == [("Home and", "missing"), (" News!", "")]
    assert [(piece.text, piece.mark) for piece in kept] == [
        ("The mill ", ""),
        ("turns", "surplus"),
        (".", ""),
    ]


def test_words_of_the_reference_are_given_to_kept_blocks_first() -> None:
    blocks = (
        Block("The mill", False, 0, None, None, "/title"),
        Block("It turns. The mill", True, 1, None, None, "/a"),  # in another order than the reference
        Block("The end", False, 2, None, None, "/b"),
    )
    marked = marked_words(blocks, "The mill: it turns. End")
    assert [[piece.text for piece in row if piece.mark] for row in marked] == [[], [], ["end"]]


def test_differences_are_stretches_of_each_text() -> None:
    first, second = "Home. The mill turns again.", "The mill turns, slowly, again; Mon 3"
    ours, theirs = differences(first, second)
    assert [first[start:stop] for start, stop in ours] == ["Home"]
    assert [second[start:stop] for start, stop in theirs] == ["slowly", "Mon 3"]
    assert differences(first, first) == ([], [])
