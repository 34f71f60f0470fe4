"""What methods choose in any tree, by numbers that no page would have: against plain walks over it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cedar.transforms.extractors.tree import _cetd, cetd, coreex
from cedar.transforms.extractors.tree._limits import has_controls, long_stretches
from cedar.transforms.extractors.tree.tree import Tree
from tests.extractors.tree.test_text import read, trees
from tests.oracles import density_content as plain


@settings(max_examples=200)
@given(trees, st.integers(0, 2**32), st.sampled_from([0.0, 0.5, 1.0, 1.5]), st.sampled_from([2, 9, 10**6]))
def test_content_is_where_sums_are_largest_the_first_of_equal_ones(
    tree: Tree, seed: int, factor: float, spread: int
) -> None:
    if not tree.size:
        assert _cetd.mark_content(tree, np.zeros(0), np.zeros(0), factor)[1] is None
        return
    numbers = np.random.default_rng(seed)
    density = numbers.integers(0, spread, tree.size) / 7
    # Equal sums, and sums that differ by rounding alone, by the tolerance, and by more.
    sums = numbers.integers(0, spread, tree.size) / 3
    sums *= 1 + numbers.choice([0.0, 1e-16, 3e-16, 9e-10, 1e-9, 2e-9], tree.size)
    marked, threshold = _cetd.mark_content(tree, density, sums, factor)
    assert (marked.tolist(), threshold) == plain.content(tree, density.tolist(), sums.tolist(), factor)
    for path_text in (True, False):
        options = cetd.CetdOptions(path_text="keep" if path_text else "drop")
        decided = cetd.decision(tree, marked, density, threshold=threshold, options=options)
        stays = decided.kept_elements.tolist(), decided.kept_text.tolist()
        assert stays == plain.kept(tree, marked.tolist(), path_text=path_text)


@settings(max_examples=100)
@given(trees, st.integers(0, 2**32))
def test_of_equal_scores_the_least_deep_element_wins_and_of_these_the_first(tree: Tree, seed: int) -> None:
    scores = np.random.default_rng(seed).integers(0, 4, tree.size) / 3
    depths = tree.depths.tolist()
    best = min(range(tree.size), key=lambda one: (-scores[one], depths[one], one), default=None)
    assert coreex.highest(tree, scores) == (best if best is not None and scores[best] else None)


@settings(max_examples=100)
@given(trees, st.integers(0, 2**32))
def test_sums_are_over_subtrees_and_the_texts_in_them(tree: Tree, seed: int) -> None:
    numbers = np.random.default_rng(seed)
    values, texts = numbers.integers(0, 9, tree.size), numbers.integers(0, 9, tree.tags)
    subtrees = [range(one, int(tree.ends[one])) for one in range(tree.size)]
    assert tree.element_sums(values).tolist() == [sum(int(values[i]) for i in each) for each in subtrees]
    inside = tree.inside.tolist()
    direct = [
        sum(int(texts[tag]) for tag in range(tree.tags) if inside[tag] == one) for one in range(tree.size)
    ]
    assert tree.text_sums(texts).tolist() == [sum(direct[i] for i in each) for each in subtrees]
    marked = values < 3
    covered = [
        any(marked[root] and one in subtrees[root] for root in range(tree.size)) for one in range(tree.size)
    ]
    assert tree.covered(marked).tolist() == covered
    ancestors = [sum(one in each for each in subtrees) - 1 for one in range(tree.size)]
    assert tree.depths.tolist() == ancestors


def test_values_of_another_tree_are_refused() -> None:
    tree = read("<p>a<b>c")
    assert tree is not None
    few, flags = np.zeros(tree.size + 1), np.zeros(tree.size + 1, bool)
    for refused in (
        lambda: _cetd.mark_content(tree, few, few, 1.0),
        lambda: tree.covered(flags),
        lambda: tree.with_attribute(flags, "href"),
        lambda: tree.text_sums(np.zeros(tree.tags + 1, np.int64)),
    ):
        with pytest.raises(ValueError, match=r"for|as many|broadcast"):
            refused()
    with pytest.raises(IndexError, match="no element"):
        tree.name(tree.size)


_RUNS = st.lists(st.tuples(st.sampled_from("<>x"), st.integers(0, 40)), max_size=14).map(
    lambda runs: "".join(letter + "y" * more for letter, more in runs)
)


def _stretches(page: str, bracket: str, chunk: int) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for start in range(0, len(page) - chunk + 1, chunk):
        reached = found[-1][1] if found else 0
        if start >= reached and bracket not in page[start : start + chunk]:
            opening = max(page.rfind(bracket, reached, start), reached)
            found.append((opening, page.find(bracket, start) if bracket in page[start:] else len(page)))
    return found


@pytest.mark.slow
@settings(max_examples=300)
@given(_RUNS, st.sampled_from([8, 16, 24]), st.sampled_from("<>"))
@example("", 8, "<")
@example("y" * 8, 8, "<")
@example("y" * 7 + "<" + "y" * 8 + "<", 8, "<")
def test_long_stretches_are_those_around_chunks_without_a_bracket(
    page: str, chunk: int, bracket: str
) -> None:
    assert long_stretches(page.encode(), ord(bracket), chunk) == _stretches(page, bracket, chunk)


@given(st.text("\t\n\r \x0b\x0c\x00\x01\x1c\x1f\x7fab\x85", max_size=40))
def test_control_characters_are_found(page: str) -> None:
    assert has_controls(page.encode()) == any(letter < " " and letter not in "\t\n\r" for letter in page)
