"""LQF, LP, LSI, FE and K-FE: worked pages, plain readings, and what holds of every result."""

from __future__ import annotations

import contextlib
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cedar import extract
from cedar.transforms.extractors.tree.fe import feature_blocks
from cedar.transforms.extractors.tree.limits import TreeLimitError
from cedar.transforms.extractors.tree.tree import read_tree, visible_source
from tests.extractors.samples import PAGE_W, pieces
from tests.extractors.tree_samples import ARTICLE, PAGE_W2, WHOLE_BODY, pages
from tests.helpers.shapes import assert_linear

METHODS = ("lqf", "lp", "lsi", "fe", "kfe")


@pytest.mark.parametrize(
    ("name", "of_w", "of_w2"),
    [
        ("lqf", ARTICLE, ARTICLE),
        ("lp", WHOLE_BODY, WHOLE_BODY),
        ("lsi", WHOLE_BODY, ARTICLE),
        ("fe", ARTICLE, ARTICLE),
        ("kfe", ARTICLE, ARTICLE),
    ],
)
def test_worked_pages(name, of_w, of_w2):
    assert extract(PAGE_W, name).text == of_w
    assert extract(PAGE_W2, name).text == of_w2


def test_lqf_counts_what_inner_elements_leave():
    links = "<li><a>a link of a list</a></li>" * 3
    assert extract(f"<div>A heading<ul>{links}</ul></div>", "lqf").text == "A heading"
    blocks = extract(f"<div>A heading<ul>{links}</ul></div>", "lqf").blocks
    assert [(block.text, block.score) for block in blocks[:2]] == [
        ("A heading", 0.0),
        ("a link of a list", 1.0),
    ]


def test_lqf_leaves_what_is_directly_in_the_body_and_inline_elements():
    assert extract("<body><a>link</a> <span><a>link</a></span><br><p>x", "lqf").text == "link link\nx"


@pytest.mark.parametrize(
    ("quota", "kept"), [(0.25, ["x"]), (0.5, ["x", "text link"]), (0.9, ["x", "text link", "t link"])]
)
def test_lqf_takes_elements_over_its_bound(quota, kept):
    page = "<body>x<p>text <a>link</a></p><p>t <a>link</a></p>"
    assert extract(page, "lqf", quota=quota).text.splitlines() == kept


def test_lp_cuts_the_page_as_long_as_a_child_is_rich_in_links():
    links = "<a>l</a>" * 3
    page = f"<body>lost<div>{links}</div><div>the <b>text</b> of the page<p><a>l</a></p></div><div>less</div>"
    assert extract(page, "lp").text == "the text of the page\nl"
    assert extract(page, "lp", k=4).text == "lost\nlll\nthe text of the page\nl\nless"


def test_lsi_is_not_drawn_to_wrappers():
    page = "<body><div><div>" + "<p>Some text of a paragraph.</p>" * 9 + "</div></div><div>less</div>"
    found = extract(page, "lsi")
    assert found.text == "\n".join(["Some text of a paragraph."] * 9)
    assert (found.html or "").startswith("<html><body><div><div><p>")


def test_the_shares_of_features_are_those_of_the_page_and_add_up_to_one():
    page = b"<p>words <a>link</a></p><p>words only</p><p><img></p><div><hr></div>"
    tree = read_tree(visible_source(page), keep_hidden=False)
    blocks = feature_blocks(tree)
    assert blocks.chars[blocks.chars > 0].tolist() == [9, 10]
    first, second = np.flatnonzero(blocks.chars)
    assert blocks.shares[:, second].tolist() == [1.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    text_share = 9 / 19
    assert blocks.shares[:2, first].tolist() == pytest.approx(
        [text_share / (text_share + 1), 1 / (text_share + 1)]
    )
    totals = blocks.shares.sum(axis=0)
    assert set(np.round(totals, 9).tolist()) == {0.0, 1.0}


def test_fe_takes_blocks_by_their_share_of_text():
    page = "<p>words <a>link</a></p><p>words only</p>"
    assert extract(page, "fe").text == "words only"
    assert extract(page, "fe", share=0.3).text == "words link\nwords only"
    assert [block.score for block in extract(page, "fe").blocks] == pytest.approx([9 / 28, 1.0])


def test_kfe_keeps_all_where_blocks_do_not_differ():
    assert extract("<p>one</p><p>two</p>", "kfe").text == "one\ntwo"


def test_kfe_keeps_the_blocks_most_like_text():
    text = "<p>A paragraph of text that has no links.</p>" * 5
    page = (
        f"<ul>{'<li><a>link</a></li>' * 9}</ul>{text}<p><img><img>caption</p><p>Text with <a>a link</a>.</p>"
    )
    assert extract(page, "kfe").text == "\n".join(["A paragraph of text that has no links."] * 5)
    assert "caption" not in extract(page, "kfe", k=2).text


def test_empty_elements_between_kept_texts_stay():
    page = "<p>One <br>and two.</p><ul><li><a>x</a><br></li><li><a>y</a></li></ul><p>Three.</p>"
    assert extract(page, "fe").html == "<html><body><p>One <br/>and two.</p><p>Three.</p></body></html>"


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("page", ["", " ", "<!-- c -->", "<p></p>", "<br>", "<frameset><frame>", "<a></a>"])
def test_pages_without_text(name, page):
    found = extract(page, name)
    assert (found.text, found.blocks, found.metrics.content_ratio) == ("", (), 0.0)


@settings(max_examples=25)
@given(pages | pieces, st.sampled_from(METHODS))
def test_what_holds_of_every_result(page, name):
    found = extract(page, name)
    assert found.text == "\n".join(block.text for block in found.blocks if block.kept)
    assert found.metrics.lines == len(found.blocks)
    assert 0.0 <= found.metrics.content_ratio <= 1.0
    kept_again = extract(found.html or "", "lp", k=10**6)
    assert "".join(kept_again.text.split()) == "".join(found.text.split())


@pytest.mark.parametrize("name", METHODS)
def test_deep_trees_are_read_in_time(name):
    start = time.process_time()
    assert extract(b"<div>x" * 30_000, name).text
    assert time.process_time() - start < 10


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize(
    "make",
    [
        lambda n: b"<div><p>Some text with a <a href='/x'>link</a>.</p></div>" * (n // 56),
        lambda n: b"<div>x" * (n // 6),
        lambda n: b"<i>x<hr>" * (n // 8),
        lambda n: b"<p>x<img><a>y</a>" * (n // 17),
    ],
)
def test_time_grows_with_the_page_not_with_its_square(name, make):
    def extracted(page: bytes) -> None:
        with contextlib.suppress(TreeLimitError):
            extract(page, name)

    assert_linear(extracted, make, 1 << 15)
