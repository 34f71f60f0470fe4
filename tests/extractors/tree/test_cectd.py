"""CECTD-DS and CECTD-S: the paper's example in numbers, worked pages, a plain reading, and properties."""

from __future__ import annotations

import contextlib
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cedar import extract
from cedar.transforms.extractors.tree._cetd import mark_content
from cedar.transforms.extractors.tree.cetd import (
    CectdDsOptions,
    CectdOptions,
    cectd_ds,
    cectd_s,
    composite_density,
    composite_text_terms,
    counts,
    density_sums,
    smoothed_over_siblings,
)
from cedar.transforms.extractors.tree.limits import TreeLimitError
from cedar.transforms.extractors.tree.tree import Tree, read_tree, visible_source
from tests.extractors.samples import PAGE_W, pieces
from tests.extractors.tree_samples import ARTICLE, EXAMPLE, PAGE_W2, WHOLE_BODY, pages
from tests.helpers.shapes import assert_linear
from tests.oracles import trees as plain_tree

METHODS = ("cectd-ds", "cectd-s")


def measured(
    page: str, ratio: float | None = None, *, author_base: bool = False
) -> tuple[Tree, np.ndarray, np.ndarray]:
    """The composite densities of a page's elements, and their DensitySums."""
    tree = read_tree(visible_source(page.encode()), keep_hidden=False)
    counted = counts(tree)
    if ratio is None:
        ratio = float(counted.link_chars[tree.body] / counted.chars[tree.body])
    density = composite_density(counted, ratio, author_base=author_base)
    return tree, density, density_sums(tree, density, composite_text_terms(tree, ratio))


def of(tree: Tree, name: str, number: int = 0) -> int:
    return int(np.flatnonzero(tree.named(name))[number])


@pytest.mark.parametrize(
    ("name", "paper", "author", "paper_sum", "author_sum"),
    [
        ("body", 44.5585, 44.5585, 51.9814, 51.9814),
        ("main", 51.9814, 51.9814, 62.9197, 62.9197),
        ("article", 62.9197, 62.9197, 232.4031, 224.2478),
        ("h1", 202.8292, 194.6739, 202.8292, 194.6739),
        ("div", 29.5739, 29.5739, 115.1635, 115.1635),
        ("a", 0.0, 0.0, 0.0, 0.0),
    ],
)
def test_the_example_of_the_paper(name, paper, author, paper_sum, author_sum):
    for author_base, density, density_sum in ((False, paper, paper_sum), (True, author, author_sum)):
        tree, densities, sums = measured(EXAMPLE, author_base=author_base)
        assert densities[of(tree, name)] == pytest.approx(density, abs=1e-4)
        assert sums[of(tree, name)] == pytest.approx(density_sum, abs=1e-4)


def test_the_example_with_half_of_the_page_in_links():
    tree, densities, sums = measured(EXAMPLE, 0.5)
    found = [densities[of(tree, name)] for name in ("main", "article", "h1", "body")]
    assert found == pytest.approx([46.6017, 56.4080, 149.5317, 39.9470], abs=1e-4)
    assert sums[of(tree, "div")] == pytest.approx(77.1058, abs=1e-4)
    _, densities, _ = measured(EXAMPLE, 0.5, author_base=True)
    assert densities[of(tree, "h1")] == pytest.approx(148.0635, abs=1e-4)


@pytest.mark.parametrize("author_base", [False, True])
def test_the_article_of_the_example_is_its_content(author_base):
    tree, densities, sums = measured(EXAMPLE, author_base=author_base)
    content, threshold = mark_content(tree, densities, sums, 1.0)
    assert threshold == pytest.approx(44.5585, abs=1e-4)
    assert np.flatnonzero(content).tolist() == list(range(of(tree, "article"), tree.size))


def test_the_densities_of_an_article_in_an_element_of_its_own():
    tree, densities, sums = measured(PAGE_W2)
    names = [
        ("body", 0),
        ("div", 0),
        ("h1", 0),
        ("p", 0),
        ("p", 1),
        ("ul", 0),
        ("li", 0),
        ("a", 0),
        ("div", 1),
    ]
    found = [densities[of(tree, *name)] for name in names]
    expected = [42.091, 288.709, 115.590, 460.108, 252.139, 0.0, 0.0, 0.0, 0.308]
    assert found == pytest.approx(expected, abs=1e-3)
    assert sums[of(tree, "div")] == pytest.approx(1301.358, abs=1e-3)
    assert sums[of(tree, "body")] == pytest.approx(289.017, abs=1e-3)


def test_worked_pages():
    found = extract(PAGE_W2, "cectd-ds")
    assert found.text == ARTICLE
    assert found.metrics.threshold == pytest.approx(42.091, abs=1e-3)
    assert extract(PAGE_W, "cectd-ds").text == WHOLE_BODY
    assert extract(PAGE_W, "cectd-s").text == ARTICLE
    assert extract(PAGE_W2, "cectd-s").text == WHOLE_BODY


@pytest.mark.parametrize("name", METHODS)
def test_a_page_without_links_is_all_content(name):
    page = "<body>x<div><p>A longer text that stands apart.</p><p>y</p></div><br><p hidden>no</p>"
    found = extract(page, name)
    assert found.text == "x\nA longer text that stands apart.\ny"
    assert found.metrics.threshold is None
    assert found.metrics.content_ratio == 1.0
    assert all(math.isfinite(block.score) for block in found.blocks)
    assert "<br/>" in (found.html or "")


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("page", ["", " ", "<!-- c -->", "<p></p>", "<a></a>", "<a>&nbsp;</a><br>"])
def test_pages_without_text(name, page):
    found = extract(page, name)
    assert (found.text, found.blocks, found.metrics.content_ratio) == ("", (), 0.0)


@pytest.mark.parametrize("name", METHODS)
def test_a_page_of_nothing_but_links(name):
    page = "<body><ul>" + "<li><a href=x>link</a></li>" * 3 + "</ul>"
    tree, densities, sums = measured(page)
    assert densities[of(tree, "ul")] == 0.0
    assert not sums[of(tree, "ul") :].any()
    assert extract(page, name).text == "link\nlink\nlink"


def test_nested_links_count_once():
    tree, densities, sums = measured("<body>text outside<a>out<object><a>in</a></object></a>")
    first = of(tree, "a")
    assert not densities[first:].any()
    assert not sums[first:].any()


def test_one_character_in_links_on_a_large_page_leaves_finite_densities():
    page = f"<body><p>{'x' * 1_000_000}</p><p>word</p><a>l</a>"
    _, densities, sums = measured(page)
    assert np.isfinite(densities).all()
    assert np.isfinite(sums).all()


def test_links_without_an_address_are_links():
    page = "<body><p>Some text of a paragraph.</p><a{}>a link</a>"
    assert measured(page.format(""))[1].tolist() == measured(page.format(" href='/x'"))[1].tolist()


def test_text_between_line_breaks_has_no_density_sum_if_only_children_count():
    page = "<body><div>" + "A line of the text.<br>" * 9 + "</div><p>A note here.</p><a>link</a>"
    tree, densities, sums = measured(page)
    children_alone = density_sums(tree, densities, None)
    assert sums[of(tree, "div")] > sums[of(tree, "p")] > 0.0
    assert not children_alone[[of(tree, "div"), of(tree, "p")]].any()
    lines = "\n".join(["A line of the text."] * 9)
    assert extract(page, "cetd-ds").text == lines
    assert extract(page, "cetd-ds", text_terms="ignore").text == f"{lines}\nA note here.\nlink"


def test_smoothing_weighs_the_element_twice_and_those_beside_it_once():
    tree = read_tree(visible_source(b"<body><i>a</i><i>b<u>c</u></i><i>d</i><i>e</i>"), keep_hidden=False)
    densities = np.zeros(tree.size)
    densities[tree.named("i")] = [8.0, 4.0, 0.0, 12.0]
    densities[of(tree, "u")] = 100.0
    smoothed = smoothed_over_siblings(tree, densities)
    assert smoothed[tree.named("i")].tolist() == [
        (16 + 4) / 3,
        (8 + 8 + 0) / 4,
        (4 + 0 + 12) / 4,
        (24 + 0) / 3,
    ]
    assert smoothed[of(tree, "u")] == 100.0
    assert smoothed[[0, tree.body]].tolist() == [0.0, 0.0]


def test_smoothed_densities_are_looked_for_below_elements_of_low_density():
    links = "<ul>" + "<li><a>a link of a list</a></li>" * 30 + "</ul>"
    note = "A note that stands below a list of links."
    article = ("An article of some words. " * 40).strip()
    tree, densities, _ = measured(page := f"<p>{article}</p>{links}<div>{links}<p>{note}</p></div>{links}")
    assert smoothed_over_siblings(tree, densities)[of(tree, "div")] < densities[tree.body]
    assert note in extract(page, "cectd-s").text


@settings(max_examples=30)
@given(pages)
def test_a_plain_reading_of_the_paper_gives_the_same_densities(page):
    body = plain_tree.body_of(root := plain_tree.read(page.encode()))
    ratio = body.lc / body.c if body.lc else 0.25
    walked = list(root.subtree())
    for author_base in (False, True):
        _, densities, sums = measured(page, ratio, author_base=author_base)
        expected = [node.composite_density(ratio, author_base=author_base) for node in walked]
        assert densities.tolist() == pytest.approx(expected)
        expected = [node.composite_density_sum(ratio, author_base=author_base) for node in walked]
        assert sums.tolist() == pytest.approx(expected)


@settings(max_examples=30)
@given(pages, st.sampled_from([1.0, 0.5, 1.2, 0.0]), st.booleans())
def test_a_plain_reading_of_the_paper_gives_the_same_text(page, factor, author_base):
    root = plain_tree.read(page.encode())
    options = CectdDsOptions(threshold_factor=factor, base="author-code" if author_base else "paper")
    expected = plain_tree.cectd_ds(root, factor, author_base=author_base)
    assert cectd_ds(page.encode(), options).text.splitlines() == expected


@settings(max_examples=30)
@given(pages, st.sampled_from([1.0, 0.5, 2.0, 0.0]))
def test_a_plain_reading_of_our_smoothing_gives_the_same_text(page, factor):
    root = plain_tree.read(page.encode())
    found = cectd_s(page.encode(), CectdOptions(threshold_factor=factor))
    assert found.text.splitlines() == plain_tree.cectd_s(root, factor)


@settings(max_examples=25)
@given(pages)
def test_composite_densities_are_finite_not_negative_and_nothing_in_links(page):
    tree, densities, sums = measured(page, 0.25)
    assert (np.isfinite(densities) & (densities >= 0.0)).all()
    assert (np.isfinite(sums) & (sums >= 0.0)).all()
    in_links = tree.covered(tree.named("a", "button", "select"))
    assert not densities[in_links].any()
    assert not sums[in_links].any()


@settings(max_examples=25)
@given(pages | pieces, st.sampled_from(METHODS))
def test_what_holds_of_every_result(page, name):
    found = extract(page, name)
    assert found.text == "\n".join(block.text for block in found.blocks if block.kept)
    assert found.metrics.lines == len(found.blocks)
    assert 0.0 <= found.metrics.content_ratio <= 1.0


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize(
    "make",
    [
        lambda n: b"<div><p>Some text with a <a href='/x'>link</a>.</p></div>" * (n // 56),
        lambda n: b"<a>x</a>" + b"<div>x" * (n // 6),
        lambda n: b"<a>x</a>" * (n // 8),
        lambda n: b"<a><i/></a>" * (n // 11),
        lambda n: b"<a>x</a>" + b"<i>x</i> y " * (n // 11),
    ],
)
def test_time_grows_with_the_page_not_with_its_square(name, make):
    def extracted(page: bytes) -> None:
        with contextlib.suppress(TreeLimitError):
            extract(page, name)

    assert_linear(extracted, make, 1 << 15)
