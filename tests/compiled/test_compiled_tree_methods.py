"""Twins of `densities`, `cetd`, `coreex` and `dom_extraction`."""

from __future__ import annotations

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.compiled.tree_pages import agree, markup, xml_of
from transforms.extractors.tree import cetd, coreex, densities, dom, dom_extraction
from transforms.extractors.tree.dom import Tree
from transforms.extractors.tree.dom_text import TreeText, tree_text
from transforms.model.caps import DEFAULT_CAPS


def _tree(page: str) -> tuple[Tree, TreeText] | None:
    xml = xml_of(page)
    if xml is None:
        return None
    tree = dom.tree_of(dom.seen_arrays(xml, DEFAULT_CAPS.max_depth, False))
    return tree, tree_text(tree)


trees = markup.map(_tree).filter(lambda found: found is not None)


@settings(max_examples=200)
@given(trees, st.integers(0, 2**32))
def test_counts_and_density_sums_are_those_of_the_definition(found: tuple[Tree, TreeText], seed: int) -> None:
    tree, text = found
    in_links = densities.links(tree)
    chars = text.chars
    assert agree(densities._counted, in_links, tree.inside, tree.opens, tree.closes, tree.ends, chars)
    numbers = np.random.default_rng(seed)
    values, terms = numbers.random(tree.size) * 1e3, numbers.random(chars.size)
    for of_texts in (None, terms, chars.astype(np.float64)):
        assert agree(densities._density_sums, tree.parents, tree.ends, tree.inside, values, of_texts)


@settings(max_examples=300)
@given(trees, st.integers(0, 2**32), st.sampled_from([0.0, 0.5, 1.0, 1.5]), st.sampled_from([2, 9, 10**6]))
def test_content_is_that_of_the_definition(
    found: tuple[Tree, TreeText], seed: int, factor: float, spread: int
) -> None:
    tree, _ = found
    if not tree.size:
        return
    numbers = np.random.default_rng(seed)
    density = numbers.integers(0, spread, tree.size) / 7
    # Equal sums, and sums that differ by rounding alone, by the tolerance, and by more.
    sums = numbers.integers(0, spread, tree.size) / 3
    sums *= 1 + numbers.choice([0.0, 1e-16, 3e-16, 9e-10, 1e-9, 2e-9], tree.size)
    assert agree(cetd._content, tree.ends, tree.body, density, sums, factor)


@given(trees, st.integers(0, 2**32), st.booleans())
def test_what_stays_is_that_of_the_definition(
    found: tuple[Tree, TreeText], seed: int, path_text: bool
) -> None:
    tree, text = found
    content = np.random.default_rng(seed).random(tree.size) < 0.2
    content = tree.covered(content & tree.in_body)
    assert agree(cetd._kept, tree.ends, tree.inside, *tree.body_tags, content, path_text)
    kept_text = np.random.default_rng(seed).random(text.chars.size) < 0.5
    assert agree(dom_extraction._lines, text.blocks, text.chars, *tree.body_tags, kept_text)


@settings(max_examples=200)
@given(trees, st.integers(0, 2**32), st.sampled_from([0.0, 0.01, 0.1, 1.0]))
def test_scores_of_coreex_are_those_of_the_definition(
    found: tuple[Tree, TreeText], seed: int, weight: float
) -> None:
    tree, text = found
    ignored = coreex.ignored_elements(tree, text, "ignore")
    links = tree.named("a") & ~ignored
    arrays = (tree.parents, tree.ends, tree.inside, tree.opens, tree.closes, text.words)
    assert agree(coreex._counted, *arrays, links, ignored)
    counted = coreex.count(tree, text, links, ignored)
    members = np.random.default_rng(seed).random(tree.size) < 0.7
    last = int(tree.ends[tree.body]) if tree.size else 0
    sums = (counted.text, counted.links, counted.words, members, counted.page_text, weight)
    arguments = (tree.parents, tree.inside, tree.body, last, *sums)
    assert agree(coreex._set_scores, *arguments)
    scores = coreex._set_scores(*arguments)
    for scored in (scores, np.round(scores, 1), np.zeros(tree.size)):
        assert agree(coreex._highest_least_deep, tree.parents, scored)


@given(st.text("ab \n", max_size=30))
@example("")
def test_words_of_lines_are_counted_as_in_the_definition(text: str) -> None:
    assert agree(dom_extraction._words, text.encode())
