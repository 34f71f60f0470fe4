"""CETD-DS on whole pages: the paper's example, worked pages, a plain reading, and properties."""

from __future__ import annotations

import contextlib
import re
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cedar import Block, Extraction, extract
from cedar.transforms.extractors.tree._cetd import mark_content
from cedar.transforms.extractors.tree.cetd import (
    CetdDsOptions,
    TextCounts,
    cetd_ds,
    counts,
    density_sums,
    text_density,
)
from cedar.transforms.extractors.tree.limits import TreeLimitError
from cedar.transforms.extractors.tree.tree import Tree, read_tree, visible_source
from tests.extractors.samples import PAGE_W, pieces
from tests.extractors.tree_samples import ARTICLE, EXAMPLE, PAGE_W2, nested_pages, pages
from tests.helpers.shapes import assert_linear
from tests.oracles import trees as plain_tree


def run(page: str, **options: object) -> Extraction:
    return cetd_ds(page.encode(errors="replace"), CetdDsOptions(**options))


def read(page: str) -> Tree:
    return read_tree(visible_source(page.encode()), keep_hidden=False)


def measured(page: str) -> tuple[Tree, TextCounts, np.ndarray, np.ndarray]:
    tree = read(page)
    counted = counts(tree)
    densities = text_density(counted.chars, counted.tags)
    return tree, counted, densities, density_sums(tree, densities, tree.chars)


def of(tree: Tree, name: str, number: int = 0) -> int:
    return int(np.flatnonzero(tree.named(name))[number])


def squeezed(text: str) -> str:
    return "".join(text.split())


@pytest.mark.parametrize(
    ("name", "c", "t", "lc", "lt", "density", "density_sum"),
    [
        ("body", 85, 5, 15, 1, 17.0, 21.25),
        ("main", 85, 4, 15, 1, 21.25, 28.333333),
        ("article", 85, 3, 15, 1, 28.333333, 85.0),
        ("h1", 46, 0, 0, 0, 46.0, 46.0),
        ("div", 39, 1, 15, 1, 39.0, 39.0),
        ("a", 15, 0, 15, 0, 15.0, 15.0),
    ],
)
def test_the_example_of_the_paper(name, c, t, lc, lt, density, density_sum):
    tree, counted, densities, sums = measured(EXAMPLE)
    i = of(tree, name)
    found = (counted.chars[i], counted.tags[i], counted.link_chars[i], counted.link_tags[i])
    assert found == (c, t, lc, lt)
    assert densities[i] == pytest.approx(density, abs=1e-6)
    assert sums[i] == pytest.approx(density_sum, abs=1e-6)


def test_the_article_of_the_example_is_its_content():
    tree, _, densities, sums = measured(EXAMPLE)
    content, threshold = mark_content(tree, densities, sums, 1.0)
    assert threshold == 17.0
    assert np.flatnonzero(content).tolist() == list(range(of(tree, "article"), tree.size))


def test_wrappers_of_nothing_but_links_are_link_tags():
    tree, counted, _, _ = measured("<ul>" + "<li><a href='/'>link</a></li>" * 3 + "</ul>")
    ul = of(tree, "ul")
    assert (counted.tags[ul], counted.link_tags[ul]) == (6, 6)
    assert (counted.chars[ul], counted.link_chars[ul]) == (12, 12)


def test_a_wrapper_with_text_or_with_an_empty_element_is_none():
    tree, counted, _, _ = measured("<ul><li><a>x</a> y</li><li><a>x</a><br></li><li></li></ul>")
    assert counted.link_tags[of(tree, "ul")] == 2


def test_buttons_and_selects_are_links_and_what_is_in_links_too():
    tree, counted, _, _ = measured(
        "<div>a<button>bc<b>d</b></button><select><option>e</option></select><a>f</a></div>"
    )
    div, button = of(tree, "div"), of(tree, "button")
    assert (counted.chars[div], counted.link_chars[div]) == (6, 5)
    assert (counted.tags[div], counted.link_tags[div]) == (5, 5)
    assert (counted.tags[button], counted.link_tags[button]) == (1, 1)


def test_text_directly_in_the_body_keeps_the_whole_body():
    result = run(PAGE_W)
    tree, counted, densities, sums = measured(PAGE_W)
    assert (counted.chars[tree.body], counted.tags[tree.body]) == (259, 13)
    assert densities[tree.body] == pytest.approx(19.923077)
    assert sums[tree.body] == sums.max() == 244.75
    assert result.text == f"Home\nSport\n{ARTICLE}\nContact | Imprint"
    assert result.metrics.threshold == pytest.approx(19.923077)
    assert result.metrics.content_ratio == 1.0


def test_an_article_in_an_element_of_its_own_is_found_exactly():
    tree, counted, densities, sums = measured(PAGE_W2)
    main = of(tree, "div")
    assert (counted.chars[main], counted.tags[main]) == (235, 5)
    assert (densities[main], sums[main], sums[tree.body]) == (47.0, 235.0, 56.75)
    assert densities[of(tree, "ul")] == 2.25
    assert densities[of(tree, "div", 1)] == 7.5
    result = run(PAGE_W2)
    assert result.text == ARTICLE
    assert result.title == "Town News"
    assert result.metrics.threshold == 18.5


def test_metrics():
    metrics = run(PAGE_W2).metrics
    assert metrics.html_chars == len(PAGE_W2)
    assert metrics.text_chars == len(ARTICLE)
    assert metrics.words == len(ARTICLE.split())
    assert (metrics.lines, metrics.content_lines) == (7, 4)
    assert metrics.tags == 17  # elements: html, head, body and 14 in it
    assert metrics.link_chars == len("HomeSportContactImprint")
    assert (metrics.tag_ratio_mean, metrics.tag_ratio_std) == (None, None)
    assert metrics.content_ratio == pytest.approx(len(ARTICLE) / len(run(PAGE_W).text))


def test_blocks_have_paths_and_the_densities_of_their_elements():
    blocks = run(PAGE_W2).blocks
    assert [block.text for block in blocks if block.kept] == ARTICLE.split("\n")
    assert [(b.text, b.kept, b.score, b.path) for b in blocks if b.path != "/html/body/div[1]"][:4] == [
        ("Home", False, 4.0, "/html/body/ul/li[1]"),
        ("Sport", False, 5.0, "/html/body/ul/li[2]"),
        ("Bridge reopens", True, 14.0, "/html/body/div[1]/h1"),
        (ARTICLE.split("\n")[1], True, 88.0, "/html/body/div[1]/p[1]"),
    ]
    assert blocks[-1] == Block(
        "Contact | Imprint", False, 7.5, path="/html/body/div[2]", cues=(("DensitySum", 56.75),)
    )
    assert blocks[5].path == "/html/body/div[1]"
    assert blocks[5].score == 47.0


def test_a_block_belongs_to_its_innermost_block_level_element():
    (block,) = run("<body><p><b>bold</b> and <i>not</i></p>").blocks
    assert block == Block("bold and not", True, 5.0, path="/html/body/p", cues=(("DensitySum", 5.0),))


def test_the_kept_html_has_the_kept_elements_in_their_ancestors():
    assert re.sub(r"\s*\n\s*", "", run(PAGE_W2).html or "") == (
        '<html><body><div id="main"><h1>Bridge reopens</h1>'
        f"<p>{ARTICLE.splitlines()[1]}</p><p>{ARTICLE.splitlines()[2]}</p>{ARTICLE.splitlines()[3]}"
        "<br/><br/></div></body></html>"
    )


def test_the_kept_html_is_html_and_not_xml():
    html = run("<body><div class='a&amp;b'>text<i></i><img src=x><span/>more</div>").html
    assert html == (
        '<html><body><div class="a&amp;b">text<i></i><img src="x"/><span></span>more</div></body></html>'
    )


SPLIT = (
    "<body>An introduction<div>"
    + "<p>A long paragraph of the article, with words.</p>" * 3
    + "</div>and an end"
    "<ul><li><a>x</a></li><li><a>y</a></li></ul>"
)


def test_text_directly_around_content_is_kept_or_dropped_by_choice():
    paragraphs = ["A long paragraph of the article, with words."] * 3
    assert run(SPLIT).text.splitlines() == ["An introduction", *paragraphs, "and an end"]
    assert run(SPLIT, path_text="drop").text.splitlines() == paragraphs


def test_a_block_that_stays_in_part_is_two_blocks():
    page = "<body>Some text that stays here <i>x</i> and goes on<div>" + "<p>A paragraph of text.</p>" * 9
    result = run(page)
    assert [(b.text, b.kept) for b in result.blocks[:2]] == [
        ("Some text that stays here and goes on", True),
        ("x", False),
    ]
    assert result.text.splitlines()[0] == "Some text that stays here and goes on"
    assert result.metrics.lines == len(result.blocks)


def test_hidden_elements_go_unless_they_are_wanted():
    page = "<body><p>What can be seen.</p><p style='display: none'>What can not.</p>"
    assert run(page).text == "What can be seen."
    assert run(page, hidden="keep").text == "What can be seen.\nWhat can not."


@pytest.mark.parametrize(
    "page", ["", " ", "<!-- c -->", "<!doctype html>", "<title>t</title>", "<p></p>", "<br>"]
)
def test_pages_without_text(page):
    result = run(page)
    assert (result.text, result.blocks) == ("", ())
    assert (result.metrics.words, result.metrics.lines, result.metrics.content_ratio) == (0, 0, 0.0)


@pytest.mark.parametrize(
    "page",
    [
        "<title>Town &amp; news\n</title>",
        "<TITLE >Town &amp; news</TITLE\n>",
        "<!-- <title>no</title> --><title>Town &amp; news</title>",
        "<script>'<title>no</title>'</script><title>Town &amp; news</title><title>no</title>",
        "<title>Town &amp; news<p>x",
        "<head></head><p>x",
        "<title></title>",
        "<title>a</titles>b</title>",
    ],
)
def test_the_title_is_the_one_that_the_line_methods_find(page):
    assert run(page).title == extract(page, "keep-all").title


@settings(max_examples=30)
@given(pages, st.sampled_from([1.0, 0.5, 1.2, 0.0]), st.booleans())
def test_a_plain_reading_of_the_paper_gives_the_same_text(page, factor, path_text):
    expected = plain_tree.cetd_ds(plain_tree.read(page.encode()), factor, path_text=path_text)
    result = run(page, threshold_factor=factor, path_text="keep" if path_text else "drop")
    assert result.text.splitlines() == expected


@settings(max_examples=25)
@given(pages)
def test_a_plain_reading_of_the_paper_gives_the_same_counts(page):
    walked = list(plain_tree.read(page.encode()).subtree())
    _, counted, densities, sums = measured(page)
    assert counted.chars.tolist() == [node.c for node in walked]
    assert counted.tags.tolist() == [node.t for node in walked]
    assert counted.link_chars.tolist() == [node.lc for node in walked]
    assert counted.link_tags.tolist() == [node.lt for node in walked]
    assert densities.tolist() == [node.density for node in walked]
    assert sums.tolist() == pytest.approx([node.density_sum for node in walked])


@settings(max_examples=25)
@given(pages | pieces)
def test_what_holds_of_every_result(page):
    result = run(page)
    blocks, metrics = result.blocks, result.metrics
    assert result.text == "\n".join(block.text for block in blocks if block.kept)
    assert all(block.text and block.text == " ".join(block.text.split()) for block in blocks)
    assert (metrics.lines, metrics.content_lines) == (len(blocks), sum(block.kept for block in blocks))
    assert 0.0 <= metrics.content_ratio <= 1.0
    assert metrics.words == len(result.text.split())
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff]", result.text)
    assert result.blocks == blocks


@settings(max_examples=25)
@given(pages)
def test_densities_are_at_most_the_characters_and_links_at_most_all(page):
    _, counted, densities, _ = measured(page)
    assert (densities <= counted.chars).all()
    assert (counted.link_chars <= counted.chars).all()
    assert (counted.link_tags <= counted.tags).all()


@settings(max_examples=25)
@given(pages)
def test_a_page_with_text_has_content_unless_lambda_is_over_one(page):
    everything = run(page, threshold_factor=0)
    assert everything.metrics.content_ratio == (1.0 if everything.text else 0.0)
    assert bool(run(page).text) == bool(everything.text)
    assert bool(run(page, threshold_factor=0.7).text) == bool(everything.text)


def test_a_lambda_over_one_may_leave_nothing():
    assert run(EXAMPLE, threshold_factor=1.01).text == ""


def test_a_larger_lambda_never_lowers_the_threshold_nor_adds_text():
    page = PAGE_W2.replace("<ul>", "<p>A note between.</p><ul>")
    chars = [run(page, threshold_factor=factor).metrics.text_chars for factor in (0, 0.2, 0.5, 0.9, 1)]
    assert chars == sorted(chars, reverse=True)
    assert chars[0] > chars[-1]


@settings(max_examples=25)
@given(nested_pages)
def test_blanks_between_tags_and_text_do_not_change_the_decision(page):
    plain, spread = run(page), run(re.sub("(<[a-z/][^<>']*(?:'[^']*'[^<>']*)*>)", "\n \\1\t\n", page))
    assert spread.metrics.threshold == plain.metrics.threshold
    assert squeezed(spread.text) == squeezed(plain.text)
    assert (spread.metrics.lines, spread.metrics.tags) == (plain.metrics.lines, plain.metrics.tags)
    assert [block.score for block in spread.blocks] == [block.score for block in plain.blocks]


def test_pretty_printed_and_minified_pages_give_the_same_text():
    minified = re.sub(r"\n\s*", " ", PAGE_W2)
    pretty = re.sub(r"(</?(?:div|p|ul|li|h1|br)\b)", r"\n        \1", PAGE_W2)
    assert run(minified).text == run(pretty).text == run(PAGE_W2).text == ARTICLE


@settings(max_examples=25)
@given(pages)
def test_comments_and_scripts_between_tags_change_nothing(page):
    noisy = re.sub("(<(?:div|p|ul|li|section)\\b)", "<!-- <p>x --><script>if (a<b) y()</script>\\1", page)
    assert run(noisy).text == run(page).text


@settings(max_examples=25)
@given(st.lists(st.sampled_from(["text", "<b>bold</b>", "<a>link</a>", "<i><br></i>"])), st.integers(0, 9))
def test_a_wrapper_counts_as_one_element_to_its_ancestors_and_to_nobody_else(parts, position):
    parts = [*parts, "<b>last</b>"]
    position %= len(parts)
    page = "<body><div>" + "".join(parts) + "</div>"
    parts[position] = f"<x-w>{parts[position]}</x-w>"
    _, plain, _, _ = measured(page)
    tree, wrapped, _, _ = measured("<body><div>" + "".join(parts) + "</div>")
    wrapper = of(tree, "x-w")
    assert np.delete(wrapped.chars, wrapper).tolist() == plain.chars.tolist()
    ancestors = [0, tree.body, of(tree, "div")]
    expected = plain.tags.copy()
    expected[ancestors] += 1
    assert np.delete(wrapped.tags, wrapper).tolist() == expected.tolist()


def test_the_first_of_equal_density_sums_wins():
    tree, _, densities, sums = measured("<body><div><p>same text</p></div><div><p>same text</p></div>")
    content, threshold = mark_content(tree, densities, sums, 1.0)
    assert sums[of(tree, "div")] == sums[of(tree, "p")] == 9.0
    assert content[of(tree, "div")]
    assert threshold == 4.5


def test_unclosed_inline_tags_keep_the_text():
    page = "".join(f"<p><font><b>Sentence number {i} of a page that nobody closed. " for i in range(1200))
    result = run(f"<body>{page}")
    assert all(f"number {i} " in result.text for i in range(1200))


def test_text_after_the_document_is_text():
    paragraph = "<p>A paragraph that is as long as the others are.</p>"
    result = run(f"<html><body>{paragraph * 2}</body></html>{paragraph * 2}")
    assert result.text.count("A paragraph") == 4


@pytest.mark.parametrize("page", [b"<div>" * 30_000 + b"text", b"<p>x" * 200_000], ids=["deep", "wide"])
def test_large_trees_are_read_in_time_and_lose_nothing(page):
    start = time.process_time()
    result = cetd_ds(page, CetdDsOptions(threshold_factor=0.0))
    assert time.process_time() - start < 5
    assert result.metrics.content_ratio == 1.0
    assert len(result.text.replace("\n", "")) == (4 if page.endswith(b"text") else 200_000)


@pytest.mark.parametrize(
    "make",
    [
        lambda n: b"<div><p>Some text with a <a href='/x'>link</a>.</p></div>" * (n // 56),
        lambda n: b"<div>x" * (n // 6),
        lambda n: b"<b>x" * (n // 4),
        lambda n: b"<a><i/></a>" * (n // 11),
        lambda n: b"<i>x</i> y " * (n // 11),
        lambda n: b"<ul>" + b"<li>" * (n // 4),
        lambda n: b"".join(b"<p>%s</p>" % (b"x" * (i % 50)) for i in range(n // 32)),
        lambda n: b"<title" * (n // 6),
        lambda n: b"</title" * (n // 7),
    ],
)
def test_time_grows_with_the_page_not_with_its_square(make):
    def extracted(page: bytes) -> None:
        with contextlib.suppress(TreeLimitError):
            cetd_ds(page, CetdDsOptions())

    assert_linear(extracted, make, 1 << 15)
